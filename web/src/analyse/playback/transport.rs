//! The playback controls.

use leptos::prelude::*;

use crate::analyse::actions::Action;
use crate::analyse::{ComparisonStore, PlaybackStore};
use crate::ui::ActionButton;

/// The playback controls in the status bar.
#[component]
pub(crate) fn Transport() -> impl IntoView {
    let (comparison, playback) = (expect_context::<ComparisonStore>(), expect_context::<PlaybackStore>());
    let is_there = Memo::new(move |_| comparison.shown().is_some());
    let words = Memo::new(move |_| if playback.state.get().plays() { "❚❚ Pause" } else { "▶ Play" });
    let speed = Memo::new(move |_| format!("{}×", playback.state.get().speed()));
    view! {
        <div class="transport" id="play">
            <ActionButton action=Action::Play class="quiet">{move || words.get()}</ActionButton>
            <ActionButton action=Action::PlaySlower class="quiet" name="Play slower">"−"</ActionButton>
            <Show when=move || is_there.get()>
                <span class="soft" data-figure="speed">{move || speed.get()}</span>
            </Show>
            <ActionButton action=Action::PlayFaster class="quiet" name="Play faster">"+"</ActionButton>
        </div>
    }
}
