//! The actions of the Server page. Buttons, palette and key sheet read this one table.

use leptos::prelude::*;
use trailbrake_shared::feed::Feed;
use trailbrake_shared::games::ServerCommand;
use trailbrake_shared::model::Car;

use crate::cockpit::{ServerCommands, TelemetryStore};
use crate::telemetry::{Connection, Telemetry};
use crate::ui::{Command, KeyPress, PageActions, PageDialog, action_table};

/// A heading of the key sheet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Group {
    Session,
    Driver,
    Page,
}

impl Group {
    /// The heading as the key sheet shows it.
    const fn label(self) -> &'static str {
        match self {
            Self::Session => "Session",
            Self::Driver => "Driver",
            Self::Page => "Page",
        }
    }
}

/// What an action requires.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Need {
    Nothing,
    /// A server is shown.
    Server,
    /// A driver is selected.
    Driver,
}

action_table! {
    NextSession "next-session" Session "Next session" [] Server;
    RestartSession "restart-session" Session "Restart session" [] Server;
    ChangeSession "change-session" Session "Change a session" [] Server;
    AdminCommand "admin-command" Session "Administrator's command" [] Server;
    SetInterval "interval" Session "Interval of positions" [] Server;
    RequestSession "request-session" Session "Request session info" [] Server;

    Kick "kick" Driver "Kick" [] Driver;
    RequestDriver "request-driver" Driver "Request driver info" [] Driver;

    ShowKeys "keys" Page "All keys" ["?"] Nothing;
    ShowPalette "palette" Page "Find a command" ["ctrl+k"] Nothing;
    About "about" Page "About Trailbrake" [] Nothing;
}

impl Action {
    /// The actions on the session, in the order of their buttons.
    pub(super) const OF_SESSION: [Self; 6] = [
        Self::NextSession,
        Self::RestartSession,
        Self::ChangeSession,
        Self::AdminCommand,
        Self::SetInterval,
        Self::RequestSession,
    ];
}

/// The dialog of a command.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum CommandDialog {
    /// Asks before a command that does harm.
    Confirm { question: String, button: &'static str, command: ServerCommand },
    /// The form for the new values of a session.
    ChangeSession,
    /// The form for an administrator's command.
    Admin,
    /// The form for the interval between positions.
    Interval,
}

/// The state that actions work on, which the page provides to its components. Copies are handles to the same state.
#[derive(Clone, Copy)]
pub(super) struct ActionContext {
    telemetry: TelemetryStore,
    commands: ServerCommands,
    /// The open dialog of a command.
    pub(super) command_dialog: RwSignal<Option<CommandDialog>>,
    dialog: RwSignal<Option<PageDialog>>,
}

impl ActionContext {
    /// Provides the context to the components below.
    pub(super) fn provide() -> Self {
        let context = Self {
            telemetry: TelemetryStore::here(),
            commands: ServerCommands::here(),
            command_dialog: RwSignal::new(None),
            dialog: RwSignal::new(None),
        };
        provide_context(context);
        context
    }

    /// The context that `provide` provided.
    pub(super) fn here() -> Self {
        expect_context()
    }

    /// Sends a command. While a recording plays, refuses with the reason.
    pub(super) fn send(self, command: ServerCommand) {
        if untrack(|| self.telemetry.shows(Connection::Replay)) {
            let why = "This is a recording: its server is not listening. Close it to send commands.";
            return self.commands.refuse(why.to_owned());
        }
        if let Some(feed) = Feed::taking_commands() {
            self.commands.send(feed, command);
        }
    }

    /// Opens a dialog.
    fn open(self, dialog: CommandDialog) {
        self.command_dialog.set(Some(dialog));
    }

    fn confirm(self, question: String, button: &'static str, command: ServerCommand) {
        self.open(CommandDialog::Confirm { question, button, command });
    }

    fn is_possible(self, action: Action) -> bool {
        match action.row().need {
            Need::Nothing => true,
            Need::Server => self.telemetry.look(|telemetry| telemetry.server().is_some()),
            Need::Driver => self.telemetry.look(|telemetry| selected(telemetry).is_some()),
        }
    }

    /// Runs an action.
    pub(super) fn run(self, action: Action) {
        match action {
            Action::NextSession => self.confirm(
                "Go to the next session? Everybody's current laps end.".to_owned(),
                "Go to the next session",
                ServerCommand::Next,
            ),
            Action::RestartSession => self.confirm(
                "Restart the session? Its laps and results are lost on the server.".to_owned(),
                "Restart the session",
                ServerCommand::Restart,
            ),
            Action::ChangeSession => self.open(CommandDialog::ChangeSession),
            Action::AdminCommand => self.open(CommandDialog::Admin),
            Action::SetInterval => self.open(CommandDialog::Interval),
            Action::RequestSession => self.send(ServerCommand::SessionInfo { index: None }),
            Action::Kick => {
                if let Some((car, name)) = self.telemetry.look(selected) {
                    let question = format!("Kick {name}? They are disconnected from the server.");
                    self.confirm(question, "Kick", ServerCommand::Kick { slot: car.0 });
                }
            }
            Action::RequestDriver => {
                if let Some((car, _)) = self.telemetry.look(selected) {
                    self.send(ServerCommand::CarInfo { slot: car.0 });
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
        Action::commands(|action| self.is_possible(action), move |action| self.run(action))
    }

    fn dialog(self) -> RwSignal<Option<PageDialog>> {
        self.dialog
    }

    fn run_key(self, press: &KeyPress) -> bool {
        // While a dialog is open, keys belong to it.
        let is_free = self.command_dialog.with_untracked(Option::is_none);
        let action = Action::of_key(&press.name).filter(|action| is_free && self.is_possible(*action));
        action.into_iter().for_each(|action| self.run(action));
        action.is_some()
    }
}

/// The slot and name of the driver whom the user selected, while that driver is connected.
pub(super) fn selected(telemetry: &Telemetry) -> Option<(Car, String)> {
    let session = telemetry.server()?;
    let car = session.picked().filter(|car| session.car(*car).is_some_and(|car| car.takes_part()))?;
    Some((car, session.name(car)))
}
