//! Two laps of which not both tell positions, by the best that their games tell besides.

use std::cmp::Ordering;

use super::NoComparison;
use crate::analysis::{Corner, LapColumns, Method, PlacedLap, slow_corners};

/// A lap of which nothing tells metres is given as many as it has thousandths.
const THOUSANDTHS: f64 = 1000.0;

/// Both laps, each placed by what it tells.
pub(super) struct PlacedPair {
    pub(super) placed: [PlacedLap; 2],
    /// Whether metres are told.
    pub(super) tells_metres: bool,
}

impl PlacedPair {
    pub(super) fn of(laps: [&LapColumns<'_>; 2]) -> Result<Self, NoComparison> {
        let told_m = PlacedLap::length_of_both(laps);
        let placed = laps.map(|lap| PlacedLap::measured(lap, told_m.unwrap_or(THOUSANDTHS)));
        let [Some(one), Some(other)] = placed else { return Err(NoComparison::Unplaced) };
        let tells_metres = told_m.is_some() && one.method.max(other.method) != Method::Fraction;
        Ok(Self { placed: [one, other], tells_metres })
    }

    /// The slow places of the lap of which more was heard, else of the quicker one: they stand for the corners that no line tells of.
    pub(super) fn corners(&self, [lap, reference]: [&LapColumns<'_>; 2]) -> Vec<Corner> {
        let [one, other] = &self.placed;
        let unheard_m = |placed: &PlacedLap| {
            placed.missing().iter().map(|missing| missing.to_m - missing.from_m).sum::<f64>()
        };
        let order = unheard_m(one).total_cmp(&unheard_m(other));
        match order.then(lap.seconds().total_cmp(&reference.seconds())) {
            Ordering::Greater => slow_corners(reference, other),
            _ => slow_corners(lap, one),
        }
    }
}
