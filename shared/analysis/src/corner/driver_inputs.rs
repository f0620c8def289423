//! Pedals, gears and speeds of a lap by place, for the corner table.

use std::ops::Range;

use trailbrake_model::Channel;

use crate::coasting::OFF;
use crate::coverage::PlacedCoverage;
use crate::{LapColumns, PlacedLap};

/// Pedal travel that counts as on the throttle, and as full throttle.
pub(super) const ON: f64 = 0.1;
pub(super) const FULL: f64 = 0.95;
/// Shorter throttle changes are ignored, seconds.
pub(super) const TOUCH_S: f64 = 0.15;

/// A lap's channels and the place of each row.
pub(super) struct DriverInputs<'a> {
    placed: &'a PlacedLap,
    pub(super) clocks: &'a [f64],
    coverage: PlacedCoverage<'a>,
    speed: Option<Vec<f64>>,
    pub(super) throttle: Option<Vec<f64>>,
    pub(super) brake: Option<Vec<f64>>,
    gear: Option<Vec<f64>>,
    deployed: Option<Vec<f64>>,
    drs: Option<Vec<f64>>,
}

impl<'a> DriverInputs<'a> {
    pub(super) fn new(lap: &'a LapColumns<'_>, placed: &'a PlacedLap) -> Self {
        let values = |channel: Channel| lap.values(channel.slot());
        Self {
            placed,
            clocks: lap.clock_s(),
            coverage: PlacedCoverage::new(placed),
            speed: values(Channel::Speed),
            throttle: values(Channel::Throttle),
            brake: values(Channel::Brake),
            gear: values(Channel::Gear),
            deployed: values(Channel::ErsDeployed),
            drs: values(Channel::Drs),
        }
    }

    /// Whether the lap has data from one place to another.
    pub(super) fn is_covered(&self, from_m: f64, to_m: f64) -> bool {
        self.coverage.is_covered(from_m, to_m)
    }

    /// The lap's clock at a place, seconds. `None` in a gap.
    pub(super) fn clock_at(&self, place_m: f64) -> Option<f64> {
        self.coverage.clock_at(place_m)
    }

    /// The speed at a place, m/s. `None` in a gap.
    pub(super) fn speed_at(&self, place_m: f64) -> Option<f64> {
        self.at(self.speed.as_ref()?, place_m)
    }

    /// How far the car is to the left of the line at a place, metres. `None` without positions and in a gap.
    pub(super) fn offset_at(&self, place_m: f64) -> Option<f64> {
        self.at(self.placed.offset_m.as_ref()?, place_m)
    }

    /// A value at a place. `None` in a gap.
    fn at(&self, values: &[f64], place_m: f64) -> Option<f64> {
        let places = &self.placed.distance_m;
        let after = places.partition_point(|place| *place <= place_m);
        let row = |row: usize| Some((*places.get(row)?, *values.get(row)?));
        let before = after.checked_sub(1).and_then(row);
        let ((from_m, from), (to_m, to)) = (before.or(row(after))?, row(after).or(before)?);
        let share = if to_m > from_m { ((place_m - from_m) / (to_m - from_m)).clamp(0.0, 1.0) } else { 0.0 };
        self.is_covered(place_m, place_m).then_some(from + (to - from) * share)
    }

    /// The minimum speed between two places, m/s, its place, and the gear there.
    pub(super) fn slowest(&self, from_m: f64, to_m: f64) -> Option<(f64, f64, Option<i32>)> {
        let speed = self.speed.as_ref()?;
        let rows = self.rows(from_m, to_m).filter_map(|row| Some((row, *speed.get(row)?)));
        let (row, slowest_ms) = rows.min_by(|(_, a), (_, b)| a.total_cmp(b))?;
        let gear = self.gear.as_ref().and_then(|gears| gears.get(row)).map(|gear| *gear as i32);
        Some((slowest_ms, *self.placed.distance_m.get(row)?, gear))
    }

    /// The place of the maximum speed between two places.
    pub(super) fn fastest_m(&self, from_m: f64, to_m: f64) -> Option<f64> {
        let speed = self.speed.as_ref()?;
        let rows = self.rows(from_m, to_m).filter_map(|row| Some((row, *speed.get(row)?)));
        let (row, _) = rows.max_by(|(_, a), (_, b)| a.total_cmp(b))?;
        self.placed.distance_m.get(row).copied()
    }

