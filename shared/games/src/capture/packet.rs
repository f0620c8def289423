//! The result of reading a capture: datagrams, or why one is missing.

use std::net::SocketAddr;

use thiserror::Error;
use trailbrake_model::time::Micros;

/// One UDP datagram, or the reason why it is missing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Packet {
    /// Offset of the packet, or of its first fragment, in the file.
    pub offset: u64,
    /// Capture time of the packet, or of its last fragment, by the capturing machine's clock.
    pub at: Option<Micros>,
    /// The datagram.
    pub content: Result<Datagram, SkipReason>,
}

/// A datagram as the game sent it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Datagram {
    /// The sender.
    pub sender: SocketAddr,
    /// The receiver.
    pub receiver: SocketAddr,
    /// The payload.
    pub bytes: Vec<u8>,
}

/// Why a datagram can't be read from the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum SkipReason {
    /// The capture program truncated the packet.
    #[error(
        "captured with a snap length of {snap_len}: {kept} of {was} bytes were kept; capture again without a limit \
         (tcpdump -s 0)"
    )]
    Snapped {
        /// The snap length.
        snap_len: u32,
        /// Bytes kept.
        kept: usize,
        /// Bytes on the wire.
        was: u32,
    },
    /// The packet's headers announce more bytes than the packet has.
    #[error("its headers announce {wants} bytes, and it has {has}")]
    Short {
        /// Bytes announced.
        wants: usize,
        /// Bytes found.
        has: usize,
    },
    /// Some fragments are missing.
    #[error("a datagram in fragments, some of which are not in the file: {} are there", Parts(*.has, *.wants))]
    Incomplete {
        /// Bytes received.
        has: usize,
        /// The datagram's length, if its last fragment was received.
        wants: Option<usize>,
    },
    /// The fragments contradict each other.
    #[error("a datagram in fragments that contradict one another")]
    Contradictory,
    /// Too many incomplete datagrams at once.
    #[error("a datagram in fragments, given up because more than {most} others came in fragments meanwhile")]
    Crowded {
        /// The limit.
        most: usize,
    },
}

/// Prints bytes received of the total, if that is known.
struct Parts(usize, Option<usize>);

impl std::fmt::Display for Parts {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match *self {
            Self(has, Some(wants)) => write!(f, "{has} of {wants} bytes"),
            Self(has, None) => write!(f, "{has} bytes and not the end"),
        }
    }
}
