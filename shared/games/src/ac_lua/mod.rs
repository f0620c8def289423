//! Assetto Corsa through a Lua app for Custom Shaders Patch: one JSON object per frame, with keys chosen by the app's
//! author.

mod decode;
mod describe;
mod fields;
mod json;
mod laps;
mod report;

pub use decode::Decoder;
pub use describe::describe;
pub use report::recognise;

/// The game's name in messages.
pub const GAME: &str = "Assetto Corsa Lua app";
/// The only kind of packet.
pub const PACKET: &str = "JSON";
