//! The two fixed points of a lap: its clock begins at the start line, and its official time ends at the finish line.

use crate::LapColumns;

/// A lap was received from its beginning if its first clock is below this, seconds. The same holds for its end.
pub(super) const LOOSE_S: f64 = 1.0;
/// A lap whose first row is nearer to the start line than this began there, metres.
pub(super) const LOOSE_M: f64 = 120.0;
/// A larger error at the line is not noise of the projection, but a start from the grid, for example. Metres.
pub(super) const MOST_OFF_M: f64 = 4.0;
/// An error at the line is corrected over this distance, falling to zero, metres.
pub(super) const OVER_M: f64 = 200.0;

/// Whether a lap was received from the beginning of its clock, and until its official time.
pub(super) fn ends_received(lap: &LapColumns<'_>) -> [bool; 2] {
    let clocks = lap.clock_s();
    let begun = clocks.first().is_some_and(|first| *first < LOOSE_S);
    let ended = lap.time.zip(clocks.last()).is_some_and(|(time, last)| time.seconds() - last < LOOSE_S);
    [begun, ended]
}

/// Moves the places near the line so that the lap's clock begins and ends exactly on it.
pub(super) fn tie(lap: &LapColumns<'_>, length_m: f64, mut distance_m: Vec<f64>) -> Vec<f64> {
    let clocks = lap.clock_s();
    let at = |row: usize| Some((*clocks.get(row)?, *distance_m.get(row)?));
    let led = |from: Option<(f64, f64)>, to: Option<(f64, f64)>, clock: f64| {
        let ((from_s, from), (to_s, to)) = from.zip(to)?;
        let near = (clock - from_s).abs().min((clock - to_s).abs()) < LOOSE_S && to_s > from_s;
        near.then(|| from + (to - from) * (clock - from_s) / (to_s - from_s))
    };
    let last = clocks.len().saturating_sub(1);
    let first_off = led(at(0), at(1), 0.0);
    let time = lap.time.map(|time| time.seconds());
    let last_off =
        time.and_then(|time| led(at(last.saturating_sub(1)), at(last), time)).map(|end| end - length_m);
    let small = |off: Option<f64>| off.filter(|off| off.abs() <= MOST_OFF_M).unwrap_or_default();
    let (first_off, last_off) = (small(first_off), small(last_off));
    for place in &mut distance_m {
        let near = |far_m: f64| (1.0 - far_m.abs() / OVER_M).max(0.0);
        *place -= first_off * near(*place) + last_off * near(length_m - *place);
    }
    distance_m
}
