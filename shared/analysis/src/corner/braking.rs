//! Finds braking phases, by the pedal, or without a pedal by deceleration.

use serde::{Deserialize, Serialize};
use trailbrake_model::Channel;

use crate::coverage::silence_s;
use crate::{BrakeWatch, LapColumns, PlacedLap, statistics};

/// Pedal travel at the brake point, interpolated between two samples.
pub(super) const ON: f64 = 0.05;
/// Least mean deceleration of a braking phase, m/s². With less, the foot rests on the pedal.
const SLOWS: f64 = 2.5;
/// Without a pedal, braking begins above the first deceleration and ends below the second, m/s².
const SLOWING_ON: f64 = 5.0;
const SLOWING_OFF: f64 = 2.5;
/// Air drag also slows a car that only lifts, by this much (m/s²) at this speed (m/s), growing with its square. Braking
/// must exceed [`SLOWING_ON`] by more than the drag.
const AIR: f64 = 3.0;
const AIR_AT_MS: f64 = 90.0;
/// Without a pedal, a shorter braking phase is ignored, seconds.
const SLOWING_S: f64 = 0.2;
/// At a longer sample interval, brake points can't be found from speed, seconds.
const COARSE_S: f64 = 0.075;
/// Half width over which the deceleration is measured, seconds.
const CHANGE_S: f64 = 0.1;

/// What braking phases are found by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum BrakeSource {
    /// The pedal.
    Pedal,
    /// Deceleration, since the game sends no pedal.
    Slowing,
}

/// A braking phase. Places are metres from the start line.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Braking {
    /// The brake point. `None` if the brake was on already in the first row, or after a gap.
    pub on_m: Option<f64>,
    /// The first place with data where the brake was on.
    pub from_m: f64,
    /// Peak brake, 0 to 1. `None` without a pedal.
    pub peak: Option<f64>,
    /// The place of the peak brake, or of the peak deceleration.
    pub peak_m: f64,
    /// The last place with data where the brake was on.
    pub to_m: f64,
    /// The release. `None` if data is missing there.
    pub release_m: Option<f64>,
    /// The speed at the brake point, m/s, if the game sends a speed.
    pub on_speed_ms: Option<f64>,
}

/// The braking phases of a lap in driving order, and what they were found by. `None` if there is neither a pedal nor a
/// dense enough speed.
pub fn find_brakings(lap: &LapColumns<'_>, placed: &PlacedLap) -> Option<(BrakeSource, Vec<Braking>)> {
    let speeds = lap.values(Channel::Speed.slot());
    if let Some(pedal) = lap.values(Channel::Brake.slot()) {
        return Some((BrakeSource::Pedal, pedalled(lap, placed, &pedal, speeds.as_deref())));
    }
    // Ten samples a second show that the car slowed, but not from where.
    (interval_s(lap)? <= COARSE_S).then_some((BrakeSource::Slowing, slowed(lap, placed, &speeds?)))
}

/// The median interval between rows, seconds.
fn interval_s(lap: &LapColumns<'_>) -> Option<f64> {
    let pairs = lap.clock_s().iter().zip(lap.clock_s().iter().skip(1));
    let intervals: Vec<f64> = pairs.map(|(from, to)| to - from).collect();
    statistics::median(&intervals)
}

