//! The UDP plugin protocol of Assetto Corsa's dedicated server.
//!
//! Nearly every message contains texts of variable length. The server programs' encodings are the versions of its tables.

mod collisions;
mod command;
mod decode;
mod facts;
mod kinds;
pub mod layout;
mod message;
mod order;
mod request;
mod roster;
mod talk;
mod text;

pub use command::{Command, CommandError, SHORTEST_INTERVAL_MS};
pub use decode::Decoder;
pub use layout::Flavour;
pub use message::{Message, datagram_size, describe, recognise};
pub use request::Request;
pub use talk::Talker;
pub use text::LONGEST_TEXT;

/// The game's name in messages.
pub const GAME: &str = "Assetto Corsa server";
/// The protocol version of every current server.
pub const PROTOCOL: u8 = 4;
