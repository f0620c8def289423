//! Places for laps of which no positions are told.

use super::{LONGEST_M, Method};
use crate::analysis::LapColumns;
use crate::model::Channel;

/// What is made of a lap without positions.
pub(super) struct Measured {
    pub(super) method: Method,
    pub(super) residual_m: f64,
    pub(super) distance_m: Vec<f64>,
}

/// The share of the lap is that of the lap before where it is still this large so shortly behind the line.
const OLD_SHARE: f64 = 0.9;
const SHORTLY_S: f64 = 3.0;

/// Places each row by the share of the lap, else the game's distance, else the speed, else the time.
pub(super) fn measure(lap: &LapColumns<'_>, length_m: f64) -> Measured {
    let driven = driven_m(lap);
    let end = |values: &[f64]| values.last().copied().filter(|end| *end > 0.0);
    if let Some(shares) = shares(lap) {
        let distance_m: Vec<f64> = shares.iter().map(|share| share * length_m).collect();
        let residual_m = driven.as_ref().map_or(0.0, |driven| apart(&distance_m, driven));
        return Measured { method: Method::Share, residual_m, distance_m };
    }
    let told = lap.values(Channel::LapDistance.slot());
    let (method, values) = match (told, &driven) {
        (Some(told), _) if end(&told).is_some() => (Method::Distance, told),
        (_, Some(driven)) if end(driven).is_some() => (Method::Speed, driven.clone()),
        _ => (Method::Fraction, lap.clock_s().to_vec()),
    };
    // What was driven in the whole lap, not only until its last row.
    let whole = match method {
        Method::Fraction => lap.seconds(),
        _ => whole(lap, &values),
    };
    let scale = if whole > 0.0 { length_m / whole } else { 0.0 };
    let distance_m: Vec<f64> = values.iter().map(|value| value * scale).collect();
    let residual_m = driven.as_ref().map_or(0.0, |driven| apart(&distance_m, driven));
    Measured { method, residual_m, distance_m }
}

/// How long the lap is, as far as the game tells metres or a speed.
pub(super) fn length_m(lap: &LapColumns<'_>) -> Option<f64> {
    let told = lap.values(Channel::LapDistance.slot()).or_else(|| driven_m(lap))?;
    Some(whole(lap, &told)).filter(|length| *length > 0.0 && *length < LONGEST_M)
}

/// What a measure comes to at the lap's end: led on from its last rows to the official time.
fn whole(lap: &LapColumns<'_>, values: &[f64]) -> f64 {
    let clocks = lap.clock_s();
    let last = clocks.last().copied().zip(values.last().copied());
    let (Some((clock, value)), before) = (last, values.len().saturating_sub(10)) else { return 0.0 };
    let from = clocks.get(before).copied().zip(values.get(before).copied());
    let rate = from
        .filter(|(from_s, _)| *from_s < clock)
        .map_or(0.0, |(from_s, from)| (value - from) / (clock - from_s));
    value + rate * (lap.seconds() - clock).clamp(0.0, 1.0)
}

/// The share of the lap in each row. At the line it can still be that of the lap before, or already that of the next.
fn shares(lap: &LapColumns<'_>) -> Option<Vec<f64>> {
    let slot = [Channel::LapShare, Channel::StageProgress]
        .map(Channel::slot)
        .into_iter()
        .find(|slot| lap.has(*slot))?;
    let mut shares = lap.values(slot)?;
    let long_s = lap.seconds();
    for (share, clock) in shares.iter_mut().zip(lap.clock_s()) {
        if *clock < SHORTLY_S && *share > OLD_SHARE {
            *share -= 1.0;
        } else if *clock > long_s - SHORTLY_S && *share < 1.0 - OLD_SHARE {
            *share += 1.0;
        }
    }
    Some(shares)
}

/// The metres driven from the line to each row, by the car's speed.
fn driven_m(lap: &LapColumns<'_>) -> Option<Vec<f64>> {
    let speeds = lap.values(Channel::Speed.slot())?;
    let mut before: Option<(f64, f64)> = None;
    let mut far = 0.0;
    let rows = speeds.iter().zip(lap.clock_s()).map(|(speed, clock)| {
        // From the line to the first row the speed is taken to be that row's.
        let (from, from_s) = before.replace((*speed, *clock)).unwrap_or((*speed, 0.0));
        far += (from + speed) / 2.0 * (clock - from_s).max(0.0);
        far
    });
    Some(rows.collect())
}

/// By how much two measures differ once they are brought to the same length, root of the mean square.
fn apart(one: &[f64], other: &[f64]) -> f64 {
    let (Some(end), Some(other_end)) = (one.last(), other.last().filter(|end| **end > 0.0)) else {
        return 0.0;
    };
    let scale = end / other_end;
    let squares: f64 = one.iter().zip(other).map(|(a, b)| (a - b * scale).powi(2)).sum();
    (squares / one.len().max(1) as f64).sqrt()
}
