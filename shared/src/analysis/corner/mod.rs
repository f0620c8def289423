//! The corners of a track, and what a driver does in each.

mod balance;
mod braking;
mod driver_inputs;
mod find;
mod slow;
mod table;

pub use balance::CornerBalance;
pub use braking::{BrakeSource, Braking, find_brakings};
pub use find::{Corner, complexes, find_corners};
pub use slow::slow_corners;
pub use table::{CornerRow, CornerTable};
