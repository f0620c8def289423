//! What a lap did in each corner: one row a corner.

use serde::Serialize;

use super::braking::{BrakeSource, Braking, find_brakings};
use super::find::Corner;
use crate::analysis::coasting::OFF;
use crate::analysis::{LapColumns, Placed};
use crate::model::Channel;

/// Pedal travel from which on the driver is on the throttle, and on all of it.
const ON: f64 = 0.1;
const FULL: f64 = 0.95;
/// A throttle that is pressed for less than this is only touched, seconds.
const TOUCH_S: f64 = 0.15;
/// A braking that began further before a corner's entry than this was not for it, metres.
const APPROACH_M: f64 = 320.0;
/// A corner's exit is watched for the throttle so far behind its end, metres.
const BEHIND_M: f64 = 80.0;

/// One corner in one lap. Places are metres from the line at which laps begin; what the game does not tell is `None`.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct CornerRow {
    /// The corner's number.
    pub number: u16,
    /// Where the foot came off the throttle: before the brake came on, or with it.
    pub lift_m: Option<f64>,
    /// Where the brake came on for it.
    pub brake_on_m: Option<f64>,
    /// How far before the apex that was.
    pub before_apex_m: Option<f64>,
    /// The most that the brake was pressed, 0 to 1.
    pub peak: Option<f64>,
    /// Where that was.
    pub peak_m: Option<f64>,
    /// Where the brake was released.
    pub release_m: Option<f64>,
    /// How far the brake was trailed into the corner: from where the line bends to the release.
    pub trail_m: Option<f64>,
    /// The lowest speed, m/s.
    pub min_ms: Option<f64>,
    /// Where that was.
    pub min_m: Option<f64>,
    /// The gear there.
    pub gear: Option<i32>,
    /// Where the throttle came on again.
    pub throttle_on_m: Option<f64>,
    /// Where all of it was on.
    pub full_throttle_m: Option<f64>,
    /// Seconds with neither pedal pressed, from where the foot came off the throttle, or the entry, to the exit.
    pub coasting_s: Option<f64>,
    /// The speed at the exit, m/s.
    pub exit_ms: Option<f64>,
    /// Seconds from entry to exit.
    pub seconds: Option<f64>,
}

/// The corners of one lap.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CornerTable {
    /// What tells of the brakings; `None` where the game tells neither pedal nor speed.
    pub brake_source: Option<BrakeSource>,
    /// A row for each corner.
    pub rows: Vec<CornerRow>,
}

impl CornerTable {
    /// What a lap did in each of the corners.
    pub fn of(lap: &LapColumns<'_>, placed: &Placed, corners: &[Corner]) -> Self {
        let driven = Driven::new(lap, placed);
        let (brake_source, brakings) = match find_brakings(lap, placed) {
            Some((source, brakings)) => (Some(source), brakings),
            None => (None, Vec::new()),
        };
        let next = corners.iter().skip(1).map(|next| next.entry_m).chain([placed.length_m]);
        let mut before_m = 0.0_f64;
        let rows = corners.iter().zip(next).map(|(corner, next_m)| {
            let approach_m = (corner.entry_m - APPROACH_M).max(before_m);
            before_m = corner.apex_m;
            driven.row(corner, approach_m, next_m, &brakings)
        });
        Self { brake_source, rows: rows.collect() }
    }
}

/// A lap's channels as the table wants them.
struct Driven<'a> {
    placed: &'a Placed,
    clocks: &'a [f64],
    speed: Option<Vec<f64>>,
    throttle: Option<Vec<f64>>,
    brake: Option<Vec<f64>>,
    gear: Option<Vec<f64>>,
}

impl<'a> Driven<'a> {
    fn new(lap: &'a LapColumns<'_>, placed: &'a Placed) -> Self {
        let values = |channel: Channel| lap.values(channel.slot());
        Self {
            placed,
            clocks: lap.clock_s(),
            speed: values(Channel::Speed),
            throttle: values(Channel::Throttle),
            brake: values(Channel::Brake),
            gear: values(Channel::Gear),
        }
    }

