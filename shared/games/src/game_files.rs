//! Files of a game that list what it sends, into which Trailbrake can write what it reads best.

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
