//! The steps in which time passes.

/// Physics steps per second.
pub const STEPS_PER_S: u64 = 240;

/// Physics steps per frame of the game.
pub const STEPS_PER_FRAME: u64 = 4;

/// The duration of a step, in seconds.
pub(super) const DT: f64 = 1.0 / STEPS_PER_S as f64;
