//! What happened, the latest first.

use trailbrake_shared::session::{LogEntry, LogKind, Session};

use super::server::server;
use crate::dom::{Part, part};
use crate::figures::{delta, minutes};
use crate::telemetry::Telemetry;

/// More entries than this are not listed here.
const LISTED: usize = 40;

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
        .with(part("td", "when").says(&minutes(entry.seconds)))
        .with(part("th", "").set("scope", "row").says(&session.say(entry)))
        .with(part("td", "").set("data-trend", trend).says(&behind_ms.map(delta).unwrap_or_default()))
}
