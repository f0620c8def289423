//! What happened, the latest first.

use trailbrake_shared::session::{LogEntry, LogKind, Session};

use super::server::server;
use crate::browser;
use crate::dom::{Part, part};
use crate::figures::{delta, minutes};
use crate::library::date;
use crate::telemetry::Telemetry;

/// More entries than this are not listed here.
const LISTED: usize = 40;
/// No session takes longer, seconds: what is more counts from 1970.
const LONGEST_S: f64 = 1e8;

/// The panel.
pub(super) fn events(telemetry: &Telemetry) -> Part {
    let rows = match telemetry.session() {
        Some(session) => session.log().rev().take(LISTED).map(|entry| row(session, entry)).collect(),
        None => Vec::new(),
    };
    let nothing = rows.is_empty().then(|| part("p", "missing").says("Nothing has happened yet."));
    part("section", "panel events")
        .set("aria-label", "Events")
        .with(part("div", "head").with(part("h2", "").says("Events")))
        .perhaps(server(telemetry))
        .with(
            part("div", "scroll")
                .set("tabindex", "0")
                .with(part("table", "").with_all(rows))
                .perhaps(nothing),
        )
}

/// When it happened on the session's clock; the time of day, where no such clock was known then.
fn when(entry: &LogEntry, minutes_west: i64) -> String {
    if entry.seconds < LONGEST_S {
        return minutes(entry.seconds);
    }
    let date = date(entry.at, minutes_west);
    date.rsplit_once(' ').map(|(_, time)| time.to_owned()).unwrap_or_default()
}

fn row(session: &Session, entry: &LogEntry) -> Part {
    let behind_ms = match &entry.kind {
        LogKind::Lap { behind_ms, .. } => *behind_ms,
        _ => None,
    };
    let trend = match behind_ms {
        Some(behind) if behind > 0 => "behind",
        Some(_) => "ahead",
        None => "none",
    };
    part("tr", "")
        .set("data-event", &entry.id.to_string())
        .with(part("td", "when").says(&when(entry, browser::minutes_west(entry.at))))
        .with(part("th", "").set("scope", "row").says(&session.say(entry)))
        .with(part("td", "").set("data-trend", trend).says(&behind_ms.map(delta).unwrap_or_default()))
}

#[cfg(test)]
mod tests {
    use trailbrake_shared::time::Micros;

    use super::*;

    #[test]
    fn an_event_has_the_session_s_time_or_that_of_the_day() {
        let at = Micros(1_795_264_200_000_000);
        let entry = |seconds| LogEntry { id: 1, at, seconds, car: None, who: None, kind: LogKind::PitIn };
        assert_eq!(when(&entry(279.4), 0), "4:39");
        // Without a clock of the game's the seconds are those of the packets' own.
        assert_eq!(when(&entry(at.0 as f64 / 1e6), 0), "12:30");
        assert_eq!(when(&entry(at.0 as f64 / 1e6), -60), "13:30");
    }
}
