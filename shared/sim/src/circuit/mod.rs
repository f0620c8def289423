//! Circuits known to the millimetre: plan, heights, corners, racing line, and the places that drivers plan with.

mod catalogue;
mod centre;
mod corner_groups;
mod ground;
mod line;
mod random_circuit;
mod stage;

pub use catalogue::{CIRCUITS, Ends, Piece, Plan};
pub use centre::Pose;
pub use corner_groups::{CornerGroup, corner_groups};
pub(crate) use ground::GRASS;
pub use ground::Ground;
pub use random_circuit::invented;
pub use stage::stage;

use super::ring::{Curve, Ring, Shape};
use centre::CentreLine;
use serde::{Deserialize, Serialize};

/// Half the width of a car, in metres.
pub const HALF_CAR_M: f64 = 1.0;

/// Approximate distance between the places for which a driver plans a speed, in metres.
const PLACE_SPACING_M: f64 = 2.0;

/// A smaller change of heading is a kink, not a corner, in radians.
const LEAST_CORNER: f64 = 0.2;

/// Distance from the racing line to the track's edge, in metres: the wheels just reach the kerbs.
const EDGE_MARGIN_M: f64 = 0.8;

/// The part behind the finish that games count to a stage, in metres.
const RUN_OUT_M: f64 = 1.0;

/// A circuit or a rally stage, ready to drive.
#[derive(Clone, Debug)]
pub struct Circuit {
    /// The circuit's name.
    pub name: &'static str,
    /// Lap length along the centre line, in metres.
    pub length_m: f64,
    /// Distance from the centre line to either edge, in metres.
    pub half_width_m: f64,
    /// The corners in driving order.
    pub corners: Vec<Corner>,
    /// Where sectors 2 and 3 begin, in metres from the line.
    pub sector_lines_m: [f64; 2],
    /// The pit lane.
    pub pit: PitLane,
    /// Start and end of each DRS zone, in metres from the line.
    pub drs_zones_m: Vec<[f64; 2]>,
    /// Air and track temperature, in °C.
    pub temperatures_c: [i8; 2],
    centre: CentreLine,
    racing_line: Curve,
    places: Ring<Place>,
    ground: &'static [(f64, Ground)],
    ends: Option<Ends>,
}

/// A corner as drivers count it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Corner {
    /// The number, from 1 after the line.
    pub number: u8,
    /// Whether it is a left-hander.
    pub left: bool,
    /// Where the track begins to turn, in metres from the line.
    pub entry_m: f64,
    /// Where the racing line is closest to the inner edge, in metres from the line.
    pub apex_m: f64,
    /// Where the track is straight again, in metres from the line.
    pub exit_m: f64,
}

/// The pit lane, beside the main straight.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PitLane {
    /// Distance of the pit entry before the line, in metres.
    pub entry_before_line_m: f64,
    /// Distance of the pit exit after the line, in metres.
    pub exit_after_line_m: f64,
    /// Offset to the left of the centre line (negative: right), in metres.
    pub offset_m: f64,
    /// The speed limit, in km/h.
    pub limit_kmh: u8,
}

/// What a driver knows about a point of the circuit when planning the speed.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Place {
    pub(super) slope: f64,
    pub(super) dip: f64,
    /// Offset of the racing line to the left of the centre line, in metres.
    pub(super) offset_m: f64,
    /// Curvature of the centre line and of the racing line, smoothed over a few metres as tyres do.
    pub(super) centre_curvature: f64,
    pub(super) racing_curvature: f64,
    /// The ground's share of the friction on tarmac.
    pub(super) hold: f64,
}

impl Place {
    /// Curvature of a driver's line that uses this share of the racing line's offset.
    pub(super) fn line_curvature(&self, part: f64) -> f64 {
        self.centre_curvature + (self.racing_curvature - self.centre_curvature) * part
    }
}

