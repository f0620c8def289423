//! A point-mass driver on a synthetic circuit: the demo, and the known truth that tests compare against.

pub mod car;
pub mod circuit;
mod driver;
pub mod race;
pub mod random;
mod ring;
pub mod state;
pub mod truth;

pub use driver::{Entry, PEDAL_ON};
pub use race::{Options, Race, Request, Start};
pub use truth::Truth;
