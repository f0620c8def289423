//! The link to the relay, whose messages wait for the next frame.

use leptos::prelude::*;
use trailbrake_shared::wire::WireError;

use super::TelemetryStore;
use crate::browser;
use crate::frame;
use crate::link::{Link, Shown};
use crate::telemetry::{Connection, MessageKind};

/// Least age of the page for a reload by the relay, in milliseconds. A younger page could reload in an endless loop.
const YOUNG_MS: f64 = 5_000.0;
/// Messages of more bytes than this are read without waiting for a frame: a hidden page has no frames.
const MOST_WAITING: usize = 1 << 20;

/// The link. Copies are handles to the same one.
#[derive(Clone, Copy)]
pub(crate) struct RelayLink {
    telemetry: TelemetryStore,
    link: StoredValue<Option<Link>, LocalStorage>,
    waiting: StoredValue<WaitingMessages, LocalStorage>,
    /// The state of the link, which matters if there is a relay.
    pub(crate) state: RwSignal<Shown>,
}

/// Messages queued for the next frame.
#[derive(Default)]
struct WaitingMessages {
    /// Each message with the time of its arrival, in milliseconds of the page.
    messages: Vec<(Vec<u8>, f64)>,
    bytes: usize,
}

impl RelayLink {
    /// Connects to the relay, if one served the page.
    pub(super) fn open(telemetry: TelemetryStore) -> Self {
        let relay = Self {
            telemetry,
            link: StoredValue::new_local(None),
            waiting: StoredValue::new_local(WaitingMessages::default()),
            state: RwSignal::new(Shown::Connecting),
        };
        let link =
            Link::to_packets(move |message| relay.wait(message), move |reason| telemetry.complain(reason));
        relay.link.set_value(link);
        relay
    }

    /// The link that the cockpit provided.
    pub(crate) fn here() -> Self {
        expect_context()
    }

    /// Sends a message. Returns false if there is no connection.
    pub(super) fn send(self, message: &[u8]) -> bool {
        self.link.with_value(|link| link.as_ref().is_some_and(|link| link.send(message)))
    }

    /// Handles the passing of time. Every beat of the pulse calls this.
    pub(super) fn tick(self) {
        let shown = self.link.with_value(|link| {
            let link = link.as_ref()?;
            link.tick();
            Some(link.shown())
        });
        let news = shown.filter(|shown| self.state.with_untracked(|state| state != shown));
        news.into_iter().for_each(|shown| self.state.set(shown));
    }

    /// Queues a message for the next frame.
    fn wait(self, message: Vec<u8>) {
        let mut bytes = 0;
        self.waiting.update_value(|waiting| {
            waiting.bytes += message.len();
            waiting.messages.push((message, browser::now_ms()));
            bytes = waiting.bytes;
        });
        frame::request();
        if bytes > MOST_WAITING {
            frame::catch_up();
        }
    }

    /// Reads the queued messages.
    pub(super) fn read_waiting(self) {
        let waiting = self.waiting.try_update_value(std::mem::take).unwrap_or_default();
        for (message, arrived_ms) in waiting.messages {
            self.read(&message, arrived_ms);
        }
    }

    /// Reads a message. Reloads the page or ends the link if the relay has another version.
    fn read(self, message: &[u8], now: f64) {
        match self.telemetry.change(|telemetry| telemetry.receive(message, now)) {
            Some(Ok(MessageKind::Packets))
                if self.telemetry.connection.get_untracked() == Connection::Demo =>
            {
                // A real game sends, and takes the place of the demo.
                self.telemetry.disconnect();
            }
            Some(Ok(MessageKind::Reload)) if now > YOUNG_MS => browser::reload(),
            Some(Ok(MessageKind::Reload) | Err(WireError::Version { .. })) => {
                self.link.with_value(|link| link.iter().for_each(Link::outdated));
            }
            Some(Ok(_) | Err(_)) | None => {}
        }
    }
}
