//! What a lap did in each corner: one row a corner.

use serde::Serialize;

use super::braking::{BrakeSource, Braking, find_brakings};
use super::driver_inputs::DriverInputs;
use super::find::Corner;
use crate::analysis::{LapColumns, PlacedLap};

/// A braking that began further before a corner's entry than this was not for it, metres.
const APPROACH_M: f64 = 320.0;
/// A corner's exit is watched for the throttle so far behind its end, metres.
const BEHIND_M: f64 = 80.0;

/// One corner in one lap. Places are metres from the line at which laps begin; what the game does not tell is `None`.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct CornerRow {
    /// The corner's number.
    pub number: u16,
    /// Where the foot came off the throttle: before the brake came on, or with it, or without it.
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
    /// How far the brake was trailed into the corner: from where the line bends, or the brake came on behind that, to the
    /// release.
    pub trail_m: Option<f64>,
    /// The lowest speed in the bend, from where it was braked for, m/s; where it was not, from where the car was fastest before
    /// the apex.
    pub min_ms: Option<f64>,
    /// Where that was.
    pub min_m: Option<f64>,
    /// The gear there.
    pub gear: Option<i32>,
    /// Whether it was driven with all of the throttle from entry to exit.
    pub flat: Option<bool>,
    /// The speed at the entry, m/s.
    pub entry_ms: Option<f64>,
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
    /// The electrical energy spent from the entry to that of the next corner, joules.
    pub electric_j: Option<f64>,
    /// Over how many metres of that the rear wing was open.
    pub drs_m: Option<f64>,
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
    pub fn of(lap: &LapColumns<'_>, placed: &PlacedLap, corners: &[Corner]) -> Self {
        let inputs = DriverInputs::new(lap, placed);
        let (brake_source, brakings) = match find_brakings(lap, placed) {
            Some((source, brakings)) => (Some(source), brakings),
            None => (None, Vec::new()),
        };
        let next = corners.iter().skip(1).map(|next| next.entry_m).chain([placed.length_m]);
        let mut way = Approach { approach_m: 0.0, before_m: 0.0, next_m: 0.0 };
        let rows = corners.iter().zip(next).map(|(corner, next_m)| {
            way.approach_m = (corner.entry_m - APPROACH_M).max(way.approach_m);
            way.next_m = next_m;
            let row = CornerRow::of(&inputs, corner, &way, &brakings);
            (way.approach_m, way.before_m) = (corner.apex_m, corner.exit_m);
            row
        });
        Self { brake_source, rows: rows.collect() }
    }
}

/// The way to a corner and behind it.
struct Approach {
    /// From where on a braking is for it.
    approach_m: f64,
    /// Where the corner before ends.
    before_m: f64,
    /// Where the next one begins.
    next_m: f64,
}

impl CornerRow {
    /// What a lap did in a corner.
    fn of(inputs: &DriverInputs<'_>, corner: &Corner, way: &Approach, brakings: &[Braking]) -> Self {
        let Approach { approach_m, before_m, next_m } = *way;
        let Corner { number, entry_m, apex_m, exit_m, .. } = *corner;
        let mut row = Self { number, ..Self::default() };
        let braking = braking_for(corner, approach_m, brakings);
        if let Some(braking) = braking {
            row.brake_on_m = braking.on_m;
            row.before_apex_m = braking.on_m.map(|on_m| apex_m - on_m);
            row.release_m = braking.release_m;
            // Of a braking that was heard in part, the rest may have been harder.
            let whole = braking.on_m.zip(braking.release_m);
            row.trail_m = whole.map(|(on_m, release_m)| (release_m - on_m.max(entry_m)).max(0.0));
            row.peak = braking.peak.filter(|_| whole.is_some());
            row.peak_m = whole.map(|_| braking.peak_m);
        }
        row.lift_m = match braking {
            Some(braking) => braking.on_m.and_then(|on_m| inputs.lift_before(on_m, approach_m)),
            // Behind the apex of the corner before, and still in it, it was not for this one.
            None => inputs.lift_between(approach_m.max(before_m), apex_m),
        };
        row.flat =
            inputs.is_flat(entry_m, exit_m).map(|flat| flat && braking.is_none() && row.lift_m.is_none());
        // Until it was slowed for this corner the car may still be on its way out of the one before, and from where it is
        // braked for the next one it is on its way there.
        let slowed_m = braking.map(|braking| braking.from_m).or_else(|| inputs.fastest_m(entry_m, apex_m));
        let slowed_m = slowed_m.unwrap_or(entry_m).max(entry_m);
        let next = brakings.iter().map(|braking| braking.from_m).find(|from_m| *from_m > apex_m);
        let until_m = next.unwrap_or(exit_m).min(exit_m);
        if let Some((min_ms, min_m, gear)) =
            inputs.slowest(slowed_m, until_m).filter(|_| inputs.is_covered(entry_m, until_m))
        {
            (row.min_ms, row.min_m, row.gear) = (Some(min_ms), Some(min_m), gear);
        }
        row.entry_ms = inputs.speed_at(entry_m);
        row.exit_ms = inputs.speed_at(exit_m);
        row.electric_j = inputs.electric_j(entry_m, next_m);
        row.drs_m = inputs.drs_m(entry_m, next_m);
        let behind_m = (exit_m + BEHIND_M).min(next_m).max(exit_m);
        let after_m = braking.map_or(entry_m, |braking| braking.peak_m.max(approach_m));
        [row.throttle_on_m, row.full_throttle_m] = inputs.throttle_on(after_m, apex_m, behind_m);
        if braking.is_none_or(|braking| braking.on_m.is_some()) {
            let from_m = row.lift_m.or(row.brake_on_m).unwrap_or(entry_m).min(entry_m);
            row.coasting_s = inputs.coasting_s(from_m, exit_m);
        }
        row.seconds = inputs.clock_at(exit_m).zip(inputs.clock_at(entry_m)).map(|(to, from)| to - from);
        row
    }
}

/// The braking for a corner: of those that began on its approach or within it before the apex, the hardest.
fn braking_for<'a>(corner: &Corner, approach_m: f64, brakings: &'a [Braking]) -> Option<&'a Braking> {
    let own = brakings.iter().filter(|braking| (approach_m..corner.apex_m).contains(&braking.from_m));
    let hard = |braking: &Braking| braking.peak.unwrap_or(braking.to_m - braking.from_m);
    own.max_by(|a, b| hard(a).total_cmp(&hard(b)))
}
