//! A lap's rows with their places on the track.

use serde::{Deserialize, Serialize};

use super::excursions::{self, Excursion};
use super::hole::Holes;
use super::{Frame, Method, ReferenceLine, line_crossings, odometer, project};
use crate::LapColumns;

/// The rows of a lap, placed on the track.
#[derive(Clone, Debug)]
pub struct PlacedLap {
    /// What the rows are placed by.
    pub method: Method,
    /// Root mean square residual of the placement, metres. `None` if there is nothing to check it against.
    pub residual_m: Option<f64>,
    /// The lap's length on the line, metres.
    pub length_m: f64,
    /// Each row's distance from the start line, metres; it never decreases.
    pub distance_m: Vec<f64>,
    /// Each row's offset to the left of the line, metres. `None` without positions.
    pub offset_m: Option<Vec<f64>>,
    /// Stretches in which the car was not driving around the track.
    pub excursions: Vec<Excursion>,
    /// Each row's clock, seconds.
    clock_s: Vec<f64>,
    /// The lap time, seconds, if it is known.
    took_s: Option<f64>,
    holes: Holes,
}

/// A stretch of the track for which a lap has no data.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct MissingRange {
    /// Where it begins, metres from the start line.
    pub from_m: f64,
    /// Where it ends, metres from the start line.
    pub to_m: f64,
}

/// A gap that covers a smaller part of the lap than this is ignored, however long it lasted.
const HOLE_SHARE: f64 = 0.005;

impl PlacedLap {
    /// Places a lap's rows on a line by their positions, which `frame` moves into the line's world. `None` without
    /// positions.
    pub fn on_line(lap: &LapColumns<'_>, line: &ReferenceLine, frame: Option<&Frame>) -> Option<Self> {
        let projected = project::project(lap, line, frame)?;
        let excursions = excursions::find(lap, line, frame, &projected);
        let residual_m = Some(projected.residual_m);
        let length_m = line.length_m();
        let distance_m = line_crossings::tie(lap, length_m, projected.distance_m);
        let offset_m = Some(projected.offset_m);
        Some(Self::new(lap, Method::Position, residual_m, length_m, distance_m, offset_m, excursions))
    }

    /// Places a lap's rows without positions, on a lap of a known length. `None` if data is missing and the rest can't
    /// be placed.
    pub fn measured(lap: &LapColumns<'_>, length_m: f64) -> Option<Self> {
        let odometer::OdometerLap { method, residual_m, distance_m } = odometer::measure(lap, length_m)?;
        let distance_m = line_crossings::tie(lap, length_m, distance_m);
        Some(Self::new(lap, method, residual_m, length_m, distance_m, None, Vec::new()))
    }

    /// A lap's length without positions. `None` if the game sends neither a distance nor a speed.
    pub fn length_of(lap: &LapColumns<'_>) -> Option<f64> {
        odometer::length(lap).map(|length| length.metres)
    }

    /// The length of two laps of one track, without positions: that of the quicker complete one.
    pub(crate) fn length_of_both(laps: [&LapColumns<'_>; 2]) -> Option<f64> {
        odometer::common_length_m(laps)
    }

    fn new(
        lap: &LapColumns<'_>,
        method: Method,
        residual_m: Option<f64>,
        length_m: f64,
        mut distance_m: Vec<f64>,
        offset_m: Option<Vec<f64>>,
        excursions: Vec<Excursion>,
    ) -> Self {
        let mut furthest = f64::NEG_INFINITY;
        for distance in &mut distance_m {
            furthest = furthest.max(*distance);
            *distance = furthest;
        }
        let clock_s = lap.clock_s().to_vec();
        let received_s = clock_s.last().copied().unwrap_or_default();
        let took_s =
            lap.time.map(|time| time.seconds()).filter(|took| *took >= received_s - line_crossings::LOOSE_S);
        let holes = Holes::of(&clock_s);
        Self { method, residual_m, length_m, distance_m, offset_m, excursions, clock_s, took_s, holes }
    }

    /// Each row's clock, seconds.
    pub(crate) fn clock_s(&self) -> &[f64] {
        &self.clock_s
    }

    /// Distance, metres, and clock, seconds, of each row.
    pub fn rows(&self) -> impl Iterator<Item = (f64, f64)> + use<'_> {
        self.distance_m.iter().copied().zip(self.clock_s.iter().copied())
    }

    /// The lap's clock at a place, seconds. `None` in a gap and outside the received part.
    ///
    /// It is 0 at the start line and the official time at the finish line.
    pub fn clock_at(&self, place_m: f64) -> Option<f64> {
        let after = self.distance_m.partition_point(|distance| *distance <= place_m);
        let row = |row: usize| Some((*self.distance_m.get(row)?, *self.clock_s.get(row)?));
        let before = after.checked_sub(1).and_then(row);
        let begin = (0.0, 0.0);
        let from = before.or((place_m >= 0.0 && self.begins_at_line()).then_some(begin))?;
        let end = self
            .took_s
            .map(|took| (self.length_m, took))
            .filter(|(at, took)| *at >= from.0 && *took >= from.1);
        let to = row(after).or(end.filter(|(at, _)| place_m <= *at))?;
        let long_m = to.0 - from.0;
        if self.is_hole(from, to) && place_m > from.0 && place_m < to.0 {
            return None;
        }
        let share = if long_m > 0.0 { (place_m - from.0) / long_m } else { 1.0 };
        Some(from.1 + (to.1 - from.1) * share.clamp(0.0, 1.0))
    }

    /// The place at a time on the lap's clock, metres from the start line.
    pub fn place_at(&self, clock_s: f64) -> Option<f64> {
        let after = self.clock_s.partition_point(|clock| *clock <= clock_s);
        let row = |row: usize| Some((*self.distance_m.get(row)?, *self.clock_s.get(row)?));
        let (from, from_s) = row(after.checked_sub(1)?)?;
        let (to, to_s) = row(after).unwrap_or((from, from_s));
        let share = if to_s > from_s { (clock_s - from_s) / (to_s - from_s) } else { 0.0 };
        Some(from + (to - from) * share)
    }

    /// The stretches without data, in the order of places.
    pub fn missing(&self) -> Vec<MissingRange> {
        let ends_s = self.took_s.unwrap_or(f64::INFINITY);
        // If the clock began at the line, a gap before the first row counts only if it is long.
        let mut before = if self.begins_at_line() { (0.0, 0.0) } else { (0.0, f64::NEG_INFINITY) };
        let mut missing = Vec::new();
        for row in self.rows().chain([(self.length_m, ends_s)]) {
            let from = std::mem::replace(&mut before, row);
            if self.is_hole(from, row) {
                missing.push(MissingRange { from_m: from.0, to_m: row.0 });
            }
        }
        missing
    }

    /// Whether there is a gap between two consecutive rows, each with place and clock.
    fn is_hole(&self, (from_m, from_s): (f64, f64), (to_m, to_s): (f64, f64)) -> bool {
        to_m - from_m > HOLE_SHARE * self.length_m && self.holes.is_between(from_s, to_s)
    }

    /// Whether a place is in an excursion.
    pub fn is_aside(&self, place_m: f64) -> bool {
        self.excursions.iter().any(|excursion| (excursion.from_m..=excursion.to_m).contains(&place_m))
    }

    /// Whether the first row is so close after the start line that the clock began there.
    fn begins_at_line(&self) -> bool {
        let first = self.clock_s.first().zip(self.distance_m.first());
        first.is_some_and(|(clock, place)| {
            *clock < line_crossings::LOOSE_S && (0.0..line_crossings::LOOSE_M).contains(place)
        })
    }
}
