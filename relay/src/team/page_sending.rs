//! Sends what pages at the hub need while the hub asks for it: live messages, and tails of recordings under way.

use std::sync::Arc;
use std::time::Duration;

use async_nats::Client;
use axum::body::Bytes;
use futures_util::StreamExt as _;
use tokio::time::{Instant, sleep_until, timeout};

use super::acknowledgements::Acknowledgements;
use super::hub_request::{HubRequest, TailRequest};
use super::rig_message::{RigMessage, TailPiece};
use super::rig_name::RigName;
use super::rig_source::{PageMessages, RigSource};
use super::subject;

/// Longest time for which the hub may ask at once.
const LONGEST_LEASE: Duration = Duration::from_secs(60);
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

impl PageSending {
    /// Does what the hub asks, until dropped or until the connection is of no use any more.
    pub(super) async fn run(self) {
        let Ok(mut requests) = self.client.subscribe(subject::ask(&self.rig)).await else { return };
        let mut lease: Option<Lease> = None;
        loop {
            let until = lease.as_ref().map(|lease| lease.until);
            tokio::select! {
                request = requests.next() => {
                    let Some(request) = request else { return };
                    let HubRequest { live_s, tail, .. } = HubRequest::understand(&request.payload);
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
                () = sleep_until(until.unwrap_or_else(Instant::now)), if until.is_some() => lease = None,
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

/// The next message with its number, while there is a lease.
async fn next(lease: &mut Option<Lease>) -> (u64, Bytes) {
    let Some(lease) = lease else { return std::future::pending().await };
    let message = lease.messages.next().await;
    lease.number += 1;
    (lease.number - 1, message)
}
