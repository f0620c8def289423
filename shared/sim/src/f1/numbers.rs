//! Numbers as the games send them.

use trailbrake_games::Vec3;

use crate::car::Compound;

/// The compound of the season, and what the game's display shows for it.
pub(super) fn compounds(compound: Compound) -> (u8, u8) {
    match compound {
        Compound::Ultrasoft => (16, 16),
        Compound::Soft => (17, 17),
        Compound::Medium => (18, 18),
        Compound::Intermediate => (7, 7),
        Compound::Wet => (8, 8),
    }
}

/// A number in single precision.
pub(super) fn float(value: f64) -> f32 {
    value as f32
}

/// Three numbers in single precision.
pub(super) fn floats([x, y, z]: [f64; 3]) -> Vec3<f32> {
    Vec3 { x: float(x), y: float(y), z: float(z) }
}
