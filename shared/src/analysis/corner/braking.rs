//! Where a lap braked: by the pedal, and where no pedal is told, by how the car slows.

use serde::{Deserialize, Serialize};

use crate::analysis::coverage::silence_s;
use crate::analysis::{BrakeWatch, LapColumns, PlacedLap, statistics};
use crate::model::Channel;

/// Pedal travel at which the brake counts as on, where it is read between two samples.
const ON: f64 = 0.05;
/// A pedal without this slowing is a foot that rests: mean over the braking, m/s².
const SLOWS: f64 = 2.5;
/// Without a pedal, braking begins and ends where the car slows by this much, m/s².
const SLOWING_ON: f64 = 5.0;
const SLOWING_OFF: f64 = 2.5;
/// The air slows a car whose driver only lifts, the faster it is the more: braking slows it by more than at its beginning, m/s², by so much
/// at so much, m/s.
const AIR: f64 = 3.0;
const AIR_AT_MS: f64 = 90.0;
/// And it goes on for at least so long, seconds.
const SLOWING_S: f64 = 0.2;
/// Where speeds come more seldom than this, brake points can't be read from them, seconds.
const COARSE_S: f64 = 0.075;
/// How far to either side a speed's change is taken over, seconds.
const CHANGE_S: f64 = 0.1;

/// What tells that the brake was on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum BrakeSource {
    /// The pedal.
    Pedal,
    /// How the car slowed, since the game tells no pedal.
    Slowing,
}

/// One braking of a lap, in metres from the line at which laps begin.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Braking {
    /// Where the brake came on; `None` where it was on already when the lap was first heard, or again.
    pub on_m: Option<f64>,
    /// From where on it was heard to be on.
    pub from_m: f64,
    /// The most that it was pressed, 0 to 1; `None` where no pedal is told.
    pub peak: Option<f64>,
    /// Where that was, or where the car slowed most.
    pub peak_m: f64,
    /// Until where it was heard to be on.
    pub to_m: f64,
    /// Where it was released; `None` where the lap was not heard until then.
    pub release_m: Option<f64>,
    /// The speed when it came on, m/s, where the game tells speeds.
    pub on_speed_ms: Option<f64>,
}

/// The brakings of a lap in the order in which they were driven, and what tells of them; `None` where nothing does.
pub fn find_brakings(lap: &LapColumns<'_>, placed: &PlacedLap) -> Option<(BrakeSource, Vec<Braking>)> {
    let speeds = lap.values(Channel::Speed.slot());
    if let Some(pedal) = lap.values(Channel::Brake.slot()) {
        return Some((BrakeSource::Pedal, pedalled(lap, placed, &pedal, speeds.as_deref())));
    }
    // Ten times a second says that the car slowed, and not from where on.
    (interval_s(lap)? <= COARSE_S).then_some((BrakeSource::Slowing, slowed(lap, placed, &speeds?)))
}

/// How long it usually is from one row to the next, seconds.
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
    let braking = |zone: crate::analysis::BrakingZone| {
        let start_m = f64::from(zone.start_m);
        // The watch takes the first sample with the pedal down; it came on between that one and the one before.
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
        let on_m = began(clocks, silence_s, row);
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

/// Whether the row before was heard, so that what a row tells for the first time began there.
fn began(clocks: &[f64], silence_s: f64, row: usize) -> bool {
    let before = row.checked_sub(1).and_then(|before| clocks.get(before));
    before.zip(clocks.get(row)).is_some_and(|(before, now)| now - before <= silence_s)
}

/// Where the pedal passed [`ON`] between a row and the one before it.
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
        let heard = began(clocks, silence_s, row);
        if let Some((braking, most, since)) = under_way.take_if(|_| !heard)
            && clock - since >= SLOWING_S
            && is_brake(&braking, most)
        {
            brakings.push(braking);
        }
        under_way = match under_way {
            None if slowing > SLOWING_ON => {
                let braking = Braking {
                    on_m: heard.then_some(place),
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

/// Whether a car slowed by more than the air alone does at its speed.
fn is_brake(braking: &Braking, most: f64) -> bool {
    let air = AIR * (braking.on_speed_ms.unwrap_or_default() / AIR_AT_MS).powi(2);
    most > SLOWING_ON + air
}

/// How much the speed falls around a row, m/s².
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
