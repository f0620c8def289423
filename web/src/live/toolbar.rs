//! The bar of the view: presets, panel dialog and full screen.

use leptos::prelude::*;

use super::actions::{Action, ActionContext};
use super::preset::Preset;
use crate::ui::ActionButton;

/// The bar.
#[component]
pub(super) fn ViewBar() -> impl IntoView {
    let context = ActionContext::here();
    let preset = Memo::new(move |_| context.view.preset());
    let choice = move |own: Preset| {
        let pressed = Signal::derive(move || preset.get() == own);
        view! { <ActionButton action=Action::of_preset(own) pressed stays=true>{own.label()}</ActionButton> }
    };
    view! {
        <div class="view-bar">
            <div class="presets" role="group" aria-label="View">{Preset::ALL.map(choice)}</div>
            <ActionButton action=Action::ChoosePanels stays=true>"Panels"</ActionButton>
            <ActionButton action=Action::FullScreen>"Full screen"</ActionButton>
        </div>
    }
    .into_any()
}
