//! The corners of a track, and what a lap does in each.

mod balance;
mod braking;
mod driver_inputs;
mod find;
mod speed_minima;
mod table;
mod technique;

pub use balance::CornerBalance;
pub use braking::{BrakeSource, Braking, find_brakings};
pub use find::{Corner, complexes, find_corners};
pub use speed_minima::slow_corners;
pub use table::{CornerRow, CornerTable};
pub(crate) use technique::{EASED, PRESSED};
pub use technique::{STEERING, Technique};
