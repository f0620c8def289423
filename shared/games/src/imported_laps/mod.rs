//! Laps imported from other programs' files, as packets of our own format, so that they are stored, decoded and
//! replayed like a game's. No game sends these packets, and packets from the network are never read as such.
//!
//! `docs/imported-laps.md` describes the packets byte by byte.

mod decode;
pub mod layout;
mod packet;
mod write;

#[cfg(test)]
pub(crate) mod specimens;

pub use decode::Decoder;
pub use packet::{Kind, LEAVE_OUT, MARK, Packet, Remark, VERSION, datagram_size, describe, recognise};
pub use write::{Heading, LapSummary, Stamp, channels, head, lap, values};

/// The name in messages.
pub const GAME: &str = "imported laps";