impl Circuit {
    /// Closes a plan and computes its racing line.
    pub fn new(plan: &Plan) -> Self {
        let centre = CentreLine::new(plan);
        let length_m = centre.length_m;
        let half_width_m = plan.width_m / 2.0;
        // A stage is driven in the middle of the road.
        let racing_line = match plan.ends {
            Some(_) => Curve::default(),
            None => line::smoothest(&centre, half_width_m - EDGE_MARGIN_M),
        };
        let count = (length_m / PLACE_SPACING_M).round();
        let places = places(&centre, &racing_line, count, plan.ground);
        let mut circuit = Self {
            name: plan.name,
            length_m,
            half_width_m,
            corners: Vec::new(),
            sector_lines_m: plan.sectors.map(|part| (part * length_m).round()),
            pit: PitLane {
                entry_before_line_m: plan.pit_m[0],
                exit_after_line_m: plan.pit_m[1],
                offset_m: if plan.pit_left { half_width_m + 9.0 } else { -half_width_m - 9.0 },
                limit_kmh: 80,
            },
            drs_zones_m: Vec::new(),
            temperatures_c: plan.temperatures_c,
            centre,
            racing_line,
            places,
            ground: plan.ground,
            ends: plan.ends,
        };
        circuit.corners = circuit.find_corners();
        if plan.ends.is_some() {
            return circuit;
        }
        circuit.drs_zones_m =
            plan.drs_after_corner.iter().filter_map(|&number| circuit.drs_zone(number)).collect();
        circuit
    }

    /// The centre line's pose at a lap distance; any distance wraps around the lap.
    pub fn pose(&self, lap_m: f64) -> Pose {
        self.centre.pose(lap_m)
    }

    /// Like `pose` without x and z, which is cheaper.
    pub(super) fn course(&self, lap_m: f64) -> Pose {
        self.centre.course(lap_m)
    }

    /// The length that games send: of a lap, or of a stage, which ends a little behind its finish.
    pub fn sent_length_m(&self) -> f64 {
        self.finish_m().map_or(self.length_m, |finish_m| finish_m + RUN_OUT_M)
    }

    /// Where a rally stage ends, in metres from its start; `None` for a circuit.
    pub fn finish_m(&self) -> Option<f64> {
        self.ends.map(|ends| ends.finish_m)
    }

    /// The ground of the road at a distance.
    pub fn ground(&self, travelled_m: f64) -> Ground {
        Ground::at(self.ground, travelled_m)
    }

    /// World position of a point at this offset to the left of the centre line.
    pub fn position(&self, lap_m: f64, offset_m: f64) -> [f64; 3] {
        let Pose { position: [x, y, z], heading, .. } = self.pose(lap_m);
        [x + offset_m * libm::cos(heading), y, z - offset_m * libm::sin(heading)]
    }

    /// Offset of the racing line to the left of the centre line, in metres.
    pub fn racing_line_m(&self, lap_m: f64) -> f64 {
        self.racing_line.at(lap_m, self.length_m).value
    }

    /// How much further than the racing line a car can drive to a side, which is 1 for left and -1 for right, in metres.
    pub(super) fn outside_line_m(&self, lap_m: f64, side: f64) -> f64 {
        self.half_width_m - EDGE_MARGIN_M - side * self.racing_line_m(lap_m)
    }

    /// Curvature of the racing line, left positive, smoothed over a few metres as tyres do.
    pub fn racing_curvature(&self, lap_m: f64) -> f64 {
        self.place((lap_m / self.place_spacing_m()).round() as i64).line_curvature(1.0)
    }

    /// The racing line's offset and its derivatives.
    pub(super) fn racing_line(&self, lap_m: f64) -> Shape {
        self.racing_line.at(lap_m, self.length_m)
    }

    /// The place with this index.
    pub(super) fn place(&self, index: i64) -> Place {
        self.places.at(index)
    }

    /// Distance between two places, in metres.
    pub(super) fn place_spacing_m(&self) -> f64 {
        self.length_m / self.places.len().max(1) as f64
    }

    /// The corner that a driver is in or approaches: the next one whose apex is ahead.
    pub fn corner_ahead(&self, lap_m: f64) -> Option<&Corner> {
        self.corners.iter().find(|corner| corner.apex_m > lap_m).or(self.corners.first())
    }

    /// How far a car's wheels reach over the kerb's edge, in metres; positive on a kerb.
    pub(super) fn kerb_reach_m(&self, offset_m: f64) -> f64 {
        offset_m.abs() + HALF_CAR_M - self.half_width_m
    }

