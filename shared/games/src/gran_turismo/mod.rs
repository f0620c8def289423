//! Gran Turismo: the "Simulator Interface" of Gran Turismo 6, Sport and 7.

mod cars;
mod channels;
pub mod cipher;
mod decode;
mod detect;
mod facts;
mod finder;
mod heartbeat;
mod laps;
pub mod layout;
mod packet;
mod phase;
mod rotation;
mod signals;
mod talk;
mod tick;
mod timeline;
mod tracks;

pub use cipher::SEALS;
pub use decode::Decoder;
pub use packet::{DecipheredPacket, Game, Kind, Letter, datagram_size, describe, recognise};
pub use talk::{Talker, listens_at};
pub use tracks::listed_path;

/// The games' name in messages.
pub const GAME: &str = "Gran Turismo";