    /// What the lap did in a corner whose approach begins at a place.
    fn row(&self, corner: &Corner, approach_m: f64, next_m: f64, brakings: &[Braking]) -> CornerRow {
        let mut row = CornerRow { number: corner.number, ..CornerRow::default() };
        let braking = braking_for(corner, approach_m, brakings);
        if let Some(braking) = braking {
            row.brake_on_m = Some(braking.on_m);
            row.before_apex_m = Some(corner.apex_m - braking.on_m);
            (row.peak, row.peak_m) = (braking.peak, Some(braking.peak_m));
            row.release_m = Some(braking.release_m);
            row.trail_m = Some((braking.release_m - corner.entry_m).max(0.0));
        }
        let inside = self.rows(corner.entry_m, corner.exit_m);
        let speed = |row: usize| self.speed.as_ref()?.get(row).copied();
        let slowest = inside.clone().filter_map(|row| Some((row, speed(row)?)));
        if let Some((slowest, min_ms)) = slowest.min_by(|(_, a), (_, b)| a.total_cmp(b)) {
            (row.min_ms, row.min_m) = (Some(min_ms), self.placed.distance_m.get(slowest).copied());
            row.gear = self.gear.as_ref().and_then(|gears| gears.get(slowest)).map(|gear| *gear as i32);
        }
        row.exit_ms = inside.clone().next_back().and_then(speed);
        let behind_m = (corner.exit_m + BEHIND_M).min(next_m).max(corner.exit_m);
        if let Some(throttle) = &self.throttle {
            let after_m = braking.map_or(corner.entry_m, |braking| braking.peak_m.max(approach_m));
            let mut watched = self.rows(after_m, behind_m);
            let lifted = watched.find(|row| throttle.get(*row).is_some_and(|pedal| *pedal < ON));
            if lifted.is_some() {
                // Blips for lower gears are given on the brake, or between two touches of it.
                let braked = |row: &usize| {
                    let brake = self.brake.as_ref().and_then(|brake| brake.get(*row));
                    brake.is_some_and(|pedal| *pedal >= OFF)
                };
                let last_braked = self.rows(after_m, corner.apex_m).rev().find(braked);
                let on = watched.find(|row| {
                    let behind = last_braked.is_none_or(|last| *row > last) && !braked(row);
                    behind && self.stays_on(throttle, *row)
                });
                row.throttle_on_m = on.and_then(|row| self.crossing(throttle, row, ON));
                let full = on
                    .into_iter()
                    .chain(watched)
                    .find(|row| throttle.get(*row).is_some_and(|pedal| *pedal >= FULL));
                row.full_throttle_m = full.and_then(|row| self.crossing(throttle, row, FULL));
            }
        }
        row.lift_m = braking.and_then(|braking| self.lift_m(braking.on_m, approach_m));
        let from_m = row.lift_m.or(row.brake_on_m).unwrap_or(corner.entry_m).min(corner.entry_m);
        row.coasting_s = self.coasting_s(from_m, corner.exit_m);
        let clock = |place: f64| self.placed.clock_at(place);
        row.seconds = clock(corner.exit_m).zip(clock(corner.entry_m)).map(|(to, from)| to - from);
        row
    }

    /// The rows between two places.
    fn rows(&self, from_m: f64, to_m: f64) -> std::ops::Range<usize> {
        let places = &self.placed.distance_m;
        places.partition_point(|place| *place < from_m)..places.partition_point(|place| *place <= to_m)
    }

    /// Whether the throttle is on in a row, and not released again at once.
    fn stays_on(&self, throttle: &[f64], row: usize) -> bool {
        let Some(since) = self.clocks.get(row) else { return false };
        let until = self.clocks.partition_point(|clock| *clock < since + TOUCH_S);
        let held = throttle.get(row..until).unwrap_or_default();
        held.first().is_some_and(|pedal| *pedal >= ON) && held.iter().all(|pedal| *pedal >= OFF)
    }

    /// Where a pedal rose past a level between a row and the one before it.
    fn crossing(&self, pedal: &[f64], row: usize, level: f64) -> Option<f64> {
        let places = &self.placed.distance_m;
        let to_m = *places.get(row)?;
        let before = row.checked_sub(1).and_then(|before| Some((*places.get(before)?, *pedal.get(before)?)));
        let to = *pedal.get(row)?;
        let Some((from_m, from)) = before.filter(|(_, from)| *from < level && to > level) else {
            return Some(to_m);
        };
        Some(from_m + (to_m - from_m) * (level - from) / (to - from))
    }

    /// Where the throttle was released before a braking, looked for back to a place; where it was not before, it was with
    /// the brake.
    fn lift_m(&self, brake_on_m: f64, approach_m: f64) -> Option<f64> {
        let throttle = self.throttle.as_ref()?;
        let before = self.rows(approach_m, brake_on_m).rev();
        let off = before.take_while(|row| throttle.get(*row).is_some_and(|pedal| *pedal < ON)).last();
        let Some(off) = off else { return Some(brake_on_m) };
        let place = |row: usize| self.placed.distance_m.get(row).copied().zip(throttle.get(row).copied());
        let (to_m, to) = place(off)?;
        let pressed = off.checked_sub(1).and_then(place).filter(|(_, from)| *from > ON);
        Some(pressed.map_or(to_m, |(from_m, from)| from_m + (to_m - from_m) * (from - ON) / (from - to)))
    }

    /// How long neither pedal was pressed between two places; `None` where the game tells only one of them.
    fn coasting_s(&self, from_m: f64, to_m: f64) -> Option<f64> {
        let (throttle, brake) = (self.throttle.as_ref()?, self.brake.as_ref()?);
        let off = |pedal: &[f64], row: usize| pedal.get(row).is_some_and(|pedal| *pedal < OFF);
        let rows = self.rows(from_m, to_m).filter(|row| off(throttle, *row) && off(brake, *row));
        let long = |row: usize| {
            let (from, to) = (self.clocks.get(row)?, self.clocks.get(row + 1)?);
            // A hole in the packets tells of nothing.
            Some((to - from).min(0.2))
        };
        Some(rows.filter_map(long).fold(0.0, |sum, long| sum + long))
    }
}

/// The braking for a corner: of those that began on its approach or within it before the apex, the hardest.
fn braking_for<'a>(corner: &Corner, approach_m: f64, brakings: &'a [Braking]) -> Option<&'a Braking> {
    let own = brakings.iter().filter(|braking| (approach_m..corner.apex_m).contains(&braking.on_m));
    let hard = |braking: &Braking| braking.peak.unwrap_or(braking.release_m - braking.on_m);
    own.max_by(|a, b| hard(a).total_cmp(&hard(b)))
}
