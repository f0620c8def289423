//! Robust statistics: quantiles, deviations and slopes that one bad lap does not change.

/// Scales the median absolute deviation to the standard deviation of a normal distribution.
const DEVIATIONS: f64 = 1.482_602_218_505_602;

/// The normal deviation that 95 % of the values lie within.
const NORMAL_95: f64 = 1.959_963_984_540_054;

/// A quantile of the values, interpolated linearly. Values that are not finite are ignored.
pub fn quantile(values: &[f64], share: f64) -> Option<f64> {
    let mut sorted: Vec<f64> = values.iter().copied().filter(|value| value.is_finite()).collect();
    sorted.sort_by(f64::total_cmp);
    let place = share.clamp(0.0, 1.0) * sorted.len().checked_sub(1)? as f64;
    let (below, above) = (sorted.get(place.floor() as usize)?, sorted.get(place.ceil() as usize)?);
    Some(below + (above - below) * place.fract())
}

/// The median.
pub fn median(values: &[f64]) -> Option<f64> {
    quantile(values, 0.5)
}

/// A robust standard deviation: the scaled median absolute deviation, which single outliers do not change.
pub fn deviation(values: &[f64]) -> Option<f64> {
    let middle = median(values)?;
    let apart: Vec<f64> = values.iter().map(|value| (value - middle).abs()).collect();
    median(&apart).map(|apart| apart * DEVIATIONS)
}

/// The median of the slopes between every two points (Theil–Sen). `None` if all have the same x.
pub fn slope(points: &[(f64, f64)]) -> Option<f64> {
    let after = |place: usize| points.get(place + 1..).unwrap_or_default();
    let pairs =
        points.iter().enumerate().flat_map(|(place, one)| after(place).iter().map(move |other| (one, other)));
    let slopes: Vec<f64> = pairs.map(|((x, y), (a, b))| (b - y) / (a - x)).collect();
    median(&slopes)
}

/// Student's t for a 95 % interval, by the Cornish–Fisher expansion: within 0.2 % from three degrees of freedom on.
pub(crate) fn t_95(degrees: f64) -> f64 {
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
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_bad_value_moves_nothing() {
        let good = [1.0, 2.0, 3.0, 4.0, 5.0];
        assert_eq!((median(&good), quantile(&good, 0.125)), (Some(3.0), Some(1.5)));
        let bad = [1.0, 2.0, 3.0, 4.0, 500.0, f64::NAN];
        assert_eq!(median(&bad), Some(3.0));
        assert_eq!(deviation(&bad), deviation(&good));
        assert_eq!((median(&[]), deviation(&[f64::NAN]), slope(&[])), (None, None, None));
    }

    #[test]
    fn a_slope_is_that_of_most_points() {
        let mut points: Vec<(f64, f64)> = (0..10).map(|x| (f64::from(x), 2.0 * f64::from(x) + 1.0)).collect();
        assert_eq!(slope(&points), Some(2.0));
        points[7].1 = 900.0;
        assert!((slope(&points).expect("a slope") - 2.0).abs() < 1e-9);
        assert_eq!(slope(&[(1.0, 1.0), (1.0, 2.0)]), None);
    }

    proptest! {
        #[test]
        fn quantiles_lie_among_the_values(values in prop::collection::vec(-1e6_f64..1e6, 1..50), share in -0.5_f64..1.5) {
            let found = quantile(&values, share).expect("a value");
            let low = values.iter().copied().fold(f64::INFINITY, f64::min);
            let high = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            prop_assert!((low..=high).contains(&found));
        }

        #[test]
        fn anything_has_a_spread_or_none(values in prop::collection::vec(prop::num::f64::ANY, 0..40)) {
            let points: Vec<(f64, f64)> = values.iter().copied().zip(values.iter().copied().rev()).collect();
            let _ = slope(&points);
            prop_assert!(deviation(&values).is_none_or(|spread| spread >= 0.0));
        }
    }

    #[test]
    fn student_s_t_is_that_of_the_tables() {
        let table =
            [(3.0, 3.1824), (5.0, 2.5706), (10.0, 2.2281), (22.0, 2.0739), (60.0, 2.0003), (1e9, 1.96)];
        for (degrees, expected) in table {
            assert!((t_95(degrees) / expected - 1.0).abs() < 2e-3, "{degrees}: {}", t_95(degrees));
        }
    }
}
