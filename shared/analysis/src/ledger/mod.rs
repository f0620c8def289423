//! Why time was lost: a ledger that adds up.
//!
//! The lap's delta is cut into rows, corners and straights, and the loss in each row into parts. The parts of all rows
//! add up to the delta.
//!
//! In each row, one thing of the lap after the other is replaced by the reference's: the metres driven, the speed at the
//! row's beginning, the lift, the brake point, and so on. The time that this saves is what the thing cost. In between, the
//! car does what it can: at full throttle it accelerates as both laps show, and a lap that brakes less must begin earlier.
//!
//! ```text
//!   lap's time                                                                            reference's time
//!   |----- line -----|- brought in -|-- brake point --|- braking -|- minimum speed -|- throttle -|- rest -|
//! ```
//!
//! A speed that is brought into a row was lost in a row before it, and is charged there ([`PartLoss::after_s`]).

mod ability;
mod cause;
mod channels;
mod forward;
mod grip;
mod measured;
mod part;
mod place;
mod replacement;
mod section;
mod slowing;
mod stretch;

pub use cause::Cause;
pub(crate) use channels::LedgerChannels;
pub(crate) use grip::LateralGrip;
pub use measured::{Figure, Measured, MeasuredWords};
pub use part::{Part, PartGroup, PartLoss};
pub use place::RowPlace;

use serde::Serialize;

use super::coverage::PlacedCoverage;
use super::losses::CornerLoss;
use super::{CornerTable, Excursion, ExcursionKind, PlacedLap};
use ability::Ability;
use grip::GripChange;
use section::{Section, Split};
use stretch::{Stretch, Trace};

/// A shorter straight belongs to the corner behind it, metres.
const SHORTEST_STRAIGHT_M: f64 = 5.0;

/// What a lap lost to a reference, where and by what.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Ledger {
    /// Corners and straights in driving order.
    pub rows: Vec<LedgerRow>,
}

/// What a lap lost because of a corner or a straight.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct LedgerRow {
    /// What it is about.
    #[serde(flatten)]
    pub place: RowPlace,
    /// Where it begins, metres from the start line.
    pub from_m: f64,
    /// Where it ends, metres from the start line.
    pub to_m: f64,
    /// Seconds lost between these places. `None` if data is missing.
    pub lost_s: Option<f64>,
    /// Seconds lost because of it: the sum of its parts. `None` if data is missing.
    pub loss_s: Option<f64>,
    /// The lap's excursion there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub excursion: Option<ExcursionKind>,
    /// The smallest gap to another car in the lap, seconds, if one was in the way there: ahead or beside.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gap_s: Option<f64>,
    /// By what, in the order in which it happened.
    pub parts: Vec<PartLoss>,
}

