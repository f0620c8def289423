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
mod forward;
mod part;
mod replacement;
mod section;
mod slowing;
mod stretch;

pub use part::{Figure, Measured, Part, PartLoss};

use serde::Serialize;

use super::{Comparison, LapColumns};
use ability::Ability;
use section::{Section, Split};
use stretch::{Stretch, Trace};

/// A shorter straight belongs to the corner behind it, metres.
const SHORTEST_STRAIGHT_M: f64 = 5.0;

/// What a lap lost to a reference, where and by what.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Ledger {
    /// Corners and straights in driving order.
    pub rows: Vec<LedgerRow>,
}

/// What a lap lost because of a corner or a straight.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LedgerRow {
    /// The corner's number. `None` for a straight.
    pub corner: Option<u16>,
    /// For a straight, the number of the corner before; 0 is the start line.
    pub after: u16,
    /// Where it begins, metres from the start line.
    pub from_m: f64,
    /// Where it ends, metres from the start line.
    pub to_m: f64,
    /// Seconds lost between these places. `None` if data is missing.
    pub lost_s: Option<f64>,
    /// Seconds lost because of it: the sum of its parts. `None` if data is missing.
    pub loss_s: Option<f64>,
    /// By what, in the order in which it happened.
    pub parts: Vec<PartLoss>,
}

impl Ledger {
    /// What a lap lost to a reference. `None` if the laps have no places in metres on one track, or no speed.
    pub fn of(comparison: &Comparison, [lap, reference]: [&LapColumns<'_>; 2]) -> Option<Self> {
        if !comparison.in_metres || comparison.strangers.is_some() {
            return None;
        }
        let ability = Ability::learn([lap, reference].into_iter());
        let lap = comparison.in_order(lap);
        let [placed, best_placed] = &comparison.placed;
        let traces = [Trace::new(&lap, placed)?, Trace::new(reference, best_placed)?];
        let mut splits = Vec::new();
        let mut rows = Vec::new();
        for bounds in row_bounds(comparison) {
            let split = split(comparison, &traces, &bounds, &ability);
            let lost_s = comparison.at(bounds.to_m).zip(comparison.at(bounds.from_m));
            rows.push(LedgerRow {
                corner: bounds.corner.and_then(|index| Some(comparison.corners.get(index)?.number)),
                after: bounds.after,
                from_m: bounds.from_m,
                to_m: bounds.to_m,
                lost_s: lost_s.map(|(to, from)| to - from).filter(|_| split.is_some()),
                loss_s: None,
                parts: split.as_ref().map(|split| split.parts.clone()).unwrap_or_default(),
            });
            splits.push(split.unwrap_or_default());
        }
        charge(&mut rows, &splits);
        for row in &mut rows {
            row.parts.retain(|part| part.loss_s != 0.0 || part.after_s != 0.0);
            row.parts.sort_by_key(|part| part.part);
            row.loss_s = row.lost_s.map(|_| row.parts.iter().map(PartLoss::whole_s).sum());
        }
        Some(Self { rows })
    }

    /// Seconds lost in all rows. `None` if data is missing in one.
    pub fn loss_s(&self) -> Option<f64> {
        self.rows.iter().map(|row| row.loss_s).sum()
    }
}

/// Where a row begins and ends.
struct RowBounds {
    /// The index of its corner. `None` for a straight.
    corner: Option<usize>,
    /// The number of the corner before a straight.
    after: u16,
    from_m: f64,
    to_m: f64,
}

/// The rows of a lap. A corner begins where the first of the two laps lifts or brakes, and ends where both are at full
/// throttle again.
fn row_bounds(comparison: &Comparison) -> Vec<RowBounds> {
    let mut rows = Vec::new();
    let (mut from_m, mut after) = (0.0, 0);
    for (index, loss) in comparison.losses.iter().enumerate() {
        if loss.from_m - from_m > SHORTEST_STRAIGHT_M {
            rows.push(RowBounds { corner: None, after, from_m, to_m: loss.from_m });
            from_m = loss.from_m;
        }
        let full = comparison.tables.iter().filter_map(|table| table.rows.get(index)?.full_throttle_m);
        let next_m = comparison.losses.get(index + 1).map_or(comparison.length_m, |next| next.from_m);
        let to_m = full.fold(loss.to_m, f64::max).min(next_m);
        if to_m > from_m {
            rows.push(RowBounds { corner: Some(index), after: loss.number, from_m, to_m });
            (from_m, after) = (to_m, loss.number);
        }
    }
    if comparison.length_m > from_m {
        rows.push(RowBounds { corner: None, after, from_m, to_m: comparison.length_m });
    }
    rows
}

/// Splits what was lost in a row. `None` if data is missing.
fn split(
    comparison: &Comparison,
    [lap, reference]: &[Trace<'_>; 2],
    bounds: &RowBounds,
    ability: &Ability,
) -> Option<Split> {
    let &RowBounds { corner, from_m, to_m, .. } = bounds;
    let stretches = [lap.cut(from_m, to_m)?, reference.cut(from_m, to_m)?];
    let [own, best] = &stretches;
    let whole = |part: Part| {
        let mut split = Split { slows: true, lowers2: vec![(part, 1.0)], ..Split::default() };
        split.add(part, own.took_s() - best.took_s(), None);
        Some(split)
    };
    let mut excursions = comparison.placed.iter().flat_map(|placed| &placed.excursions);
    if excursions.any(|excursion| excursion.to_m > from_m && excursion.from_m < to_m) {
        return whole(Part::Excursion);
    }
    if !stretches.iter().all(Stretch::fits) {
        return whole(Part::Rest);
    }
    let rows = corner.and_then(|index| comparison.rows(index));
    Some(Section::new([own, best], rows, ability).split())
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
