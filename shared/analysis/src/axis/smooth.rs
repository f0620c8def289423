//! Local regression: smooths noisy values by fitting a weighted parabola around each place.

/// Least number of neighbours on each side of a place.
const LEAST: usize = 3;

/// The weight of the farthest neighbour, so that a fit with few of them is not singular.
const LEAST_WEIGHT: f64 = 1e-9;

/// The fit at a place: value, first and second derivative.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Fit<const N: usize> {
    pub(super) value: [f64; N],
    /// First derivative, per unit of the places.
    pub(super) slope: [f64; N],
    /// Second derivative.
    pub(super) bend: [f64; N],
}

/// Points at ascending places, with `N` values each.
#[derive(Clone, Debug)]
pub(super) struct Cloud<'a, const N: usize> {
    places: &'a [f64],
    values: &'a [[f64; N]],
    half: f64,
}

impl<'a, const N: usize> Cloud<'a, N> {
    /// Points whose neighbours up to `half` before and after a place count, near ones more than far ones.
    pub(super) fn new(places: &'a [f64], values: &'a [[f64; N]], half: f64) -> Self {
        Self { places, values, half }
    }

    /// The fit at a place. `None` if there are no points.
    pub(super) fn at(&self, place: f64) -> Option<Fit<N>> {
        let mut from = self.places.partition_point(|other| *other < place - self.half);
        let mut to = self.places.partition_point(|other| *other <= place + self.half);
        let middle = self.places.partition_point(|other| *other < place);
        // If points are few, the nearest ones count at any distance.
        from = from.min(middle.saturating_sub(LEAST));
        to = to.max((middle + LEAST).min(self.places.len()));
        let places = self.places.get(from..to)?;
        // They ascend, so that one of the ends is the farthest.
        let (first, last) = places.first().zip(places.last())?;
        let reach = self.half.max(place - first).max(last - place).max(f64::MIN_POSITIVE);
        let per_reach = reach.recip();
        let mut sums = Sums { powers: [0.0; 5], values: [[0.0; 3]; N] };
        for (other, values) in places.iter().zip(self.values.get(from..to)?) {
            let off = (other - place) * per_reach;
            let near = 1.0 - off.abs() * off * off;
            let weight = near * near * near;
            sums.add(off, if weight > LEAST_WEIGHT { weight } else { LEAST_WEIGHT }, values);
        }
        Some(sums.solve(reach))
    }
}

/// Weighted sums for the least-squares parabola.
struct Sums<const N: usize> {
    /// Sums of the places to the powers 0 to 4.
    powers: [f64; 5],
    /// Sums of the values times the places to the powers 0 to 2.
    values: [[f64; 3]; N],
}

impl<const N: usize> Sums<N> {
    fn add(&mut self, off: f64, weight: f64, values: &[f64; N]) {
        let (first, second) = (weight * off, weight * off * off);
        let powers = [weight, first, second, second * off, second * off * off];
        for (sum, power) in self.powers.iter_mut().zip(powers) {
            *sum += power;
        }
        for (sums, value) in self.values.iter_mut().zip(values) {
            for (sum, power) in sums.iter_mut().zip([weight, first, second]) {
                *sum += power * value;
            }
        }
    }

    /// Solves for a parabola in units of `reach`. Falls back to a line, then to the mean, if the system is singular.
    fn solve(&self, reach: f64) -> Fit<N> {
        let [a, b, c, d, e] = self.powers;
        let det = a * (c * e - d * d) - b * (b * e - c * d) + c * (b * d - c * c);
        let line = a * c - b * b;
        let mut fit = Fit { value: [0.0; N], slope: [0.0; N], bend: [0.0; N] };
        let places = fit.value.iter_mut().zip(&mut fit.slope).zip(&mut fit.bend);
        for (((value, slope), bend), [x, y, z]) in places.zip(self.values) {
            if det > 1e-9 * a * a * a {
                *value = (x * (c * e - d * d) - b * (y * e - d * z) + c * (y * d - c * z)) / det;
                *slope = (a * (y * e - d * z) - x * (b * e - c * d) + c * (b * z - c * y)) / det / reach;
                *bend = 2.0 * (a * (c * z - d * y) - b * (b * z - c * y) + x * (b * d - c * c))
                    / det
                    / (reach * reach);
            } else if line > 1e-9 * a * a {
                *value = (x * c - b * y) / line;
                *slope = (a * y - b * x) / line / reach;
            } else {
                *value = x / a;
            }
        }
        fit
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_parabola_is_found_again() {
        let places: Vec<f64> =
            (0..60).map(|place| f64::from(place) * 1.5 + f64::from(place % 3) * 0.2).collect();
        let shape = |place: f64| [2.0 + 0.3 * place - 0.01 * place * place, -place];
        let values: Vec<[f64; 2]> = places.iter().map(|place| shape(*place)).collect();
        let cloud = Cloud::new(&places, &values, 12.0);
        for place in [0.0, 3.7, 40.0, 88.0] {
            let fit = cloud.at(place).expect("a fit");
            let [parabola, line] = shape(place);
            assert!((fit.value[0] - parabola).abs() < 1e-6 && (fit.value[1] - line).abs() < 1e-6, "{fit:?}");
            assert!((fit.slope[0] - (0.3 - 0.02 * place)).abs() < 1e-6, "{fit:?}");
            assert!((fit.bend[0] + 0.02).abs() < 1e-6 && fit.bend[1].abs() < 1e-6, "{fit:?}");
        }
    }

    #[test]
    fn noise_is_evened_out() {
        let mut seed = 1_u32;
        let mut noise = || {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            f64::from(seed >> 8) / f64::from(1 << 24) - 0.5
        };
        let places: Vec<f64> = (0..2000).map(f64::from).collect();
        let values: Vec<[f64; 1]> =
            places.iter().map(|place| [(place / 80.0).sin() * 30.0 + noise()]).collect();
        let cloud = Cloud::new(&places, &values, 14.0);
        let off = |place: &f64| {
            let fit = cloud.at(*place).map_or(0.0, |fit| fit.value[0]);
            (fit - (place / 80.0).sin() * 30.0).powi(2)
        };
        let rms = (places.iter().map(off).sum::<f64>() / 2000.0).sqrt();
        // Uniform noise of ±0.5 m has a standard deviation of 0.29 m.
        assert!(rms < 0.11, "{rms}");
    }

    #[test]
    fn one_point_is_its_own_value_and_none_has_none() {
        let fit = Cloud::new(&[5.0], &[[7.0]], 3.0).at(90.0).expect("a fit");
        assert_eq!((fit.value, fit.slope, fit.bend), ([7.0], [0.0], [0.0]));
        assert_eq!(Cloud::<1>::new(&[], &[], 3.0).at(0.0), None);
    }

    proptest! {
        #[test]
        fn any_points_give_numbers(
            mut places in prop::collection::vec(-1e4_f64..1e4, 1..60),
            at in -2e4_f64..2e4,
            half in 0.01_f64..100.0,
        ) {
            places.sort_by(f64::total_cmp);
            let values: Vec<[f64; 1]> = places.iter().map(|place| [place * 2.0]).collect();
            let fit = Cloud::new(&places, &values, half).at(at).expect("a fit");
            prop_assert!(fit.value[0].is_finite() && fit.slope[0].is_finite() && fit.bend[0].is_finite());
        }
    }
}
