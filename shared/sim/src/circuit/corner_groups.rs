//! Counts corners as one would who sees only the racing line of a circuit.

use super::{Circuit, Corner};

/// Consecutive bends to the same side are two corners if the racing line's curvature between them falls below this
/// share of the gentler bend's peak, and one if it stays above the second share. In between, people differ.
const TWO: f64 = 0.45;
const ONE: f64 = 0.75;
/// Bends with a longer straight between them are separate, in metres.
const APART_M: f64 = 400.0;
/// Sampling distance along the racing line, in metres.
const STEP_M: f64 = 2.0;

/// A corner, or consecutive corners to the same side that may count as fewer.
#[derive(Clone, Debug, PartialEq)]
pub struct CornerGroup {
    /// The track's corners in the group.
    pub corners: Vec<Corner>,
    /// The least and the most corners that the group counts as.
    pub count: [usize; 2],
}

impl CornerGroup {
    /// Whether they are left-handers.
    pub fn left(&self) -> bool {
        self.corners.first().is_some_and(|corner| corner.left)
    }

    /// Where the track begins to turn, in metres from the line.
    pub fn entry_m(&self) -> f64 {
        self.corners.first().map_or(0.0, |corner| corner.entry_m)
    }

    /// Where the track is straight again, in metres from the line.
    pub fn exit_m(&self) -> f64 {
        self.corners.last().map_or(0.0, |corner| corner.exit_m)
    }
}

/// A circuit's corners, grouped where the racing line does not straighten in between.
pub fn corner_groups(circuit: &Circuit) -> Vec<CornerGroup> {
    let mut counted: Vec<CornerGroup> = Vec::new();
    for corner in &circuit.corners {
        let before = counted.last().and_then(|before| before.corners.last());
        let straightened = before.map_or(0.0, |before| straightened(circuit, before, corner));
        match counted.last_mut() {
            Some(one) if straightened > ONE => one.corners.push(*corner),
            Some(one) if straightened > TWO => {
                one.corners.push(*corner);
                let [_, most] = &mut one.count;
                *most += 1;
            }
            _ => counted.push(CornerGroup { corners: vec![*corner], count: [1, 1] }),
        }
    }
    counted
}

/// The racing line's lowest curvature between two corners, as a share of the gentler one's peak: 1 if the
/// curvature stays constant, 0 or less if the line straightens or the corners turn to different sides.
fn straightened(circuit: &Circuit, one: &Corner, other: &Corner) -> f64 {
    if one.left != other.left || other.entry_m - one.exit_m > APART_M {
        return 0.0;
    }
    let side = if one.left { 1.0 } else { -1.0 };
    let [first, second] = [one, other].map(|corner| tightest(circuit, corner, side));
    let least = line_between(circuit, first.0, second.0, side).map(|(_, bend)| bend).fold(f64::MAX, f64::min);
    least / first.1.min(second.1)
}

/// Position and size of the racing line's peak curvature in a corner.
fn tightest(circuit: &Circuit, corner: &Corner, side: f64) -> (f64, f64) {
    let places = line_between(circuit, corner.entry_m, corner.exit_m, side);
    places.max_by(|(_, a), (_, b)| a.total_cmp(b)).unwrap_or((corner.apex_m, f64::MIN_POSITIVE))
}

fn line_between(circuit: &Circuit, from_m: f64, to_m: f64, side: f64) -> impl Iterator<Item = (f64, f64)> {
    let steps = ((to_m - from_m) / STEP_M).max(0.0) as usize;
    let place = move |step: usize| from_m + step as f64 * STEP_M;
    (0..=steps).map(move |step| (place(step), side * circuit.racing_curvature(place(step))))
}

#[cfg(test)]
mod tests {
    use std::borrow::Cow;

    use super::super::{CIRCUITS, Piece, Plan};
    use super::*;

    /// The least and the most corners that two left-handers count as at this distance.
    fn count(apart_m: f64) -> [usize; 2] {
        let turn = |degrees: f64| Piece::Turn(degrees, 60.0);
        let pieces = vec![
            Piece::Straight(500.0),
            turn(70.0),
            Piece::Straight(apart_m),
            turn(70.0),
            Piece::Straight(400.0),
            turn(110.0),
            Piece::Straight(500.0),
            turn(110.0),
            Piece::Straight(500.0),
        ];
        let plan = Plan { pieces: Cow::Owned(pieces), slack: [4, 6], ..CIRCUITS[0].clone() };
        let counted = corner_groups(&Circuit::new(&plan));
        let pair: Vec<&CornerGroup> =
            counted.iter().filter(|one| one.corners.iter().any(|corner| corner.number <= 2)).collect();
        [0, 1].map(|bound| pair.iter().map(|one| one.count[bound]).sum())
    }

    #[test]
    fn two_bends_to_one_side_are_one_corner_two_or_a_matter_of_taste() {
        let mut counts: Vec<[usize; 2]> = (1..20).map(|step| count(f64::from(step) * 10.0)).collect();
        counts.dedup();
        assert_eq!(counts, [[1, 1], [1, 2], [2, 2]]);
        let circuit = Circuit::new(&CIRCUITS[1]);
        // Corners to different sides are never grouped, however close.
        assert_eq!(
            corner_groups(&circuit).iter().map(|one| one.corners.len()).sum::<usize>(),
            circuit.corners.len()
        );
    }
}
