//! How rally drivers turn hairpins: with the handbrake.

use super::view::View;

/// Curvature from which a bend is a hairpin, that of a bend which has begun, and that of a road which is nearly straight
/// again, in 1/m.
const HAIRPIN: f64 = 1.0 / 24.0;
const BEGUN: f64 = 1.0 / 60.0;
const STRAIGHT: f64 = 1.0 / 80.0;
/// The distance at which the driver sees how tight a bend is, in metres.
const PEAK_AHEAD_M: f64 = 12.0;
/// For how long the handbrake is pulled, in seconds.
const PULLED_S: f64 = 0.55;

/// A driver's hand at the handbrake.
#[derive(Clone, Debug, Default)]
pub(super) struct Handbrake {
    left_s: f64,
    /// Whether it was pulled in the current hairpin.
    turned_in: bool,
}

impl Handbrake {
    /// Whether to pull it in the next `dt` seconds: at the turn-in of a hairpin, once for each.
    pub(super) fn pull(&mut self, dt: f64, view: &View) -> bool {
        let ahead = |metres: f64| view.circuit.course(view.car.travelled_m + metres).curvature.abs();
        let tight = ahead(PEAK_AHEAD_M) > HAIRPIN;
        self.left_s = (self.left_s - dt).max(0.0);
        self.turned_in &= tight || ahead(0.0) >= STRAIGHT;
        if tight && ahead(0.0) > BEGUN && !self.turned_in && !view.car.is_airborne() {
            (self.turned_in, self.left_s) = (true, PULLED_S);
        }
        self.left_s > 0.0
    }
}
