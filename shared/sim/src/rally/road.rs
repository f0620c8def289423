//! The road of a stage: bends, crests and surfaces, from before the start to after the finish.

use libm::{cos, sin};
use trailbrake_model::Surface;

/// Horizontal distance between stored points, in metres.
const SPACING_M: f64 = 1.0;
/// Road before the start, in metres, where the car waits.
const BEFORE_M: f64 = 20.0;
/// Road after the finish, in metres, where the car rolls out.
const BEHIND_M: f64 = 400.0;
/// The part after the finish that the game counts to the stage, in metres.
const RUN_OUT_M: f64 = 1.0;
/// Distance from start to finish, in metres.
const STAGE_M: f64 = 3_900.0;

/// Bends in order: straight before it in metres, angle in degrees (left positive), radius in metres.
const BENDS: &[(f64, f64, f64)] = &[
    (90.0, -38.0, 90.0),
    (40.0, 62.0, 55.0),
    (70.0, -95.0, 28.0),
    (30.0, 40.0, 120.0),
    (160.0, 120.0, 18.0),
    (60.0, -50.0, 70.0),
    (35.0, 45.0, 60.0),
    (180.0, -140.0, 12.0),
    (50.0, 85.0, 34.0),
    (120.0, -30.0, 150.0),
    (80.0, 70.0, 45.0),
    (25.0, -75.0, 40.0),
    (190.0, -25.0, 200.0),
    (90.0, 100.0, 24.0),
    (60.0, -60.0, 65.0),
    (140.0, 35.0, 110.0),
    (70.0, -115.0, 20.0),
    (110.0, 55.0, 80.0),
    (45.0, -35.0, 90.0),
];

/// Crests: distance from the start, height and half length, in metres.
const CRESTS: &[(f64, f64, f64)] = &[
    (62.0, 0.5, 14.0),
    (455.0, 1.7, 17.0),
    (960.0, 1.7, 18.0),
    (1_570.0, 1.3, 16.0),
    (2_560.0, 0.8, 17.0),
    (3_520.0, 0.8, 20.0),
];

/// Hills: amplitude and wavelength, in metres.
const HILLS: [(f64, f64); 3] = [(14.0, 1_900.0), (5.0, 610.0), (1.6, 233.0)];

/// Surfaces: starting distance in metres, kind, share of the best grip, and roughness in metres.
const GROUND: &[(f64, Surface, f64, f64)] = &[
    (f64::MIN, Surface::Gravel, 0.68, 0.006),
    (620.0, Surface::Tarmac, 0.98, 0.001),
    (1_180.0, Surface::Mud, 0.55, 0.009),
    (1_640.0, Surface::Gravel, 0.68, 0.006),
    (2_120.0, Surface::Snow, 0.50, 0.003),
    (2_760.0, Surface::Gravel, 0.68, 0.006),
    (3_380.0, Surface::Tarmac, 0.98, 0.001),
];

/// The road, ready to drive.
#[derive(Clone, Debug)]
pub struct Road {
    points: Vec<Point>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Point {
    across: f64,
    along: f64,
    heading: f64,
    curvature: f64,
}

/// The road at one point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Place {
    /// Position x, y (up), z in metres; right-handed, as everywhere in the simulator.
    pub position: [f64; 3],
    /// Heading, from z towards x, in radians.
    pub heading: f64,
    /// Curvature, left positive, in 1/m.
    pub curvature: f64,
    /// Climb per metre.
    pub slope: f64,
    /// The surface.
    pub surface: Surface,
    /// Share of the best grip.
    pub hold: f64,
    /// Roughness, in metres.
    pub rough_m: f64,
}

impl Default for Road {
    fn default() -> Self {
        let count = ((BEFORE_M + STAGE_M + BEHIND_M) / SPACING_M) as usize;
        let mut points = Vec::with_capacity(count);
        let mut point = Point { along: -BEFORE_M, ..Point::default() };
        for index in 0..count {
            point.curvature = curvature(index as f64 * SPACING_M - BEFORE_M);
            points.push(point);
            let middle = point.heading + 0.5 * point.curvature * SPACING_M;
            point.across += sin(middle) * SPACING_M;
            point.along += cos(middle) * SPACING_M;
            point.heading += point.curvature * SPACING_M;
        }
        Self { points }
    }
}

impl Road {
    /// Where the car waits, in metres from the start.
    pub const POLE_M: f64 = -2.5;

    /// Distance from start to finish, in metres.
    pub const fn finish_m(&self) -> f64 {
        STAGE_M
    }

    /// The stage length that the game sends, which ends a little after the finish.
    pub const fn length_m(&self) -> f64 {
        STAGE_M + RUN_OUT_M
    }

    /// The splits, in metres from the start.
    pub fn splits_m(&self) -> [f64; 3] {
        [0.25, 0.5, 0.75].map(|share| share * self.length_m())
    }

