//! Assetto Corsa through a Lua app for Custom Shaders Patch: one JSON object for each frame, as its author pleased.

mod decode;
mod describe;
mod fields;
mod json;
mod laps;
mod report;

pub use decode::Decoder;
pub use describe::describe;
pub use report::recognise;

/// The name of the game in messages.
pub const GAME: &str = "Assetto Corsa Lua app";
/// The one kind of packet.
pub const PACKET: &str = "JSON";
