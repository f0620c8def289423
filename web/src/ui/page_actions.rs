//! The use that every page makes of its actions: keys run them, palette and key sheet list them.

use leptos::prelude::*;

use super::{AboutDialog, Command, KeyPress, KeySheet, Palette, is_for_field};

/// A dialog that every page has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PageDialog {
    /// The key sheet.
    Keys,
    /// The palette.
    Palette,
    /// The About dialog.
    About,
}

/// The actions of a page.
pub(crate) trait PageActions: Copy + Send + Sync + 'static {
    /// All actions as commands, for palette and key sheet.
    fn commands(self) -> Vec<Command>;

    /// The open dialog, if there is one.
    fn dialog(self) -> RwSignal<Option<PageDialog>>;

    /// Runs the action of a key if it is possible now. Returns whether it ran one.
    fn run_key(self, press: &KeyPress) -> bool;
}

/// Runs the actions of keys as long as the page is shown. While a dialog is open, keys belong to the dialog.
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

/// The open dialog of those that every page has.
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
