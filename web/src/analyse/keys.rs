//! The keys of the page.

use leptos::prelude::*;

use super::actions::ActionContext;
use crate::ui::{KeyPress, is_for_field};

/// Runs the actions of pressed keys for as long as the page is shown. An open dialog or a focused field keeps its keys.
pub(super) fn follow_keys(actions: ActionContext) {
    let listener = window_event_listener(leptos::ev::keydown, move |event| {
        let has_dialog = actions.analyse.dialog.with_untracked(Option::is_some);
        let press = KeyPress::of(&event).filter(|_| !has_dialog && !is_for_field(&event));
        if press.is_some_and(|press| actions.run_key(&press)) {
            event.prevent_default();
        }
    });
    on_cleanup(move || listener.remove());
}
