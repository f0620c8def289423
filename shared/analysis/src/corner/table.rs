//! The corner table of a lap: one row per corner.

use serde::Serialize;

use super::braking::{BrakeSource, Braking, find_brakings};
use super::driver_inputs::DriverInputs;
use super::find::Corner;
use super::technique::{Marks, Technique, TechniqueInputs};
use crate::{LapColumns, PlacedLap};

/// Braking that began further before a corner's entry was for something else, metres.
const APPROACH_M: f64 = 320.0;
/// The throttle is watched this far after a corner's exit, metres.
const BEHIND_M: f64 = 80.0;

/// A sample this far behind the start line still has the speed there, metres.
const AT_LINE_M: f64 = 10.0;

/// One corner of one lap. Places are metres from the start line. Without data a value is `None`.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct CornerRow {
    /// The corner's number.
    pub number: u16,
    /// The lift: before or with the brake, or without braking.
    pub lift_m: Option<f64>,
    /// The brake point.
    pub brake_on_m: Option<f64>,
    /// Its distance before the apex, metres.
    pub before_apex_m: Option<f64>,
    /// Peak brake, 0 to 1.
    pub peak: Option<f64>,
    /// The place of the peak brake.
    pub peak_m: Option<f64>,
    /// The release.
    pub release_m: Option<f64>,
    /// Length of trail braking, metres: from the entry, or from the brake point if that is after it, to the release.
    pub trail_m: Option<f64>,
    /// Minimum speed, m/s, searched from the brake point; without braking, from the fastest place before the apex.
    pub min_ms: Option<f64>,
    /// The place of the minimum speed.
    pub min_m: Option<f64>,
    /// The gear there.
    pub gear: Option<i32>,
    /// Whether the corner was driven at full throttle from entry to exit.
    pub flat: Option<bool>,
    /// Speed at the entry, m/s.
    pub entry_ms: Option<f64>,
    /// The throttle point.
    pub throttle_on_m: Option<f64>,
    /// Where the throttle was full.
    pub full_throttle_m: Option<f64>,
    /// Coasting, seconds: on neither pedal, from the lift or the entry to the exit.
    pub coasting_s: Option<f64>,
    /// Exit speed, m/s.
    pub exit_ms: Option<f64>,
    /// Seconds from entry to exit.
    pub seconds: Option<f64>,
    /// Electrical energy deployed from the entry to the next corner's entry, joules.
    pub electric_j: Option<f64>,
    /// Metres of that with DRS open.
    pub drs_m: Option<f64>,
    /// How it was driven.
    #[serde(flatten)]
    pub technique: Technique,
}

/// The corners of one lap.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CornerTable {
    /// What the braking phases were found by. `None` if there is nothing to find them by.
    pub brake_source: Option<BrakeSource>,
    /// Speed at the start line, or at the first sample a few metres behind it, m/s.
    pub line_ms: Option<f64>,
    /// A row for each corner.
    pub rows: Vec<CornerRow>,
}

impl CornerTable {
    /// The corner table of a lap.
    pub fn of(lap: &LapColumns<'_>, placed: &PlacedLap, corners: &[Corner]) -> Self {
        let inputs = DriverInputs::new(lap, placed);
        let technique = TechniqueInputs::new(lap, &inputs);
        let (brake_source, brakings) = match find_brakings(lap, placed) {
            Some((source, brakings)) => (Some(source), brakings),
            None => (None, Vec::new()),
        };
        let next = corners.iter().skip(1).map(|next| next.entry_m).chain([placed.length_m]);
        let mut way = Approach { approach_m: 0.0, before_m: 0.0, next_m: 0.0 };
        let rows = corners.iter().zip(next).map(|(corner, next_m)| {
            way.approach_m = (corner.entry_m - APPROACH_M).max(way.approach_m);
            way.next_m = next_m;
            let (mut row, marks) = CornerRow::of(&inputs, corner, &way, &brakings);
            row.technique = technique.technique(corner, &marks);
            (way.approach_m, way.before_m) = (corner.apex_m, corner.exit_m);
            row
        });
        let rows = rows.collect();
        let line_ms = inputs.speed_at(0.0).or_else(|| inputs.speed_at(AT_LINE_M));
        Self { brake_source, line_ms, rows }
    }
}

/// The stretch to a corner and after it.
struct Approach {
    /// From here on, braking is for this corner.
    approach_m: f64,
    /// The exit of the corner before.
    before_m: f64,
    /// The entry of the next corner.
    next_m: f64,
}

impl CornerRow {
    /// One corner's row, without its technique, and the places that this is measured between.
    fn of(inputs: &DriverInputs<'_>, corner: &Corner, way: &Approach, brakings: &[Braking]) -> (Self, Marks) {
        let Approach { approach_m, before_m, next_m } = *way;
        let Corner { number, entry_m, apex_m, exit_m, .. } = *corner;
        let mut row = Self { number, ..Self::default() };
        let braking = braking_for(corner, approach_m, brakings);
        if let Some(braking) = braking {
            row.brake_on_m = braking.on_m;
            row.before_apex_m = braking.on_m.map(|on_m| apex_m - on_m);
            row.release_m = braking.release_m;
            // If a part of the phase is missing, the peak may be in that part.
            let whole = braking.on_m.zip(braking.release_m);
            row.trail_m = whole.map(|(on_m, release_m)| (release_m - on_m.max(entry_m)).max(0.0));
            row.peak = braking.peak.filter(|_| whole.is_some());
            row.peak_m = whole.map(|_| braking.peak_m);
        }
        row.lift_m = match braking {
            Some(braking) => braking.on_m.and_then(|on_m| inputs.lift_before(on_m, approach_m)),
            // Before the previous corner's exit, the lift was for that corner.
            None => inputs.lift_between(approach_m.max(before_m), apex_m),
        };
        row.flat =
            inputs.is_flat(entry_m, exit_m).map(|flat| flat && braking.is_none() && row.lift_m.is_none());
        // Before it slows, the car may still accelerate out of the previous corner; once it brakes for the next corner,
        // it is past this one.
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
        let marks = Marks {
            from_m: row.lift_m.or(row.brake_on_m).unwrap_or(entry_m),
            brake_on_m: row.brake_on_m,
            peak_m: row.peak_m,
            release_m: row.release_m,
            min_m: row.min_m,
            throttle_on_m: row.throttle_on_m,
            full_throttle_m: row.full_throttle_m,
            until_m,
            behind_m,
        };
        (row, marks)
    }
}

/// The braking phase for a corner: the hardest of those that began on its approach, or in it before the apex.
fn braking_for<'a>(corner: &Corner, approach_m: f64, brakings: &'a [Braking]) -> Option<&'a Braking> {
    let own = brakings.iter().filter(|braking| (approach_m..corner.apex_m).contains(&braking.from_m));
    let hard = |braking: &Braking| braking.peak.unwrap_or(braking.to_m - braking.from_m);
    own.max_by(|a, b| hard(a).total_cmp(&hard(b)))
}
