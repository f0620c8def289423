//! A lap against a reference: where time was lost, and what the driver did differently there.

mod advice;
mod area;
mod cause;
mod common;
mod common_line;
mod flat_corners;
mod flat_out;
mod grid;
mod lap_comparison;
mod losses;
mod part;
mod placed_pair;
mod several_laps;
mod stint;
mod theoretical_best;

use std::fmt;

use serde::Serialize;

use super::{
    Answer, Combo, Corner, CornerRow, CornerTable, Fingerprint, LapColumns, Method, PlacedLap, TrackBook,
    find_corners,
};
use crate::analysis::coverage::PlacedCoverage;
pub use advice::{Advice, find_advice};
pub use area::Area;
pub use cause::Cause;
use common::Common;
pub use common::StartLineShift;
pub use lap_comparison::{ComparedLap, Comparing, LapComparison};
pub use losses::{CornerLoss, MiniSector, Part, StraightLoss};
use placed_pair::PlacedPair;
pub use stint::Stint;
pub use theoretical_best::TheoreticalBest;

/// How far apart the points of a delta are, metres.
const STEP_M: f64 = 5.0;
/// A lap that keeps further from the line than this, in its middle row, is on another track, metres.
const FAR_M: f64 = 40.0;

/// A lap laid beside a reference.
#[derive(Clone, Debug)]
pub struct Comparison {
    /// What tells where the laps were.
    pub method: Method,
    /// How far what was told differs from what was made of it, root of the mean square, metres; `None` where nothing tells.
    pub residual_m: Option<f64>,
    /// The lap's length, metres; where nothing [tells metres](Self::tells_metres), thousandths of the lap.
    pub length_m: f64,
    /// Whether metres are told. Else all places are thousandths of the lap.
    pub tells_metres: bool,
    /// Metres from the line, and seconds behind the reference there. It ends with the difference of the official times where both
    /// laps were heard to their end, else where the one that was broken off was last heard.
    pub delta: Vec<(f64, f64)>,
    /// What was lost in each of a number of stretches of the same length.
    pub minis: Vec<MiniSector>,
    /// What the track is known by, where positions tell its shape.
    pub track: Option<Fingerprint>,
    /// Whether both laps are of that track, by the shapes of both; `None` where one of them has none.
    pub sameness: Option<Answer>,
    /// The track's corners, as the book has them.
    pub corners: Vec<Corner>,
    /// What the lap and the reference did in them.
    pub tables: [CornerTable; 2],
    /// What was lost in each corner.
    pub losses: Vec<CornerLoss>,
    /// What was lost between corners.
    pub straights: Vec<StraightLoss>,
    /// The lap and the reference on the axis.
    pub placed: [PlacedLap; 2],
    /// What was done with a lap whose line is elsewhere than the reference's.
    pub start_line_shift: Option<StartLineShift>,
    /// Why the laps can't be laid side by side by place, where somebody wanted it [anyway](Self::anyway).
    pub strangers: Option<NoComparison>,
    /// Where the clocks of the lap and the reference begin, metres from the line: on the grid in a race's first lap, else at
    /// nothing. What is driven from a grid to the line has no counterpart, and is in no loss.
    pub began_m: [f64; 2],
}

/// Why two laps can't be laid side by side.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum NoComparison {
    /// A lap has too few rows.
    Empty,
    /// They are of different tracks, or of one that is driven in two ways.
    OtherTrack(Answer),
    /// Their game calls the tracks by different names, and no positions tell more.
    OtherName,
    /// A lap keeps far from the other one's line.
    Far {
        /// How far half of it is at least, metres.
        metres: f64,
    },
    /// A lap of which a part was heard drove it elsewhere than the other one.
    Elsewhere {
        /// The share of it that is far from the other one's line.
        share: f64,
    },
    /// A lap was not heard whole, and nothing tells where on the track it was.
    Unplaced,
    /// It begins at another place than the reference, and can't be told from the reference's line on.
    OtherStart {
        /// How much further on it begins, metres.
        further_m: f64,
        /// Whether it leads around, so that it could be, were it whole.
        closed: bool,
    },
}

