//! The brake points that a driver is led to: those of the reference, and those set by hand.

use trailbrake_analysis::{Corner, CornerReference};

/// A brake point set by hand replaces the reference's of the same corner if they are nearer than this, metres.
const REPLACES_M: f64 = 150.0;

/// A brake point.
#[derive(Clone, Debug, PartialEq)]
pub struct BrakePoint {
    /// The number of its corner.
    pub number: u16,
    /// The name of its corner, else its number.
    pub title: String,
    /// Metres from the start line.
    pub at_m: f64,
    /// Whether the driver set it.
    pub by_hand: bool,
}

impl BrakePoint {
    fn of(corner: &Corner, at_m: f64, by_hand: bool) -> Self {
        Self { number: corner.number, title: corner.title(), at_m, by_hand }
    }
}

/// The brake points in the order of the track. A point set by hand belongs to the corner that follows it; behind the
/// last corner of a lap that is the first one.
pub(super) fn brake_points(corners: &CornerReference, by_hand: &[f64]) -> Vec<BrakePoint> {
    merge(corners.corners(), corners.brake_points(), by_hand, corners.length_m())
}

fn merge<'a>(
    corners: &[Corner],
    of_reference: impl Iterator<Item = (&'a Corner, f64)>,
    by_hand: &[f64],
    length_m: f64,
) -> Vec<BrakePoint> {
    let corner_of = |at_m: f64| corners.iter().find(|corner| corner.exit_m > at_m).or(corners.first());
    let set: Vec<BrakePoint> = by_hand
        .iter()
        .filter(|at_m| (0.0..length_m).contains(*at_m))
        .filter_map(|at_m| Some(BrakePoint::of(corner_of(*at_m)?, *at_m, true)))
        .collect();
    let is_replaced = |point: &BrakePoint| {
        let apart_m = |other: &BrakePoint| {
            let metres = (other.at_m - point.at_m).abs();
            metres.min(length_m - metres)
        };
        set.iter().any(|other| other.number == point.number && apart_m(other) < REPLACES_M)
    };
    let mut points: Vec<BrakePoint> = of_reference
        .map(|(corner, at_m)| BrakePoint::of(corner, at_m, false))
        .filter(|point| !is_replaced(point))
        .collect();
    points.extend(set.iter().cloned());
    points.sort_by(|a, b| a.at_m.total_cmp(&b.at_m));
    points
}

#[cfg(test)]
mod tests {
    use super::*;

    fn corner(number: u16, entry_m: f64) -> Corner {
        Corner {
            number,
            name: None,
            left: Some(true),
            entry_m,
            apex_m: entry_m + 40.0,
            exit_m: entry_m + 90.0,
            degrees: Some(80.0),
            radius_m: Some(40.0),
        }
    }

    #[test]
    fn points_set_by_hand_replace_or_complete_those_of_the_reference() {
        let corners = [corner(1, 30.0), corner(2, 400.0), corner(3, 900.0), corner(4, 1400.0)];
        // The reference is flat out in corner 3.
        let reference = || [(&corners[0], 10.0), (&corners[1], 350.0), (&corners[3], 1340.0)].into_iter();
        let shown = |by_hand: &[f64]| -> Vec<(u16, f64, bool)> {
            let points = merge(&corners, reference(), by_hand, 2000.0);
            points.iter().map(|point| (point.number, point.at_m, point.by_hand)).collect()
        };
        assert_eq!(shown(&[]), [(1, 10.0, false), (2, 350.0, false), (4, 1340.0, false)]);
        let points = shown(&[1985.0, 360.0, 880.0, 1100.0, 2500.0]);
        let expected = [
            (2, 360.0, true),
            (3, 880.0, true),
            // Too far before the corner to be its brake point.
            (4, 1100.0, true),
            (4, 1340.0, false),
            // Corner 1 is behind the line.
            (1, 1985.0, true),
        ];
        assert_eq!(points, expected);
    }
}
