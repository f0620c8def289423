//! What a car can do: its acceleration at full throttle, by speed.

use trailbrake_model::Channel;

use super::channels::LedgerChannels;
use crate::statistics::{median, quantile};

/// Width of a range of speeds, m/s.
const WIDTH_MS: f64 = 2.0;
/// Number of ranges: no car is faster.
const RANGES: usize = 60;
/// Least number of samples in a range.
const LEAST: usize = 3;
/// An acceleration is measured over this time, seconds.
const OVER_S: f64 = 0.2;
/// A longer time has a gap in it, seconds.
const GAP_S: f64 = 0.45;
/// Pedal travel of full throttle, and of a brake that is off.
const FULL: f64 = 0.98;
const OFF: f64 = 0.02;
/// Without a throttle channel, a car that gains less speed is not at full throttle, m/s².
const GAINS: f64 = 0.5;
/// Without a throttle channel, this part of the samples of a range lies below full throttle.
const BELOW_FULL: f64 = 0.8;

/// The acceleration at full throttle, by speed.
#[derive(Clone, Debug, Default)]
pub(super) struct Ability {
    /// For each range of speeds, m/s². Empty if it is not known at all.
    accelerations: Vec<f64>,
}

impl Ability {
    /// Learns it from laps of one car.
    pub(super) fn learn<'a>(laps: impl Iterator<Item = &'a LedgerChannels>) -> Self {
        let mut samples: Vec<Vec<f64>> = vec![Vec::new(); RANGES];
        let mut has_throttle = false;
        for lap in laps {
            has_throttle |= collect(lap, &mut samples);
        }
        let usual = |samples: &Vec<f64>| {
            if samples.len() < LEAST {
                return None;
            }
            if has_throttle { median(samples) } else { quantile(samples, BELOW_FULL) }
        };
        Self { accelerations: fill(&samples.iter().map(usual).collect::<Vec<_>>()) }
    }

    /// The acceleration at a speed in m/s, m/s². 0 if it is not known.
    pub(super) fn at(&self, speed_ms: f64) -> f64 {
        let place = (speed_ms / WIDTH_MS - 0.5).clamp(0.0, RANGES as f64 - 1.0);
        let at = |range: usize| self.accelerations.get(range).or(self.accelerations.last()).copied();
        let (from, to) = (at(place as usize).unwrap_or_default(), at(place as usize + 1).unwrap_or_default());
        from + (to - from) * place.fract()
    }
}

/// Collects the accelerations of a lap by speed. Returns whether the game sends the throttle.
fn collect(lap: &LedgerChannels, samples: &mut [Vec<f64>]) -> bool {
    let [throttle, brake] = [Channel::Throttle, Channel::Brake].map(|channel| lap.values(channel));
    let has_throttle = throttle.is_some();
    let (Some(speeds), clocks) = (&lap.speed, &lap.clock_s) else {
        return has_throttle;
    };
    let is_full = |row: usize| {
        let throttle = throttle.as_ref().and_then(|throttle| throttle.get(row));
        let brake = brake.as_ref().and_then(|brake| brake.get(row));
        throttle.is_none_or(|pedal| *pedal >= FULL) && brake.is_none_or(|pedal| *pedal <= OFF)
    };
    // The first row of the present stretch at full throttle.
    let mut since = 0;
    for (row, (clock, speed)) in clocks.iter().zip(speeds).enumerate() {
        if !is_full(row) {
            since = row + 1;
            continue;
        }
        let before = clocks.partition_point(|before| *before <= clock - OVER_S).saturating_sub(1).max(since);
        let (Some(from_s), Some(from_ms)) = (clocks.get(before), speeds.get(before)) else { continue };
        let took_s = clock - from_s;
        if !(0.5 * OVER_S..GAP_S).contains(&took_s) {
            continue;
        }
        let acceleration = (speed - from_ms) / took_s;
        let range = (0.5 * (speed + from_ms) / WIDTH_MS) as usize;
        let gains = has_throttle || acceleration > GAINS;
        if let Some(samples) = samples.get_mut(range).filter(|_| gains && acceleration.is_finite()) {
            samples.push(acceleration);
        }
    }
    has_throttle
}

/// Averages each range with its neighbours, and interpolates ranges that no lap drove.
fn fill(known: &[Option<f64>]) -> Vec<f64> {
    let known: Vec<(usize, f64)> =
        known.iter().enumerate().filter_map(|(range, value)| Some((range, (*value)?))).collect();
    let Some(((_, first), (_, last))) = known.first().copied().zip(known.last().copied()) else {
        return Vec::new();
    };
    let at = |range: usize| {
        let after = known.partition_point(|(known, _)| *known <= range);
        match (after.checked_sub(1).and_then(|before| known.get(before)), known.get(after)) {
            (Some((from, low)), Some((to, high))) => {
                low + (high - low) * (range - from) as f64 / (to - from) as f64
            }
            (Some(_), None) => last,
            _ => first,
        }
    };
    let whole: Vec<f64> = (0..RANGES).map(at).collect();
    let around = |range: usize| {
        let near = whole.get(range.saturating_sub(1)..(range + 2).min(RANGES)).unwrap_or_default();
        near.iter().sum::<f64>() / near.len().max(1) as f64
    };
    (0..RANGES).map(around).collect()
}

#[cfg(test)]
mod tests {
    use trailbrake_model::Slot;

    use super::*;
    use crate::LapColumns;
    use crate::rows::made;

    const SPEED: Slot = Channel::Speed.slot();
    const THROTTLE: Slot = Channel::Throttle.slot();

    #[test]
    fn what_a_car_can_do_is_learnt_where_its_throttle_is_full() {
        let laps = made::laps(&[60_000]);
        // From 10 m/s: 5 m/s² until 30 m/s, then 2 m/s², the throttle half open for a second in between.
        let columns = made::columns(900, |seconds| {
            let speed = if seconds < 4.0 { 10.0 + 5.0 * seconds } else { 30.0 + 2.0 * (seconds - 4.0) };
            let throttle = if (2.0..3.0).contains(&seconds) { 0.5 } else { 1.0 };
            [(SPEED, speed as f32), (THROTTLE, throttle)]
        });
        let lap = LedgerChannels::of(&LapColumns::new(&laps[0], &columns));
        let ability = Ability::learn([&lap].into_iter());
        assert!((ability.at(15.0) - 5.0).abs() < 0.01, "{}", ability.at(15.0));
        assert!((ability.at(22.0) - 5.0).abs() < 0.01, "{}", ability.at(22.0));
        assert!((ability.at(45.0) - 2.0).abs() < 0.01, "{}", ability.at(45.0));
        assert!((ability.at(110.0) - 2.0).abs() < 0.01, "{}", ability.at(110.0));
        assert_eq!(Ability::learn([].into_iter()).at(30.0), 0.0);
    }
}
