//! Items of a file of packets.

use std::net::SocketAddr;

use trailbrake_shared::feed::Feed;
use trailbrake_shared::time::Micros;

/// One item of a file.
pub(crate) enum FileItem<'a> {
    /// A packet.
    Packet {
        /// The packet's bytes.
        bytes: &'a [u8],
        /// Its offset in the file; in a recording, its number.
        offset: u64,
        /// When and from where it was received, as far as the file has it.
        came: Reception,
    },
    /// A packet that can't be read.
    Reject {
        /// The reason.
        reason: String,
        /// Its offset in the file.
        offset: u64,
        /// Its length, where known.
        bytes: Option<u64>,
        /// When it was received, as far as the file has it.
        came: Reception,
    },
}

/// When a packet was received, from whom, and at which port. Bare packets have none of it.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Reception {
    pub(crate) at: Option<Micros>,
    pub(crate) sender: Option<SocketAddr>,
    pub(crate) port: Option<u16>,
    /// The feed, where only the file can name it: packets that never come over the network are not recognised by
    /// content.
    pub(crate) feed: Option<Feed>,
}
