//! A rally stage: a point-to-point road and one car against the clock.

mod car;
mod road;
mod run;

pub use car::{GEARS, IDLE_RPM, MAX_RPM, RallyCar, RallyMotion, RallyWheel};
pub use road::{Place, Road};
pub use run::{Finish, Options, Phase, Rally, Request};
