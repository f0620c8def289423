//! Files of a game that list what it sends, into which Trailbrake can write what it reads best.

use serde::{Deserialize, Serialize};

/// The files of a game, and what belongs into them.
#[derive(Clone, Copy, Debug)]
pub struct GameFiles {
    /// The folder that the game makes, below the driver's documents.
    pub folder: &'static [&'static str],
    /// The game's number on Steam.
    pub steam_app: u32,
    /// The structures that the feed reads, the fullest first.
    pub structures: &'static [GameStructure],
    /// The kinds of packet.
    pub packets: &'static [GamePacket],
}

/// What each packet has.
#[derive(Clone, Copy, Debug)]
pub struct GameStructure {
    /// The version of the game's data that has all of it.
    pub data_version: u8,
    /// What every packet begins with.
    pub header: &'static [GameChannel],
    /// What follows.
    pub channels: fn() -> Vec<GameChannel>,
}

/// A value that the game can send.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameChannel {
    /// The game's name.
    pub name: &'static str,
    /// Its type in the game's own list.
    pub form: &'static str,
}

/// A kind of packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GamePacket {
    /// The game's name.
    pub name: &'static str,
    /// How many are sent a second; 0 for those that report what happened.
    pub hz: u16,
}

/// What would be written into a game's files.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FilesPlan {
    /// What a driver reads of it.
    pub words: String,
    /// Whether everything is as it should be.
    pub is_done: bool,
}

/// A request about a game's files.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FilesRequest {
    /// The port that the game is to send to, instead of its usual one.
    pub port: Option<u16>,
    /// Whether to take out again what was written.
    pub undo: bool,
    /// What the driver read and agrees with; only that is written. Without it nothing is.
    pub agreed: Option<String>,
}
