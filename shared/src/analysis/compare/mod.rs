//! A lap against a reference: where time was lost, and what the driver did differently there.

mod losses;
mod things;

use std::fmt;

use serde::Serialize;

use super::{Corner, CornerTable, LapColumns, Method, Placed, ReferenceLine, find_corners};
pub use losses::{CornerLoss, MiniSector, StraightLoss};
pub use things::{Cause, Thing, things};

/// How far apart the points of a delta are, metres.
const STEP_M: f64 = 5.0;
/// A lap of which nothing tells metres is given as many as it has thousandths.
const THOUSANDTHS: f64 = 1000.0;

/// A lap laid beside a reference.
#[derive(Clone, Debug)]
pub struct Comparison {
    /// What tells where the laps were.
    pub method: Method,
    /// How far what was told differs from what was made of it, root of the mean square, metres.
    pub residual_m: f64,
    /// The lap's length, metres.
    pub length_m: f64,
    /// Metres from the line, and seconds behind the reference there; it ends with the difference of the official times.
    pub delta: Vec<(f64, f64)>,
    /// What was lost in each of a number of stretches of the same length.
    pub minis: Vec<MiniSector>,
    /// The track's corners.
    pub corners: Vec<Corner>,
    /// What the lap and the reference did in them.
    pub tables: [CornerTable; 2],
    /// What was lost in each corner.
    pub losses: Vec<CornerLoss>,
    /// What was lost between corners.
    pub straights: Vec<StraightLoss>,
    /// The lap and the reference on the axis.
    pub placed: [Placed; 2],
}

/// Why two laps can't be laid side by side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum NoComparison {
    /// A lap has too few rows.
    Empty,
}

impl fmt::Display for NoComparison {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Empty => "too little of a lap was heard",
        })
    }
}

impl Comparison {
    /// Lays a lap beside a reference.
    ///
    /// Both are placed on the same line, that of the quicker of them, so that it does not matter which is called the
    /// reference: swapping them turns the sign of every delta and nothing else.
    pub fn new(lap: &LapColumns<'_>, reference: &LapColumns<'_>) -> Result<Self, NoComparison> {
        let laps = [lap, reference];
        if laps.iter().any(|lap| lap.len() < 2) {
            return Err(NoComparison::Empty);
        }
        let line = common_line(laps);
        let on_line = line.as_ref().and_then(|line| {
            let [one, other] = laps.map(|lap| Placed::on_line(lap, line));
            one.zip(other)
        });
        let placed = match on_line {
            Some((one, other)) => [one, other],
            None => measured(laps),
        };
        let corners = line.as_ref().map(find_corners).unwrap_or_default();
        Ok(Self::of(laps, placed, corners))
    }

    fn of(laps: [&LapColumns<'_>; 2], placed: [Placed; 2], corners: Vec<Corner>) -> Self {
        let [one, other] = &placed;
        let [lap, reference] = laps;
        let table = |lap: &LapColumns<'_>, placed: &Placed| CornerTable::of(lap, placed, &corners);
        let tables = [table(lap, one), table(reference, other)];
        let at = |place: f64| Some(one.clock_at(place)? - other.clock_at(place)?);
        let (losses, straights) = losses::by_corner(&corners, &tables, one.length_m, &at);
        let length_m = one.length_m;
        Self {
            method: one.method.max(other.method),
            residual_m: one.residual_m.max(other.residual_m),
            length_m,
            delta: delta(laps, length_m, &at),
            minis: losses::by_mini_sector(length_m, &at),
            losses,
            straights,
            corners,
            tables,
            placed,
        }
    }

    /// Seconds that the lap is behind the reference at a place; `None` where one of them was not heard.
    pub fn at(&self, place_m: f64) -> Option<f64> {
        let [lap, reference] = &self.placed;
        Some(lap.clock_at(place_m)? - reference.clock_at(place_m)?)
    }
}

/// The line of the quicker lap, where both tell positions and one of them is whole.
fn common_line(laps: [&LapColumns<'_>; 2]) -> Option<ReferenceLine> {
    let learn = |lap: &LapColumns<'_>| Some((lap.seconds(), ReferenceLine::learn(lap).ok()?));
    if laps.iter().any(|lap| lap.positions().next().is_none()) {
        return None;
    }
    let lines = laps.into_iter().filter_map(learn);
    lines.min_by(|(a, _), (b, _)| a.total_cmp(b)).map(|(_, line)| line)
}

/// Both laps without positions, by what the worse told of them tells.
fn measured(laps: [&LapColumns<'_>; 2]) -> [Placed; 2] {
    let length_m = laps.into_iter().find_map(Placed::length_of).unwrap_or(THOUSANDTHS);
    laps.map(|lap| Placed::measured(lap, length_m))
}

fn delta(laps: [&LapColumns<'_>; 2], length_m: f64, at: &dyn Fn(f64) -> Option<f64>) -> Vec<(f64, f64)> {
    let steps = (length_m / STEP_M).floor() as usize;
    let mut points: Vec<(f64, f64)> =
        (0..=steps).map(|step| step as f64 * STEP_M).filter_map(|place| Some((place, at(place)?))).collect();
    let [lap, reference] = laps;
    if let Some((time, best)) = lap.time.zip(reference.time) {
        while points.pop_if(|(place, _)| *place >= length_m).is_some() {}
        points.push((length_m, time.minus(best) as f64 / 1e3));
    }
    points
}
