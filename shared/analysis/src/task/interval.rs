//! The interval of a difference between two means.

use serde::Serialize;

use super::laps::LapMean;
use crate::statistics::t_95;

/// A change from some laps to others, with its 95 % interval.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Change {
    /// The later laps' mean minus the earlier ones'.
    pub by: f64,
    /// The lower end of the interval.
    pub low: f64,
    /// The upper end of the interval.
    pub high: f64,
}

impl Change {
    /// The change between two means, by Welch's t interval. `None` for fewer than two laps on either side.
    pub fn between(before: &LapMean, after: &LapMean) -> Option<Self> {
        let half = half_width(before, after)?;
        let by = after.mean - before.mean;
        (by.is_finite() && half.is_finite()).then_some(Self { by, low: by - half, high: by + half })
    }
}

/// Half the width of the interval.
pub(super) fn half_width(before: &LapMean, after: &LapMean) -> Option<f64> {
    if before.laps < 2 || after.laps < 2 {
        return None;
    }
    let part = |mean: &LapMean| mean.deviation.powi(2) / f64::from(mean.laps);
    let [a, b] = [before, after].map(part);
    let variance = a + b;
    let freedom = |mean: &LapMean, part: f64| part.powi(2) / f64::from(mean.laps - 1);
    let divisor = freedom(before, a) + freedom(after, b);
    // All laps alike: there is no spread to be unsure about.
    let degrees = if divisor > 0.0 { variance.powi(2) / divisor } else { f64::MAX };
    Some(t_95(degrees) * variance.sqrt())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_interval_needs_two_laps_on_each_side() {
        let twelve = |mean: f64| LapMean { laps: 12, mean, deviation: 0.07 };
        let change = Change::between(&twelve(8.0), &twelve(7.9)).expect("a change");
        assert!((change.by + 0.1).abs() < 1e-9, "{change:?}");
        // 2.0739 · 0.07 · √(2/12)
        assert!((change.high - change.by - 0.059_27).abs() < 1e-4, "{change:?}");
        let one = LapMean { laps: 1, mean: 8.0, deviation: 0.0 };
        assert_eq!(Change::between(&one, &twelve(8.0)), None);
        let alike = LapMean { laps: 3, mean: 8.0, deviation: 0.0 };
        assert_eq!(Change::between(&alike, &alike), Some(Change { by: 0.0, low: 0.0, high: 0.0 }));
    }
}
