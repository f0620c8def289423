//! What happened, the latest first.

use leptos::prelude::*;
use trailbrake_shared::session::{LogKind, Session};

use super::server::server;
use crate::cockpit::Cockpit;
use crate::figures::{delta, minutes};
use crate::show::Show;

/// More entries than this are not listed here.
const LISTED: usize = 40;

/// The panel.
pub(super) fn events() -> impl IntoView {
    let cockpit = Cockpit::here();
    let rows = cockpit.sampled(|telemetry| telemetry.session().map(read).unwrap_or_default());
    view! {
        <section class="panel events" aria-label="Events">
            <div class="head"><h2>"Events"</h2></div>
            {server()}
            <div class="scroll" tabindex="0">
                <table>{move || rows.get().into_iter().map(row).collect_view()}</table>
                <Show when=move || rows.read().is_empty()>
                    <p class="missing">"Nothing has happened yet."</p>
                </Show>
            </div>
        </section>
    }
}

/// An entry, as it is printed.
#[derive(Clone, Debug, PartialEq)]
struct Row {
    id: u64,
    time: String,
    words: String,
    behind_ms: Option<i64>,
}

fn row(row: Row) -> impl IntoView {
    let trend = match row.behind_ms {
        Some(behind) if behind > 0 => "behind",
        Some(_) => "ahead",
        None => "none",
    };
    view! {
        <tr data-event=row.id.to_string()>
            <td class="when">{row.time}</td>
            <th scope="row">{row.words}</th>
            <td data-trend=trend>{row.behind_ms.map(delta)}</td>
        </tr>
    }
}

fn read(session: &Session) -> Vec<Row> {
    let latest = session.log().rev().take(LISTED);
    latest
        .map(|entry| Row {
            id: entry.id,
            time: minutes(entry.seconds),
            words: session.say(entry),
            behind_ms: match &entry.kind {
                LogKind::Lap { behind_ms, .. } => *behind_ms,
                _ => None,
            },
        })
        .collect()
}
