//! Gran Turismo's telemetry: the "Simulator Interface" of Gran Turismo 6, Sport and 7.

mod channels;
pub mod cipher;
mod decode;
mod describe;
mod detect;
mod facts;
mod laps;
pub mod layout;
mod packet;
mod phase;
mod rotation;
mod signals;
mod tick;
mod timeline;

pub use decode::Decoder;
pub use describe::describe;
pub use packet::{Game, Kind, Letter, Opened, datagram_size, recognise};

/// The name of the games in messages.
pub const GAME: &str = "Gran Turismo";
