//! What every page does with its actions: keys run them, palette and key sheet list them.

use leptos::prelude::*;

use super::{AboutDialog, Command, KeyPress, KeySheet, Palette, is_for_field};

/// A dialog that every page has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PageDialog {
    /// All keys.
    Keys,
    /// All commands, to be searched.
    Palette,
    /// What this program is.
    About,
}

/// The actions of a page.
pub(crate) trait PageActions: Copy + Send + Sync + 'static {
    /// All of them, as palette and key sheet list them.
    fn commands(self) -> Vec<Command>;

    /// The open dialog.
    fn dialog(self) -> RwSignal<Option<PageDialog>>;

    /// Runs the action of a key, if it has one that is possible now; whether it does.
    fn run_key(self, press: &KeyPress) -> bool;
}

/// Runs the actions of keys for as long as the page is shown. While a dialog is open, keys are the dialog's.
pub(crate) fn follow_keys(page: impl PageActions) {
    let listener = window_event_listener(leptos::ev::keydown, move |event| {
        let has_dialog = page.dialog().with_untracked(Option::is_some);
        let press = KeyPress::of(&event).filter(|_| !has_dialog && !is_for_field(&event));
        if press.is_some_and(|press| page.run_key(&press)) {
            event.prevent_default();
        }
    });
    on_cleanup(move || listener.remove());
}

/// The dialogs that every page has.
#[component]
pub(crate) fn PageDialogs<P: PageActions>(page: P) -> impl IntoView {
    let on_close = Callback::new(move |()| page.dialog().set(None));
    move || {
        page.dialog().get().map(|dialog| match dialog {
            PageDialog::Keys => view! { <KeySheet commands=page.commands() on_close/> }.into_any(),
            PageDialog::About => view! { <AboutDialog on_close/> }.into_any(),
            PageDialog::Palette => view! { <Palette commands=page.commands() on_close/> }.into_any(),
        })
    }
}
