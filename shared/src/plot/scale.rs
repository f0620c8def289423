//! From values to device pixels and back.

use super::Domain;

/// A linear scale: where on the screen a value lies, and which value lies at a place.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scale {
    domain: Domain,
    from: f64,
    to: f64,
    /// Pixels for one of the domain's units.
    slope: f64,
}

impl Scale {
    /// A scale that puts the domain's low end at pixel `from` and its high end at pixel `to`; for a vertical axis
    /// `from` is the larger of the two, since a canvas counts downwards.
    pub fn new(domain: Domain, from: f32, to: f32) -> Self {
        let (from, to) = (f64::from(from), f64::from(to));
        Self { domain, from, to, slope: (to - from) / domain.span() }
    }

    /// What the axis shows.
    pub fn domain(&self) -> Domain {
        self.domain
    }

    /// The pixels of the domain's low and high end.
    pub fn pixels(&self) -> (f32, f32) {
        (self.from as f32, self.to as f32)
    }

    /// Where a value lies.
    pub fn pixel(&self, value: f64) -> f32 {
        (self.from + (value - self.domain.low()) * self.slope) as f32
    }

    /// Which value lies at a pixel; of a scale without width, the domain's low end.
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
