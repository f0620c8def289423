//! Disturbances of a car: wheelspin, a bump, the handbrake.

/// A disturbance of a car.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Disturbance {
    /// The driven wheels spin, as on a patch of oil.
    Wheelspin,
    /// A bump compresses the springs until the car bottoms out.
    Bump,
    /// The driver pulls the handbrake.
    Handbrake,
}

/// Slip ratio of spinning driven wheels.
pub(super) const SPINS: f64 = 0.5;
/// Spring compression by a bump, in mm.
pub(super) const BUMP_MM: f64 = 105.0;