impl fmt::Display for NoComparison {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => f.write_str("too little of a lap was received"),
            Self::OtherTrack(answer) => answer.fmt(f),
            Self::OtherName => {
                f.write_str("they are of different tracks, by the names that the game has for them")
            }
            Self::Far { metres } => {
                write!(
                    f,
                    "half of the one lap is {metres:.0} m and more away from where the other was driven"
                )
            }
            Self::Elsewhere { share } => {
                write!(f, "{:.0} % of one lap is away from the path of the other", share * 100.0)
            }
            Self::Unplaced => {
                f.write_str("one lap is incomplete, and nothing shows where on the track it was")
            }
            Self::OtherStart { further_m, closed } => {
                let why = if *closed {
                    "one lap was not driven from its line to its line"
                } else {
                    "a way that leads from place to place has no other beginning"
                };
                write!(f, "they begin {:.0} m apart, and {why}", further_m.abs())
            }
        }
    }
}

impl Comparison {
    /// Lays a lap beside a reference.
    ///
    /// Both are placed on the same line, that of the quicker of them, so that it does not matter which is called the
    /// reference: swapping them turns the sign of every delta and nothing else. Where one begins elsewhere, that is the
    /// reference's line, and the lap is told from there on.
    pub fn new(lap: &LapColumns<'_>, reference: &LapColumns<'_>) -> Result<Self, NoComparison> {
        Self::on(lap, reference, &TrackBook::default())
    }

    /// The same, with corners as a book of tracks has them.
    pub fn on(
        lap: &LapColumns<'_>,
        reference: &LapColumns<'_>,
        book: &TrackBook,
    ) -> Result<Self, NoComparison> {
        let laps = [lap, reference];
        if laps.iter().any(|lap| lap.len() < 2) {
            return Err(NoComparison::Empty);
        }
        let common = Common::of(laps)?;
        let start_line_shift = common.as_ref().and_then(|common| common.start_line_shift);
        let begun = start_line_shift.map(|start_line_shift| start_line_shift.begun(lap));
        let laps = [begun.as_ref().unwrap_or(lap), reference];
        let (placed, corners, track, tells_metres) =
            match common.as_ref().and_then(|common| Some((common.place(laps)?, &common.line))) {
                Some((placed, line)) => {
                    for one in &placed {
                        near(one)?;
                    }
                    let found = find_corners(line);
                    let track = common.as_ref().filter(|common| common.is_track);
                    let track = track.map(|common| Fingerprint::of(&common.line));
                    let corners = match &track {
                        Some(track) => book.corners(track, found),
                        None => found,
                    };
                    (placed, corners, track, true)
                }
                None => {
                    let measured = PlacedPair::of(laps)?;
                    let corners = measured.corners(laps);
                    (measured.placed, corners, None, measured.tells_metres)
                }
            };
        let sameness = common.as_ref().and_then(|common| common.answer);
        let began_m = common.map(|common| common.began_m).unwrap_or_default();
        let compared = Self::of(laps, placed, corners);
        Ok(Self { start_line_shift, began_m, track, sameness, tells_metres, ..compared })
    }

