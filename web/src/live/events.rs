//! The event panel: the log of the session, the latest event first.

use leptos::prelude::*;
use trailbrake_shared::session::{LogEntry, LogKind, Session, log_words};
use trailbrake_shared::units::Units;

use super::session_words::heading;
use super::timing;
use crate::browser;
use crate::cockpit::{Display, TelemetryStore};
use crate::telemetry::Telemetry;
use crate::text::dates::date;
use crate::text::figures::{delta, minutes};
use crate::ui::RowList;

/// Most events in the table.
const LISTED: usize = 40;
/// Longest session in seconds. Larger times are not of a game's clock but since 1970.
const LONGEST_S: f64 = 1e8;

/// An event in words.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct EventWords {
    id: String,
    when: String,
    words: String,
    trend: &'static str,
    behind: String,
}

/// The panel.
#[component]
pub(super) fn EventPanel() -> impl IntoView {
    let telemetry = TelemetryStore::here();
    // The timing panel names the kind of session. Without it this panel does.
    let heading = telemetry.sampled(|telemetry| match timing::is_sent(telemetry) {
        true => String::new(),
        false => heading(telemetry),
    });
    view! {
        <section class="panel events" aria-label="Events">
            <div class="head"><h2>"Events"</h2><span>{move || heading.get()}</span></div>
            <EventTable label="List of events" shows=|_| true empty="No events yet."/>
        </section>
    }
    .into_any()
}

/// A table of the events for which `shows` is true, the latest first, or the text `empty`.
#[component]
pub(crate) fn EventTable(
    label: &'static str,
    shows: fn(&LogKind) -> bool,
    empty: &'static str,
) -> impl IntoView {
    let (telemetry, display) = (TelemetryStore::here(), Display::here());
    let events = telemetry.sampled(move |telemetry| events(telemetry, shows, display.units.get()));
    let row = |EventWords { id, when, words, trend, behind }: EventWords| {
        view! {
            <tr data-event=id>
                <td class="when">{when}</td>
                <th scope="row">{words}</th>
                <td data-trend=trend>{behind}</td>
            </tr>
        }
    };
    view! {
        <RowList label>
            <table>
                <tbody>
                    <For each=move || events.get() key=EventWords::clone let:event>{row(event)}</For>
                </tbody>
            </table>
            <Show when=move || events.with(Vec::is_empty)>
                <p class="missing">{empty}</p>
            </Show>
        </RowList>
    }
}

fn events(telemetry: &Telemetry, shows: fn(&LogKind) -> bool, units: Units) -> Vec<EventWords> {
    let Some(session) = telemetry.session() else { return Vec::new() };
    session
        .log()
        .rev()
        .filter(|entry| shows(&entry.kind))
        .take(LISTED)
        .map(|entry| words(session, entry, units))
        .collect()
}

/// The time of an event on the game's clock. Without such a clock, the local time of day.
fn when(entry: &LogEntry, minutes_west: i64) -> String {
    if entry.seconds < LONGEST_S {
        return minutes(entry.seconds);
    }
    let date = date(entry.at, minutes_west);
    date.rsplit_once(' ').map(|(_, time)| time.to_owned()).unwrap_or_default()
}

fn words(session: &Session, entry: &LogEntry, units: Units) -> EventWords {
    let behind_ms = match &entry.kind {
        LogKind::Lap { behind_ms, .. } => *behind_ms,
        _ => None,
    };
    EventWords {
        id: entry.id.to_string(),
        when: when(entry, browser::minutes_west(entry.at)),
        words: log_words(session, entry, units),
        trend: match behind_ms {
            Some(behind) if behind > 0 => "behind",
            Some(_) => "ahead",
            None => "none",
        },
        behind: behind_ms.map(delta).unwrap_or_default(),
    }
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
        // Without a game's clock, the seconds are those of the packet, since 1970.
        assert_eq!(when(&entry(at.0 as f64 / 1e6), 0), "12:30");
        assert_eq!(when(&entry(at.0 as f64 / 1e6), -60), "13:30");
    }
}
