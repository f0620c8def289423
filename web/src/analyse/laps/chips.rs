//! The compared laps, each in its colour, and the delta between main lap and reference.

use leptos::prelude::*;

use super::ink;
use crate::analyse::{ComparisonStore, LapKey, SelectionStore, ShownLaps, Sources};
use crate::reactive::LocalSignal;
use crate::text::figures::{delta, listed_time};

/// An item of the row.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Part {
    Chip(ChipWords),
    /// The delta of the main lap to the reference, milliseconds.
    Delta(i64),
}

/// A compared lap.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct ChipWords {
    key: LapKey,
    /// The lap's index among the compared laps.
    place: usize,
    number: String,
    time: String,
    role: &'static str,
    /// The driver and the session, where they differ from the main lap's. For a main lap of another session than the
    /// listed one, that session's title.
    whose: String,
}

/// The compared laps.
#[component]
pub(crate) fn LapChips() -> impl IntoView {
    let (sources, selection, comparison) = (
        expect_context::<LocalSignal<Sources>>(),
        expect_context::<SelectionStore>(),
        expect_context::<ComparisonStore>(),
    );
    let parts = Memo::new(move |_| parts(sources, selection, comparison));
    view! {
        <div class="chips">
            <For each=move || parts.get() key=Part::clone let:part>
                {match part {
                    Part::Chip(words) => view! { <LapChip words/> }.into_any(),
                    Part::Delta(millis) => {
                        let class = if millis > 0 { "apart loss" } else { "apart gain" };
                        view! { <b class=class data-figure="apart">{delta(millis)}</b> }.into_any()
                    }
                }}
            </For>
        </div>
    }
}

#[component]
fn LapChip(words: ChipWords) -> impl IntoView {
    let selection = expect_context::<SelectionStore>();
    let ChipWords { key, place, number, time, role, whose } = words;
    let remove = (place > 0).then(|| {
        let name = format!("Remove {number} {whose}");
        view! {
            <button
                type="button"
                class="quiet icon"
                aria-label=name.trim_end().to_owned()
                title="Remove this lap"
                data-testid="remove"
                on:click=move |_| selection.choose(|chosen| chosen.remove(key))
            >
                "×"
            </button>
        }
    });
    view! {
        <span class="chip" data-place=place>
            <i class=format!("ink {}", ink(Some(place)))></i>
            {number}
            <b>{time}</b>
            <em>{role}</em>
            <em class="whose" title=whose.clone()>{whose.clone()}</em>
            {remove}
        </span>
    }
}

fn parts(sources: LocalSignal<Sources>, selection: SelectionStore, comparison: ComparisonStore) -> Vec<Part> {
    let Some(shown) = comparison.shown() else { return Vec::new() };
    let chips = shown.laps.iter().enumerate();
    let mut parts: Vec<Part> =
        chips.map(|(place, lap)| Part::Chip(chip(sources, selection, lap.loaded.key, place))).collect();
    if let Some(apart) = apart(&shown) {
        parts.insert(2, Part::Delta(apart));
    }
    parts
}

/// The delta of the main lap's official time to the reference's, milliseconds.
fn apart(shown: &ShownLaps) -> Option<i64> {
    let [main, reference, ..] = shown.laps.as_slice() else { return None };
    Some(main.loaded.lap.time?.minus(reference.loaded.lap.time?))
}

fn chip(sources: LocalSignal<Sources>, selection: SelectionStore, key: LapKey, place: usize) -> ChipWords {
    let sources = sources.read();
    let (number, time) = match sources.entry(key) {
        Some((source, entry)) => {
            let what = if source.stage { "Run" } else { "Lap" };
            let number = crate::laps::number(&entry.lap, source.stage);
            let time = listed_time(entry.lap.time, false);
            (format!("{what} {number}"), time)
        }
        None => (String::new(), String::new()),
    };
    // While another session is listed, the main lap says which one it is from.
    let listed = sources.listed().map(|source| source.name);
    let elsewhere = || sources.entry(key).filter(|(source, _)| place == 0 && Some(source.name) != listed);
    let whose = selection.whose(key).or_else(|| elsewhere().map(|(source, _)| source.title.clone()));
    ChipWords {
        key,
        place,
        number,
        time,
        role: if place == 1 { "reference" } else { "" },
        whose: whose.unwrap_or_default(),
    }
}
