//! What a file of packets holds.

use std::net::SocketAddr;

use trailbrake_shared::feed::Feed;
use trailbrake_shared::time::Micros;

/// What is found in a file, one after the other.
pub(crate) enum FileItem<'a> {
    /// A packet.
    Packet {
        /// What it holds.
        bytes: &'a [u8],
        /// Where it stands; in a recording, which packet it is.
        offset: u64,
        /// When and from where it came, as far as the file tells.
        came: Reception,
    },
    /// Something that should be a packet and is none that can be had.
    Reject {
        /// Why.
        reason: String,
        /// Where it stands.
        offset: u64,
        /// How many bytes it has, where that can be said.
        bytes: Option<u64>,
        /// When it came, as far as the file tells.
        came: Reception,
    },
}

/// When a packet came, from whom, and by which port; a bare file tells none of it.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Reception {
    pub(crate) at: Option<Micros>,
    pub(crate) sender: Option<SocketAddr>,
    pub(crate) port: Option<u16>,
    /// Whose it is, where only the file can tell: packets that never come over the network are recognised by nobody.
    pub(crate) feed: Option<Feed>,
}
