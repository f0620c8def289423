//! Everything that can be done on the page. Buttons, keys, palette and key sheet read this one table.

use leptos::html::Input;
use leptos::prelude::*;
use trailbrake_shared::feed::Feed;

use crate::browser;
use crate::demo::Wish;
use crate::ui::{Command, KeyPress, PageActions, PageDialog, action_table};

/// A heading of the key sheet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Group {
    Demo,
    Page,
}

impl Group {
    /// The heading's words.
    const fn label(self) -> &'static str {
        match self {
            Self::Demo => "Demos",
            Self::Page => "Files and page",
        }
    }
}

/// What has to be there before an action can be done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Need {
    Nothing,
}

action_table! {
    TryDemo "demo" Demo "Try the demo" ["d"] Nothing;
    GranTurismoDemo "demo-gran-turismo" Demo "Demo: Gran Turismo" [] Nothing;
    RallyDemo "demo-dirt-rally" Demo "Demo: a rally stage" [] Nothing;
    ServerDemo "demo-ac-server" Demo "Demo: an evening on a server" [] Nothing;

    OpenRecording "open" Page "Open a recording" ["ctrl+o"] Nothing;
    ShowKeys "keys" Page "All keys" ["?"] Nothing;
    ShowPalette "palette" Page "Find a command" ["ctrl+k"] Nothing;
    About "about" Page "About Trailbrake" [] Nothing;
}

/// What actions need to be run. Copies are handles to the same.
#[derive(Clone, Copy)]
pub(super) struct ActionContext {
    /// The field by which people choose a recording.
    pub(super) files: NodeRef<Input>,
    dialog: RwSignal<Option<PageDialog>>,
}

impl ActionContext {
    pub(super) fn new() -> Self {
        Self { files: NodeRef::new(), dialog: RwSignal::new(None) }
    }

    fn run(self, action: Action) {
        match action {
            Action::TryDemo => browser::go_to(Wish::FRAGMENT),
            Action::GranTurismoDemo => browser::go_to(&Wish::fragment(Feed::GranTurismo)),
            Action::RallyDemo => browser::go_to(&Wish::fragment(Feed::DirtRally)),
            Action::ServerDemo => browser::go_to(&Wish::fragment(Feed::AcServer)),
            Action::OpenRecording => {
                if let Some(files) = self.files.get_untracked() {
                    files.click();
                }
            }
            Action::ShowKeys => self.dialog.set(Some(PageDialog::Keys)),
            Action::ShowPalette => self.dialog.set(Some(PageDialog::Palette)),
            Action::About => self.dialog.set(Some(PageDialog::About)),
        }
    }
}

impl PageActions for ActionContext {
    fn commands(self) -> Vec<Command> {
        Action::commands(|_| true, move |action| self.run(action))
    }

    fn dialog(self) -> RwSignal<Option<PageDialog>> {
        self.dialog
    }

    fn run_key(self, press: &KeyPress) -> bool {
        let action = Action::of_key(&press.name);
        action.into_iter().for_each(|action| self.run(action));
        action.is_some()
    }
}
