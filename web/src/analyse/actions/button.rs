//! Buttons that run actions.

use leptos::prelude::*;

use super::{Action, ActionContext};
use crate::ui::printed_key;

/// A button that runs an action. It is hidden while the action is impossible. While the action is refused, its
/// tooltip is the reason.
#[component]
pub(crate) fn ActionButton(
    action: Action,
    #[prop(default = "quiet")] class: &'static str,
    /// The button's name, if its label is only an icon.
    #[prop(optional)]
    name: Option<&'static str>,
    children: ChildrenFn,
) -> impl IntoView {
    let actions = ActionContext::here();
    let possible = Memo::new(move |_| action.is_possible(actions.analyse));
    let refusal = Memo::new(move |_| action.refusal(actions.analyse));
    let children = StoredValue::new(children);
    view! {
        <Show when=move || possible.get()>
            <button
                type="button"
                class=class
                title=move || refusal.get().map_or_else(|| title(action), str::to_owned)
                aria-disabled=move || refusal.get().map(|_| "true")
                aria-label=name
                data-testid=action.id()
                on:click=move |_| actions.run(action)
            >
                {children.with_value(|children| children())}
            </button>
        </Show>
    }
}

/// The tooltip of an action: its label and its first key.
fn title(action: Action) -> String {
    match action.keys().first() {
        Some(key) => format!("{} ({})", action.label(), printed_key(key)),
        None => action.label().to_owned(),
    }
}
