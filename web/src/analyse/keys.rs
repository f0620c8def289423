//! The page's keyboard.

use leptos::prelude::*;

use super::actions::ActionContext;
use crate::ui::{KeyPress, is_for_field};

/// Runs the actions of keys for as long as the page is shown. While a dialog is open, keys are the dialog's.
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
