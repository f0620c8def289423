//! From a socket to the hub: receive, timestamp, recognise, pass on. Nothing here decodes.

use std::io;
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use trailbrake_shared::feed;
use trailbrake_shared::time::Micros;
use trailbrake_shared::wire::Datagram;

use crate::clock::Clock;
use crate::relaying::forward::Forwards;
use crate::relaying::hub::Hub;
use crate::relaying::port_counters::PortCounters;
use crate::relaying::talk::{Conversation, OpenSocket};

/// Largest accepted datagram: from the games that send all cars in one, with as many as UDP can carry.
pub(crate) const LARGEST: usize = 65_332;
/// Buffer for anything UDP can carry, so that a datagram too large is seen as such and never truncated.
const ROOM: usize = 64 << 10;
/// Most datagrams that are taken from one socket before the others have their turn.
const AT_ONCE: u32 = 64;
/// Pause after a failure, so that a broken socket does not use up the processor.
const PAUSE: Duration = Duration::from_millis(20);

/// Takes datagrams from sockets and the demo.
#[derive(Clone)]
pub(crate) struct Intake {
    pub(crate) clock: Clock,
    pub(crate) hub: Arc<Hub>,
    pub(crate) forwards: Arc<Forwards>,
    /// The addresses that games may send from; empty for any.
    pub(crate) from: Arc<[IpAddr]>,
}

impl Intake {
    /// Whether packets of a sender are received.
    fn receives_from(&self, sender: SocketAddr) -> bool {
        let ip = sender.ip().to_canonical();
        self.from.is_empty() || self.from.contains(&ip)
    }

    /// Timestamps a datagram, recognises its feed, counts it, and passes it on.
    pub(crate) fn take(&self, counters: &PortCounters, sender: SocketAddr, bytes: &[u8]) {
        self.take_at(self.clock.now(), counters, sender, bytes);
    }

    /// Takes a datagram that arrived at a given time.
    pub(crate) fn take_at(&self, at: Micros, counters: &PortCounters, sender: SocketAddr, bytes: &[u8]) {
        if bytes.len() > LARGEST {
            counters.too_large(sender, at, bytes.len(), LARGEST);
            return;
        }
        let feed = match feed::recognise(bytes) {
            Ok(recognised) => {
                counters.recognised(sender, at, recognised.feed);
                self.forwards.pass_on(recognised.feed, sender, bytes);
                Some(recognised.feed)
            }
            Err(reason) => {
                counters.rejected(sender, at, reason);
                None
            }
        };
        self.hub.push(&Datagram { at, sender, port: counters.port, feed, bytes });
    }
}

/// Receives at one socket until dropped. Talkers that use the socket see datagrams first: answers are no telemetry.
pub(crate) async fn receive(
    (via, socket): OpenSocket,
    counters: Arc<PortCounters>,
    intake: Intake,
    asking: Vec<Arc<Conversation>>,
) {
    let mut room = vec![0; ROOM];
    let take = |received: io::Result<(usize, SocketAddr)>, room: &[u8]| match received {
        Ok((_, sender)) if !intake.receives_from(sender) => {
            counters.reject_sender(sender, intake.clock.now());
            Ok(())
        }
        Ok((len, sender)) => {
            let datagram = room.get(..len).unwrap_or_default();
            let answer = |talk: &Arc<Conversation>| talk.receives(&intake.clock, via, sender, datagram);
            if !asking.iter().any(answer) {
                intake.take(&counters, sender, datagram);
            }
            Ok(())
        }
        Err(error) if is_an_answer(&error) => Ok(()),
        Err(error) => Err(error),
    };
    loop {
        let mut received = socket.recv_from(&mut room).await;
        for number in 1.. {
            if let Err(error) = take(received, &room) {
                counters.failed(error.to_string());
                tracing::error!("UDP port {} can't be read: {error}", counters.port);
                tokio::time::sleep(PAUSE).await;
            }
            if number == AT_ONCE {
                break;
            }
            received = socket.try_recv_from(&mut room);
            if received.as_ref().is_err_and(|error| error.kind() == io::ErrorKind::WouldBlock) {
                break;
            }
        }
        intake.hub.drained();
    }
}

/// Windows reports on a socket that an earlier packet found no receiver; receiving still works.
fn is_an_answer(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::ConnectionReset | io::ErrorKind::ConnectionRefused)
}