    fn find_corners(&self) -> Vec<Corner> {
        let mut corners = Vec::new();
        for (entry_m, exit_m, left) in self.centre.corners() {
            if (self.course(exit_m - 1e-6).heading - self.course(entry_m).heading).abs() < LEAST_CORNER {
                continue;
            }
            let inward =
                |lap_m: f64| if left { self.racing_line_m(lap_m) } else { -self.racing_line_m(lap_m) };
            let steps = (exit_m - entry_m).ceil().max(1.0);
            let place = |step: f64| entry_m + (exit_m - entry_m) * step / steps;
            let closest =
                (0..=steps as usize).map(|step| inward(place(step as f64))).fold(f64::MIN, f64::max);
            // The line may follow the kerb for a while: the apex is the middle of that section.
            let touching: Vec<f64> = (0..=steps as usize)
                .map(|step| place(step as f64))
                .filter(|&m| inward(m) > closest - 0.05)
                .collect();
            let apex_m = touching.iter().sum::<f64>() / touching.len().max(1) as f64;
            corners.push(Corner { number: corners.len() as u8 + 1, left, entry_m, apex_m, exit_m });
        }
        corners
    }

    fn drs_zone(&self, after_number: usize) -> Option<[f64; 2]> {
        let before = self.corners.get(after_number.checked_sub(1)?)?;
        let next_m = match self.corners.get(after_number) {
            Some(next) => next.entry_m,
            None => self.corners.first()?.entry_m + self.length_m,
        };
        let opens_m = before.exit_m + 60.0;
        Some([opens_m.rem_euclid(self.length_m), next_m.rem_euclid(self.length_m)])
    }
}

/// Half-width of the curvature's smoothing window, in places.
const EVENED_OUT: i64 = 3;