/// A lap and its reference on one axis, with their corners.
pub(crate) struct LedgerLaps<'a> {
    /// Of the lap and the reference, as the next ones.
    pub(crate) channels: [&'a LedgerChannels; 2],
    pub(crate) placed: [&'a PlacedLap; 2],
    pub(crate) tables: [&'a CornerTable; 2],
    pub(crate) losses: &'a [CornerLoss],
    /// Whether places are metres. Otherwise nothing is known of what cost the time.
    pub(crate) in_metres: bool,
}

impl Ledger {
    /// What a lap lost to a reference.
    pub(crate) fn of(laps: &LedgerLaps<'_>) -> Self {
        let splitter = Splitter::new(laps);
        let (mut rows, mut splits): (Vec<LedgerRow>, Vec<Split>) =
            laps.row_bounds().iter().map(|bounds| splitter.row(bounds)).unzip();
        let corners: Vec<LateralGrip> = splits.iter().filter_map(Split::lateral).collect();
        if let Some(change) = laps.grip_change(&corners) {
            for (row, split) in rows.iter_mut().zip(&mut splits) {
                split.charge_grip(&change);
                row.parts.clone_from(&split.parts);
            }
        }
        charge(&mut rows, &splits);
        for row in &mut rows {
            row.finish();
        }
        Self { rows }
    }

    /// Seconds lost in all rows. `None` if data is missing in one.
    pub fn loss_s(&self) -> Option<f64> {
        self.rows.iter().map(|row| row.loss_s).sum()
    }

    /// Seconds lost by a part in all rows.
    pub fn part_s(&self, part: Part) -> f64 {
        let parts = self.rows.iter().flat_map(|row| &row.parts);
        parts.filter(|known| known.part == part).map(PartLoss::whole_s).sum()
    }

    /// Seconds lost by what is not the driver's doing.
    pub fn not_driving_s(&self) -> f64 {
        self.not_driving().iter().map(|(_, lost_s)| lost_s).sum()
    }

    /// Seconds lost by each part that is not the driver's doing, the largest first.
    pub fn not_driving(&self) -> Vec<(Part, f64)> {
        let mut parts: Vec<(Part, f64)> = Part::NOT_DRIVING.map(|part| (part, self.part_s(part))).into();
        parts.retain(|(_, lost_s)| *lost_s != 0.0);
        parts.sort_by(|(_, one), (_, other)| other.abs().total_cmp(&one.abs()));
        parts
    }

    /// The row of a corner or a straight.
    pub fn row(&self, place: RowPlace) -> Option<&LedgerRow> {
        self.rows.iter().find(|row| row.place == place)
    }

    /// The row of a corner, by its number.
    pub fn corner(&self, number: u16) -> Option<&LedgerRow> {
        self.row(RowPlace::corner(number))
    }
}

impl LedgerRow {
    /// What a lap under way lost in a corner until its exit, by its index, and the grip there. What was brought in is a
    /// part of its own. `before` is the grip in the corners before.
    pub(crate) fn of_corner(
        laps: &LedgerLaps<'_>,
        index: usize,
        before: &[LateralGrip],
    ) -> Option<(Self, Option<LateralGrip>)> {
        let loss = laps.losses.get(index)?;
        let &CornerLoss { number, from_m, to_m, .. } = loss;
        let bounds = RowBounds { place: RowPlace::corner(number), index: Some(index), from_m, to_m };
        let (mut row, mut split) = Splitter::new(laps).row(&bounds);
        let lateral = split.lateral();
        let corners: Vec<LateralGrip> = before.iter().copied().chain(lateral).collect();
        if let Some(change) = laps.grip_change(&corners) {
            split.charge_grip(&change);
            row.parts = split.parts;
        }
        row.finish();
        Some((row, lateral))
    }

    /// Seconds lost by a part, in the row and after it.
    pub fn part_s(&self, part: Part) -> f64 {
        self.parts.iter().filter(|known| known.part == part).map(PartLoss::whole_s).sum()
    }

    /// The part that makes most of the loss, or of the gain. `None` if nothing was lost or gained.
    pub fn largest(&self) -> Option<&PartLoss> {
        let sign = self.loss_s?.signum();
        let largest = self.parts.iter().max_by(|a, b| (sign * a.whole_s()).total_cmp(&(sign * b.whole_s())));
        largest.filter(|part| sign * part.whole_s() > 0.0)
    }

    /// Adds the parts up.
    fn finish(&mut self) {
        self.parts.retain(|part| part.loss_s != 0.0 || part.after_s != 0.0);
        self.parts.sort_by_key(|part| part.part);
        self.loss_s = self.lost_s.map(|_| self.parts.iter().map(PartLoss::whole_s).sum());
    }
}

/// Where a row begins and ends.
struct RowBounds {
    place: RowPlace,
    /// The index of its corner. `None` for a straight.
    index: Option<usize>,
    from_m: f64,
    to_m: f64,
}

impl LedgerLaps<'_> {
    /// The rows of a lap. A corner begins where the first of the two laps lifts or brakes, and ends where both are at
    /// full throttle again.
    fn row_bounds(&self) -> Vec<RowBounds> {
        let mut rows = Vec::new();
        let (mut from_m, mut after) = (0.0, 0);
        let [_, reference] = self.placed;
        let length_m = reference.length_m;
        for (index, loss) in self.losses.iter().enumerate() {
            if loss.from_m - from_m > SHORTEST_STRAIGHT_M {
                rows.push(RowBounds {
                    place: RowPlace::straight(after),
                    index: None,
                    from_m,
                    to_m: loss.from_m,
                });
                from_m = loss.from_m;
            }
            let full = self.tables.iter().filter_map(|table| table.rows.get(index)?.full_throttle_m);
            let next_m = self.losses.get(index + 1).map_or(length_m, |next| next.from_m);
            let to_m = full.fold(loss.to_m, f64::max).min(next_m);
            if to_m > from_m {
                rows.push(RowBounds {
                    place: RowPlace::corner(loss.number),
                    index: Some(index),
                    from_m,
                    to_m,
                });
                (from_m, after) = (to_m, loss.number);
            }
        }
        if length_m > from_m {
            rows.push(RowBounds { place: RowPlace::straight(after), index: None, from_m, to_m: length_m });
        }
        rows
    }

    /// How the laps' grip differs all around, by that in their corners.
    fn grip_change(&self, corners: &[LateralGrip]) -> Option<GripChange> {
        GripChange::of(self.channels.map(|lap| &lap.conditions), corners)
    }

    /// The lap's excursion between two places, and whether either lap has one.
    fn excursion(&self, from_m: f64, to_m: f64) -> (Option<ExcursionKind>, bool) {
        let is_there = |excursion: &&Excursion| excursion.to_m > from_m && excursion.from_m < to_m;
        let [own, best] = self.placed.map(|placed| placed.excursions.iter().filter(is_there));
        let own = own.map(|excursion| excursion.kind).max();
        (own, own.is_some() || best.count() > 0)
    }
}

/// Splits what was lost in the rows of a lap.
struct Splitter<'a> {
    laps: &'a LedgerLaps<'a>,
    /// `None` if there is no speed, or places are not metres.
    traces: Option<[Trace<'a>; 2]>,
    coverage: [PlacedCoverage<'a>; 2],
    ability: Ability,
}

impl<'a> Splitter<'a> {
    fn new(laps: &'a LedgerLaps<'a>) -> Self {
        let [lap, reference] = laps.channels;
        let [placed, best_placed] = laps.placed;
        let traces = Trace::new(lap, placed).zip(Trace::new(reference, best_placed));
        Self {
            laps,
            traces: traces.filter(|_| laps.in_metres).map(|(own, best)| [own, best]),
            coverage: laps.placed.map(PlacedCoverage::new),
            ability: Ability::learn(laps.channels.into_iter()),
        }
    }

    /// A row, with how its loss is split; the parts are not yet added up.
    fn row(&self, bounds: &RowBounds) -> (LedgerRow, Split) {
        let &RowBounds { place, from_m, to_m, .. } = bounds;
        let (excursion, any_excursion) = self.laps.excursion(from_m, to_m);
        let mut split = self.split(bounds, any_excursion);
        let [gap_s, best_gap_s] = self.laps.channels.map(|lap| lap.gap_s(from_m, to_m));
        if let Some((_, split)) = split.as_mut().filter(|_| !any_excursion) {
            if gap_s.or(best_gap_s).is_some() {
                split.name_tow();
            }
            if gap_s.is_some() {
                split.blame_traffic();
                split.grip = None;
            }
        }
        let row = LedgerRow {
            place,
            from_m,
            to_m,
            lost_s: split.as_ref().map(|(lost_s, _)| *lost_s),
            loss_s: None,
            excursion,
            gap_s,
            parts: split.as_ref().map(|(_, split)| split.parts.clone()).unwrap_or_default(),
        };
        (row, split.map(|(_, split)| split).unwrap_or_default())
    }

    /// Splits the seconds lost in a row. `None` if data is missing.
    fn split(&self, bounds: &RowBounds, excursion: bool) -> Option<(f64, Split)> {
        let &RowBounds { index, from_m, to_m, .. } = bounds;
        let [own_s, best_s] =
            self.coverage.each_ref().map(|lap| Some(lap.clock_at(to_m)? - lap.clock_at(from_m)?));
        let lost_s = own_s? - best_s?;
        let whole = |part: Part| {
            let mut split = Split { slows: true, lowers2: vec![(part, 1.0)], ..Split::default() };
            split.add(part, lost_s, None);
            split
        };
        if excursion {
            return Some((lost_s, whole(Part::Excursion)));
        }
        let Some([own, best]) = &self.traces else { return Some((lost_s, whole(Part::Rest))) };
        let stretches = [own.cut(from_m, to_m)?, best.cut(from_m, to_m)?];
        let [own, best] = &stretches;
        let lost_s = own.took_s() - best.took_s();
        if !stretches.iter().all(Stretch::fits) {
            return Some((lost_s, whole(Part::Rest)));
        }
        let [table, best_table] = self.laps.tables;
        let rows = index.and_then(|index| table.rows.get(index).zip(best_table.rows.get(index)));
        Some((lost_s, Section::new([own, best], rows, &self.ability).split()))
    }
}

/// Charges what was brought into a row to the rows that lost the speed.
fn charge(rows: &mut [LedgerRow], splits: &[Split]) {
    for (index, split) in splits.iter().enumerate().skip(1) {
        if let Some(row) = rows.get_mut(index) {
            row.parts.retain(|part| part.part != Part::BroughtIn);
        }
        let mut left_s = split.brought_s;
        for before in (0..index).rev() {
            let (Some(row), Some(lost)) = (rows.get_mut(before), splits.get(before)) else { continue };
            let own_s = if lost.slows { left_s } else { left_s * (1.0 - lost.carried) };
            lost.charge(&mut row.parts, own_s);
            left_s -= own_s;
            if before == 0 && left_s != 0.0 {
                PartLoss::change(&mut row.parts, Part::BroughtIn, |brought| brought.loss_s += left_s);
            }
        }
    }
}