    /// The same of laps of which it is told where they were driven. Those of different tracks are laid side by side only
    /// where somebody wants it anyway.
    pub fn with_combos(
        laps: [(&LapColumns<'_>, &Combo); 2],
        book: &TrackBook,
        anyway: bool,
    ) -> Result<Self, NoComparison> {
        let [(lap, combo), (reference, other)] = laps;
        let compared = match Self::on(lap, reference, book) {
            // Positions tell more than names do.
            Ok(compared) if compared.method != Method::Position && combo.is_elsewhere(other) => {
                Err(NoComparison::OtherName)
            }
            compared => compared,
        };
        compared.or_else(|why| if anyway { Self::anyway(lap, reference, why) } else { Err(why) })
    }

    /// Laps that can't be laid side by side by place, each along the share of its own way. There are no corners then, and no
    /// straights: what is a corner of one is nothing of the other.
    pub fn anyway(
        lap: &LapColumns<'_>,
        reference: &LapColumns<'_>,
        why: NoComparison,
    ) -> Result<Self, NoComparison> {
        if why == NoComparison::Empty {
            return Err(why);
        }
        let laps = [lap, reference];
        let PlacedPair { placed, tells_metres } = PlacedPair::of(laps).map_err(|_| why)?;
        let compared = Self::of(laps, placed, Vec::new());
        Ok(Self { strangers: Some(why), residual_m: None, straights: Vec::new(), tells_metres, ..compared })
    }

    fn of(laps: [&LapColumns<'_>; 2], placed: [PlacedLap; 2], corners: Vec<Corner>) -> Self {
        let [one, other] = &placed;
        let [lap, reference] = laps;
        let table = |lap: &LapColumns<'_>, placed: &PlacedLap| CornerTable::of(lap, placed, &corners);
        let tables = [table(lap, one), table(reference, other)];
        let at = |place: f64| Some(one.clock_at(place)? - other.clock_at(place)?);
        let [own, best] = [PlacedCoverage::new(lap, one), PlacedCoverage::new(reference, other)];
        let heard = |place: f64| Some(own.clock_at(place)? - best.clock_at(place)?);
        let (losses, straights) = losses::by_corner(&corners, &tables, one.length_m, &heard);
        let length_m = one.length_m;
        Self {
            method: one.method.max(other.method),
            residual_m: residual_m(&placed),
            length_m,
            tells_metres: true,
            delta: delta(laps, length_m, &at),
            minis: losses::by_mini_sector(length_m, &heard),
            losses,
            straights,
            track: None,
            sameness: None,
            corners,
            tables,
            placed,
            start_line_shift: None,
            strangers: None,
            began_m: [0.0; 2],
        }
    }

    /// A lap that was compared, its rows in the order of its places.
    pub fn in_order<'a>(&self, lap: &LapColumns<'a>) -> LapColumns<'a> {
        self.start_line_shift.map_or_else(|| lap.clone(), |start_line_shift| start_line_shift.begun(lap))
    }

    /// What the lap and the reference did in a corner, by its place among the corners.
    pub fn rows(&self, index: usize) -> Option<(&CornerRow, &CornerRow)> {
        let [lap, reference] = &self.tables;
        lap.rows.get(index).zip(reference.rows.get(index))
    }

    /// Seconds lost because of a corner: in it, and behind it since it was left slower. Of one that is driven at full throttle,
    /// what was lost in it. `None` where no data was received.
    pub fn lost_because_of(&self, index: usize) -> Option<f64> {
        flat_out::lost_by(self, index).or_else(|| self.lost_in(index))
    }

    /// The lap in its smallest named parts, corners in three and the straights between them, with what was lost in each;
    /// where no corners are known, its mini-sectors.
    pub fn parts(&self) -> Vec<Part> {
        losses::parts(self)
    }

    /// The lap's length, where metres are told.
    pub fn told_m(&self) -> Option<f64> {
        self.tells_metres.then_some(self.length_m)
    }

    /// The delta in pieces: where something was not heard, one ends and the next begins behind it.
    pub fn delta_pieces(&self) -> impl Iterator<Item = &[(f64, f64)]> {
        self.delta.chunk_by(|(from, _), (to, _)| to - from < 1.5 * STEP_M)
    }

    /// Seconds that the lap is behind the reference at a place; `None` where one of them was not heard.
    pub fn at(&self, place_m: f64) -> Option<f64> {
        let [lap, reference] = &self.placed;
        Some(lap.clock_at(place_m)? - reference.clock_at(place_m)?)
    }
}

/// Refuses a lap that is not where the line is.
fn near(placed: &PlacedLap) -> Result<(), NoComparison> {
    let mut far: Vec<f64> = placed.offset_m.iter().flatten().map(|offset| offset.abs()).collect();
    far.sort_by(f64::total_cmp);
    match far.get(far.len() / 2) {
        Some(middle) if *middle > FAR_M => Err(NoComparison::Far { metres: *middle }),
        _ => Ok(()),
    }
}

/// The greater of both laps' residuals. By speed it is told only by how much one lap was stretched to be as long as the other, and
/// so not where one of them has none.
fn residual_m([one, other]: &[PlacedLap; 2]) -> Option<f64> {
    let (of_one, of_other) = (one.residual_m, other.residual_m);
    if one.method.max(other.method) == Method::Speed {
        return of_one.zip(of_other).map(|(one, other)| one.max(other));
    }
    of_one.into_iter().chain(of_other).reduce(f64::max)
}

fn delta(laps: [&LapColumns<'_>; 2], length_m: f64, at: &dyn Fn(f64) -> Option<f64>) -> Vec<(f64, f64)> {
    let steps = (length_m / STEP_M).floor() as usize;
    let mut points: Vec<(f64, f64)> =
        (0..=steps).map(|step| step as f64 * STEP_M).filter_map(|place| Some((place, at(place)?))).collect();
    let [lap, reference] = laps;
    let last_m = points.last().map_or(f64::NEG_INFINITY, |(place, _)| *place);
    if let Some((time, best)) = lap.time.zip(reference.time).filter(|_| last_m > length_m - 2.0 * STEP_M) {
        while points.pop_if(|(place, _)| *place >= length_m).is_some() {}
        points.push((length_m, time.minus(best) as f64 / 1e3));
    }
    points
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::laps::{CarLaps, Lap};
    use crate::model::{Axis, Channel, Columns, LapProgress, Moment};
    use crate::time::{LapTime, Micros};

    /// A lap of rows with a step along x and z, a height and a speed each.
    fn lap(rows: &[([f32; 2], f32, f32)], time: Option<u32>) -> (Lap, Columns) {
        let mut laps = CarLaps::default();
        laps.progress(&LapProgress { lap: 1, clock: Some(0.0), ..LapProgress::default() });
        let mut lap = laps.current().cloned().expect("a lap");
        lap.time = time.map(LapTime);
        let mut columns = Columns::default();
        let (mut x, mut z) = (0.0, 0.0);
        for (row, ([dx, dz], y, speed)) in (0_u32..).zip(rows) {
            (x, z) = (x + dx, z + dz);
            let seconds = f64::from(row) / 60.0;
            let moment = Moment { at: Micros(0), session_time: Some(seconds), frame: Some(row) };
            let places = Axis::ALL.map(|axis| Channel::Position.along(axis)).into_iter().zip([x, *y, z]);
            let others = [(Channel::LapClock.slot(), seconds as f32), (Channel::Speed.slot(), *speed)];
            columns.push(moment, places.chain(others));
        }
        (lap, columns)
    }

    fn rows() -> impl Strategy<Value = Vec<([f32; 2], f32, f32)>> {
        let usual = || ([-1.0_f32..4.0, -4.0_f32..4.0], 0.0_f32..9.0, 0.0_f32..90.0);
        let wild = (any::<[f32; 2]>(), any::<f32>(), any::<f32>());
        let steady = prop::collection::vec(usual(), 0..400);
        prop_oneof![steady, prop::collection::vec(prop_oneof![20 => usual(), 1 => wild], 0..400)]
    }

    proptest! {
        #[test]
        fn any_rows_are_compared_or_refused(one in rows(), other in rows(), time in prop::option::of(1_u32..20_000)) {
            let ((one, columns), (other, others)) = (lap(&one, time), lap(&other, Some(6000)));
            let (one, other) = (LapColumns::new(&one, &columns), LapColumns::new(&other, &others));
            match Comparison::new(&one, &other) {
                Ok(comparison) => {
                    prop_assert!(comparison.placed.iter().all(|placed| placed.distance_m.is_sorted()));
                    let _ = find_advice(&comparison, &[]);
                }
                Err(reason) => prop_assert!(!reason.to_string().is_empty()),
            }
        }
    }
}
