//! Converts values to device pixels and back.

use super::Domain;

/// A linear scale from values to pixels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scale {
    domain: Domain,
    from: f64,
    to: f64,
    /// Pixels per unit of the domain.
    slope: f64,
}

impl Scale {
    /// A scale with the domain's low end at pixel `from` and its high end at pixel `to`. For a vertical axis `from` is
    /// the larger of the two, since a canvas counts downwards.
    pub fn new(domain: Domain, from: f32, to: f32) -> Self {
        let (from, to) = (f64::from(from), f64::from(to));
        Self { domain, from, to, slope: (to - from) / domain.span() }
    }

    /// The domain of the axis.
    pub fn domain(&self) -> Domain {
        self.domain
    }

    /// The pixels of the domain's low and high end.
    pub fn pixels(&self) -> (f32, f32) {
        (self.from as f32, self.to as f32)
    }

    /// The pixel of a value.
    pub fn pixel(&self, value: f64) -> f32 {
        (self.from + (value - self.domain.low()) * self.slope) as f32
    }

    /// The value at a pixel; the domain's low end if the scale has no width.
    pub fn invert(&self, pixel: f32) -> f64 {
        if self.slope == 0.0 {
            return self.domain.low();
        }
        self.domain.low() + (f64::from(pixel) - self.from) / self.slope
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn ends_lie_on_ends() {
        let speed = Scale::new(Domain::new(0.0, 300.0), 210.0, 10.0);
        assert_eq!((speed.pixel(0.0), speed.pixel(300.0), speed.pixel(150.0)), (210.0, 10.0, 110.0));
        assert_eq!(speed.invert(60.0), 225.0);
        assert_eq!(Scale::new(Domain::new(2.0, 3.0), 5.0, 5.0).invert(5.0), 2.0);
    }

    proptest! {
        #[test]
        fn inverting_leads_back(low in -1e5f64..1e5, span in 1e-2f64..1e5, width in 1f32..4000.0, share in 0f32..=1.0) {
            let scale = Scale::new(Domain::new(low, low + span), 118.0, 118.0 + width);
            let pixel = 118.0 + width * share;
            prop_assert!((scale.pixel(scale.invert(pixel)) - pixel).abs() < 1e-2);
        }
    }
}
