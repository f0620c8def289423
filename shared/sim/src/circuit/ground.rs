//! What is under the wheels.

use trailbrake_model::Surface;

/// A kind of ground.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ground {
    /// The surface.
    pub surface: Surface,
    /// Share of the friction on tarmac.
    pub hold: f64,
    /// Rolling resistance beyond that on tarmac, in m/s².
    pub(crate) drag_ms2: f64,
    /// How far the car slides sideways on it, in radians per m/s² of lateral acceleration.
    pub(crate) loose: f64,
    /// Vertical vibration of a fast car, in m/s².
    pub(crate) rough_ms2: f64,
}

/// Dry tarmac.
pub(crate) const TARMAC: Ground =
    Ground { surface: Surface::Tarmac, hold: 1.0, drag_ms2: 0.0, loose: 0.0, rough_ms2: 0.0 };
/// What lies beside every road.
pub(crate) const GRASS: Ground =
    Ground { surface: Surface::Grass, hold: 0.55, drag_ms2: 4.0, loose: 0.0, rough_ms2: 5.0 };
