//! Values along a closed lap: a table that wraps around, and a smooth curve through one.

/// A table whose last entry is followed by its first.
#[derive(Clone, Debug, Default)]
pub(super) struct Ring<T>(Vec<T>);

impl<T: Copy + Default> Ring<T> {
    pub(super) fn new(entries: Vec<T>) -> Self {
        Self(entries)
    }

    /// Entries per lap.
    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    /// The entry at any index, which wraps around in both directions.
    pub(super) fn at(&self, index: i64) -> T {
        let len = self.0.len() as i64;
        if len == 0 {
            return T::default();
        }
        // A division for each of a curve's knots would be most of the simulator's work.
        let index = if (0..len).contains(&index) { index } else { index.rem_euclid(len) };
        self.0.get(index as usize).copied().unwrap_or_default()
    }

    /// Replaces the entry at any index, which wraps around.
    pub(super) fn set(&mut self, index: i64, value: T) {
        let len = self.0.len().max(1) as i64;
        if let Some(entry) = self.0.get_mut(index.rem_euclid(len) as usize) {
            *entry = value;
        }
    }
}

/// A periodic cubic B-spline: smooth up to its second derivative, never outside the range of its knots.
#[derive(Clone, Debug, Default)]
pub(super) struct Curve {
    knots: Ring<f64>,
}

/// A curve's value at a point, with its first and second derivative.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Shape {
    pub(super) value: f64,
    pub(super) rate: f64,
    pub(super) bend: f64,
}

impl Curve {
    /// A curve whose knots are equally spaced over one lap.
    pub(super) fn new(knots: Ring<f64>) -> Self {
        Self { knots }
    }

    /// The curve at `place`, on a lap of this length.
    pub(super) fn at(&self, place: f64, length: f64) -> Shape {
        let spacing = length / self.knots.len().max(1) as f64;
        let knot = (place / spacing).floor();
        let t = place / spacing - knot;
        let k = knot as i64;
        let [a, b, c, d] = [k - 1, k, k + 1, k + 2].map(|i| self.knots.at(i));
        let u = 1.0 - t;
        let value = (a * u * u * u
            + b * (4.0 - 6.0 * t * t + 3.0 * t * t * t)
            + c * (4.0 - 6.0 * u * u + 3.0 * u * u * u)
            + d * t * t * t)
            / 6.0;
        let rate = ((b - a) * u * u + (c - b) * (1.0 + 2.0 * t * u) + (d - c) * t * t) / (2.0 * spacing);
        let bend = ((a - 2.0 * b + c) * u + (b - 2.0 * c + d) * t) / (spacing * spacing);
        Shape { value, rate, bend }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ring_counts_on_around_the_lap() {
        let ring = Ring::new(vec![10, 11, 12]);
        assert_eq!([ring.at(-1), ring.at(0), ring.at(3), ring.at(-4)], [12, 10, 10, 12]);
        assert_eq!(Ring::<u8>::default().at(7), 0);
    }

    #[test]
    fn derivatives_match_the_curve() {
        let curve = Curve::new(Ring::new(vec![0.0, 3.0, -1.0, 5.0, 2.0]));
        for step in 0..200 {
            let place = f64::from(step) * 0.37 - 20.0;
            let [before, here, after] = [place - 1e-4, place, place + 1e-4].map(|p| curve.at(p, 50.0));
            assert!((here.rate - (after.value - before.value) / 2e-4).abs() < 1e-6);
            assert!((here.bend - (after.rate - before.rate) / 2e-4).abs() < 1e-6);
            assert!((here.value - curve.at(place + 50.0, 50.0).value).abs() < 1e-9);
        }
    }
}