    /// Where the throttle was released before a brake point, searched back to `approach_m`; the brake point itself if
    /// the throttle was not released before. `None` if it was off already at `approach_m` or at the first row.
    pub(super) fn lift_before(&self, brake_on_m: f64, approach_m: f64) -> Option<f64> {
        let throttle = self.throttle.as_ref()?;
        let before = self.rows(approach_m, brake_on_m).rev();
        let off = before.take_while(|row| throttle.get(*row).is_some_and(|pedal| *pedal < ON)).last();
        off.map_or(Some(brake_on_m), |row| self.passed(throttle, row, ON))
    }

    /// The last place between two places where the throttle was released for longer than a touch.
    pub(super) fn lift_between(&self, from_m: f64, to_m: f64) -> Option<f64> {
        let throttle = self.throttle.as_ref()?;
        let is_off = |row: usize| throttle.get(row).is_some_and(|pedal| *pedal < ON);
        let mut rows = self.rows(from_m, to_m).rev();
        let off = rows.find(|row| {
            let begins = row.checked_sub(1).is_some_and(|before| !is_off(before));
            begins && self.for_a_touch(*row).all(is_off)
        });
        off.and_then(|row| self.passed(throttle, row, ON))
    }

    /// The throttle point after a lift between two places, and where the throttle was full.
    pub(super) fn throttle_on(&self, after_m: f64, apex_m: f64, until_m: f64) -> [Option<f64>; 2] {
        let Some(throttle) = &self.throttle else { return [None; 2] };
        let mut watched = self.rows(after_m, until_m);
        if !watched.any(|row| throttle.get(row).is_some_and(|pedal| *pedal < ON)) {
            return [None; 2];
        }
        // Blips for downshifts happen on the brake, or between two touches of it.
        let braked = |row: &usize| {
            let brake = self.brake.as_ref().and_then(|brake| brake.get(*row));
            brake.is_some_and(|pedal| *pedal >= OFF)
        };
        let last_braked = self.rows(after_m, apex_m).rev().find(braked);
        let stays_on = |row: usize| {
            let on = throttle.get(row).is_some_and(|pedal| *pedal >= ON);
            on && self.for_a_touch(row).all(|row| throttle.get(row).is_some_and(|pedal| *pedal >= OFF))
        };
        let on = watched.find(|row| {
            let behind = last_braked.is_none_or(|last| *row > last) && !braked(row);
            behind && stays_on(*row)
        });
        let full =
            on.into_iter().chain(watched).find(|row| throttle.get(*row).is_some_and(|pedal| *pedal >= FULL));
        let place = |row: usize, level: f64| {
            self.passed(throttle, row, level).filter(|on_m| self.is_covered(after_m, *on_m))
        };
        [on.and_then(|row| place(row, ON)), full.and_then(|row| place(row, FULL))]
    }

    /// Whether the lap was at full throttle from one place to another. `None` if throttle data is missing.
    pub(super) fn is_flat(&self, from_m: f64, to_m: f64) -> Option<bool> {
        if !self.is_covered(from_m, to_m) {
            return None;
        }
        let throttle = self.throttle.as_ref()?;
        let eased = |row: usize| throttle.get(row).is_some_and(|pedal| *pedal < FULL);
        Some(self.seconds(from_m, to_m, &eased) < TOUCH_S)
    }

    /// The part of the time between two places at full throttle, 0 to 1. `None` if throttle data is missing.
    pub(super) fn full_throttle(&self, from_m: f64, to_m: f64) -> Option<f64> {
        let throttle = self.throttle.as_ref().filter(|_| self.is_covered(from_m, to_m))?;
        let full_s = self.seconds(from_m, to_m, &|row| throttle.get(row).is_some_and(|pedal| *pedal >= FULL));
        let whole_s = self.seconds(from_m, to_m, &|_| true);
        (whole_s > 0.0).then(|| full_s / whole_s)
    }

