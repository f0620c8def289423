//! A lap's rows with the place on the track of each.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::excursions::{self, Excursion};
use super::hole::Holes;
use super::{Frame, ReferenceLine, line_crossings, odometer, project};
use crate::analysis::LapColumns;

/// What tells where on the track a car was.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Method {
    /// Its position, projected on the reference line.
    Position,
    /// The game's own share of the lap.
    Share,
    /// The game's own metres since the line.
    Distance,
    /// The metres driven by its speed, stretched to the line's length.
    Speed,
    /// The share of its time that has passed: no more than that is known.
    Fraction,
}

impl Method {
    /// The method in words, as behind "aligned by".
    pub const fn words(self) -> &'static str {
        match self {
            Self::Position => "position on the reference line",
            Self::Share => "the game's share of the lap",
            Self::Distance => "the game's distance",
            Self::Speed => "speed over time",
            Self::Fraction => "share of the lap's time",
        }
    }
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.words())
    }
}

/// Where on the track a lap's rows are.
#[derive(Clone, Debug)]
pub struct PlacedLap {
    /// What tells it.
    pub method: Method,
    /// How far what was told differs from what was made of it, root of the mean square, metres; `None` where nothing tells.
    pub residual_m: Option<f64>,
    /// The lap's length on the line, metres.
    pub length_m: f64,
    /// Each row's metres from the line; never falling.
    pub distance_m: Vec<f64>,
    /// How far to the left of the line each row is, metres; `None` where no position is told.
    pub offset_m: Option<Vec<f64>>,
    /// Where the car was not on its way around the track.
    pub excursions: Vec<Excursion>,
    /// The clock of each row, seconds.
    clock_s: Vec<f64>,
    /// How long the lap took, seconds, where its time is known.
    took_s: Option<f64>,
    holes: Holes,
}

/// A stretch of the track on which a lap was not heard.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct MissingRange {
    /// Where it begins, metres from the line.
    pub from_m: f64,
    /// Where it ends.
    pub to_m: f64,
}

/// A shorter part of the way than this was heard well enough, however long the car was on it.
const HOLE_SHARE: f64 = 0.005;

impl PlacedLap {
    /// Places a lap's rows on a line by their positions, which may be in another world; `None` where the lap tells none.
    pub fn on_line(lap: &LapColumns<'_>, line: &ReferenceLine, frame: Option<&Frame>) -> Option<Self> {
        let projected = project::project(lap, line, frame)?;
        let excursions = excursions::find(lap, line, frame, &projected);
        let residual_m = Some(projected.residual_m);
        let length_m = line.length_m();
        let distance_m = line_crossings::tie(lap, length_m, projected.distance_m);
        let offset_m = Some(projected.offset_m);
        Some(Self::new(lap, Method::Position, residual_m, length_m, distance_m, offset_m, excursions))
    }

    /// Places a lap's rows on a lap of a known length without positions, by the best that the game tells besides; `None` where
    /// it was heard in parts of which nothing tells where they lie.
    pub fn measured(lap: &LapColumns<'_>, length_m: f64) -> Option<Self> {
        let odometer::OdometerLap { method, residual_m, distance_m } = odometer::measure(lap, length_m)?;
        let distance_m = line_crossings::tie(lap, length_m, distance_m);
        Some(Self::new(lap, method, residual_m, length_m, distance_m, None, Vec::new()))
    }

    /// How long a lap is by the best that its game tells besides positions; `None` where nothing tells metres.
    pub fn length_of(lap: &LapColumns<'_>) -> Option<f64> {
        odometer::length(lap).map(|length| length.metres)
    }

    /// How long two laps of one track are, likewise: by the quicker one that was heard whole.
    pub(in crate::analysis) fn length_of_both(laps: [&LapColumns<'_>; 2]) -> Option<f64> {
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
        let heard_s = clock_s.last().copied().unwrap_or_default();
        let took_s =
            lap.time.map(|time| time.seconds()).filter(|took| *took >= heard_s - line_crossings::LOOSE_S);
        let holes = Holes::of(&clock_s);
        Self { method, residual_m, length_m, distance_m, offset_m, excursions, clock_s, took_s, holes }
    }

    /// The clock of each row, seconds.
    pub fn rows(&self) -> impl Iterator<Item = (f64, f64)> + use<'_> {
        self.distance_m.iter().copied().zip(self.clock_s.iter().copied())
    }

    /// The lap's clock at a place, metres from the line; `None` where the lap was not heard.
    ///
    /// It is nothing at the line where the lap begins, and the official time at the line where it ends.
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

    /// The place at a time on the lap's clock, metres from the line.
    pub fn place_at(&self, clock_s: f64) -> Option<f64> {
        let after = self.clock_s.partition_point(|clock| *clock <= clock_s);
        let row = |row: usize| Some((*self.distance_m.get(row)?, *self.clock_s.get(row)?));
        let (from, from_s) = row(after.checked_sub(1)?)?;
        let (to, to_s) = row(after).unwrap_or((from, from_s));
        let share = if to_s > from_s { (clock_s - from_s) / (to_s - from_s) } else { 0.0 };
        Some(from + (to - from) * share)
    }

    /// Where the lap was not heard, in the order of places.
    pub fn missing(&self) -> Vec<MissingRange> {
        let ends_s = self.took_s.unwrap_or(f64::INFINITY);
        // From the line where the clock began, on.
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

    /// Whether nothing tells what was driven between two places that follow one another, each with its clock.
    fn is_hole(&self, (from_m, from_s): (f64, f64), (to_m, to_s): (f64, f64)) -> bool {
        to_m - from_m > HOLE_SHARE * self.length_m && self.holes.is_between(from_s, to_s)
    }

    /// Whether a place lies where the car was not on its way around the track.
    pub fn is_aside(&self, place_m: f64) -> bool {
        self.excursions.iter().any(|excursion| (excursion.from_m..=excursion.to_m).contains(&place_m))
    }

    /// Whether the lap's first row is so near behind the line that the clock began there.
    fn begins_at_line(&self) -> bool {
        let first = self.clock_s.first().zip(self.distance_m.first());
        first.is_some_and(|(clock, place)| {
            *clock < line_crossings::LOOSE_S && (0.0..line_crossings::LOOSE_M).contains(place)
        })
    }
}