fn places(centre: &CentreLine, racing_line: &Curve, count: f64, ground: &[(f64, Ground)]) -> Ring<Place> {
    let length_m = centre.length_m;
    let raw: Vec<Place> = (0..count as usize)
        .map(|index| {
            let lap_m = index as f64 * length_m / count;
            let course = centre.course(lap_m);
            let offset = racing_line.at(lap_m, length_m);
            Place {
                slope: course.slope,
                dip: course.dip,
                offset_m: offset.value,
                centre_curvature: course.curvature,
                racing_curvature: line::path_curvature(course.curvature, course.curvature_rate, offset),
                hold: Ground::at(ground, lap_m).hold,
            }
        })
        .collect();
    let raw = Ring::new(raw);
    let even = |index: i64, of: fn(Place) -> f64| {
        let sum: f64 = (index - EVENED_OUT..=index + EVENED_OUT).map(|near| of(raw.at(near))).sum();
        sum / (2 * EVENED_OUT + 1) as f64
    };
    let evened = (0..raw.len() as i64).map(|index| Place {
        centre_curvature: even(index, |place| place.centre_curvature),
        racing_curvature: even(index, |place| place.racing_curvature),
        ..raw.at(index)
    });
    Ring::new(evened.collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn circuits() -> impl Iterator<Item = Circuit> {
        CIRCUITS.iter().map(Circuit::new)
    }

    fn distance(a: [f64; 3], b: [f64; 3]) -> f64 {
        (0..3).map(|i| (a[i] - b[i]).powi(2)).sum::<f64>().sqrt()
    }

    #[test]
    fn circuits_close_below_the_millimetre() {
        for circuit in circuits() {
            let length_m = circuit.length_m;
            assert!((4_000.0..=6_100.0).contains(&length_m), "{} is {length_m} m", circuit.name);
            let (end, start) = (circuit.pose(length_m - 1e-6), circuit.pose(1e-6));
            assert!(distance(end.position, start.position) < 1e-4, "{}", circuit.name);
            let turns = (end.heading - start.heading) / std::f64::consts::TAU;
            assert!((turns - turns.round()).abs() < 1e-9, "{} turns {turns}", circuit.name);
            assert!((end.slope - start.slope).abs() < 1e-6);
        }
    }

    #[test]
    fn the_three_turn_right_left_and_not_at_all() {
        let turns: Vec<f64> =
            circuits().map(|c| (c.pose(c.length_m - 1e-6).heading / std::f64::consts::TAU).round()).collect();
        assert_eq!(turns, [-1.0, 1.0, 0.0]);
    }

    #[test]
    fn distance_along_the_positions_is_the_length() {
        for circuit in circuits() {
            let steps = 200_000;
            let at = |step: i32| circuit.position(circuit.length_m * f64::from(step) / f64::from(steps), 0.0);
            let driven: f64 = (0..steps).map(|step| distance(at(step), at(step + 1))).sum();
            assert!((driven - circuit.length_m).abs() < 2e-3, "{} {driven}", circuit.name);
        }
    }

    #[test]
    fn corners_are_where_the_curvature_is() {
        for circuit in circuits() {
            assert!(circuit.corners.len() >= 10, "{}", circuit.name);
            let mut last_exit_m = 0.0;
            for corner in &circuit.corners {
                assert!(corner.entry_m >= last_exit_m && corner.exit_m < circuit.length_m);
                assert!(corner.entry_m < corner.apex_m && corner.apex_m < corner.exit_m, "{corner:?}");
                last_exit_m = corner.exit_m;
                let middle = circuit.pose((corner.entry_m + corner.exit_m) / 2.0).curvature;
                assert!(middle != 0.0 && (middle > 0.0) == corner.left, "{corner:?} {middle}");
            }
            for step in 0..circuit.length_m as usize * 2 {
                let lap_m = step as f64 / 2.0;
                let inside = circuit.corners.iter().any(|c| c.entry_m < lap_m && lap_m < c.exit_m);
                assert!(inside || circuit.pose(lap_m).curvature.abs() < 1e-12, "{} at {lap_m}", circuit.name);
            }
        }
    }

    #[test]
    fn the_racing_line_stays_on_the_track_and_reaches_the_inside() {
        for circuit in circuits() {
            for step in 0..circuit.length_m as usize {
                assert!(
                    circuit.racing_line_m(step as f64).abs() <= circuit.half_width_m - EDGE_MARGIN_M + 1e-9
                );
            }
            for corner in &circuit.corners {
                let inward = circuit.racing_line_m(corner.apex_m) * if corner.left { 1.0 } else { -1.0 };
                assert!(inward > 0.5 * circuit.half_width_m, "{} {corner:?} {inward}", circuit.name);
            }
        }
    }

    #[test]
    fn the_racing_line_is_smoother_than_the_middle() {
        for circuit in circuits() {
            let bent = |part: f64| {
                (0..circuit.places.len() as i64)
                    .map(|i| circuit.place(i).line_curvature(part).powi(2))
                    .sum::<f64>()
            };
            assert!(bent(1.0) < 0.75 * bent(0.0), "{}: {} {}", circuit.name, bent(1.0), bent(0.0));
            let sharpest = (0..circuit.places.len() as i64)
                .map(|i| circuit.place(i).line_curvature(1.0).abs())
                .fold(0.0, f64::max);
            assert!(sharpest < 1.0 / 25.0, "{} {}", circuit.name, 1.0 / sharpest);
        }
    }

    #[test]
    fn the_crossing_has_room_beneath_the_bridge() {
        let circuit = circuits().nth(2).unwrap();
        let mut crossings = 0;
        let points: Vec<[f64; 3]> =
            (0..circuit.length_m as usize / 4).map(|i| circuit.position(i as f64 * 4.0, 0.0)).collect();
        for (i, a) in points.iter().enumerate() {
            for b in points.iter().skip(i + 50).take(points.len() - 100) {
                if (a[0] - b[0]).hypot(a[2] - b[2]) < 3.0 {
                    crossings += 1;
                    assert!((a[1] - b[1]).abs() > 6.0, "{a:?} {b:?}");
                }
            }
        }
        assert!(crossings > 0);
    }

    #[test]
    fn no_two_stretches_touch_elsewhere() {
        for circuit in circuits() {
            let points: Vec<[f64; 3]> =
                (0..circuit.length_m as usize / 10).map(|i| circuit.position(i as f64 * 10.0, 0.0)).collect();
            for (i, a) in points.iter().enumerate() {
                for b in points.iter().skip(i + 20).take(points.len().saturating_sub(40 + i)) {
                    assert!(
                        distance(*a, *b) > circuit.half_width_m * 2.0 + 0.5,
                        "{} {a:?} {b:?}",
                        circuit.name
                    );
                }
            }
        }
    }
}
