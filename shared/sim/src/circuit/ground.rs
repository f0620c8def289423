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

impl Ground {
    /// The ground at a distance, of a list of where each begins.
    pub(super) fn at(begins: &[(f64, Self)], metres: f64) -> Self {
        begins.iter().rfind(|(from_m, _)| metres >= *from_m).map_or(TARMAC, |(_, ground)| *ground)
    }
}

/// Dry tarmac.
pub(crate) const TARMAC: Ground =
    Ground { surface: Surface::Tarmac, hold: 1.0, drag_ms2: 0.0, loose: 0.0, rough_ms2: 0.0 };
/// What lies beside every road.
pub(crate) const GRASS: Ground =
    Ground { surface: Surface::Grass, hold: 0.55, drag_ms2: 4.0, loose: 0.0, rough_ms2: 5.0 };
pub(crate) const GRAVEL: Ground =
    Ground { surface: Surface::Gravel, hold: 0.68, drag_ms2: 0.1, loose: 0.02, rough_ms2: 5.0 };
pub(crate) const MUD: Ground =
    Ground { surface: Surface::Mud, hold: 0.55, drag_ms2: 0.2, loose: 0.03, rough_ms2: 7.0 };
pub(crate) const SNOW: Ground =
    Ground { surface: Surface::Snow, hold: 0.50, drag_ms2: 0.1, loose: 0.036, rough_ms2: 3.0 };
