//! The actions of the Connections page. Buttons, keys, palette and key sheet read this one table.

use leptos::html::Input;
use leptos::prelude::*;
use trailbrake_shared::sim::DemoGame;

use super::stores::TabletAccess;
use crate::browser;
use crate::cockpit::TelemetryStore;
use crate::demo::Wish;
use crate::http;
use crate::ui::{ActionTable, KeyPress, PageAction, action_table};

/// What an action requires.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Need {
    /// The owner's browser, while the page is closed to tablets.
    ClosedToTablets,
    /// The owner's browser, while the page is open to tablets.
    OpenToTablets,
    /// Packets that no feed claims.
    Rejects,
}

action_table! {
    /// An action of the page.
    pub(super) enum Action requires Need;

    "Connections":
    OpenToTablets "open-to-tablets" "Open to tablets" [] ClosedToTablets;
    CloseToTablets "close-to-tablets" "Close to tablets" [] OpenToTablets;
    ClearRejects "clear-rejects" "Clear unrecognised packets" [] Rejects;

    "Demos":
    TryDemo "demo" "Try the demo" ["d"];
    GranTurismoDemo "demo-gran-turismo" "Demo: Gran Turismo" [];
    RallyDemo "demo-dirt-rally" "Demo: a rally stage" [];
    ServerDemo "demo-ac-server" "Demo: an evening on a server" [];

    "Files and page":
    OpenRecording "open" "Open a recording" ["ctrl+o"];
}

/// The state that actions work on. Copies are handles to the same state.
#[derive(Clone, Copy)]
pub(super) struct ActionContext {
    /// The field of the browser's file dialog.
    pub(super) files: NodeRef<Input>,
    pub(super) tablets: TabletAccess,
    telemetry: TelemetryStore,
}

impl ActionContext {
    pub(super) fn new(telemetry: TelemetryStore) -> Self {
        Self { files: NodeRef::new(), tablets: TabletAccess::new(), telemetry }
    }

    /// The context that the page provided.
    pub(super) fn here() -> Self {
        expect_context()
    }
}

impl PageAction for Action {
    type Page = ActionContext;

    const PAGE_GROUP: &'static str = "Files and page";

    fn is_possible(self, page: ActionContext) -> bool {
        match self.need() {
            None => true,
            Some(Need::ClosedToTablets) => page.tablets.is_open() == Some(false),
            Some(Need::OpenToTablets) => page.tablets.is_open() == Some(true),
            Some(Need::Rejects) => page.telemetry.track(|telemetry| telemetry.ports.has_rejects()),
        }
    }

    fn run(self, page: ActionContext, _press: &KeyPress) {
        match self {
            Self::OpenToTablets => page.tablets.open(),
            Self::CloseToTablets => page.tablets.close(),
            Self::ClearRejects => clear_rejects(page.telemetry),
            Self::TryDemo | Self::GranTurismoDemo | Self::RallyDemo | Self::ServerDemo => {
                browser::go_to(&demo_of(self).map_or_else(Wish::default_fragment, Wish::fragment));
            }
            Self::OpenRecording => {
                if let Some(files) = page.files.get_untracked() {
                    files.click();
                }
            }
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ui::check_actions;

    #[test]
    fn no_key_and_no_id_means_two_actions() {
        check_actions::<Action>();
    }

    #[test]
    fn every_action_that_names_a_demo_has_it() {
        let named = [Action::GranTurismoDemo, Action::RallyDemo, Action::ServerDemo].map(demo_of);
        assert!(named.iter().all(Option::is_some), "{named:?}");
        assert_eq!(demo_of(Action::TryDemo), None);
    }
}
