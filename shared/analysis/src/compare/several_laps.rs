//! More than two laps on one axis: all are compared with the same reference.

use super::Comparison;
use crate::PlacedLap;

impl Comparison {
    /// The places of this comparison's lap on the axis of another comparison with the same reference.
    ///
    /// Each comparison is placed on the line of the quicker of its two laps, so the reference may be on different
    /// lines. Its rows have a place on both, which maps one axis to the other. `None` if the references differ.
    pub fn places_on(&self, axis: &Self) -> Option<Vec<f64>> {
        let [lap, here] = &self.placed;
        let [_, there] = &axis.placed;
        let (here, there) = (here.distance_m.as_slice(), there.distance_m.as_slice());
        if here.len() != there.len() || here.is_empty() {
            return None;
        }
        Some(lap.distance_m.iter().map(|place| moved(*place, here, there)).collect())
    }

    /// Like [`Self::places_on`], for one place.
    pub(super) fn place_on(&self, place_m: f64, axis: &Self) -> Option<f64> {
        let [_, there] = &axis.placed;
        self.place_on_reference(place_m, there)
    }

    /// A place of this comparison on the axis of the same reference, placed elsewhere. `None` if the references differ.
    pub(crate) fn place_on_reference(&self, place_m: f64, there: &PlacedLap) -> Option<f64> {
        let [_, here] = &self.placed;
        between(place_m, here, there)
    }

    /// The other way around: a place on the axis of the same reference, placed elsewhere, in this comparison.
    pub(crate) fn place_of(&self, place_m: f64, there: &PlacedLap) -> Option<f64> {
        let [_, here] = &self.placed;
        between(place_m, there, here)
    }
}

/// Maps a place from one placing of a lap to another. `None` if these are two laps.
fn between(place_m: f64, here: &PlacedLap, there: &PlacedLap) -> Option<f64> {
    let (here, there) = (here.distance_m.as_slice(), there.distance_m.as_slice());
    (here.len() == there.len() && !here.is_empty()).then(|| moved(place_m, here, there))
}

/// Maps a place from one list of places to the other, by interpolation.
fn moved(place: f64, here: &[f64], there: &[f64]) -> f64 {
    let after = here.partition_point(|other| *other <= place);
    let row = |row: usize| Some((*here.get(row)?, *there.get(row)?));
    let before = after.checked_sub(1).and_then(row);
    match (before, row(after)) {
        (Some((from, from_there)), Some((to, to_there))) => {
            let share = (place - from) / (to - from);
            from_there + (to_there - from_there) * share
        }
        // Beyond the reference's rows, the offset stays the same.
        (Some((end, end_there)), None) | (None, Some((end, end_there))) => end_there + place - end,
        (None, None) => place,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_keeps_its_neighbours_on_another_axis() {
        let (here, there) = ([0.0, 10.0, 10.0, 20.0], [1.0, 12.0, 13.0, 23.0]);
        let moved = |place| moved(place, &here, &there);
        assert_eq!([moved(-2.0), moved(0.0), moved(5.0)], [-1.0, 1.0, 6.5]);
        assert_eq!([moved(15.0), moved(20.0), moved(24.0)], [18.0, 23.0, 27.0]);
        assert_eq!(super::moved(4.0, &[], &[]), 4.0);
    }
}
