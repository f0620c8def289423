//! The stage panel: progress on a rally stage, splits against the best run, jumps, impacts and resets.

use leptos::prelude::*;
use trailbrake_shared::model::{Channel, EventKind};
use trailbrake_shared::number;
use trailbrake_shared::session::{LogEntry, LogKind, Session};
use trailbrake_shared::time::LapTime;
use trailbrake_shared::units::{Unit, Units};

use super::reading::{Reading, ReadingPanel, with_unit};
use super::words::latest;
use crate::cockpit::{Display, TelemetryStore};
use crate::telemetry::Telemetry;
use crate::text::figures::delta;

/// The names of the splits.
const SPLITS: [&str; 4] = ["Split 1", "Split 2", "Split 3", "Split 4"];

/// Whether the session is a rally stage.
pub(super) fn is_sent(telemetry: &Telemetry) -> bool {
    telemetry.session().is_some_and(Session::is_stage)
}

/// The panel.
#[component]
pub(super) fn StagePanel() -> impl IntoView {
    let (telemetry, display) = (TelemetryStore::here(), Display::here());
    let readings = telemetry.sampled(move |telemetry| readings(telemetry, display.units.get()));
    view! { <ReadingPanel id="stage" label="Stage" readings/> }
}

fn readings(telemetry: &Telemetry, units: Units) -> Vec<Reading> {
    let Some(session) = telemetry.session() else { return Vec::new() };
    let mut readings = Vec::new();
    // Until there is a delta, the bar across the page says it.
    let has_delta = session.live_comparison().delta().is_ok();
    if let Some((share, words)) = driven(telemetry).filter(|_| has_delta) {
        readings.push(Reading::new("Driven", words).of_full(share));
    }
    let run = run_events(session);
    let best = best_splits(session);
    // The latest first, since the last of them may find no room.
    for event in run.iter().rev() {
        let EventKind::Split { number, time } = event else { continue };
        let place = usize::from(number.saturating_sub(1));
        let Some(label) = SPLITS.get(place) else { continue };
        let behind = best.get(place).map(|best| time.minus(*best));
        let (words, tone) = match behind {
            Some(behind) => {
                (format!("{time}  {}", delta(behind)), if behind > 0 { "slower" } else { "faster" })
            }
            None => (time.to_string(), ""),
        };
        readings.push(Reading::new(label, words).toned(tone));
    }
    readings.push(jumps(&run, units));
    readings.push(impacts(&run));
    let recovered = run.iter().filter(|event| matches!(event, EventKind::Recovered)).count();
    if recovered > 0 {
        readings.push(Reading::new("Resets", recovered.to_string()).toned("bad"));
    }
    readings
}

/// How much of the stage is driven, 0 to 1, and how far it still is. `None` on a circuit.
pub(super) fn driven(telemetry: &Telemetry) -> Option<(f32, String)> {
    let share = latest(telemetry, Channel::StageProgress)?.clamp(0.0, 1.0);
    let info = telemetry.session().and_then(Session::info);
    Some((share, to_go(share, info.and_then(|info| info.track_length_m))))
}

fn to_go(share: f32, length_m: Option<f32>) -> String {
    match length_m.filter(|length| *length > 0.0) {
        Some(length) => {
            let left = f64::from(length * (1.0 - share)) / 1e3;
            format!("{} km to go", number::write(left, 1))
        }
        None => with_unit(share, Unit::Ratio.shown()),
    }
}

/// The events of the current run, or of the last one.
fn run_events(session: &Session) -> Vec<&EventKind> {
    let event = |entry: &'_ LogEntry| matches!(entry.kind, LogKind::Game(EventKind::Go));
    let mut run: Vec<&EventKind> = Vec::new();
    for entry in session.log().rev() {
        if event(entry) {
            break;
        }
        if let LogKind::Game(kind) = &entry.kind {
            run.push(kind);
        }
    }
    run.reverse();
    run
}

/// The times from the start to each split of the best run.
fn best_splits(session: &Session) -> Vec<LapTime> {
    let best = session.player().and_then(|player| session.car(player)?.laps.best());
    let mut total = 0;
    let sectors = best.map(|lap| lap.sectors).into_iter().flatten();
    sectors
        .map_while(|sector| {
            total += sector?.0;
            Some(LapTime(total))
        })
        .collect()
}

fn jumps(run: &[&EventKind], units: Units) -> Reading {
    let far = run.iter().filter_map(|event| match event {
        EventKind::Landed { centimetres, .. } => Some(*centimetres),
        _ => None,
    });
    let (count, longest) = far.fold((0, 0), |(count, longest), far| (count + 1, longest.max(far)));
    let metres = longest as f32 / 1e2;
    let words = match count {
        0 => "none".to_owned(),
        count => format!("{count}, longest {}", with_unit(metres, units.shown(Unit::Metres))),
    };
    Reading::new("Jumps", words)
}

fn impacts(run: &[&EventKind]) -> Reading {
    let hard = run.iter().filter_map(|event| match event {
        EventKind::Hit { milli_g } => Some(*milli_g),
        _ => None,
    });
    let (count, hardest) = hard.fold((0, 0), |(count, hardest), hard| (count + 1, hardest.max(hard)));
    match count {
        0 => Reading::new("Impacts", "none"),
        count => {
            let g = number::write(f64::from(hardest) / 1e3, 0);
            Reading::new("Impacts", format!("{count}, up to {g} g")).toned("bad")
        }
    }
}

/// Whether the panel shows a channel.
#[cfg(test)]
pub(super) fn shows(channel: Channel) -> bool {
    channel == Channel::StageProgress
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stage_says_how_far_it_still_is() {
        assert_eq!(to_go(0.25, Some(5200.0)), "3.9 km to go");
        assert_eq!(to_go(1.0, Some(5200.0)), "0.0 km to go");
        assert_eq!([to_go(0.25, None), to_go(0.25, Some(0.0))], ["25 %", "25 %"]);
    }
}
