//! More than two laps on one axis: each was laid beside the same reference, and that is what they have in common.

use super::Comparison;

impl Comparison {
    /// The places of this comparison's lap on the axis of another one, which has the same lap as its reference.
    ///
    /// Two laps are placed on the line of the quicker of them, and so the reference may lie on another line here than
    /// there. Where the reference's own rows are on both tells how one axis becomes the other. `None` where the
    /// references differ.
    pub fn places_on(&self, axis: &Self) -> Option<Vec<f64>> {
        let [lap, here] = &self.placed;
        let [_, there] = &axis.placed;
        let (here, there) = (here.distance_m.as_slice(), there.distance_m.as_slice());
        if here.len() != there.len() || here.is_empty() {
            return None;
        }
        Some(lap.distance_m.iter().map(|place| moved(*place, here, there)).collect())
    }

    /// The same of one place.
    pub(super) fn place_on(&self, place_m: f64, axis: &Self) -> Option<f64> {
        let [[_, here], [_, there]] =
            [self, axis].map(|one| one.placed.each_ref().map(|placed| &placed.distance_m));
        (here.len() == there.len() && !here.is_empty()).then(|| moved(place_m, here, there))
    }
}

/// Where a place lies by the other one of two lists of the same places.
fn moved(place: f64, here: &[f64], there: &[f64]) -> f64 {
    let after = here.partition_point(|other| *other <= place);
    let row = |row: usize| Some((*here.get(row)?, *there.get(row)?));
    let before = after.checked_sub(1).and_then(row);
    match (before, row(after)) {
        (Some((from, from_there)), Some((to, to_there))) => {
            let share = (place - from) / (to - from);
            from_there + (to_there - from_there) * share
        }
        // Beyond its ends the reference was not heard, and metres are metres.
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
