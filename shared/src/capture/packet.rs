//! What a capture is read for: datagrams, with when and from where, and why one could not be had.

use std::net::SocketAddr;

use thiserror::Error;

use crate::time::Micros;

/// One UDP datagram, or the reason why it can't be had.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Packet {
    /// Where in the file the packet is; its first fragment, where it came in several.
    pub offset: u64,
    /// When it was captured, by the clock of the machine that did; the last fragment, where it came in several.
    pub at: Option<Micros>,
    /// The datagram.
    pub content: Result<Datagram, SkipReason>,
}

/// A datagram as the game sent it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Datagram {
    /// Who sent it.
    pub sender: SocketAddr,
    /// To whom.
    pub receiver: SocketAddr,
    /// What it holds.
    pub bytes: Vec<u8>,
}

/// Why a datagram that was sent is not in the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum SkipReason {
    /// The capture program kept only the front of each packet.
    #[error(
        "captured with a snap length of {snap_len}: {kept} of {was} bytes were kept; capture again without a limit \
         (tcpdump -s 0)"
    )]
    Snapped {
        /// The limit.
        snap_len: u32,
        /// Bytes that were kept.
        kept: usize,
        /// Bytes that there were.
        was: u32,
    },
    /// The packet's own headers tell of more than there is.
    #[error("its headers tell of {wants} bytes and {has} are there")]
    Short {
        /// Bytes that there should be.
        wants: usize,
        /// Bytes that there are.
        has: usize,
    },
    /// Fragments of a datagram, and not all.
    #[error("a datagram in fragments, some of which are not in the file: {} are there", Parts(*.has, *.wants))]
    Incomplete {
        /// Bytes that came.
        has: usize,
        /// Bytes of the datagram, if its end came.
        wants: Option<usize>,
    },
    /// Fragments that can't be put together.
    #[error("a datagram in fragments that contradict one another")]
    Contradictory,
    /// More datagrams in fragments than are kept in mind.
    #[error("a datagram in fragments, given up because more than {most} others came in fragments meanwhile")]
    Crowded {
        /// How many are kept in mind.
        most: usize,
    },
}

/// So many bytes of so many, where the latter is known.
struct Parts(usize, Option<usize>);

impl std::fmt::Display for Parts {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match *self {
            Self(has, Some(wants)) => write!(f, "{has} of {wants} bytes"),
            Self(has, None) => write!(f, "{has} bytes and not the end"),
        }
    }
}
