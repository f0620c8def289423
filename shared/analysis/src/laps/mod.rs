//! Laps: where they begin and end, their official times, and their flags.
//!
//! Everything here follows [`LapProgress`](trailbrake_model::LapProgress), which each game's decoder fills; nothing here
//! knows a game.

mod flags;
mod lap;
mod pits;
mod report;
mod split;

pub use flags::{LapFlag, LapFlags};
pub use lap::Lap;
pub use split::{CarLaps, Change, DRIVEN_S};
