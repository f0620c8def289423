//! How drivers steer: along their line, and back to it.

use super::super::circuit::{Circuit, PitLane};
use super::super::ring::Shape;
use super::view::{DriverIntent, View};

/// How far before and behind a place its curvature is averaged, in metres: hands do not follow every bend of the line.
const AVERAGED_M: f64 = 7.0;

/// The places whose curvature is averaged, to either side.
const AVERAGED_PLACES: i32 = 3;

/// The small corrections at the limit of grip: their frequencies in Hz, and their size as a share of the curvature.
const CORRECTIONS_HZ: [f64; 2] = [1.27, 2.83];
const CORRECTIONS: [f64; 2] = [0.008, 0.006];

/// How much larger the corrections are on loose ground.
const SAWS: f64 = 400.0;

/// A driver's hands.
#[derive(Clone, Debug, Default)]
pub(super) struct Hands {
    seconds: f64,
}

impl Hands {
    /// The curvature to steer for in the next `dt` seconds.
    pub(super) fn steer(&mut self, dt: f64, view: &View) -> f64 {
        self.seconds += dt;
        let corrections: f64 = CORRECTIONS_HZ
            .iter()
            .zip(CORRECTIONS)
            .map(|(hz, size)| size * libm::sin(std::f64::consts::TAU * hz * self.seconds))
            .sum();
        // On loose ground the driver saws at the wheel.
        let loose = 1.0 + SAWS * view.circuit.ground(view.car.travelled_m).loose;
        wanted_curvature(view) * (1.0 + corrections * loose)
    }
}

/// The curvature that leads back to the wanted line and along it.
fn wanted_curvature(view: &View) -> f64 {
    let &View { circuit, car, skill, wish, .. } = view;
    // Steers for the position at which the wheels will have turned.
    let ahead_m = car.travelled_m + car.along_ms * 0.03;
    let here = circuit.course(ahead_m);
    let line = wanted_line(circuit, ahead_m, skill.line, wish);
    let along = (1.0 - car.offset_m * here.curvature).max(0.2);
    let off = car.offset_m + car.speed_ms * 0.03 * libm::sin(car.angle) - line.value;
    let slant = libm::sin(car.angle) - line.rate / along;
    let reach_m = (0.28 * car.speed_ms).clamp(7.0, 26.0);
    let back = -2.0 * slant / reach_m - off.clamp(-6.0, 6.0) / (reach_m * reach_m);
    let places = -AVERAGED_PLACES..=AVERAGED_PLACES;
    let sum: f64 = places
        .map(|place| {
            let place_m = ahead_m + AVERAGED_M * f64::from(place) / f64::from(AVERAGED_PLACES);
            let here = circuit.course(place_m);
            let line = wanted_line(circuit, place_m, skill.line, wish);
            let along = (1.0 - line.value * here.curvature).max(0.2);
            here.curvature / along + line.bend / (along * along)
        })
        .sum();
    sum / f64::from(2 * AVERAGED_PLACES + 1) + back
}

/// The wanted line: the driver's share of the racing line, an offset from it, or the path through the pits.
fn wanted_line(circuit: &Circuit, travelled_m: f64, part: f64, wish: DriverIntent) -> Shape {
    if let Some(straight) = wish.shortcut.and_then(|shortcut| shortcut.at(circuit, travelled_m)) {
        return straight;
    }
    let line = circuit.racing_line(travelled_m);
    let edge = circuit.half_width_m - 0.8;
    let [right, left] = wish.room_m;
    let free = line.value * part + wish.shift_m;
    // If there is no room, take its middle. In any case drive parallel to the line; only the edge of the track limits
    // the offset.
    let beside = if right > left { 0.5 * (right + left) } else { free.clamp(right, left) };
    let value = beside.clamp(-edge, edge);
    let mut wanted = Shape { value, rate: line.rate * part, bend: line.bend * part };
    if value != beside {
        (wanted.rate, wanted.bend) = (0.0, 0.0);
    }
    if let Some(beyond_m) = wish.pit_m {
        let inside = pit_part(&circuit.pit, circuit.length_m, travelled_m);
        let lane_m = circuit.pit.offset_m + beyond_m * circuit.pit.offset_m.signum();
        wanted.value += (lane_m - wanted.value) * inside;
        wanted.rate *= 1.0 - inside;
        wanted.bend *= 1.0 - inside;
    }
    wanted
}

/// How far over the pit lane's path is: 0 on the track, 1 in the lane.
pub(crate) fn pit_part(pit: &PitLane, length_m: f64, travelled_m: f64) -> f64 {
    let lap_m = travelled_m.rem_euclid(length_m);
    let inside_m = if lap_m > 0.5 * length_m {
        lap_m - length_m + pit.entry_before_line_m
    } else {
        pit.exit_after_line_m - PIT_SETTLE_M - lap_m
    };
    let t = (inside_m / PIT_RAMP_M).clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}

/// Distance over which a car moves into the pit lane and out of it, in metres.
pub(crate) const PIT_RAMP_M: f64 = 90.0;

/// Distance before the pit exit at which a car must be back on the track, in metres, so that it settles there.
pub(crate) const PIT_SETTLE_M: f64 = 40.0;
