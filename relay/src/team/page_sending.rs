//! Sends what pages at the hub need while the hub asks for it: live messages, and tails of recordings under way.

use std::sync::Arc;
use std::time::Duration;

use async_nats::Client;
use axum::body::Bytes;
use futures_util::StreamExt as _;
use tokio::sync::watch;
use tokio::time::{Instant, sleep_until, timeout};
use trailbrake_shared::wire::RoomPages;

use super::acknowledgements::Acknowledgements;
use super::hub_request::{HubRequest, TailRequest};
use super::rig_message::{RigMessage, TailPiece};
use super::rig_name::RigName;
use super::rig_source::{PageMessages, RigSource};
use super::subject;

/// Longest time for which the hub may ask at once.
const LONGEST_LEASE: Duration = Duration::from_secs(60);
/// How long the hub's pages are shown after it named them last, and how often at most the rig names its own.
const ROOM_LEASE: Duration = Duration::from_secs(15);
const BETWEEN: Duration = Duration::from_millis(100);
/// How long a message may wait for the connection.
const PATIENCE: Duration = Duration::from_secs(2);
/// No message is longer: the server would end the connection.
const MOST_BYTES: usize = 400 << 10;

/// Sends with one connection.
pub(super) struct PageSending {
    pub(super) client: Client,
    pub(super) rig: RigName,
    pub(super) source: Arc<dyn RigSource>,
    pub(super) acknowledgements: Acknowledgements,
}

/// What is sent for a while.
struct Lease {
    messages: Box<dyn PageMessages>,
    /// The number of the next message.
    number: u64,
    until: Instant,
}

/// The room that the rig and the hub share for a while. The hub's pages leave it when this is dropped.
struct RoomLease {
    source: Arc<dyn RigSource>,
    changes: watch::Receiver<()>,
    /// When the next change may be sent.
    next: Instant,
    until: Instant,
}

impl RoomLease {
    fn new(source: Arc<dyn RigSource>) -> Self {
        let (changes, now) = (source.room_changes(), Instant::now());
        Self { source, changes, next: now, until: now }
    }

    /// Shows the hub's pages here, for some seconds.
    fn show(&mut self, pages: RoomPages) {
        self.source.show_hub_pages(pages);
        self.until = Instant::now() + ROOM_LEASE;
        self.changes.mark_changed();
    }
}

impl Drop for RoomLease {
    fn drop(&mut self) {
        self.source.show_hub_pages(RoomPages::default());
    }
}

impl PageSending {
    /// Does what the hub asks, until dropped or until the connection is of no use any more.
    pub(super) async fn run(self) {
        let Ok(mut requests) = self.client.subscribe(subject::ask(&self.rig)).await else { return };
        let (mut lease, mut shared) = (None::<Lease>, None::<RoomLease>);
        loop {
            let until = lease.as_ref().map(|lease| lease.until);
            let shared_until = shared.as_ref().map(|shared| shared.until);
            tokio::select! {
                request = requests.next() => {
                    let Some(request) = request else { return };
                    let HubRequest { live_s, tail, room, .. } = HubRequest::understand(&request.payload);
                    match room {
                        Some(RoomPages(pages)) if pages.is_empty() => shared = None,
                        Some(pages) => {
                            let room = || RoomLease::new(Arc::clone(&self.source));
                            shared.get_or_insert_with(room).show(pages);
                        }
                        None => {}
                    }
                    if let Some(seconds) = live_s {
                        let until = Instant::now() + Duration::from_secs(seconds).min(LONGEST_LEASE);
                        match &mut lease {
                            Some(lease) => {
                                lease.messages.greet();
                                lease.until = until;
                            }
                            None => lease = Some(Lease { messages: self.source.page_messages(), number: 0, until }),
                        }
                    }
                    if let Some(request) = tail {
                        self.send_tail(request).await;
                    }
                }
                (number, message) = next(&mut lease) => {
                    // The hub notices by the number what is missing.
                    if message.len() <= MOST_BYTES && !self.acknowledgements.are_late() {
                        self.send(RigMessage::Page(number, message)).await;
                    }
                }
                pages = changed(&mut shared) => drop(self.send(RigMessage::Room(pages)).await),
                () = sleep_until(until.unwrap_or_else(Instant::now)), if until.is_some() => lease = None,
                () = sleep_until(shared_until.unwrap_or_else(Instant::now)), if shared_until.is_some() => {
                    shared = None;
                }
            }
        }
    }

    async fn send_tail(&self, request: TailRequest) {
        let TailRequest { recording, ticket } = request;
        let Some((one, tail)) = self.source.tail(recording).await else {
            self.send(RigMessage::NoTail(ticket)).await;
            return;
        };
        let (len, name, began) = (one.len, one.name, one.began);
        let first = TailPiece { ticket, recording, len, name, began, from: 0, size: 0 };
        for piece in RigMessage::pieces(&first, &tail) {
            if !self.send(piece).await {
                return;
            }
        }
    }

    /// Sends a message; returns whether the connection took it.
    async fn send(&self, message: RigMessage) -> bool {
        let (headers, payload) = message.parts();
        let sent = self.client.publish_with_headers(subject::live(&self.rig), headers, payload);
        matches!(timeout(PATIENCE, sent).await, Ok(Ok(())))
    }
}

/// What the pages of this rig show, once it is something else, while the room is shared.
async fn changed(shared: &mut Option<RoomLease>) -> RoomPages {
    let Some(shared) = shared else { return std::future::pending().await };
    sleep_until(shared.next).await;
    if shared.changes.changed().await.is_err() {
        return std::future::pending().await;
    }
    shared.next = Instant::now() + BETWEEN;
    shared.source.room_pages()
}

/// The next message with its number, while there is a lease.
async fn next(lease: &mut Option<Lease>) -> (u64, Bytes) {
    let Some(lease) = lease else { return std::future::pending().await };
    let message = lease.messages.next().await;
    lease.number += 1;
    (lease.number - 1, message)
}
