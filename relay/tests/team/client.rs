//! A client of `nats-server` with a rig's key or the archive's, which does what it should not.

use std::path::Path;
use std::time::Duration;

use async_nats::{Client, ConnectErrorKind, ConnectOptions, Event};
use futures_util::StreamExt as _;
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};

use crate::program::{Hub, PATIENCE};

/// Awaits something that must happen. The limit covers the whole wait.
pub(crate) async fn soon<F: Future>(what: &str, future: F) -> F::Output {
    match tokio::time::timeout(PATIENCE, future).await {
        Ok(output) => output,
        Err(_) => panic!("{what} did not happen in {PATIENCE:?}"),
    }
}

/// A connection, and what the server reports about it.
pub(crate) struct Peer {
    pub(crate) client: Client,
    events: UnboundedReceiver<Event>,
}

/// The seed in an invitation.
pub(crate) fn seed_of(invitation: &Path) -> String {
    let text = std::fs::read_to_string(invitation).expect("an invitation");
    let line = text.lines().find_map(|line| line.strip_prefix("seed = ")).expect("a seed");
    line.trim_matches('"').to_owned()
}

impl Peer {
    /// Connects with a rig's key, as the rig does.
    pub(crate) async fn rig(hub: &Hub, rig: &str) -> Self {
        let seed = seed_of(&hub.folder.path().join(format!("{rig}.team")));
        Self::open(hub, seed, &format!("_INBOX_{rig}")).await.expect("a connection")
    }

    /// Connects with the archive's key.
    pub(crate) async fn archive(hub: &Hub) -> Self {
        Self::open(hub, hub.text("archive.seed"), "_INBOX").await.expect("a connection")
    }

    pub(crate) async fn open(hub: &Hub, seed: String, inbox: &str) -> Result<Self, ConnectErrorKind> {
        let (sender, events) = unbounded_channel();
        let options = ConnectOptions::with_nkey(seed)
            .custom_inbox_prefix(inbox)
            .reconnect_delay_callback(|_| Duration::from_millis(50))
            .event_callback(move |event| {
                // The test may be over.
                let _ = sender.send(event);
                std::future::ready(())
            });
        let connecting = options.connect(format!("nats://127.0.0.1:{}", hub.port));
        let client = soon("a connection", connecting).await.map_err(|error| error.kind())?;
        Ok(Self { client, events })
    }

    /// Waits until the archive answers a rig.
    pub(crate) async fn finds_archive(&self, rig: &str) {
        let question = format!("tb.have.{rig}.{:032x}", 0);
        soon("an answer of the archive", async {
            while self.client.request(question.clone(), "".into()).await.is_err() {
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
        })
        .await;
    }

    /// Waits until the server knows every subscription so far: it answers in order.
    pub(crate) async fn settle(&mut self) {
        let subject = format!("unknown.{}", self.client.new_inbox());
        let mut own = self.client.subscribe(subject.clone()).await.expect("asked");
        self.client.publish(subject.clone(), "".into()).await.expect("sent");
        let events = &mut self.events;
        soon("an answer of the server", async {
            tokio::select! {
                // The archive may do that, and a rig may not.
                message = own.next() => assert!(message.is_some()),
                () = async {
                    while !events.recv().await.expect("events").to_string().contains(&subject) {}
                } => {}
            }
        })
        .await;
    }

    /// Waits for an event.
    pub(crate) async fn event(&mut self, what: &str, mut is_it: impl FnMut(&Event) -> bool) -> Event {
        let events = &mut self.events;
        soon(what, async {
            loop {
                let event = events.recv().await.expect("events");
                if is_it(&event) {
                    return event;
                }
            }
        })
        .await
    }

    /// Waits until the server refuses to do this with a subject.
    pub(crate) async fn refused(&mut self, what: &str, subject: &str) {
        let words = format!("violation for {what} to \"{subject}\"");
        self.event(&words, |event| event.to_string().to_lowercase().contains(&words.to_lowercase())).await;
    }
}
