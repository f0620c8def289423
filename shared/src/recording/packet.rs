//! A datagram as a recording keeps it.

use std::net::SocketAddr;
use std::sync::Arc;

use crate::feed::Feed;
use crate::time::Micros;
use crate::wire::Datagram;

/// What stands for the feed of datagrams that no feed claims.
pub const UNCLAIMED: &str = "unclaimed";

/// A datagram with when, from whom, where and as the how manyth it was received.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Packet {
    /// Its place among all datagrams of the recording, in the order in which they were received, counted from 0.
    pub number: u64,
    /// When it was received.
    pub at: Micros,
    /// Who sent it.
    pub sender: SocketAddr,
    /// The port it came in by.
    pub port: u16,
    /// The id of the feed it was recognised as, or [`UNCLAIMED`]. It may be one that this version does not know.
    pub feed: Arc<str>,
    /// The bytes, unchanged.
    pub bytes: Vec<u8>,
}

impl Packet {
    /// A datagram as it was received, with its place in the recording.
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

    /// The datagram as it came from the relay.
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
