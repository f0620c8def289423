//! The bar of the view: presets, panel dialog and full screen.

use leptos::prelude::*;

use super::actions::{Action, ActionContext};
use super::preset::Preset;
use crate::browser;

/// The bar.
#[component]
pub(super) fn ViewBar() -> impl IntoView {
    let context = ActionContext::here();
    let preset = Memo::new(move |_| context.view.preset());
    let choice = move |own: Preset| {
        let action = Action::of_preset(own);
        view! {
            <button
                type="button"
                data-testid=action.id()
                aria-pressed=move || if preset.get() == own { "true" } else { "false" }
                on:click=move |_| context.run(action)
            >
                {own.label()}
            </button>
        }
    };
    let button = move |action: Action, label: &'static str| {
        view! {
            <button type="button" data-testid=action.id() on:click=move |_| context.run(action)>{label}</button>
        }
    };
    view! {
        <div class="view-bar">
            <div class="presets" role="group" aria-label="View">{Preset::ALL.map(choice)}</div>
            {button(Action::ChoosePanels, "Panels")}
            {browser::can_be_full_screen().then(|| button(Action::FullScreen, "Full screen"))}
        </div>
    }
    .into_any()
}
