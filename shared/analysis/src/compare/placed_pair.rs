//! Places two laps if not both have positions.

use std::cmp::Ordering;

use super::NoComparison;
use crate::{Corner, LapColumns, Method, PlacedLap, slow_corners};

/// Length of a lap without metres, in thousandths.
const THOUSANDTHS: f64 = 1000.0;

/// Two laps, each placed by the best that its game sends.
pub(super) struct PlacedPair {
    pub(super) placed: [PlacedLap; 2],
    /// Whether distances are metres.
    pub(super) in_metres: bool,
}

impl PlacedPair {
    pub(super) fn of(laps: [&LapColumns<'_>; 2]) -> Result<Self, NoComparison> {
        let length_m = PlacedLap::length_of_both(laps);
        let placed = laps.map(|lap| PlacedLap::measured(lap, length_m.unwrap_or(THOUSANDTHS)));
        let [Some(one), Some(other)] = placed else { return Err(NoComparison::Unplaced) };
        let in_metres = length_m.is_some() && one.method.max(other.method) != Method::Fraction;
        Ok(Self { placed: [one, other], in_metres })
    }

    /// Corners at the speed minima of the lap with less data missing, else of the quicker one. There is no line to find
    /// corners on.
    pub(super) fn corners(&self, [lap, reference]: [&LapColumns<'_>; 2]) -> Vec<Corner> {
        let [one, other] = &self.placed;
        let missing_m = |placed: &PlacedLap| {
            placed.missing().iter().map(|missing| missing.to_m - missing.from_m).sum::<f64>()
        };
        let order = missing_m(one).total_cmp(&missing_m(other));
        match order.then(lap.seconds().total_cmp(&reference.seconds())) {
            Ordering::Greater => slow_corners(reference, other),
            _ => slow_corners(lap, one),
        }
    }
}
