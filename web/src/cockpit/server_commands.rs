//! Commands to a game's server, which the relay or the demo passes on.

use leptos::prelude::*;
use trailbrake_shared::feed::Feed;
use trailbrake_shared::games::ServerCommand;
use trailbrake_shared::wire::{self, ToRelay};

use super::{DemoStore, RelayLink, TelemetryStore};

/// Sends commands. `Telemetry::answer` has the outcome of the last one.
#[derive(Clone, Copy)]
pub(crate) struct ServerCommands {
    telemetry: TelemetryStore,
    demo: DemoStore,
    relay: RelayLink,
    /// How many were sent.
    sent: StoredValue<u32>,
}

impl ServerCommands {
    /// None sent yet.
    pub(super) fn new(telemetry: TelemetryStore, demo: DemoStore, relay: RelayLink) -> Self {
        Self { telemetry, demo, relay, sent: StoredValue::new(0) }
    }

    /// The commands that the cockpit provided.
    pub(crate) fn here() -> Self {
        expect_context()
    }

    /// Sends a command to a feed's game server.
    pub(crate) fn send(self, feed: Feed, command: ServerCommand) {
        self.sent.update_value(|sent| *sent = sent.wrapping_add(1));
        let id = self.sent.get_value();
        let message = match wire::encode(&ToRelay::Command { id, feed, command }) {
            Ok(message) => message,
            Err(error) => return self.refuse(error.to_string()),
        };
        if self.demo.obey(&message) {
            return;
        }
        // The last answer is not about this command.
        self.answer(None);
        if !self.relay.send(&message) {
            self.refuse("there is no connection to Trailbrake".to_owned());
        }
    }

    /// Shows why a command is not sent.
    pub(crate) fn refuse(self, why: String) {
        self.answer(Some(Err(why)));
    }

    fn answer(self, outcome: Option<Result<String, String>>) {
        self.telemetry.change(|telemetry| telemetry.answer = outcome);
        self.telemetry.beat();
    }
}
