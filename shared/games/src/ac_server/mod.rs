//! The UDP plugin protocol of Assetto Corsa's dedicated server.
//!
//! Nearly every message contains texts of variable length, so messages are parsed field by field instead of cast from
//! bytes.

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

/// The game's name in messages.
pub const GAME: &str = "Assetto Corsa server";
/// The protocol version of every current server.
pub const PROTOCOL: u8 = 4;