    /// The road at a horizontal distance from the start, in metres.
    pub fn at(&self, metres: f64) -> Place {
        let place = ((metres + BEFORE_M) / SPACING_M).clamp(0.0, (self.points.len().max(2) - 2) as f64);
        let (index, part) = (place as usize, place.fract());
        let point = |index: usize| self.points.get(index).copied().unwrap_or_default();
        let (from, to) = (point(index), point(index + 1));
        let between = |from: f64, to: f64| from + (to - from) * part;
        let (height, slope) = height(metres);
        let (_, surface, hold, rough_m) = ground(metres);
        Place {
            position: [between(from.across, to.across), height, between(from.along, to.along)],
            heading: between(from.heading, to.heading),
            curvature: between(from.curvature, to.curvature),
            slope,
            surface,
            hold,
            rough_m,
        }
    }

    /// Surface changes: distance from the start in metres, and the surface from there on.
    pub fn surfaces() -> impl Iterator<Item = (f64, Surface)> {
        GROUND.iter().map(|&(from, surface, _, _)| (from.max(0.0), surface))
    }
}

/// Curvature of the road; bends begin and end smoothly.
fn curvature(metres: f64) -> f64 {
    let mut begin = 0.0;
    for &(straight, degrees, radius) in BENDS {
        begin += straight;
        // Eased over its whole length, a bend is twice as long as an arc of its smallest radius.
        let length = 2.0 * radius * degrees.abs().to_radians();
        if (begin..begin + length).contains(&metres) {
            let share = (metres - begin) / length;
            return degrees.signum() / radius * sin(share * std::f64::consts::PI).powi(2);
        }
        begin += length;
    }
    0.0
}

/// Height of the road, and its climb per metre.
fn height(metres: f64) -> (f64, f64) {
    let mut height = 0.0;
    let mut slope = 0.0;
    for (high, long) in HILLS {
        let turn = std::f64::consts::TAU / long;
        height += high * sin(metres * turn);
        slope += high * turn * cos(metres * turn);
    }
    for &(top, high, half) in CRESTS {
        let from_top = (metres - top) / half;
        if from_top.abs() < 1.0 {
            let turn = std::f64::consts::PI;
            height += 0.5 * high * (1.0 + cos(from_top * turn));
            slope -= 0.5 * high * turn / half * sin(from_top * turn);
        }
    }
    (height, slope)
}

fn ground(metres: f64) -> (f64, Surface, f64, f64) {
    let here = GROUND.iter().rev().find(|(from, ..)| metres >= *from);
    here.copied().unwrap_or((0.0, Surface::Gravel, 0.68, 0.006))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn steps() -> impl Iterator<Item = f64> {
        (0..39_000).map(|step| f64::from(step) * 0.1)
    }

    #[test]
    fn the_slope_is_the_change_of_height_and_metres_are_metres_on_the_map() {
        let road = Road::default();
        for metres in steps() {
            let (here, there) = (road.at(metres), road.at(metres + 0.1));
            let [x, y, z] = [0, 1, 2].map(|axis: usize| there.position[axis] - here.position[axis]);
            assert!((x.hypot(z) - 0.1).abs() < 2e-4, "{metres}");
            assert!((y / 0.1 - 0.5 * (here.slope + there.slope)).abs() < 2e-3, "{metres}");
            let turned = there.heading - here.heading;
            assert!((turned / 0.1 - here.curvature).abs() < 0.02, "{metres}");
        }
    }

    #[test]
    fn it_leads_somewhere_else_and_never_meets_itself() {
        let road = Road::default();
        let places: Vec<[f64; 3]> = (0..390).map(|step| road.at(f64::from(step) * 10.0).position).collect();
        for (index, a) in places.iter().enumerate() {
            for b in places.iter().skip(index + 6) {
                assert!((a[0] - b[0]).hypot(a[2] - b[2]) > 8.0, "{a:?} {b:?}");
            }
        }
        let (first, last) = (places[0], places[389]);
        assert!((first[0] - last[0]).hypot(first[2] - last[2]) > 500.0);
    }

    #[test]
    fn all_bends_crests_and_grounds_lie_on_the_stage() {
        let length: f64 = BENDS
            .iter()
            .map(|(straight, degrees, radius)| straight + 2.0 * radius * degrees.abs().to_radians())
            .sum();
        assert!((3_500.0..STAGE_M).contains(&length), "{length}");
        assert!(CRESTS.iter().all(|(top, ..)| *top < STAGE_M));
        let road = Road::default();
        let seen: std::collections::BTreeSet<u16> =
            steps().map(|metres| road.at(metres).surface.number()).collect();
        assert_eq!(seen.len(), 4);
        assert_eq!(Road::surfaces().count(), GROUND.len());
    }
}
