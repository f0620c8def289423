//! The span of values on an axis.

use super::Extent;
use super::step::Step;

/// The span of an axis. Its high is always above its low, and both are finite.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Domain {
    low: f64,
    high: f64,
}

impl Domain {
    /// The domain between two values in either order. A single value gets room around it; NaN or infinity gives 0 to 1.
    pub fn new(from: f64, to: f64) -> Self {
        if !(to - from).is_finite() {
            return Self { low: 0.0, high: 1.0 };
        }
        let (low, high) = (from.min(to), from.max(to));
        // Values closer than the precision of the arithmetic count as one.
        let least = low.abs().max(high.abs()) * 1e-12;
        if high - low > least {
            return Self { low, high };
        }
        let room = if low == 0.0 { 0.5 } else { (low.abs() * 0.05).max(least) };
        Self { low: low - room, high: high + room }
    }

    /// The domain of an extent, or 0 to 1 when it is empty.
    pub fn of(extent: Extent) -> Self {
        Self::new(f64::from(extent.low), f64::from(extent.high))
    }

    /// The lower end.
    pub fn low(self) -> f64 {
        self.low
    }

    /// The upper end.
    pub fn high(self) -> f64 {
        self.high
    }

    /// The distance from end to end.
    pub fn span(self) -> f64 {
        self.high - self.low
    }

    /// The domain widened to include `extent`.
    #[must_use]
    pub fn including(self, extent: Extent) -> Self {
        if extent.is_empty() {
            return self;
        }
        Self::new(self.low.min(f64::from(extent.low)), self.high.max(f64::from(extent.high)))
    }

    /// The domain widened until both ends are round numbers, about `steps` steps apart.
    #[must_use]
    pub fn nice(self, steps: usize) -> Self {
        let step = Step::at_least(self.span() / steps.max(1) as f64);
        Self::new(step.times((self.low / step.size()).floor()), step.times((self.high / step.size()).ceil()))
    }

    /// The domain widened until zero is in its middle: for steering and g.
    #[must_use]
    pub fn symmetric(self) -> Self {
        let reach = self.low.abs().max(self.high.abs());
        Self::new(-reach, reach)
    }

    /// The domain widened to include zero: for speed.
    #[must_use]
    pub fn with_zero(self) -> Self {
        Self::new(self.low.min(0.0), self.high.max(0.0))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn domains_become_round_symmetric_and_zero_based() {
        assert_eq!(Domain::new(13.0, 287.0).nice(6), Domain::new(0.0, 300.0));
        assert_eq!(Domain::new(0.013, 0.287).nice(6), Domain::new(0.0, 0.3));
        assert_eq!(Domain::new(-1.5, 4.0).symmetric(), Domain::new(-4.0, 4.0));
        assert_eq!(Domain::new(80.0, 300.0).with_zero(), Domain::new(0.0, 300.0));
        assert_eq!(Domain::new(0.2, 0.1), Domain::new(0.1, 0.2));
    }

    #[test]
    fn no_values_and_one_value_still_give_an_axis() {
        assert_eq!(Domain::of(Extent::EMPTY), Domain::new(0.0, 1.0));
        assert_eq!(Domain::new(f64::NAN, 3.0), Domain::new(0.0, 1.0));
        let single = Domain::new(80.0, 80.0);
        assert!(single.low() < 80.0 && 80.0 < single.high());
    }

    proptest! {
        #[test]
        fn widening_never_loses_a_value(low in -1e6f64..1e6, span in 1e-3f64..1e6, steps in 1usize..12) {
            let domain = Domain::new(low, low + span);
            for wider in [domain.nice(steps), domain.symmetric(), domain.with_zero()] {
                prop_assert!(wider.low() <= domain.low() && domain.high() <= wider.high(), "{wider:?}");
            }
            prop_assert_eq!(domain.symmetric().low(), -domain.symmetric().high());
        }

        #[test]
        fn every_domain_has_a_span(a in any::<f64>(), b in any::<f64>()) {
            let domain = Domain::new(a, b);
            prop_assert!(domain.span() > 0.0 && domain.span().is_finite(), "{domain:?}");
        }
    }
}
