//! Several laps through one corner: mean times and measures, and how many hit the target.

use serde::{Deserialize, Serialize};

use super::mark::TaskMark;
use super::pass::{CornerPass, PassValue};
use super::target::TaskTarget;
use crate::statistics;

/// A lap that is slower than the median by more than this many deviations was a mistake, and by this part of the time.
const DEVIATIONS: f64 = 4.0;
const LEAST_SHARE: f64 = 0.02;

/// The mean of a number over some laps.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct LapMean {
    /// The number of laps.
    pub laps: u32,
    /// The mean.
    pub mean: f64,
    /// The standard deviation; 0 for fewer than two laps.
    pub deviation: f64,
}

/// Some laps through a corner.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct CornerLaps {
    /// Seconds through the corner's section, without mistakes.
    pub time_s: LapMean,
    /// The task's measure in the same laps.
    pub value: LapMean,
    /// Laps with a mistake: an excursion, or far slower than the others.
    pub mistakes: u32,
}

/// Laps that were driven with a task.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct TaskLaps {
    /// Laps that hit the target.
    pub hits: u32,
    /// Laps that were near.
    pub nears: u32,
    /// Laps that missed it.
    pub misses: u32,
    /// Their times and measures.
    pub laps: CornerLaps,
}

impl LapMean {
    /// The mean of some values.
    pub fn of(values: &[f64]) -> Self {
        let laps = values.len() as u32;
        let count = f64::from(laps);
        if laps == 0 {
            return Self::default();
        }
        let mean = values.iter().sum::<f64>() / count;
        let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
        let deviation = if laps > 1 { (squares / (count - 1.0)).sqrt() } else { 0.0 };
        Self { laps, mean, deviation }
    }

    /// The mean of both sets of laps.
    pub fn together(&self, other: &Self) -> Self {
        let laps = self.laps.saturating_add(other.laps);
        if laps == 0 {
            return Self::default();
        }
        let [own, theirs] = [self, other].map(|one| f64::from(one.laps));
        let count = own + theirs;
        let mean = (own * self.mean + theirs * other.mean) / count;
        let squares = |one: &Self| {
            let within = one.deviation.powi(2) * f64::from(one.laps.saturating_sub(1));
            within + f64::from(one.laps) * (one.mean - mean).powi(2)
        };
        let sum = squares(self) + squares(other);
        let deviation = if laps > 1 { (sum / (count - 1.0)).sqrt() } else { 0.0 };
        Self { laps, mean, deviation }
    }

    /// Whether these can be the numbers of some laps.
    pub fn is_possible(&self) -> bool {
        self.mean.is_finite() && self.deviation.is_finite() && self.deviation >= 0.0
    }
}

impl CornerLaps {
    /// Sums up laps. A mistake stays out of the means, but is counted.
    pub fn of(passes: &[CornerPass]) -> Self {
        let timed: Vec<(f64, PassValue, bool)> =
            passes.iter().filter_map(|pass| Some((pass.seconds?, pass.value, pass.has_excursion))).collect();
        let on_track: Vec<f64> =
            timed.iter().filter(|(.., aside)| !aside).map(|(seconds, ..)| *seconds).collect();
        let slowest_s = slowest_s(&on_track);
        let clean = || timed.iter().filter(|(seconds, _, aside)| !aside && *seconds <= slowest_s);
        let times: Vec<f64> = clean().map(|(seconds, ..)| *seconds).collect();
        let known = |value: PassValue| if let PassValue::Known(value) = value { Some(value) } else { None };
        let values: Vec<f64> = clean().filter_map(|(_, value, _)| known(*value)).collect();
        let mistakes = timed.len().saturating_sub(times.len()) as u32;
        Self { time_s: LapMean::of(&times), value: LapMean::of(&values), mistakes }
    }

