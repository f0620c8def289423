//! Compares a lap with a reference: where time was lost, and what the driver did differently there.
//!
//! ```text
//!  speed     ---------------.
//!            ----------.     \                                        ___----   reference
//!                       \     \                            ___----''''___----   lap: brakes earlier, exits slower
//!                        \     `.                  ___---''' ___---'''
//!                         `.     `-._________.--'''___.---'''
//!                           `-._______________.--''
//!  delta                                           _______----------------      lap's clock - reference's clock
//!                         ________-----------------
//!            -------------
//!            |---------|---------|---------|---------------|--------------|-->  distance on the reference line, metres
//!          start     from_m     entry     apex            exit     next braking or lift
//!                      [   entry_s    |  middle_s  |exit_s |  straight    ]
//! ```
//!
//! Both laps are placed on one reference line, so that a place is the same metre of track for both. The delta there is
//! the lap's clock minus the reference's: positive is time lost. `from_m` is where the first of the two laps lifted or
//! braked. `entry_s` ends halfway to the apex, `exit_s` begins halfway from the apex to the exit. What cost the
//! time, and where it was lost first, is in the [ledger](crate::ledger).

mod advice;
mod area;
mod common;
mod common_line;
mod corner_reference;
mod grid;
mod lap_comparison;
mod no_comparison;
mod own_line;
mod part;
mod parts;
mod placed_laps;
mod placed_pair;
mod several_laps;
mod stint;
mod theoretical_best;

use super::ledger::{Ledger, LedgerRow};
use super::losses::{CornerLoss, MiniSector, StraightLoss};
use super::{Answer, Corner, CornerRow, CornerTable, Fingerprint, LapColumns, Method, PlacedLap};
pub use advice::{Advice, ThingsToFix, Usual};
pub use area::Area;
pub use common::StartLineShift;
pub use corner_reference::{CornerReference, CornerResult};
pub use lap_comparison::{Comparing, LapComparison};
pub use no_comparison::NoComparison;
pub use own_line::OwnLine;
pub use parts::named_parts;
pub use placed_laps::{ComparedLap, PlacedLaps, compare, compare_combos};
pub use stint::Stint;
pub use theoretical_best::TheoreticalBest;

/// Distance between two points of a delta, metres.
const STEP_M: f64 = 5.0;

/// A lap compared with a reference.
#[derive(Clone, Debug)]
pub struct Comparison {
    /// What the laps were placed by.
    pub method: Method,
    /// Root mean square residual of the placement, metres. `None` if there is nothing to check it against.
    pub residual_m: Option<f64>,
    /// The lap's length, metres. Without [metres](Self::in_metres), thousandths of the lap.
    pub length_m: f64,
    /// Whether distances are metres. Otherwise all places are thousandths of the lap.
    pub in_metres: bool,
    /// Distance from the start line, metres, and seconds behind the reference there. If both laps were received to
    /// their end, it ends with the difference of the official times, otherwise where the incomplete lap was last
    /// received.
    pub delta: Vec<(f64, f64)>,
    /// The time lost in each mini-sector.
    pub minis: Vec<MiniSector>,
    /// The track's shape, if the laps have positions.
    pub track: Option<Fingerprint>,
    /// Whether both laps are of that track, by shape. `None` if one of them has no shape.
    pub sameness: Option<Answer>,
    /// The track's corners, with the edits in the track book.
    pub corners: Vec<Corner>,
    /// Corner tables of the lap and the reference.
    pub tables: [CornerTable; 2],
    /// The time lost in each corner.
    pub losses: Vec<CornerLoss>,
    /// The time lost between corners.
    pub straights: Vec<StraightLoss>,
    /// What was lost because of each corner and straight, and by what. Without rows for laps of different tracks.
    pub ledger: Ledger,
    /// The placed rows of the lap and the reference.
    pub placed: [PlacedLap; 2],
    /// How the lap was shifted to the reference's start line, if its own is elsewhere.
    pub start_line_shift: Option<StartLineShift>,
    /// Why the laps can't be compared by place, if they were compared [anyway](compare_combos).
    pub strangers: Option<NoComparison>,
    /// Where the clocks of the lap and the reference begin, metres from the start line: on the grid in a race's first
    /// lap, otherwise 0. The part from the grid to the line has no counterpart, and is in no loss.
    pub began_m: [f64; 2],
}

