//! Assetto Corsa's dedicated server: what it tells a plugin over UDP, and what a plugin may ask of it.
//!
//! Nearly every message holds texts of any length, so that a message is read piece by piece and not laid over its bytes.

mod collisions;
mod command;
mod decode;
mod describe;
mod facts;
pub mod layout;
mod message;
mod order;
mod piece;
mod request;
mod roster;
mod talk;

pub use command::{Command, CommandError, SHORTEST_INTERVAL_MS};
pub use decode::Decoder;
pub use describe::describe;
pub use message::{Message, datagram_size, recognise};
pub use piece::{ByteText, Flavour, LONGEST_TEXT, ReportText, Utf32Text, WeatherText};
pub use request::Request;
pub use talk::Talker;

/// The name of the game in messages.
pub const GAME: &str = "Assetto Corsa server";
/// The version of the protocol that every server of these years speaks.
pub const PROTOCOL: u8 = 4;
