//! EA SPORTS WRC (2023): packets whose fields the driver's files list. Two lists are read: the game's default structure,
//! which has no header, and Trailbrake's own, whose packets begin with a mark.

mod decode;
mod facts;
mod fields;
mod game_files;
mod names;
mod packet;
mod stage;
mod structure;
mod timeline;

pub use decode::Decoder;
pub use fields::{Field, Form};
pub use game_files::FILES;
pub use packet::{Kind, datagram_size, describe, recognise};
pub use structure::{Numbers, Structure};

pub use crate::session_mark::SessionMark;

/// The game's name in messages.
pub const GAME: &str = "EA SPORTS WRC";
/// What makes the game send Trailbrake's structure.
pub const ADVICE: &str = "run trailbrake setup ea-wrc while the game is closed";