impl Comparison {
    /// The rows of a compared lap in the order of their places.
    pub fn in_order<'a>(&self, lap: &LapColumns<'a>) -> LapColumns<'a> {
        self.start_line_shift.map_or_else(|| lap.clone(), |start_line_shift| start_line_shift.begun(lap))
    }

    /// The lap's and the reference's row of a corner, by index.
    pub fn rows(&self, index: usize) -> Option<(&CornerRow, &CornerRow)> {
        let [lap, reference] = &self.tables;
        lap.rows.get(index).zip(reference.rows.get(index))
    }

    /// The name of a row of its ledger, from a function that names corners by their number: `T5`, or `T5–T6` for a straight.
    pub fn title_of(&self, row: &LedgerRow, name: &dyn Fn(u16) -> String) -> String {
        row.place.title(&self.corners, name)
    }

    /// The lap's length, if distances are metres.
    pub fn known_length_m(&self) -> Option<f64> {
        self.in_metres.then_some(self.length_m)
    }

    /// The delta in pieces, split where data is missing.
    pub fn delta_pieces(&self) -> impl Iterator<Item = &[(f64, f64)]> {
        self.delta.chunk_by(|(from, _), (to, _)| to - from < 1.5 * STEP_M)
    }

    /// Seconds that the lap is behind the reference at a place. `None` if data is missing.
    pub fn at(&self, place_m: f64) -> Option<f64> {
        let [lap, reference] = &self.placed;
        Some(lap.clock_at(place_m)? - reference.clock_at(place_m)?)
    }

    /// Seconds lost because of a corner, by its index. `None` if data is missing.
    pub fn loss_of(&self, index: usize) -> Option<f64> {
        self.ledger.corner(self.corners.get(index)?.number)?.loss_s
    }

    /// Seconds that the lap and the reference took for a mini-sector.
    pub fn mini_sector_s(&self, index: usize) -> Option<[f64; 2]> {
        let mini = self.minis.get(index)?;
        let [_, reference] = &self.placed;
        let reference_s = reference.clock_at(mini.to_m)? - reference.clock_at(mini.from_m)?;
        Some([reference_s + mini.loss_s?, reference_s])
    }

    /// The places of this comparison's lap on the axis of another comparison with the same reference.
    ///
    /// Each comparison is placed on the line of the quicker of its two laps, so the reference may be on different
    /// lines. Its rows have a place on both, which maps one axis to the other. `None` if the references differ.
    pub fn places_on(&self, axis: &Self) -> Option<Vec<f64>> {
        let [lap, here] = &self.placed;
        let [_, there] = &axis.placed;
        several_laps::places_between(&lap.distance_m, here, there)
    }

    /// Like [`Self::places_on`], for one place.
    pub(super) fn place_on(&self, place_m: f64, axis: &Self) -> Option<f64> {
        let [_, there] = &axis.placed;
        self.place_on_reference(place_m, there)
    }

    /// A place of this comparison on the axis of the same reference, placed elsewhere. `None` if the references differ.
    pub(crate) fn place_on_reference(&self, place_m: f64, there: &PlacedLap) -> Option<f64> {
        let [_, here] = &self.placed;
        several_laps::place_between(place_m, here, there)
    }

    /// The other way around: a place on the axis of the same reference, placed elsewhere, in this comparison.
    pub(crate) fn place_of(&self, place_m: f64, there: &PlacedLap) -> Option<f64> {
        let [_, here] = &self.placed;
        several_laps::place_between(place_m, there, here)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use trailbrake_model::time::{LapTime, Micros};
    use trailbrake_model::{Axis, Channel, Columns, LapProgress, Moment};

    use super::*;
    use crate::TrackBook;
    use crate::laps::{CarLaps, Lap};

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
            match compare(&one, &other) {
                Ok(comparison) => {
                    prop_assert!(comparison.placed.iter().all(|placed| placed.distance_m.is_sorted()));
                    let _ = ThingsToFix::of(&comparison.ledger, &comparison.corners, &[]);
                    let ledger = &comparison.ledger;
                    for row in &ledger.rows {
                        prop_assert!(row.parts.iter().all(|part| part.loss_s.is_finite()), "{row:?}");
                    }
                    let lost_s: Option<f64> = ledger.rows.iter().map(|row| row.lost_s).sum();
                    if let Some((loss_s, lost_s)) = ledger.loss_s().zip(lost_s) {
                        prop_assert!((loss_s - lost_s).abs() < 1e-6, "{loss_s} {lost_s}");
                    }
                    // Lines that were learnt before change nothing.
                    let own_lines = [OwnLine::default(), OwnLine::default()];
                    for _ in 0..2 {
                        let book = TrackBook::default();
                        let again = PlacedLaps::new([&one, &other], own_lines.each_ref(), &book);
                        let again = again.expect("a comparison").compare();
                        prop_assert_eq!(&again.delta, &comparison.delta);
                        let places = |of: &Comparison| of.placed.clone().map(|placed| placed.distance_m);
                        prop_assert_eq!(places(&again), places(&comparison));
                    }
                }
                Err(reason) => prop_assert!(!reason.to_string().is_empty()),
            }
        }
    }
}
