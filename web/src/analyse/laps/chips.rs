//! The compared laps, each in its colour, and the delta between main lap and reference.

use leptos::prelude::*;
use trailbrake_shared::analysis::ledger::Part;
use trailbrake_shared::number::{self, write_signed};

use super::ink;
use crate::analyse::{ComparisonStore, LapKey, SelectionStore, ShownLaps, Sources};
use crate::reactive::LocalSignal;
use crate::text::figures::{delta, listed_time};

/// A smaller part of the delta that is not driving is not shown, seconds.
const LEAST_S: f64 = 0.02;
/// What makes this share of what is not driving stands for all of it.
const NEARLY_ALL: f64 = 0.85;

/// An item of the row.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Item {
    Chip(ChipWords),
    /// The delta of the main lap to the reference, milliseconds.
    Delta(i64),
    /// How much of the delta is driving, and how much is not.
    Split(SplitWords),
    /// The fastest lap of the stint in like conditions, as a better reference.
    Like(LapKey, String),
}

/// How much of the delta is driving, and how much is not, as text.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct SplitWords {
    driving: String,
    other: String,
    /// What the other part is: `battery`, if it is nearly all of it.
    what: &'static str,
    /// How much of the bar is driving, per cent. `None` if the two work against each other.
    percent: Option<u8>,
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
    let items = Memo::new(move |_| items(sources, selection, comparison));
    view! {
        <div class="chips">
            <For each=move || items.get() key=Item::clone let:item>
                {match item {
                    Item::Chip(words) => view! { <LapChip words/> }.into_any(),
                    Item::Split(SplitWords { driving, other, what, percent }) => view! {
                        <span class="delta-split" data-figure="delta-split">
                            <span>{driving}" driving"</span>
                            <span>{other}" "{what}</span>
                            {percent.map(|percent| view! { <i style=("width", format!("{percent}%"))></i> })}
                        </span>
                    }
                    .into_any(),
                    Item::Like(key, lap) => view! {
                        <button
                            type="button"
                            class="quiet"
                            title="The fastest lap of the stint with as much battery, DRS, tow and fuel"
                            data-testid="like-conditions"
                            on:click=move |_| selection.refer_to(key)
                        >
                            "Compare with "{lap}", in like conditions"
                        </button>
                    }
                    .into_any(),
                    Item::Delta(millis) => {
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

fn items(sources: LocalSignal<Sources>, selection: SelectionStore, comparison: ComparisonStore) -> Vec<Item> {
    let Some(shown) = comparison.shown() else { return Vec::new() };
    let chips = shown.laps.iter().enumerate();
    let mut items: Vec<Item> =
        chips.map(|(place, lap)| Item::Chip(chip(sources, selection, lap.loaded.key, place))).collect();
    if let Some(apart) = apart(&shown) {
        items.insert(2, Item::Delta(apart));
        if let Some(split) = split(apart as f64 / 1e3, &shown.comparison().ledger.not_driving()) {
            items.insert(3, Item::Split(split));
        }
        items.extend(like(sources, &shown));
    }
    items
}

/// How much of a delta is driving. `others` is what is not, with its seconds, the largest first. `None` if nearly all of
/// it is driving.
fn split(delta_s: f64, others: &[(Part, f64)]) -> Option<SplitWords> {
    let other_s: f64 = others.iter().map(|(_, lost_s)| lost_s).sum();
    let driving_s = delta_s - other_s;
    if other_s.abs() < LEAST_S {
        return None;
    }
    // A gain stands beside a loss with its sign, and no bar shows both.
    let is_against = driving_s * other_s < 0.0;
    let words =
        |seconds: f64| if is_against { write_signed(seconds, 3) } else { number::write(seconds.abs(), 3) };
    let percent = (!is_against).then(|| (100.0 * driving_s / delta_s).round() as u8);
    let is_nearly_all = |lost_s: f64| (NEARLY_ALL..=1.0 / NEARLY_ALL).contains(&(lost_s / other_s));
    let named = others.first().filter(|(_, lost_s)| is_nearly_all(*lost_s));
    let what = named.map_or("not you", |(part, _)| part.label());
    Some(SplitWords { driving: words(driving_s), other: words(other_s), what, percent })
}

/// The lap of the stint in like conditions, if the reference had others.
fn like(sources: LocalSignal<Sources>, shown: &ShownLaps) -> Option<Item> {
    let number = shown.lap_comparison.in_like_conditions()?;
    let sources = sources.read();
    let is_it = |key: &&LapKey| sources.entry(**key).is_some_and(|(_, entry)| entry.lap.number == number);
    let key = shown.pair.stint.iter().find(is_it)?;
    Some(Item::Like(*key, format!("lap {number}")))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_delta_is_split_where_a_part_of_it_is_not_driving() {
        let words = |delta_s, others: &[(Part, f64)]| {
            let SplitWords { driving, other, what, percent } = split(delta_s, others)?;
            let percent = percent.map_or_else(|| "no bar".to_owned(), |percent| format!("{percent} %"));
            Some(format!("{driving} driving, {other} {what}, {percent}"))
        };
        let battery = |lost_s| [(Part::Battery, lost_s)];
        assert_eq!(words(1.126, &battery(0.698)).as_deref(), Some("0.428 driving, 0.698 battery, 38 %"));
        assert_eq!(words(0.5, &battery(0.01)), None);
        assert_eq!(words(0.5, &battery(-0.3)).as_deref(), Some("+0.800 driving, −0.300 battery, no bar"));
        // A battery that costs more than all together is not all of it.
        let against = [(Part::Battery, 0.5), (Part::Tow, -0.2)];
        assert_eq!(words(0.6, &against).as_deref(), Some("0.300 driving, 0.300 not you, 50 %"));
        let several = [(Part::Traffic, -0.15), (Part::Tow, -0.05)];
        assert_eq!(words(-0.5, &several).as_deref(), Some("0.300 driving, 0.200 not you, 60 %"));
    }
}