fn pedalled(lap: &LapColumns<'_>, placed: &PlacedLap, pedal: &[f64], speeds: Option<&[f64]>) -> Vec<Braking> {
    let clocks = lap.clock_s();
    let silence_s = silence_s(clocks);
    let mut watch = BrakeWatch::default();
    let mut zones = Vec::new();
    let mut last_s = f64::INFINITY;
    for ((place, clock), brake) in placed.rows().zip(pedal) {
        if clock - last_s > silence_s {
            zones.extend(watch.finish(last_s).cloned());
        }
        zones.extend(watch.sample(place as f32, clock, *brake as f32).cloned());
        last_s = clock;
    }
    zones.extend(watch.finish(clocks.last().copied().unwrap_or_default()).cloned());
    let braking = |zone: crate::BrakingZone| {
        let start_m = f64::from(zone.start_m);
        // The watch reports the first sample with the pedal down. The brake point is between that sample and the
        // previous one.
        let row = placed.distance_m.partition_point(|place| *place < start_m - 1e-3);
        let to_m = f64::from(zone.release_m?);
        let to_row = placed.distance_m.partition_point(|place| *place < to_m - 1e-3);
        let at = |row: usize| Some((*speeds?.get(row)?, *clocks.get(row)?));
        if let Some(((from, from_s), (to, to_s))) = at(row).zip(at(to_row)) {
            let slows = (from - to) / (to_s - from_s).max(1e-3);
            if slows < SLOWS {
                return None;
            }
        }
        let released = pedal.get(to_row).is_some_and(|pedal| *pedal < ON);
        let on_m = follows_previous(clocks, silence_s, row);
        let on_m = on_m.then(|| crossing(&placed.distance_m, pedal, row).unwrap_or(start_m));
        Some(Braking {
            on_m,
            from_m: on_m.unwrap_or(start_m),
            peak: Some(f64::from(zone.peak)),
            peak_m: f64::from(zone.peak_m),
            to_m,
            release_m: released.then_some(to_m),
            on_speed_ms: at(row).map(|(speed, _)| speed),
        })
    };
    zones.into_iter().filter_map(braking).collect()
}

/// Whether there is no gap before a row.
fn follows_previous(clocks: &[f64], silence_s: f64, row: usize) -> bool {
    let before = row.checked_sub(1).and_then(|before| clocks.get(before));
    before.zip(clocks.get(row)).is_some_and(|(before, now)| now - before <= silence_s)
}

/// Where the pedal crossed [`ON`] between a row and the previous one.
fn crossing(places: &[f64], pedal: &[f64], row: usize) -> Option<f64> {
    let before = row.checked_sub(1)?;
    let (from_m, to_m) = (places.get(before)?, places.get(row)?);
    let (from, to) = (pedal.get(before)?, pedal.get(row)?);
    (*from < ON && *to > ON).then(|| from_m + (to_m - from_m) * (ON - from) / (to - from))
}

fn slowed(lap: &LapColumns<'_>, placed: &PlacedLap, speeds: &[f64]) -> Vec<Braking> {
    let clocks = lap.clock_s();
    let silence_s = silence_s(clocks);
    let mut brakings = Vec::new();
    let mut under_way: Option<(Braking, f64, f64)> = None;
    for (row, (place, clock)) in placed.rows().enumerate() {
        let slowing = slowing(clocks, speeds, row);
        let follows = follows_previous(clocks, silence_s, row);
        if let Some((braking, most, since)) = under_way.take_if(|_| !follows)
            && clock - since >= SLOWING_S
            && is_brake(&braking, most)
        {
            brakings.push(braking);
        }
        under_way = match under_way {
            None if slowing > SLOWING_ON => {
                let braking = Braking {
                    on_m: follows.then_some(place),
                    from_m: place,
                    peak: None,
                    peak_m: place,
                    to_m: place,
                    release_m: None,
                    on_speed_ms: speeds.get(row).copied(),
                };
                Some((braking, slowing, clock))
            }
            Some((braking, most, since)) if slowing < SLOWING_OFF => {
                if clock - since >= SLOWING_S && is_brake(&braking, most) {
                    brakings.push(Braking { to_m: place, release_m: Some(place), ..braking });
                }
                None
            }
            Some((braking, most, since)) if slowing > most => {
                Some((Braking { peak_m: place, to_m: place, ..braking }, slowing, since))
            }
            other => other,
        };
    }
    brakings
}

/// Whether the deceleration exceeds what air drag explains.
fn is_brake(braking: &Braking, most: f64) -> bool {
    let air = AIR * (braking.on_speed_ms.unwrap_or_default() / AIR_AT_MS).powi(2);
    most > SLOWING_ON + air
}

/// Deceleration around a row, m/s².
fn slowing(clocks: &[f64], speeds: &[f64], row: usize) -> f64 {
    let Some(now) = clocks.get(row) else { return 0.0 };
    let from = clocks.partition_point(|clock| *clock < now - CHANGE_S);
    let to = clocks.partition_point(|clock| *clock <= now + CHANGE_S).saturating_sub(1);
    let at = |row: usize| clocks.get(row).copied().zip(speeds.get(row).copied());
    match at(from).zip(at(to)) {
        Some(((from_s, from), (to_s, to))) if to_s > from_s => (from - to) / (to_s - from_s),
        _ => 0.0,
    }
}
