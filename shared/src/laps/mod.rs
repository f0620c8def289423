//! Laps: where they begin and end, their official times, and what is to be said about them.
//!
//! Everything here follows [`LapProgress`](crate::model::LapProgress), into which each game's decoder puts its own
//! words for a lap; nothing here knows a game.

mod flags;
mod lap;
mod split;

pub use flags::{LapFlag, LapFlags};
pub use lap::Lap;
pub(crate) use split::DRIVEN_S;
pub use split::{CarLaps, Change};