    /// Seconds around the slowest place in which the speed stays within `within_ms` of its minimum.
    pub(super) fn flat_s(&self, min_m: f64, within_ms: f64) -> Option<f64> {
        let speed = self.speed.as_ref()?;
        let slowest = self.placed.distance_m.partition_point(|place| *place < min_m);
        let most_ms = speed.get(slowest)? + within_ms;
        let is_flat = |row: &usize| speed.get(*row).is_some_and(|speed| *speed <= most_ms);
        let first = (0..=slowest).rev().take_while(is_flat).last()?;
        let last = (slowest..speed.len()).take_while(is_flat).last()?;
        Some(self.clocks.get(last)? - self.clocks.get(first)?)
    }

    /// Seconds on neither pedal between two places. `None` if the game sends only one of them.
    pub(super) fn coasting_s(&self, from_m: f64, to_m: f64) -> Option<f64> {
        let (throttle, brake) = (self.throttle.as_ref()?, self.brake.as_ref()?);
        let off = |pedal: &[f64], row: usize| pedal.get(row).is_some_and(|pedal| *pedal < OFF);
        self.is_covered(from_m, to_m)
            .then(|| self.seconds(from_m, to_m, &|row| off(throttle, row) && off(brake, row)))
    }

    /// Electrical energy deployed between two places, joules.
    pub(super) fn electric_j(&self, from_m: f64, to_m: f64) -> Option<f64> {
        if !self.is_covered(from_m, to_m) {
            return None;
        }
        let deployed = self.deployed.as_ref()?;
        // The game resets the counter at the start line.
        let spent = |row: usize| Some((deployed.get(row)? - deployed.get(row.checked_sub(1)?)?).max(0.0));
        Some(self.rows(from_m, to_m).filter_map(spent).fold(0.0, |sum, spent| sum + spent))
    }

    /// Metres with DRS open between two places.
    pub(super) fn drs_m(&self, from_m: f64, to_m: f64) -> Option<f64> {
        if !self.is_covered(from_m, to_m) {
            return None;
        }
        let drs = self.drs.as_ref()?;
        let place = |row: usize| self.placed.distance_m.get(row);
        let open = self.rows(from_m, to_m).filter(|row| drs.get(*row).is_some_and(|open| *open > 0.5));
        Some(open.filter_map(|row| Some(place(row + 1)? - place(row)?)).fold(0.0, |sum, long| sum + long))
    }

    /// The rows between two places.
    pub(super) fn rows(&self, from_m: f64, to_m: f64) -> Range<usize> {
        let places = &self.placed.distance_m;
        places.partition_point(|place| *place < from_m)..places.partition_point(|place| *place <= to_m)
    }

    /// A row and those after it within the time of a touch.
    fn for_a_touch(&self, row: usize) -> Range<usize> {
        let until_s = self.clocks.get(row).map_or(0.0, |since| since + TOUCH_S);
        row..self.clocks.partition_point(|clock| *clock < until_s)
    }

    /// Seconds between two places in rows with a property.
    fn seconds(&self, from_m: f64, to_m: f64, is: &dyn Fn(usize) -> bool) -> f64 {
        let long = |row: usize| Some(self.clocks.get(row + 1)? - self.clocks.get(row)?);
        self.rows(from_m, to_m).filter(|row| is(*row)).filter_map(long).fold(0.0, |sum, long| sum + long)
    }

    /// Where a pedal crossed a level between a row and the previous one. If it was above the level in both rows, the
    /// row's place. `None` in a gap, and if it was below the level in both.
    pub(super) fn passed(&self, pedal: &[f64], row: usize, level: f64) -> Option<f64> {
        let at =
            |row: usize| Some((*self.placed.distance_m.get(row)?, *pedal.get(row)?, *self.clocks.get(row)?));
        let (to_m, to, to_s) = at(row)?;
        let (from_m, from, from_s) = at(row.checked_sub(1)?)?;
        let between = (from < level) != (to < level);
        if !self.coverage.goes_on(from_s, to_s) || (!between && to < level) {
            return None;
        }
        let share = if between { (level - from) / (to - from) } else { 1.0 };
        Some(from_m + (to_m - from_m) * share)
    }
}
