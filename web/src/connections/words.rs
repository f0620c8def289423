//! The texts of the Connections page, and the order of its games.

use trailbrake_shared::games::Outlook;
use trailbrake_shared::number::thousands;

use crate::link::Shown;
use crate::telemetry::{Connection, FeedRow};

/// The line below the headline. `relay` is the state of the link, which the viewer does not have.
pub(super) fn lead(connection: Connection, is_viewer: bool, sending: bool, relay: &Shown) -> String {
    if is_viewer {
        return "Recordings, captures, iRacing telemetry, MoTeC logs and laps as CSV. They stay on this computer.".to_owned();
    }
    let words = match (relay, connection) {
        (Shown::TurnedAway(reason), _) => return reason.clone(),
        (_, Connection::Demo) => "The demo is running. It ends as soon as your game sends data.",
        (_, Connection::Replay) => "A recording is playing. Games are counted here, but not shown.",
        _ if sending => "",
        (Shown::Connected, _) => "Start driving: this page switches to Live as soon as your game sends data.",
        (Shown::Outdated, _) => "Trailbrake was updated while this page was open. Reload the page.",
        (Shown::Connecting | Shown::Reconnecting { .. }, _) => {
            "Trailbrake does not answer. Is it still running?"
        }
    };
    words.to_owned()
}

/// A game's state, as the style sheet names it to colour its dot.
pub(super) fn state(row: &FeedRow) -> &'static str {
    match row {
        _ if row.has_problem() => "problem",
        _ if row.sends => "sending",
        _ => "waiting",
    }
}

/// The games in their order: first those with a problem, then those that send, then the rest. Within these groups the
/// order of `rows` stays.
pub(super) fn in_order(mut rows: Vec<FeedRow>) -> Vec<FeedRow> {
    rows.sort_by_key(|row| match state(row) {
        "problem" => 0,
        "sending" => 1,
        _ => 2,
    });
    rows
}

/// An outlook's name for the style sheet and tests.
pub(super) fn outlook(outlook: Outlook) -> &'static str {
    match outlook {
        Outlook::Good => "good",
        Outlook::Waiting => "waiting",
        Outlook::Trouble => "trouble",
    }
}

/// A sent request as text, or its first bytes in hexadecimal if it is not printable.
pub(super) fn request(bytes: &[u8]) -> String {
    let text =
        std::str::from_utf8(bytes).ok().filter(|text| !text.contains(|letter: char| letter.is_control()));
    match text {
        Some(text) => text.to_owned(),
        None => {
            let bytes: Vec<String> = bytes.iter().take(16).map(|byte| format!("{byte:02x}")).collect();
            bytes.join(" ")
        }
    }
}

/// The number of recognised packets, and whether this version decodes them.
pub(super) fn recognised(packets: u64, decoded: bool) -> String {
    match (packets, decoded) {
        (0, _) => "nothing yet".to_owned(),
        (count, true) => format!("{} packets", thousands(count)),
        (count, false) => format!("{} packets, not decoded by this version", thousands(count)),
    }
}

#[cfg(test)]
mod tests {
    use trailbrake_shared::feed::Feed;

    use super::*;
    use crate::telemetry::{PortNote, PortWords};

    fn row(feed: Feed) -> FeedRow {
        FeedRow {
            feed,
            ports: Vec::new(),
            per_second: 0,
            sender: None,
            packets: 0,
            sends: false,
            notes: Vec::new(),
            rejects: Vec::new(),
            talk: None,
            request: None,
        }
    }

    #[test]
    fn the_open_port_is_the_one_to_set() {
        let port = |port, closed| PortWords { port: Some(port), words: String::new(), closed };
        let open_port = |ports: &[(u16, bool)]| {
            let ports = ports.iter().map(|(number, closed)| port(*number, *closed)).collect();
            FeedRow { ports, ..row(Feed::AcServer) }.open_port()
        };
        assert_eq!(open_port(&[(10_000, false), (12_000, false)]), Some(12_000));
        assert_eq!(open_port(&[(10_000, false), (12_000, true)]), Some(10_000));
        assert_eq!(open_port(&[(20_777, true)]), Some(20_777));
        assert_eq!(open_port(&[]), None);
    }

    #[test]
    fn problems_come_first_then_what_sends() {
        let note = PortNote { what: String::new(), advice: String::new(), testid: "closed" };
        let rows = [
            row(Feed::F1),
            FeedRow { sends: true, ..row(Feed::DirtRally) },
            row(Feed::GranTurismo),
            FeedRow { notes: vec![note], sends: true, ..row(Feed::AcLua) },
        ];
        assert_eq!(rows.each_ref().map(state), ["waiting", "sending", "waiting", "problem"]);
        let order = in_order(rows.to_vec()).iter().map(|row| row.feed).collect::<Vec<_>>();
        assert_eq!(order, [Feed::AcLua, Feed::DirtRally, Feed::F1, Feed::GranTurismo]);
    }

    #[test]
    fn requests_are_shown_as_text_or_as_bytes() {
        assert_eq!(request(b"C"), "C");
        assert_eq!(request(&[1, 0, 0, 0]), "01 00 00 00");
    }

    #[test]
    fn packets_are_counted_in_groups() {
        assert_eq!(recognised(0, true), "nothing yet");
        assert_eq!(recognised(20_204, true), "20\u{202f}204 packets");
        assert!(recognised(3, false).ends_with("not decoded by this version"));
    }

    #[test]
    fn the_lead_says_what_to_do() {
        let live = |sending, link: &Shown| lead(Connection::Relay, false, sending, link);
        assert!(live(false, &Shown::Connected).starts_with("Start driving"));
        assert!(lead(Connection::Replay, false, true, &Shown::Connected).starts_with("A recording"));
        assert!(lead(Connection::Demo, false, false, &Shown::Connected).starts_with("The demo"));
        assert!(lead(Connection::Demo, true, false, &Shown::Connecting).starts_with("Recordings"));
        assert!(live(false, &Shown::Outdated).contains("Reload"));
        let reason = "Too many pages are open.";
        assert_eq!(live(false, &Shown::TurnedAway(reason.to_owned())), reason);
        assert_eq!(live(true, &Shown::Connected), "");
    }
}
