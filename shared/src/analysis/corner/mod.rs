//! The corners of a track, and what a driver does in each.

mod braking;
mod find;
mod table;

pub use braking::{BrakeSource, Braking, find_brakings};
pub use find::{COMPLEX_M, Corner, find_corners};
pub use table::{CornerRow, CornerTable};
