//! Maps places between the axes of comparisons with the same reference, so that more than two laps are on one axis.

use crate::PlacedLap;

/// Maps a place from one placing of a lap to another. `None` if these are two laps.
pub(super) fn place_between(place_m: f64, here: &PlacedLap, there: &PlacedLap) -> Option<f64> {
    let (here, there) = (here.distance_m.as_slice(), there.distance_m.as_slice());
    (here.len() == there.len() && !here.is_empty()).then(|| moved(place_m, here, there))
}

/// Maps places from one placing of a lap to another. `None` if these are two laps.
pub(super) fn places_between(places_m: &[f64], here: &PlacedLap, there: &PlacedLap) -> Option<Vec<f64>> {
    let (here, there) = (here.distance_m.as_slice(), there.distance_m.as_slice());
    let is_one_lap = here.len() == there.len() && !here.is_empty();
    is_one_lap.then(|| places_m.iter().map(|place| moved(*place, here, there)).collect())
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
