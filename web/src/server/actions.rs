//! The actions of the Server page. Buttons, palette and key sheet read this one table.

use leptos::prelude::*;
use trailbrake_shared::feed::Feed;
use trailbrake_shared::games::ServerCommand;
use trailbrake_shared::model::Car;

use crate::cockpit::{ServerCommands, TelemetryStore};
use crate::telemetry::{Connection, Telemetry};
use crate::ui::{ActionTable, KeyPress, PageAction, action_table};

/// What an action requires.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Need {
    /// A server is shown.
    Server,
    /// A driver is selected.
    Driver,
}

action_table! {
    /// An action of the page.
    pub(super) enum Action requires Need;

    "Session":
    NextSession "next-session" "Next session" [] Server;
    RestartSession "restart-session" "Restart session" [] Server;
    ChangeSession "change-session" "Change a session" [] Server;
    AdminCommand "admin-command" "Administrator's command" [] Server;
    SetInterval "interval" "Interval of positions" [] Server;
    RequestSession "request-session" "Request session info" [] Server;

    "Driver":
    Kick "kick" "Kick" [] Driver;
    RequestDriver "request-driver" "Request driver info" [] Driver;
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
}

impl ActionContext {
    pub(super) fn new() -> Self {
        Self {
            telemetry: TelemetryStore::here(),
            commands: ServerCommands::here(),
            command_dialog: RwSignal::new(None),
        }
    }

    /// The context that the page provided.
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
}

impl PageAction for Action {
    type Page = ActionContext;

    fn is_possible(self, page: ActionContext) -> bool {
        page.telemetry.track(|telemetry| match self.need() {
            None => true,
            Some(Need::Server) => telemetry.server().is_some(),
            Some(Need::Driver) => selected(telemetry).is_some(),
        })
    }

    fn run(self, page: ActionContext, _press: &KeyPress) {
        match self {
            Self::NextSession => page.confirm(
                "Go to the next session? Everybody's current laps end.".to_owned(),
                "Go to the next session",
                ServerCommand::Next,
            ),
            Self::RestartSession => page.confirm(
                "Restart the session? Its laps and results are lost on the server.".to_owned(),
                "Restart the session",
                ServerCommand::Restart,
            ),
            Self::ChangeSession => page.open(CommandDialog::ChangeSession),
            Self::AdminCommand => page.open(CommandDialog::Admin),
            Self::SetInterval => page.open(CommandDialog::Interval),
            Self::RequestSession => page.send(ServerCommand::SessionInfo { index: None }),
            Self::Kick => {
                if let Some((car, name)) = page.telemetry.look(selected) {
                    let question = format!("Kick {name}? They are disconnected from the server.");
                    page.confirm(question, "Kick", ServerCommand::Kick { slot: car.0 });
                }
            }
            Self::RequestDriver => {
                if let Some((car, _)) = page.telemetry.look(selected) {
                    page.send(ServerCommand::CarInfo { slot: car.0 });
                }
            }
        }
    }
    fn are_keys_free(page: ActionContext) -> bool {
        // While a dialog is open, keys belong to it.
        page.command_dialog.with_untracked(Option::is_none)
    }
}

/// The slot and name of the driver whom the user selected, while that driver is connected.
pub(super) fn selected(telemetry: &Telemetry) -> Option<(Car, String)> {
    let session = telemetry.server()?;
    let car = session.picked().filter(|car| session.car(*car).is_some_and(|car| car.takes_part()))?;
    Some((car, session.name(car)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ui::check_actions;

    #[test]
    fn no_key_and_no_id_means_two_actions() {
        check_actions::<Action>();
    }
}
