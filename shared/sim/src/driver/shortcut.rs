//! A straight path across the inside of a corner.

use super::super::car::WALL_M;
use super::super::circuit::Circuit;
use super::super::ring::Shape;

/// The closest that a driver goes to the wall, in metres.
const FROM_WALL_M: f64 = 3.0;
/// Distance to either side for the path's numerical derivatives, in metres.
const BESIDE_M: f64 = 1.0;

/// A straight path between two points of the racing line, in metres since the first crossing of the start line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Shortcut {
    pub(crate) from_m: f64,
    pub(crate) to_m: f64,
}

impl Shortcut {
    /// Whether a distance lies between its ends.
    pub(crate) fn covers(&self, travelled_m: f64) -> bool {
        (self.from_m..self.to_m).contains(&travelled_m)
    }

    /// The path's offset from the centre line at a distance; `None` outside its ends.
    pub(crate) fn at(&self, circuit: &Circuit, travelled_m: f64) -> Option<Shape> {
        if !self.covers(travelled_m) {
            return None;
        }
        let [before, value, behind] =
            [-BESIDE_M, 0.0, BESIDE_M].map(|by| self.offset_m(circuit, travelled_m + by));
        let rate = (behind - before) / (2.0 * BESIDE_M);
        Some(Shape { value, rate, bend: (behind - 2.0 * value + before) / (BESIDE_M * BESIDE_M) })
    }

    /// The path's offset to the left of the centre line, in metres.
    fn offset_m(&self, circuit: &Circuit, travelled_m: f64) -> f64 {
        let end = |metres: f64| circuit.position(metres, circuit.racing_line(metres).value);
        let ([from_x, _, from_z], [to_x, _, to_z]) = (end(self.from_m), end(self.to_m));
        let (ahead_x, ahead_z) = (to_x - from_x, to_z - from_z);
        let pose = circuit.pose(travelled_m);
        let [x, _, z] = pose.position;
        let (left_x, left_z) = (libm::cos(pose.heading), -libm::sin(pose.heading));
        let across = left_x * ahead_z - left_z * ahead_x;
        let offset_m = ((from_x - x) * ahead_z - (from_z - z) * ahead_x) / across;
        let most = circuit.half_width_m + WALL_M - FROM_WALL_M;
        if offset_m.is_finite() { offset_m.clamp(-most, most) } else { 0.0 }
    }
}
