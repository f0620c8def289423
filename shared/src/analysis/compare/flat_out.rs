//! The ways between the corners that a lap slows for: who is at full throttle there can do nothing about what is lost, and
//! it is put to the corner that the car was slow out of, or to what drove it.

use std::ops::Range;

use super::cause::{Cause, LEAST_MS, slower};
use super::flat_corners::is_carried;
use super::{Comparison, CornerLoss};
use crate::analysis::CornerRow;

/// A difference of electrical energy smaller than this is none, joules; and one of the rear wing, metres.
const LEAST_J: f64 = 50_000.0;
const LEAST_DRS_M: f64 = 50.0;
/// How slow a car is shrinks along a straight; what is measured of it is no more exact than this.
const MARGIN: f64 = 1.25;
/// How far to either side a speed is taken over, metres.
const AROUND_M: f64 = 10.0;

/// The way behind a corner, or behind the line, up to the next corner that the lap slows for.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct FlatOutSection {
    from_m: f64,
    to_m: f64,
    /// The corners on it, which were driven with all of the throttle.
    corners: Range<usize>,
    /// Seconds lost on it.
    loss_s: f64,
}

impl FlatOutSection {
    /// The way behind a corner, `None` being the line; `None` where a lap was not heard.
    fn behind(comparison: &Comparison, corner: Option<usize>) -> Option<Self> {
        let losses = &comparison.losses;
        let first = corner.map_or(0, |corner| corner + 1);
        let carried = (first..losses.len()).take_while(|index| is_carried(comparison, *index)).count();
        let corners = first..first + carried;
        let from_m = corner.map_or(Some(0.0), |corner| Some(losses.get(corner)?.to_m))?;
        let to_m = losses.get(corners.end).map_or(comparison.length_m, |loss| loss.from_m);
        let on = comparison.straights.iter().filter(|one| one.from_m >= from_m && one.to_m <= to_m);
        let on = on.map(|straight| straight.loss_s);
        let bends = losses.get(corners.clone())?.iter().map(CornerLoss::loss_s);
        let loss_s = on.chain(bends).try_fold(0.0, |sum, lost| Some(sum + lost?))?;
        Some(Self { from_m, to_m, corners, loss_s })
    }

    /// How much of what is lost on it is so since the corner before was left slower.
    fn brought_s(&self, comparison: &Comparison, corner: usize) -> Option<f64> {
        let (lap, reference) = comparison.rows(corner)?;
        slower(lap, reference, |row| row.exit_ms).filter(|slower| *slower >= LEAST_MS)?;
        // Until all of the throttle is on, the driver has it in his foot.
        let full = [lap, reference].into_iter().filter_map(|row| row.full_throttle_m);
        let full_m = full.fold(self.from_m, f64::max).min(self.to_m);
        let until_s = comparison.at(full_m)? - comparison.at(self.from_m)?;
        let [own, best] = comparison.placed.each_ref().map(|placed| {
            let (from_m, to_m) = (full_m - AROUND_M, full_m + AROUND_M);
            Some((to_m - from_m) / (placed.clock_at(to_m)? - placed.clock_at(from_m)?))
        });
        let [_, placed] = &comparison.placed;
        let long_s = placed.clock_at(self.to_m)? - placed.clock_at(full_m)?;
        let then_s =
            own.zip(best).map_or(f64::MAX, |(own, best)| MARGIN * long_s * (best - own).max(0.0) / own);
        Some((until_s + then_s).min(self.loss_s).max(0.0))
    }
}

/// What was lost in a corner, and behind it since the corner was left slower; `None` where a lap was not heard, or a corner
/// is none that is slowed for.
pub(super) fn lost_by(comparison: &Comparison, corner: usize) -> Option<f64> {
    let own_s = comparison.lost_in(corner).filter(|_| !is_carried(comparison, corner))?;
    let way = FlatOutSection::behind(comparison, Some(corner));
    Some(own_s + way.and_then(|way| way.brought_s(comparison, corner)).unwrap_or_default())
}

/// What was lost on the way behind a corner, or behind the line, for another reason than how that was left.
pub(super) fn lost_behind(comparison: &Comparison, corner: Option<usize>) -> Option<f64> {
    let way = FlatOutSection::behind(comparison, corner)?;
    let brought_s = corner.and_then(|corner| way.brought_s(comparison, corner));
    Some(way.loss_s - brought_s.unwrap_or_default())
}

/// What drove the car less on the way behind a corner, or behind the line, and the corner at which that is told; `None`
/// where the game tells of nothing.
pub(super) fn driven_less(comparison: &Comparison, corner: Option<usize>) -> Option<(usize, Cause)> {
    let corners = FlatOutSection::behind(comparison, corner)?.corners;
    let rows = corner.unwrap_or(corners.start)..corners.end;
    let less = |of: fn(&CornerRow) -> Option<f64>| {
        let less = rows.clone().map(|index| {
            let (lap, reference) = comparison.rows(index)?;
            Some(of(reference)? - of(lap)?)
        });
        less.sum::<Option<f64>>()
    };
    let drs = less(|row| row.drs_m).filter(|metres| *metres >= LEAST_DRS_M);
    let electric = less(|row| row.electric_j).filter(|joules| *joules >= LEAST_J);
    let cause = drs.map(|metres| Cause::LessDrs { metres });
    let cause = cause.or(electric.map(|joules| Cause::LessElectric { kilojoules: joules / 1e3 }))?;
    Some((if corners.is_empty() { corner? } else { corners.start }, cause))
}
