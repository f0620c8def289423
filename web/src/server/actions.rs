//! Everything that can be done on the page. Buttons, palette and key sheet read this one table.

use leptos::prelude::*;
use trailbrake_shared::games::ServerCommand;
use trailbrake_shared::model::Car;

use crate::cockpit::Cockpit;
use crate::telemetry::{SERVER, Telemetry};
use crate::ui::{Command, KeyPress, PageActions, PageDialog, action_table};

/// A heading of the key sheet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Group {
    Session,
    Driver,
    Page,
}

impl Group {
    /// The heading's words.
    const fn label(self) -> &'static str {
        match self {
            Self::Session => "Session",
            Self::Driver => "Driver",
            Self::Page => "Page",
        }
    }
}

/// What has to be there before an action can be done.
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
    /// Those that concern the session.
    pub(super) const OF_SESSION: [Self; 6] = [
        Self::NextSession,
        Self::RestartSession,
        Self::ChangeSession,
        Self::AdminCommand,
        Self::SetInterval,
        Self::RequestSession,
    ];
}

/// A dialog that leads to a command.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum CommandDialog {
    /// Asks before a command that does harm: the question, the button's words, the command.
    Confirm { question: String, button: &'static str, command: ServerCommand },
    /// The new values of a session.
    ChangeSession,
    /// An administrator's command.
    Admin,
    /// The interval between positions.
    Interval,
}

/// What actions need to be run, as the page provides it to its components. Copies are handles to the same.
#[derive(Clone, Copy)]
pub(super) struct ActionContext {
    cockpit: Cockpit,
    /// The open dialog of a command.
    pub(super) command_dialog: RwSignal<Option<CommandDialog>>,
    dialog: RwSignal<Option<PageDialog>>,
}

impl ActionContext {
    /// Provides it to the components below.
    pub(super) fn provide() -> Self {
        let context = Self {
            cockpit: Cockpit::here(),
            command_dialog: RwSignal::new(None),
            dialog: RwSignal::new(None),
        };
        provide_context(context);
        context
    }

    /// The context that `provide` provided.
    pub(super) fn here() -> Self {
        // Only a component outside of the page has none, and there is no such component.
        use_context().unwrap_or_else(Self::provide)
    }

    /// Sends a command, unless what is shown is a recording.
    pub(super) fn send(self, command: ServerCommand) {
        if self.cockpit.replaying.get_untracked() {
            let why = "This is a recording: its server is not listening. Close it to send commands.";
            return self.cockpit.refuse(why.to_owned());
        }
        self.cockpit.command(SERVER, command);
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
            Need::Server => self.cockpit.look(|telemetry| telemetry.server().is_some()),
            Need::Driver => self.cockpit.look(|telemetry| selected(telemetry).is_some()),
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
                if let Some((car, name)) = self.cockpit.look(selected) {
                    let question = format!("Kick {name}? They are disconnected from the server.");
                    self.confirm(question, "Kick", ServerCommand::Kick { slot: car.0 });
                }
            }
            Action::RequestDriver => {
                if let Some((car, _)) = self.cockpit.look(selected) {
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
        // Keys belong to a dialog that is open.
        let is_free = self.command_dialog.with_untracked(Option::is_none);
        let action = Action::of_key(&press.name).filter(|action| is_free && self.is_possible(*action));
        action.into_iter().for_each(|action| self.run(action));
        action.is_some()
    }
}

/// The driver whom the user selected, while they are connected: their slot and name.
pub(super) fn selected(telemetry: &Telemetry) -> Option<(Car, String)> {
    let session = telemetry.server()?;
    let car = session.picked().filter(|car| session.car(*car).is_some_and(|car| car.takes_part()))?;
    Some((car, session.name(car)))
}
