//! The debrief, over an empty page: how each corner felt, before times are shown.

use leptos::ev::Event;
use leptos::html::Input;
use leptos::prelude::*;
use trailbrake_shared::recording::authored::BEST_FELT;

use crate::analyse::{DebriefStore, RatedCorner, Rating, SelectionStore};
use crate::driver_settings::author;
use crate::ui::Dialog;

/// The driver's answer for a corner.
#[derive(Clone, Copy)]
struct Answer {
    felt: RwSignal<Option<u8>>,
    text: RwSignal<String>,
}

#[component]
pub(super) fn DebriefDialog() -> impl IntoView {
    let (selection, debrief) = (expect_context::<SelectionStore>(), expect_context::<DebriefStore>());
    let corners: Vec<(RatedCorner, Answer)> = debrief
        .corners_to_rate()
        .into_iter()
        .map(|corner| (corner, Answer { felt: RwSignal::new(None), text: RwSignal::new(String::new()) }))
        .collect();
    let lap = untrack(|| selection.main_lap().map(|lap| selection.lap_name(lap)));
    let (name, trouble) = (NodeRef::<Input>::new(), RwSignal::new(""));
    let answers = StoredValue::new(corners.clone());
    let save = move |_| {
        let author = name.get_untracked().map(|input| input.value().trim().to_owned()).unwrap_or_default();
        let rating = |(corner, answer): &(RatedCorner, Answer)| {
            let felt = answer.felt.get_untracked()?;
            Some(Rating { apex_m: corner.apex_m, felt, text: answer.text.get_untracked() })
        };
        let ratings: Vec<Rating> = answers.with_value(|answers| answers.iter().filter_map(rating).collect());
        match (author.is_empty(), ratings.is_empty()) {
            (true, _) => trouble.set("Add your name first."),
            (_, true) => trouble.set("Rate a corner, or close this to see times at once."),
            (false, false) => debrief.keep(author, ratings),
        }
    };
    let on_close = Callback::new(move |()| debrief.end());
    view! {
        <Dialog label="Debrief" class="debrief" keeps_open=true on_close>
            <h2>"Debrief"</h2>
            <p class="soft">
                {lap.map(|lap| format!("{lap}. "))}
                {format!("How did it feel? 1 is bad, {BEST_FELT} is as you want it. Leave out what you don't remember.")}
            </p>
            <ul class="ratings">
                {corners.into_iter().map(|(corner, answer)| view! { <CornerRating corner answer/> }).collect_view()}
            </ul>
            <input
                maxlength="60"
                aria-label="Your name"
                placeholder="Your name"
                prop:value=author()
                data-testid="debrief-author"
                node_ref=name
            />
            <p class="trouble" role="alert">{move || trouble.get()}</p>
            <button type="button" class="primary" data-testid="save-debrief" on:click=save>"Save and show times"</button>
        </Dialog>
    }
}

#[component]
fn CornerRating(corner: RatedCorner, answer: Answer) -> impl IntoView {
    let name = corner.name;
    let group = format!("felt-{name}");
    let option = |felt: u8| {
        view! {
            <label>
                <input
                    type="radio"
                    name=group.clone()
                    value=felt.to_string()
                    prop:checked=move || answer.felt.get() == Some(felt)
                    on:change=move |_| answer.felt.set(Some(felt))
                />
                <span>{felt}</span>
            </label>
        }
    };
    let options = (1..=BEST_FELT).map(option).collect_view();
    let write = move |event: Event| answer.text.set(event_target_value(&event));
    view! {
        <li data-corner=name.clone()>
            <div class="segments" role="radiogroup" aria-label=format!("How {name} felt")>
                <span>{name.clone()}</span>
                <div>{options}</div>
            </div>
            <input
                maxlength="400"
                aria-label=format!("What you felt in {name}")
                placeholder="What you felt"
                on:input=write
            />
        </li>
    }
}
