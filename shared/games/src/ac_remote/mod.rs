//! Assetto Corsa's built-in remote telemetry: the game listens, and sends to clients that have completed a handshake.

mod decode;
mod distance;
mod facts;
pub mod layout;
mod others;
mod packet;
mod talk;
mod text;
mod timeline;

#[cfg(test)]
mod capture_tests;
#[cfg(test)]
pub(crate) mod example;

pub use decode::Decoder;
pub use packet::{ANSWER, Kind, Packet, UPDATE, VERSION, datagram_size, describe, recognise};
pub use talk::{PORT, Talker, USUAL_ADDRESS};
pub use text::WideText;

/// The game's name in messages.
pub const GAME: &str = "Assetto Corsa";
