//! What a file of packets holds.

use std::net::SocketAddr;

use trailbrake_shared::feed::Feed;
use trailbrake_shared::time::Micros;

/// One item of a file.
pub(crate) enum FileItem<'a> {
    /// A packet.
    Packet {
        /// What it holds.
        bytes: &'a [u8],
        /// Its offset in the file; in a recording, its number.
        offset: u64,
        /// When and from where it was received, as far as the file says.
        came: Reception,
    },
    /// Something that should be a packet and can't be read.
    Reject {
        /// Why.
        reason: String,
        /// Its offset in the file.
        offset: u64,
        /// How many bytes it has, where that can be said.
        bytes: Option<u64>,
        /// When it was received, as far as the file says.
        came: Reception,
    },
}

/// When a packet was received, from whom, and at which port. A bare file has none of it.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Reception {
    pub(crate) at: Option<Micros>,
    pub(crate) sender: Option<SocketAddr>,
    pub(crate) port: Option<u16>,
    /// Whose it is, where only the file can tell: packets that never come over the network are recognised by nobody.
    pub(crate) feed: Option<Feed>,
}
