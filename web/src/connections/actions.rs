//! The actions of the Connections page. Buttons, keys, palette and key sheet read this one table.

use leptos::html::Input;
use leptos::prelude::*;
use trailbrake_shared::sim::DemoGame;

use super::stores::TabletAccess;
use crate::browser;
use crate::cockpit::TelemetryStore;
use crate::demo::Wish;
use crate::http;
use crate::ui::{Command, KeyPress, PageActions, PageDialog, action_table};

/// A heading of the key sheet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Group {
    Connection,
    Demo,
    Page,
}

impl Group {
    /// The heading as the key sheet shows it.
    const fn label(self) -> &'static str {
        match self {
            Self::Connection => "Connections",
            Self::Demo => "Demos",
            Self::Page => "Files and page",
        }
    }
}

/// What an action requires.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Need {
    Nothing,
    /// The owner's browser, while the page is closed to tablets.
    ClosedToTablets,
    /// The owner's browser, while the page is open to tablets.
    OpenToTablets,
    /// Packets that no feed claims.
    Rejects,
}

action_table! {
    OpenToTablets "open-to-tablets" Connection "Open to tablets" [] ClosedToTablets;
    CloseToTablets "close-to-tablets" Connection "Close to tablets" [] OpenToTablets;
    ClearRejects "clear-rejects" Connection "Clear unrecognised packets" [] Rejects;

    TryDemo "demo" Demo "Try the demo" ["d"] Nothing;
    GranTurismoDemo "demo-gran-turismo" Demo "Demo: Gran Turismo" [] Nothing;
    RallyDemo "demo-dirt-rally" Demo "Demo: a rally stage" [] Nothing;
    ServerDemo "demo-ac-server" Demo "Demo: an evening on a server" [] Nothing;

    OpenRecording "open" Page "Open a recording" ["ctrl+o"] Nothing;
    ShowKeys "keys" Page "All keys" ["?"] Nothing;
    ShowPalette "palette" Page "Find a command" ["ctrl+k"] Nothing;
    About "about" Page "About Trailbrake" [] Nothing;
}

/// The state that actions work on. Copies are handles to the same state.
#[derive(Clone, Copy)]
pub(super) struct ActionContext {
    /// The field of the browser's file dialog.
    pub(super) files: NodeRef<Input>,
    pub(super) tablets: TabletAccess,
    telemetry: TelemetryStore,
    dialog: RwSignal<Option<PageDialog>>,
}

impl ActionContext {
    pub(super) fn new(telemetry: TelemetryStore) -> Self {
        let (files, dialog) = (NodeRef::new(), RwSignal::new(None));
        Self { files, tablets: TabletAccess::new(), telemetry, dialog }
    }

    fn is_possible(self, action: Action) -> bool {
        match action.row().need {
            Need::Nothing => true,
            Need::ClosedToTablets => self.tablets.is_open() == Some(false),
            Need::OpenToTablets => self.tablets.is_open() == Some(true),
            Need::Rejects => self.telemetry.look(|telemetry| telemetry.ports.has_rejects()),
        }
    }

    pub(super) fn run(self, action: Action) {
        match action {
            Action::OpenToTablets => self.tablets.open(),
            Action::CloseToTablets => self.tablets.close(),
            Action::ClearRejects => clear_rejects(self.telemetry),
            Action::TryDemo | Action::GranTurismoDemo | Action::RallyDemo | Action::ServerDemo => {
                browser::go_to(&demo_of(action).map_or_else(Wish::default_fragment, Wish::fragment));
            }
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

/// The demo that an action names in its id.
fn demo_of(action: Action) -> Option<DemoGame> {
    action.id().strip_prefix("demo-").and_then(DemoGame::from_id)
}

/// Clears the relay's list of rejected senders. The page shows it with the relay's next status.
fn clear_rejects(telemetry: TelemetryStore) {
    leptos::task::spawn_local(async move {
        if let Err(failed) = http::ask("DELETE", "/rejects", None).await {
            telemetry.complain(failed.words());
        }
    });
}

impl PageActions for ActionContext {
    fn commands(self) -> Vec<Command> {
        Action::commands(move |action| self.is_possible(action), move |action| self.run(action))
    }

    fn dialog(self) -> RwSignal<Option<PageDialog>> {
        self.dialog
    }

    fn run_key(self, press: &KeyPress) -> bool {
        let action = Action::of_key(&press.name).filter(|action| self.is_possible(*action));
        action.into_iter().for_each(|action| self.run(action));
        action.is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_action_that_names_a_demo_has_it() {
        let named = [Action::GranTurismoDemo, Action::RallyDemo, Action::ServerDemo].map(demo_of);
        assert!(named.iter().all(Option::is_some), "{named:?}");
        assert_eq!(demo_of(Action::TryDemo), None);
    }
}
