//! The interval of a difference between two means.

use serde::Serialize;

use super::laps::LapMean;

/// The normal deviation that 95 % of the values lie within.
const NORMAL_95: f64 = 1.959_963_984_540_054;

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

/// Student's t for a 95 % interval, by the Cornish–Fisher expansion: within 0.2 % from three degrees of freedom on.
fn t_95(degrees: f64) -> f64 {
    let (z, n) = (NORMAL_95, degrees.max(1.0));
    let terms = [
        (z.powi(3) + z) / 4.0,
        (5.0 * z.powi(5) + 16.0 * z.powi(3) + 3.0 * z) / 96.0,
        (3.0 * z.powi(7) + 19.0 * z.powi(5) + 17.0 * z.powi(3) - 15.0 * z) / 384.0,
        (79.0 * z.powi(9) + 776.0 * z.powi(7) + 1482.0 * z.powi(5) - 1920.0 * z.powi(3) - 945.0 * z)
            / 92_160.0,
    ];
    // Horner's rule in 1/n.
    z + terms.iter().rev().fold(0.0, |sum, term| (sum + term) / n)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn student_s_t_is_that_of_the_tables() {
        let table =
            [(3.0, 3.1824), (5.0, 2.5706), (10.0, 2.2281), (22.0, 2.0739), (60.0, 2.0003), (1e9, 1.96)];
        for (degrees, expected) in table {
            assert!((t_95(degrees) / expected - 1.0).abs() < 2e-3, "{degrees}: {}", t_95(degrees));
        }
    }

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
