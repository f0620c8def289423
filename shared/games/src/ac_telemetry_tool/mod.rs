//! Assetto Corsa's Telemetry Tool: a plugin in the game that sends all cars in one packet.

mod anonymise;
mod decode;
mod facts;
pub mod layout;
mod packet;
#[cfg(test)]
pub(crate) mod specimens;
mod timeline;

pub use anonymise::LEAVE_OUT;
pub use decode::Decoder;
pub use packet::{Kind, MOST_CARS, Packet, datagram_size, describe, recognise};

/// The game's name in messages.
pub const GAME: &str = "Assetto Corsa Telemetry Tool";
