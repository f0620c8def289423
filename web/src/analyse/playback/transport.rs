//! The playback controls.

use leptos::prelude::*;

use crate::analyse::Analyse;
use crate::analyse::actions::{Action, ActionButton};

/// The playback controls in the status bar.
#[component]
pub(crate) fn Transport() -> impl IntoView {
    let analyse = Analyse::here();
    let is_there = Memo::new(move |_| analyse.comparison.shown().is_some());
    let words = Memo::new(move |_| if analyse.playback.state.get().plays() { "❚❚ Pause" } else { "▶ Play" });
    let speed = Memo::new(move |_| format!("{}×", analyse.playback.state.get().speed()));
    view! {
        <div class="transport" id="play">
            <ActionButton action=Action::Play>{move || words.get()}</ActionButton>
            <ActionButton action=Action::PlaySlower name="Play slower">"−"</ActionButton>
            <Show when=move || is_there.get()>
                <span class="soft" data-figure="speed">{move || speed.get()}</span>
            </Show>
            <ActionButton action=Action::PlayFaster name="Play faster">"+"</ActionButton>
        </div>
    }
}
