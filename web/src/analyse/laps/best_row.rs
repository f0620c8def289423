//! The row of the all-time best, above the laps.

use leptos::prelude::*;

use super::icons;
use crate::analyse::actions::{Action, ActionContext};
use crate::analyse::{AllTimeBest, BestStore, LapKey, LapSource, SelectionStore, SourceId, Sources};
use crate::browser;
use crate::laps;
use crate::reactive::LocalSignal;
use crate::text::dates::date;
use crate::ui::{ActionTable, PageAction};

/// The content of the row.
#[derive(Clone, Debug, PartialEq)]
enum BestWords {
    /// The relay has not answered yet.
    Unknown,
    /// There is no all-time best; the reason.
    None(String),
    Lap {
        time: String,
        when: String,
        title: String,
        is_reference: bool,
    },
}

/// The best lap of this game, track and car in all recordings, and a button that makes it the reference.
#[component]
pub(super) fn BestRow() -> impl IntoView {
    let (sources, selection, best) = (
        expect_context::<LocalSignal<Sources>>(),
        expect_context::<SelectionStore>(),
        expect_context::<BestStore>(),
    );
    let words = Memo::new(move |_| words(sources, selection, best));
    let row = move || match words.get() {
        BestWords::Unknown => ().into_any(),
        BestWords::None(why) => view! { <p class="soft">"All-time best: " {why}</p> }.into_any(),
        BestWords::Lap { time, when, title, is_reference } => lap(time, when, title, is_reference).into_any(),
    };
    view! { <div class="all-time-best" data-figure="all-time-best">{row}</div> }
}

fn lap(time: String, when: String, title: String, is_reference: bool) -> impl IntoView {
    let actions = expect_context::<ActionContext>();
    let name =
        if is_reference { "The all-time best is the reference" } else { Action::ReferToAllTimeBest.label() };
    view! {
        <span class="soft">"All-time best"</span>
        <b>{time}</b>
        <span class="soft when" title=title>{when}</span>
        <button
            type="button"
            class="quiet icon"
            title=name
            aria-label=name
            aria-pressed=is_reference.to_string()
            data-testid=Action::ReferToAllTimeBest.id()
            on:click=move |_| Action::ReferToAllTimeBest.choose(actions)
        >
            {icons::reference()}
            <small>"Ref"</small>
        </button>
    }
}

fn words(sources: LocalSignal<Sources>, selection: SelectionStore, best: BestStore) -> BestWords {
    let sources = sources.read();
    let Some(source) = sources.listed() else { return BestWords::Unknown };
    let best = best.get();
    let key = best.key();
    let best = match best {
        AllTimeBest::Unknown => return BestWords::Unknown,
        AllTimeBest::None(why) => return BestWords::None(why),
        AllTimeBest::Lap(best) => best,
    };
    BestWords::Lap {
        time: best.time.to_string(),
        when: match SourceId::Recording(best.recording) == source.name {
            true => lap_here(source, key, best.number),
            false => date(best.at, browser::minutes_west(best.at)),
        },
        title: format!("Of all recordings of this game, track and car. Recording {}", best.recording),
        is_reference: selection.state.with(|selection| selection.chosen.reference == key),
    }
}

/// The best lap's number in the listed session. Runs of a stage are counted here, since games number each as lap 1.
fn lap_here(source: &LapSource, key: Option<LapKey>, number: u16) -> String {
    match key.and_then(|key| source.entry(key)).filter(|_| source.stage) {
        Some(entry) => format!("run {} here", laps::number(&entry.lap, true)),
        None if source.stage => String::new(),
        None => format!("lap {number} here"),
    }
}
