//! Where on the track each moment of a lap was, so that laps can be laid side by side.
//!
//! A lap's positions are projected on a reference line. Where a game tells no position, its own measure of the lap
//! stands in, else the metres driven, else the clock; what was done is named in the result.

mod excursions;
mod follow;
mod frame;
mod hole;
mod line;
mod line_crossings;
mod odometer;
mod placed;
mod project;
mod smooth;

pub use excursions::{Excursion, ExcursionKind};
pub use follow::Follower;
pub use frame::Frame;
pub use line::{NoLine, Pose, ReferenceLine};
pub use placed::{Method, MissingRange, PlacedLap};

/// Nothing on four wheels covers more than this in one lap, metres: what comes out longer was told wrongly.
const LONGEST_M: f64 = 200_000.0;