    /// Both sets of laps, such as those of two recordings.
    pub fn together(&self, other: &Self) -> Self {
        Self {
            time_s: self.time_s.together(&other.time_s),
            value: self.value.together(&other.value),
            mistakes: self.mistakes.saturating_add(other.mistakes),
        }
    }

    /// Whether these can be the numbers of some laps.
    pub fn is_possible(&self) -> bool {
        self.time_s.is_possible() && self.time_s.mean >= 0.0 && self.value.is_possible()
    }
}

/// Slower laps were mistakes, seconds.
fn slowest_s(times: &[f64]) -> f64 {
    let middle = statistics::median(times).zip(statistics::deviation(times));
    middle.map_or(f64::INFINITY, |(median, deviation)| {
        median + (DEVIATIONS * deviation).max(LEAST_SHARE * median)
    })
}

impl TaskLaps {
    /// Marks laps and sums them up.
    pub fn of(target: &TaskTarget, passes: &[CornerPass]) -> Self {
        let marks = || passes.iter().filter_map(|pass| Some(target.mark(pass.value)?.mark));
        let count = |mark: TaskMark| marks().filter(|one| *one == mark).count() as u32;
        Self {
            hits: count(TaskMark::Hit),
            nears: count(TaskMark::Near),
            misses: count(TaskMark::Miss),
            laps: CornerLaps::of(passes),
        }
    }

    /// The number of marked laps.
    pub fn marked(&self) -> u32 {
        self.hits.saturating_add(self.nears).saturating_add(self.misses)
    }

    /// Both sets of laps, such as those of two recordings.
    pub fn together(&self, other: &Self) -> Self {
        Self {
            hits: self.hits.saturating_add(other.hits),
            nears: self.nears.saturating_add(other.nears),
            misses: self.misses.saturating_add(other.misses),
            laps: self.laps.together(&other.laps),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::task::TaskMeasure;

    fn pass(seconds: f64, value: f64) -> CornerPass {
        CornerPass { seconds: Some(seconds), value: PassValue::Known(value), has_excursion: false }
    }

    #[test]
    fn a_mistake_is_counted_and_moves_nothing() {
        let usual: Vec<CornerPass> =
            (0..9).map(|lap| pass(8.0 + f64::from(lap) * 0.01, 400.0 + f64::from(lap))).collect();
        let steady = CornerLaps::of(&usual);
        let mut worse = usual.clone();
        worse.push(pass(9.4, 430.0));
        worse.push(CornerPass { has_excursion: true, ..pass(8.02, 431.0) });
        worse.push(CornerPass { seconds: None, ..pass(0.0, 5.0) });
        assert_eq!(CornerLaps::of(&worse), CornerLaps { mistakes: 2, ..steady });
        assert_eq!((steady.time_s.laps, steady.value.mean), (9, 404.0));
    }

    #[test]
    fn laps_are_marked_and_counted() {
        let target = TaskTarget::new(TaskMeasure::BrakePoint, 400.0);
        let mut passes: Vec<CornerPass> = [399.0, 401.0, 406.0, 420.0].map(|value| pass(8.0, value)).into();
        passes.push(CornerPass { value: PassValue::Missing, ..pass(8.0, 0.0) });
        let laps = TaskLaps::of(&target, &passes);
        assert_eq!((laps.hits, laps.nears, laps.misses, laps.marked()), (2, 1, 1, 4));
        assert_eq!(CornerLaps::of(&[]), CornerLaps::default());
    }

    proptest! {
        #[test]
        fn two_parts_have_the_mean_of_the_whole(values in prop::collection::vec(-1e3_f64..1e3, 0..30), cut in 0..30_usize) {
            let (one, other) = values.split_at(cut.min(values.len()));
            let (both, whole) = (LapMean::of(one).together(&LapMean::of(other)), LapMean::of(&values));
            prop_assert_eq!(both.laps, whole.laps);
            prop_assert!((both.mean - whole.mean).abs() < 1e-9);
            prop_assert!((both.deviation - whole.deviation).abs() < 1e-6);
        }
    }
}
