//! F1 2018: UDP packet format 2018, which the two following games also send when set to it.

mod anonymise;
mod decode;
mod facts;
mod lap_numbers;
pub mod layout;
pub mod names;
mod packet;
mod signals;
mod timeline;
mod words;

pub use anonymise::LEAVE_OUT;
pub use decode::Decoder;
pub use packet::{FORMAT, Kind, Packet, VERSION, datagram_size, describe, recognise};
pub use words::word;

/// The game's name in messages.
pub const GAME: &str = "F1 2018";
