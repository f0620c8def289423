//! What the page says.

use trailbrake_shared::number::thousands;

use crate::link::Shown;
use crate::telemetry::{FeedRow, PortWords};

/// The line below the headline.
pub(super) fn lead(sending: bool, replaying: bool, relay: &Shown) -> &'static str {
    match relay {
        _ if replaying && *relay != Shown::NoRelay => {
            "A recording is playing. Games are counted here, but not shown."
        }
        _ if sending => "",
        Shown::NoRelay => "Recordings, captures, MoTeC logs and laps as CSV. They stay on this computer.",
        Shown::Connected => "Start driving: this page switches to Live as soon as your game sends data.",
        Shown::Outdated => "Trailbrake was updated while this page was open. Reload the page.",
        Shown::Connecting | Shown::Reconnecting { .. } => "Trailbrake does not answer. Is it still running?",
    }
}

/// The colour of a game's dot.
pub(super) fn state(row: &FeedRow) -> &'static str {
    match row.ports.as_slice() {
        _ if row.per_second > 0 => "hearing",
        [_, ..] if row.ports.iter().all(|port| port.closed) => "closed",
        _ => "silent",
    }
}

/// Who sent the last packet.
pub(super) fn sender(row: &FeedRow) -> Option<String> {
    row.sender.map(|sender| sender.to_string())
}

/// How many packets were recognised.
pub(super) fn recognised(packets: u64, decoded: bool) -> String {
    match (packets, decoded) {
        (0, _) => "nothing yet".to_owned(),
        (count, true) => format!("{} packets", thousands(count)),
        (count, false) => format!("{} packets, not decoded by this version", thousands(count)),
    }
}

/// What to set in the game, with the port that is open here instead of the usual one.
pub(super) fn setup(row: &FeedRow) -> String {
    let info = row.feed.info();
    match (info.ports, row.ports.as_slice()) {
        ([usual], [PortWords { port: Some(open), .. }]) => {
            info.how.replace(&usual.to_string(), &open.to_string())
        }
        _ => info.how.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use trailbrake_shared::feed::Feed;

    use super::*;

    fn row(ports: &[(u16, bool)]) -> FeedRow {
        let port = |(number, closed): &(u16, bool)| PortWords {
            port: Some(*number),
            words: String::new(),
            closed: *closed,
        };
        FeedRow {
            feed: Feed::F12018,
            ports: ports.iter().map(port).collect(),
            per_second: 0,
            sender: None,
            packets: 0,
            notes: Vec::new(),
            talk: None,
        }
    }

    #[test]
    fn the_setup_names_the_port_that_is_open() {
        assert!(setup(&row(&[(20_778, false)])).contains("20778"));
        assert!(setup(&row(&[])).contains("20777"));
    }

    #[test]
    fn a_dot_is_closed_once_every_port_is() {
        assert_eq!(state(&row(&[(1, true), (2, false)])), "silent");
        assert_eq!(state(&row(&[(1, true), (2, true)])), "closed");
        assert_eq!(state(&row(&[])), "silent");
        assert_eq!(state(&FeedRow { per_second: 1, ..row(&[(1, true)]) }), "hearing");
    }

    #[test]
    fn packets_are_counted_in_groups() {
        assert_eq!(recognised(0, true), "nothing yet");
        assert_eq!(recognised(20_204, true), "20\u{202f}204 packets");
        assert!(recognised(3, false).ends_with("not decoded by this version"));
    }

    #[test]
    fn the_lead_says_what_to_do() {
        assert!(lead(false, false, &Shown::Connected).starts_with("Start driving"));
        assert!(lead(true, true, &Shown::Connected).starts_with("A recording"));
        assert!(lead(false, false, &Shown::Outdated).contains("Reload"));
        assert_eq!(lead(true, false, &Shown::Connected), "");
    }
}
