//! What the numbers of a lap say: where time is lost, where braking begins.

mod braking;
mod delta;
mod lap;

pub use braking::{BrakeWatch, BrakingZone, SAME_ZONE_M, later};
pub use delta::{NoDelta, Reference};
pub use lap::LapColumns;
