//! Whether a task paid off.

use serde::Serialize;
use trailbrake_model::number::{count, write};
use trailbrake_model::units::Units;

use super::interval::{Change, half_width};
use super::laps::{CornerLaps, LapMean, TaskLaps};
use super::target::TaskTarget;

/// A mean needs this many laps.
const LEAST_LAPS: u32 = 4;
/// A task is followed if this part of its laps hit the target.
const HIT_SHARE: f64 = 0.5;
/// A smaller gain in one corner is not worth a task, seconds.
const WORTH_S: f64 = 0.05;
/// Nobody drives more laps than this to settle it.
const MOST_MORE: u32 = 30;

/// What came of a task.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Outcome {
    /// The target was hit, and the corner is faster.
    PaidOff,
    /// The target was hit, and the corner is not faster.
    NoGain,
    /// The target was missed too often.
    NotHit,
    /// More laps are needed.
    NotEnoughLaps {
        /// How many.
        more: u32,
    },
}

/// The verdict on a task.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Verdict {
    /// What came of it.
    pub outcome: Outcome,
    /// The laps that were driven with the task.
    pub driven: TaskLaps,
    /// The change in the corner's time, seconds; negative is faster. `None` for fewer than two laps.
    pub time_s: Option<Change>,
    /// The change of the measure, in its unit.
    pub value: Option<Change>,
}

impl Verdict {
    /// Compares the laps with a task to those before it. All laps count, whether they hit the target or not: the hits
    /// alone would be the driver's better laps. `None` if the baseline has too few laps.
    pub fn of(baseline: &CornerLaps, driven: &TaskLaps, wanted: u32) -> Option<Self> {
        if baseline.time_s.laps < LEAST_LAPS || !baseline.is_possible() {
            return None;
        }
        let outcome = outcome(&baseline.time_s, driven, wanted);
        let time_s = Change::between(&baseline.time_s, &driven.laps.time_s);
        let value = Change::between(&baseline.value, &driven.laps.value);
        Some(Self { outcome, driven: *driven, time_s, value })
    }

    /// Whether most laps hit the target and the corner is faster so far, though that may not be certain yet.
    pub fn is_improving(&self) -> bool {
        let is_known = self.driven.laps.time_s.laps >= LEAST_LAPS;
        is_known && is_followed(&self.driven) && self.time_s.is_some_and(|change| change.by < 0.0)
    }

    /// The verdict in one sentence.
    pub fn sentence(&self, target: &TaskTarget, units: &Units) -> String {
        let measure = target.measure;
        let hits = format!("Hit {} of {}", self.driven.hits, count(self.driven.marked(), "lap", "laps"));
        let value = self.value.and_then(|value| measure.difference(value.by, units, measure.change_words()));
        let value = value.map(|words| format!("{} {words}", measure.label()));
        let time = self.time_s.map(|change| {
            // Gains are positive, as drivers say them.
            let [low, high] = [-change.high, -change.low];
            let (by, low, high, words) = match change.by <= 0.0 {
                true => (-change.by, low, high, "gained"),
                false => (change.by, change.low, change.high, "lost"),
            };
            format!("{} s {words} ({} to {})", write(by, 2), write(low, 2), write(high, 2))
        });
        let parts: Vec<String> = [Some(hits), value, time].into_iter().flatten().collect();
        format!("{}: {}.", parts.join(", "), self.outcome)
    }
}

fn is_followed(driven: &TaskLaps) -> bool {
    f64::from(driven.hits) >= HIT_SHARE * f64::from(driven.marked())
}

fn outcome(baseline: &LapMean, driven: &TaskLaps, wanted: u32) -> Outcome {
    let (marked, timed) = (driven.marked(), &driven.laps.time_s);
    let missing = wanted.saturating_sub(marked).max(LEAST_LAPS.saturating_sub(timed.laps));
    if missing > 0 {
        return Outcome::NotEnoughLaps { more: missing };
    }
    if !is_followed(driven) {
        return Outcome::NotHit;
    }
    let Some(change) = Change::between(baseline, timed) else { return Outcome::NoGain };
    if change.high < 0.0 {
        return Outcome::PaidOff;
    }
    // The gain that is possible is not worth it.
    if -change.low < WORTH_S {
        return Outcome::NoGain;
    }
    laps_needed(baseline, timed, -change.by).map_or(Outcome::NoGain, |more| Outcome::NotEnoughLaps { more })
}

/// How many more laps settle it, with the spread and the gain seen so far. `None` if no number of laps does.
fn laps_needed(baseline: &LapMean, timed: &LapMean, gain_s: f64) -> Option<u32> {
    let wanted_s = gain_s.max(WORTH_S - gain_s);
    (1..=MOST_MORE).find(|more| {
        let then = LapMean { laps: timed.laps.saturating_add(*more), ..*timed };
        half_width(baseline, &then).is_some_and(|half_s| half_s < wanted_s)
    })
}

impl std::fmt::Display for Outcome {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::PaidOff => f.write_str("paid off"),
            Self::NoGain => f.write_str("hit, but no gain"),
            Self::NotHit => f.write_str("not hit"),
            Self::NotEnoughLaps { more } => write!(f, "not enough laps: {more} more"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::task::TaskMeasure;

    #[test]
    fn a_verdict_is_a_sentence() {
        let mean = |laps: u32, mean: f64, deviation: f64| LapMean { laps, mean, deviation };
        let corner = |laps: u32, time: f64, place: f64| CornerLaps {
            time_s: mean(laps, time, 0.07),
            value: mean(laps, place, 3.0),
            mistakes: 0,
        };
        let (target, units) = (TaskTarget::new(TaskMeasure::BrakePoint, 400.0), Units::default());
        let say = |baseline: u32, driven: &TaskLaps| {
            let verdict = Verdict::of(&corner(baseline, 8.0, 391.0), driven, 12);
            verdict.map(|verdict| verdict.sentence(&target, &units))
        };
        let driven = TaskLaps { hits: 8, nears: 3, misses: 1, laps: corner(12, 7.9, 400.0) };
        assert_eq!(
            say(12, &driven).as_deref(),
            Some("Hit 8 of 12 laps, brake point 9 m later, 0.10 s gained (0.04 to 0.16): paid off.")
        );
        let slower = TaskLaps { laps: corner(12, 8.02, 391.2), ..driven };
        assert_eq!(
            say(12, &slower).as_deref(),
            Some("Hit 8 of 12 laps, 0.02 s lost (−0.04 to 0.08): hit, but no gain.")
        );
        let begun = TaskLaps { hits: 1, laps: corner(1, 7.9, 400.0), ..TaskLaps::default() };
        assert_eq!(say(12, &begun).as_deref(), Some("Hit 1 of 1 lap: not enough laps: 11 more."));
        assert_eq!(say(3, &driven), None);
    }
}
