//! The demo's rally stage: bends, crests and grounds from before the start to behind the finish.

use std::borrow::Cow;
use std::f64::consts::{PI, TAU};

use libm::{cos, sin};

use super::catalogue::{Piece, Plan};
use super::ground::{GRAVEL, Ground, MUD, SNOW, TARMAC};
use super::{CIRCUITS, Ends};

/// Road before the start, where the car waits, and from start to finish, in metres.
const BEFORE_M: f64 = 20.0;
const STAGE_M: f64 = 3_900.0;
/// Road after the finish, where the car rolls out, in metres.
const BEHIND_M: f64 = 400.0;
/// Distance between two heights, in metres.
const SPACING_M: f64 = 2.0;

/// Bends in order: straight before it in metres, angle in degrees (left positive), smallest radius in metres.
const BENDS: [(f64, f64, f64); 19] = [
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

/// Crests, all on straights: distance from the start, height and half length, in metres.
const CRESTS: [(f64, f64, f64); 6] = [
    (62.0, 0.5, 14.0),
    (395.0, 0.9, 17.0),
    (775.0, 0.5, 18.0),
    (1_350.0, 1.0, 18.0),
    (2_340.0, 1.1, 17.0),
    (3_465.0, 1.0, 17.0),
];

/// Hills: amplitude and wavelength, in metres.
const HILLS: [(f64, f64); 3] = [(14.0, 1_900.0), (5.0, 610.0), (1.6, 233.0)];

const GROUND: &[(f64, Ground)] = &[
    (f64::MIN, GRAVEL),
    (620.0, TARMAC),
    (1_180.0, MUD),
    (1_640.0, GRAVEL),
    (2_120.0, SNOW),
    (2_760.0, GRAVEL),
    (3_380.0, TARMAC),
];

/// The stage of the demo. It is invented, too.
pub fn stage() -> Plan {
    let mut pieces = vec![Piece::Straight(BEFORE_M)];
    for (straight_m, degrees, radius_m) in BENDS {
        pieces.extend([Piece::Straight(straight_m), Piece::Bend(degrees, radius_m)]);
    }
    let driven_m: f64 = pieces.iter().map(Piece::length_m).sum();
    pieces.push(Piece::Straight(BEFORE_M + STAGE_M + BEHIND_M - driven_m));
    let heights = ((BEFORE_M + STAGE_M + BEHIND_M) / SPACING_M) as u32;
    let heights_m = (0..heights).map(|index| height(f64::from(index) * SPACING_M - BEFORE_M)).collect();
    Plan {
        name: "Lenzwald",
        width_m: 8.0,
        pieces: Cow::Owned(pieces),
        ends: Some(Ends { before_m: BEFORE_M, finish_m: STAGE_M }),
        heights_m: Cow::Owned(heights_m),
        sectors: [0.25, 0.5],
        temperatures_c: [14, 16],
        ground: GROUND,
        ..CIRCUITS[0].clone()
    }
}

/// Height of the road at a distance from the start, in metres.
fn height(metres: f64) -> f64 {
    let hills = HILLS.map(|(high, long)| high * sin(metres * TAU / long));
    let crests = CRESTS.map(|(top, high, half)| {
        let from_top = ((metres - top) / half).clamp(-1.0, 1.0);
        0.5 * high * (1.0 + cos(from_top * PI))
    });
    hills.into_iter().chain(crests).sum()
}

#[cfg(test)]
mod tests {
    use super::super::Circuit;
    use super::*;

    #[test]
    fn it_leads_somewhere_else_and_never_meets_itself() {
        let road = Circuit::new(&stage());
        let places: Vec<[f64; 3]> = (0..390).map(|step| road.pose(f64::from(step) * 10.0).position).collect();
        for (index, a) in places.iter().enumerate() {
            for b in places.iter().skip(index + 6) {
                assert!((a[0] - b[0]).hypot(a[2] - b[2]) > 8.0, "{a:?} {b:?}");
            }
        }
        let (first, last) = (places[0], places[389]);
        assert!((first[0] - last[0]).hypot(first[2] - last[2]) > 500.0);
    }

    #[test]
    fn it_is_one_road_from_before_the_start_to_behind_the_finish() {
        let road = Circuit::new(&stage());
        assert!((road.length_m - BEFORE_M - STAGE_M - BEHIND_M).abs() < 1e-6);
        for step in -150..41_000 {
            let metres = f64::from(step) * 0.1;
            let (here, there) = (road.pose(metres), road.pose(metres + 0.1));
            let [x, y, z] = [0, 1, 2].map(|axis: usize| there.position[axis] - here.position[axis]);
            let driven_m = (x * x + y * y + z * z).sqrt();
            assert!((driven_m - 0.1).abs() < 2e-4, "{driven_m} at {metres}");
            assert!((there.heading - here.heading).abs() < 0.02, "{metres}");
            assert!((y - 0.05 * (here.slope + there.slope)).abs() < 2e-4, "{metres}");
        }
        assert!(road.corners.iter().all(|corner| (0.0..STAGE_M).contains(&corner.apex_m)));
        assert_eq!(road.corners.len(), BENDS.len());
    }

    #[test]
    fn all_crests_and_grounds_lie_on_the_stage() {
        assert!(CRESTS.iter().all(|(top, ..)| *top < STAGE_M));
        let road = Circuit::new(&stage());
        let seen: std::collections::BTreeSet<u16> =
            (0..3_900).map(|metre| road.ground(f64::from(metre)).surface.number()).collect();
        assert_eq!(seen.len(), 4);
    }
}
