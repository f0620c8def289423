//! A rally stage: a road from one place to another, and one car that drives it against the clock.

mod car;
mod road;
mod run;

pub use car::{GEARS, IDLE_RPM, MAX_RPM, RallyCar, RallyMotion, RallyWheel};
pub use road::{Place, Road};
pub use run::{Finish, Options, Phase, Rally, Request};
