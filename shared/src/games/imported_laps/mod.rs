//! Laps out of other programs' files, as packets of our own: what was imported is kept, decoded and replayed like what a
//! game sent. No game sends these, and none that comes over the network is taken for one.
//!
//! `docs/imported-laps.md` has the packets to the byte.

mod decode;
mod describe;
pub mod layout;
mod packet;
mod write;

#[cfg(test)]
pub(crate) mod specimens;

pub use decode::Decoder;
pub use describe::describe;
pub use packet::{Kind, LEAVE_OUT, MARK, Packet, Remark, VERSION, datagram_size, recognise};
pub use write::{Heading, LapSummary, Stamp, channels, head, lap, values};

/// The name in messages.
pub const GAME: &str = "imported laps";
