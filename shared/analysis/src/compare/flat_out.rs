//! Flat-out sections, from one braking or lift corner to the next. At full throttle the driver can do nothing about a
//! loss, so it is charged to the corner before, as far as its slower exit explains it. The rest is reported as less
//! drive, or as lost at full throttle.

use std::ops::Range;

use super::cause::{Cause, LEAST_MS, slower};
use super::flat_corners::is_carried;
use super::{Comparison, CornerLoss};
use crate::{CornerRow, ExcursionKind};

/// Smaller differences are ignored: of electrical energy, joules; of DRS, metres.
const LEAST_J: f64 = 50_000.0;
const LEAST_DRS_M: f64 = 50.0;
/// Factor on what a speed deficit can cost. The deficit shrinks along a straight, and its measurement is no more exact
/// than this.
const MARGIN: f64 = 1.25;
/// A speed is averaged this far to either side, metres.
const AROUND_M: f64 = 10.0;
/// A car slower than this at the start line stood there, m/s.
const STANDING_MS: f64 = 10.0;
/// A clock later than this at the start line began before it, on a grid, seconds.
const GRID_S: f64 = 1.0;
const KMH: f64 = 3.6;

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
        let then_s = match speeds(comparison, full_m) {
            Some(speeds) => self.slower_s(comparison, full_m, speeds)?,
            None => f64::MAX,
        };
        Some((until_s + then_s).min(self.loss_s).max(0.0))
    }

    /// Seconds that the lap's and the reference's speeds at a place explain until the end of the section, at most.
    fn slower_s(&self, comparison: &Comparison, place_m: f64, [own, best]: [f64; 2]) -> Option<f64> {
        let [_, placed] = &comparison.placed;
        let long_s = placed.clock_at(self.to_m)? - placed.clock_at(place_m)?;
        Some(MARGIN * long_s * (best - own).max(0.0) / own)
    }

    /// Time lost in the section after the start line because of how the lap came to it.
    fn begun(&self, comparison: &Comparison) -> Option<StartLoss> {
        let ([lap, _], [began_m, _]) = (&comparison.placed, comparison.began_m);
        let loss =
            |cause, seconds: f64| Some(StartLoss { cause, seconds: seconds.min(self.loss_s).max(0.0) });
        let on_grid = began_m != 0.0 || lap.clock_at(0.0).is_some_and(|clock| clock > GRID_S);
        let [own, best] = comparison.tables.each_ref().map(|table| table.line_ms);
        let Some((own, best)) = own.zip(best) else {
            return loss(Cause::StandingStart, self.loss_s).filter(|_| on_grid);
        };
        if best < STANDING_MS {
            // Both stood, as at the start of a stage: no speed that either brought explains anything.
            return loss(Cause::Unexplained, self.loss_s);
        }
        let slower_s = self.slower_s(comparison, 0.0, [own, best])?;
        if on_grid || own < STANDING_MS {
            return loss(Cause::StandingStart, slower_s);
        }
        let slower = best - own;
        let cause = Cause::SlowerAtLine { kmh: slower * KMH };
        if slower >= LEAST_MS { loss(cause, slower_s) } else { None }
    }
}

/// Time lost after the start line because of how the lap came to it.
pub(super) struct StartLoss {
    pub(super) cause: Cause,
    pub(super) seconds: f64,
}

impl StartLoss {
    /// The loss of a lap. `None` if there is none, or data is missing.
    pub(super) fn of(comparison: &Comparison) -> Option<Self> {
        FlatOutSection::behind(comparison, None)?.begun(comparison)
    }
}

/// The index of the corner where the section after the start line ends, else of the lap's last one.
pub(super) fn first_slow_corner(comparison: &Comparison) -> Option<usize> {
    let last = comparison.losses.len().checked_sub(1)?;
    Some(FlatOutSection::behind(comparison, None)?.corners.end.min(last))
}

/// The lap's and the reference's speed around a place, m/s. `None` if data is missing.
fn speeds(comparison: &Comparison, place_m: f64) -> Option<[f64; 2]> {
    let [own, best] = comparison.placed.each_ref().map(|placed| {
        let (from_m, to_m) = (place_m - AROUND_M, place_m + AROUND_M);
        Some((to_m - from_m) / (placed.clock_at(to_m)? - placed.clock_at(from_m)?))
    });
    Some([own?, best?])
}

/// Seconds lost because of a corner: in it, and after it because of a slower exit. For a corner taken at full throttle,
/// the time lost in it. `None` if data is missing.
pub fn lost_because_of(comparison: &Comparison, corner: usize) -> Option<f64> {
    lost_by(comparison, corner).or_else(|| comparison.lost_in(corner))
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

/// Seconds lost in the section after a corner, or after the start line, for other reasons than a slower exit, or a lower
/// speed at the line.
pub(super) fn lost_behind(comparison: &Comparison, corner: Option<usize>) -> Option<f64> {
    let way = FlatOutSection::behind(comparison, corner)?;
    let brought_s = match corner {
        Some(corner) => way.brought_s(comparison, corner),
        None => way.begun(comparison).map(|begun| begun.seconds),
    };
    Some(way.loss_s - brought_s.unwrap_or_default())
}

/// The lap's excursion in the section after a corner, or after the start line.
pub(super) fn excursion_behind(comparison: &Comparison, corner: Option<usize>) -> Option<ExcursionKind> {
    let section = FlatOutSection::behind(comparison, corner)?;
    let [lap, _] = &comparison.placed;
    let inside = lap.excursions.iter().filter(|one| one.to_m > section.from_m && one.from_m < section.to_m);
    inside.map(|excursion| excursion.kind).max()
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
