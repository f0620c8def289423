//! A datagram as a recording keeps it.

use std::net::SocketAddr;
use std::sync::Arc;

use trailbrake_games::feed::Feed;
use trailbrake_games::wire::Datagram;
use trailbrake_model::time::Micros;

/// The feed id of datagrams that no feed recognises.
pub const UNCLAIMED: &str = "unclaimed";

/// A datagram with its number, time, sender and port.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Packet {
    /// Its number among all datagrams of the recording, in the order received, from 0.
    pub number: u64,
    /// When it was received.
    pub at: Micros,
    /// The sender's address.
    pub sender: SocketAddr,
    /// The port it was received on.
    pub port: u16,
    /// The id of the feed that recognised it, or [`UNCLAIMED`]. It may be an id that this version does not know.
    pub feed: Arc<str>,
    /// The payload, unchanged.
    pub bytes: Vec<u8>,
}

impl Packet {
    /// A received datagram, with its number in the recording.
    pub fn of(datagram: &Datagram<'_>, number: u64) -> Self {
        Self {
            number,
            at: datagram.at,
            sender: datagram.sender,
            port: datagram.port,
            feed: datagram.feed.map_or(UNCLAIMED, Feed::id).into(),
            bytes: datagram.bytes.to_vec(),
        }
    }

    /// The datagram as the relay received it.
    pub fn datagram(&self) -> Datagram<'_> {
        Datagram {
            at: self.at,
            sender: self.sender,
            port: self.port,
            feed: Feed::from_id(&self.feed),
            bytes: &self.bytes,
        }
    }
}
