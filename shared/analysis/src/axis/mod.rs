//! Places each row of a lap at a distance on a reference line, so that laps can be compared.
//!
//! ```text
//!    x       x                            x        x         positions, `offset_m` to the left of the line
//!    :       :       x                    :        :
//!    :       :       :                    :        :         projected, near the place that the speed predicts
//! |--+-------+-------+------ missing -----+--------+---|     reference line, `distance_m` along it
//! 0     \____/ \_____/                      \______/  length_m
//!       odometer: speed x time between rows filters the noise of the positions; it restarts after a gap
//!
//! start line: clock 0                       finish line: clock = official time
//! ```
//!
//! Start and finish are fixed points: places near them move so that the clock is exactly 0 and the official time there.
//!
//! Without positions, rows are placed by the game's lap fraction, else its lap distance, else the distance driven by
//! speed, else the clock. [`Method`] says which it was.

mod excursions;
mod follow;
mod frame;
mod hole;
mod line;
mod line_crossings;
mod method;
mod odometer;
mod placed;
mod project;
mod smooth;

pub use excursions::{Excursion, ExcursionKind};
pub use follow::Follower;
pub use frame::Frame;
pub use line::{NoLine, Pose, ReferenceLine};
pub use method::Method;
pub use placed::{MissingRange, PlacedLap};

/// Upper limit for a lap's length, metres. Anything longer comes from bad data.
const LONGEST_M: f64 = 200_000.0;
