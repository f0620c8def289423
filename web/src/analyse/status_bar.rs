//! The status bar: the cursor's position, the quality of the data, and a few keys.

use leptos::prelude::*;
use trailbrake_shared::analysis::CloseCar;
use trailbrake_shared::model::EventKind;
use trailbrake_shared::number;
use trailbrake_shared::session::LogKind;
use trailbrake_shared::units::Units;

use super::alignment::alignment;
use crate::analyse::{Axis, ComparisonStore, ShownLaps, ViewStore};

/// An event this close to the cursor is named, metres.
const NEAR_M: f64 = 5.0;
/// Keys that are hinted at, each with what it is for.
const HINTS: [(&[&str], &str); 4] =
    [(&["R"], "reference"), (&["N", "P"], "lap"), (&["[", "]"], "corner"), (&["X"], "axis")];

/// The content of the status bar while laps are shown.
#[derive(Clone, Debug, Default, PartialEq)]
struct StatusWords {
    cursor: String,
    corner: String,
    event: String,
    traffic: String,
    quality: String,
}

/// The status bar.
#[component]
pub(super) fn StatusBar() -> impl IntoView {
    let (comparison, view, units) = (
        expect_context::<ComparisonStore>(),
        expect_context::<ViewStore>(),
        expect_context::<RwSignal<Units>>(),
    );
    let words = Memo::new(move |_| status_words(comparison, view, units));
    let known = Memo::new(move |_| words.with(Option::is_some));
    let aligned = Memo::new(move |_| alignment(comparison));
    let word = move |get: fn(StatusWords) -> String| move || words.get().map(get).unwrap_or_default();
    view! {
        <div class="where" id="foot">
            <Show when=move || known.get()>
                <span data-figure="cursor">{word(|words| words.cursor)}</span>
                <span data-figure="corner">{word(|words| words.corner)}</span>
                <span data-figure="event">{word(|words| words.event)}</span>
                <span data-figure="traffic">{word(|words| words.traffic)}</span>
                {move || aligned.get().map(|(words, method)| view! {
                    <span data-figure="method" title=method>{words}</span>
                })}
                <span data-figure="quality">{word(|words| words.quality)}</span>
                <span class="grow"></span>
                {HINTS.map(|(keys, what)| view! {
                    <span class="hint">{keys.iter().map(|key| view! { <kbd>{*key}</kbd> }).collect_view()}{what}</span>
                })}
            </Show>
        </div>
    }
}

fn status_words(comparison: ComparisonStore, view: ViewStore, units: RwSignal<Units>) -> Option<StatusWords> {
    let shown = comparison.shown()?;
    let at = view.cursor_m();
    let near = |(place_m, _): &(f64, &EventKind)| at.is_some_and(|at| (at - place_m).abs() < NEAR_M);
    let event = shown.events().into_iter().find(near);
    let close = shown.laps.first().map(|lap| lap.loaded.close()).unwrap_or_default();
    Some(StatusWords {
        cursor: at.map(|metres| format!("{} m", number::write(metres, 1))).unwrap_or_default(),
        corner: at.and_then(|metres| corner_at(&shown, metres)).unwrap_or_default(),
        event: event
            .map(|(_, what)| LogKind::Game(what.clone()).in_units(units.get()).to_string())
            .unwrap_or_default(),
        traffic: at.map(|metres| traffic_at(close, metres)).unwrap_or_default(),
        quality: quality(&shown),
    })
}

/// The cars that were close at a lap distance.
fn traffic_at(close: &[CloseCar], metres: f64) -> String {
    let here = close.iter().filter(|close| (close.from_m..=close.to_m).contains(&(metres as f32)));
    let words = here.map(|CloseCar { ahead, least_s, .. }| {
        let least = number::write((*least_s).into(), 1);
        format!("car {}, {least} s at the closest", if *ahead { "ahead" } else { "behind" })
    });
    words.collect::<Vec<_>>().join(" · ")
}

/// The corner at a lap distance and the part of it; `None` outside of corners.
fn corner_at(shown: &ShownLaps, metres: f64) -> Option<String> {
    let corners = &shown.comparison().corners;
    let corner = corners.iter().find(|corner| (corner.entry_m..=corner.exit_m).contains(&metres))?;
    let part = match metres {
        metres if metres < (corner.entry_m + corner.apex_m) / 2.0 => "entry",
        metres if metres <= (corner.exit_m + corner.apex_m) / 2.0 => "apex",
        _ => "exit",
    };
    Some(format!("{} · {part}", shown.corner_name(corner.number)))
}

/// How complete the main lap's data is, and what interrupted it.
fn quality(shown: &ShownLaps) -> String {
    let Some(coverage) = &shown.coverage else { return String::new() };
    let rate = number::write(coverage.per_second, 0);
    let at = |place_m: f64| format!("at {} m", number::write(place_m, 0));
    let mut words = match shown.gaps(Axis::Distance).as_slice() {
        [] => format!("{rate} samples/s, none missing"),
        [(from_m, _)] => format!("{rate} samples/s, {} missing {}", coverage.missing, at(*from_m)),
        gaps => format!("{rate} samples/s, {} missing in {} gaps", coverage.missing, gaps.len()),
    };
    for (place_m, what) in shown.events() {
        if is_cut(what) {
            words.push_str(&format!(" · {} {}", LogKind::Game(what.clone()), at(place_m)));
        }
    }
    words
}

/// Whether an event interrupts the lap's time: a pause or a rewind.
pub(super) const fn is_cut(what: &EventKind) -> bool {
    matches!(what, EventKind::Paused | EventKind::Rewound { .. })
}

#[cfg(test)]
mod tests {
    use trailbrake_shared::time::Micros;

    use super::*;

    #[test]
    fn traffic_is_named_where_it_was() {
        let close = |from_m, to_m, ahead, least_s| CloseCar {
            from: Micros(0),
            to: Micros(0),
            from_m,
            to_m,
            ahead,
            least_s,
        };
        let cars = [close(100.0, 600.0, true, 0.34), close(550.0, 900.0, false, 0.9)];
        assert_eq!(traffic_at(&cars, 50.0), "");
        assert_eq!(traffic_at(&cars, 200.0), "car ahead, 0.3 s at the closest");
        assert_eq!(
            traffic_at(&cars, 580.0),
            "car ahead, 0.3 s at the closest · car behind, 0.9 s at the closest"
        );
    }
}
