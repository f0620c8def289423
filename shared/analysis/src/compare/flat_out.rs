//! Flat-out sections, from one braking or lift corner to the next. At full throttle the driver can do nothing about a
//! loss, so it is charged to the corner before, as far as its slower exit explains it. The rest is reported as less
//! drive, or as lost at full throttle.

use std::ops::Range;

use super::cause::{Cause, LEAST_MS, slower};
use super::flat_corners::is_carried;
use super::{Comparison, CornerLoss};
use crate::CornerRow;

/// Smaller differences are ignored: of electrical energy, joules; of DRS, metres.
const LEAST_J: f64 = 50_000.0;
const LEAST_DRS_M: f64 = 50.0;
/// Factor on what a speed deficit can cost. The deficit shrinks along a straight, and its measurement is no more exact
/// than this.
const MARGIN: f64 = 1.25;
/// A speed is averaged this far to either side, metres.
const AROUND_M: f64 = 10.0;

/// The section after a corner, or after the start line, up to the next corner with braking or a lift.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct FlatOutSection {
    from_m: f64,
    to_m: f64,
    /// The corners in it, which are taken at full throttle.
    corners: Range<usize>,
    /// Seconds lost in it.
    loss_s: f64,
}

impl FlatOutSection {
    /// The section after a corner, or after the start line for `None`. Returns `None` if data is missing.
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

    /// Seconds lost in it because of the slower exit of the corner before.
    fn brought_s(&self, comparison: &Comparison, corner: usize) -> Option<f64> {
        let (lap, reference) = comparison.rows(corner)?;
        slower(lap, reference, |row| row.exit_ms).filter(|slower| *slower >= LEAST_MS)?;
        // Until full throttle, the driver is responsible for all of the loss.
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

impl Comparison {
    /// Seconds lost because of a corner: in it, and after it because of a slower exit. For a corner taken at full
    /// throttle, the time lost in it. `None` if data is missing.
    pub fn lost_because_of(&self, index: usize) -> Option<f64> {
        lost_by(self, index).or_else(|| self.lost_in(index))
    }
}

/// Seconds lost in a corner, and after it because of its slower exit. `None` if data is missing, or the corner is taken
/// at full throttle.
pub(super) fn lost_by(comparison: &Comparison, corner: usize) -> Option<f64> {
    if is_carried(comparison, corner) {
        return None;
    }
    let own_s = comparison.lost_in(corner)?;
    let way = FlatOutSection::behind(comparison, Some(corner));
    Some(own_s + way.and_then(|way| way.brought_s(comparison, corner)).unwrap_or_default())
}

/// Seconds lost in the section after a corner, or after the start line, for other reasons than a slower exit.
pub(super) fn lost_behind(comparison: &Comparison, corner: Option<usize>) -> Option<f64> {
    let way = FlatOutSection::behind(comparison, corner)?;
    let brought_s = corner.and_then(|corner| way.brought_s(comparison, corner));
    Some(way.loss_s - brought_s.unwrap_or_default())
}

/// The cause of less drive in the section after a corner, or after the start line, and the index of the corner where it
/// is reported. `None` if the game sends neither, or there is no difference.
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
