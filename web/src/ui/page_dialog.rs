//! The dialogs that every page has, and the actions that open them.

use leptos::prelude::*;

use super::{AboutDialog, Command, KeyPress, KeySheet, PageAction, Palette, action_table};

action_table! {
    /// A dialog that every page has. As an action, it opens.
    pub(crate) enum PageDialog requires ();

    "Page":
    Keys "keys" "All keys" ["?"];
    Palette "palette" "Find a command" ["ctrl+k"];
    About "about" "About Trailbrake" [];
}

/// The open dialog of those that every page has. Copies are handles to the same.
#[derive(Clone, Copy)]
pub(crate) struct OpenPageDialog(RwSignal<Option<PageDialog>>);

/// Lists the commands of the page.
#[derive(Clone, Copy)]
pub(super) struct PageCommands(pub(super) Callback<(), Vec<Command>>);

impl OpenPageDialog {
    /// No dialog is open.
    pub(super) fn new() -> Self {
        Self(RwSignal::new(None))
    }
}

impl PageAction for PageDialog {
    type Page = OpenPageDialog;

    fn run(self, OpenPageDialog(open): OpenPageDialog, _press: &KeyPress) {
        open.set(Some(self));
    }

    fn are_keys_free(OpenPageDialog(open): OpenPageDialog) -> bool {
        open.with_untracked(Option::is_none)
    }
}

/// The open dialog of those that every page has, if one is open.
#[component]
pub(crate) fn PageDialogs() -> impl IntoView {
    let (OpenPageDialog(open), PageCommands(commands)) = (expect_context(), expect_context());
    let on_close = Callback::new(move |()| open.set(None));
    move || {
        open.get().map(|dialog| match dialog {
            PageDialog::Keys => view! { <KeySheet commands=commands.run(()) on_close/> }.into_any(),
            PageDialog::Palette => view! { <Palette commands=commands.run(()) on_close/> }.into_any(),
            PageDialog::About => view! { <AboutDialog on_close/> }.into_any(),
        })
    }
}
