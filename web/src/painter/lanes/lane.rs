//! One lane of a stack: its top and bottom, and the scales of its lines.

use trailbrake_shared::model::Drawing;
use trailbrake_shared::plot::{Domain, Extent, Scale};

use super::{LaneSource, LaneSpec, LineSpec};
use crate::painter::Pen;

/// The margin at a lane's top and bottom, CSS pixels.
const EDGE: f32 = 6.0;

/// The least span of a fitted scale as a fraction of the full one, so that noise is not magnified.
const LEAST_SHARE: f64 = 0.04;

/// A lane. `top` and `bottom` are in device pixels, set by the stack's layout.
pub(super) struct Lane {
    pub(super) spec: LaneSpec,
    /// Its lines' scales for the complete axis. They widen and never narrow, so that lines do not jump.
    whole: Vec<Domain>,
    /// The scales with which its lines are drawn.
    pub(super) domains: Vec<Domain>,
    pub(super) top: f32,
    pub(super) bottom: f32,
    /// The height of the strip of brakings at its top, CSS pixels.
    pub(super) strip: f32,
}

impl Lane {
    pub(super) fn new(spec: LaneSpec) -> Self {
        let domains: Vec<Domain> = spec.lines.iter().map(|line| line.domain).collect();
        Self { spec, whole: domains.clone(), domains, top: 0.0, bottom: 0.0, strip: 0.0 }
    }

    /// Updates the scales for a part of the axis, or for all of it. Returns whether any scale changed.
    pub(super) fn rescale(&mut self, source: &impl LaneSource, part: Option<Domain>) -> bool {
        self.widen(source);
        let fitted = part
            .filter(|_| self.spec.lines.iter().any(|line| line.follows))
            .map(|part| self.fitted(source, part));
        let domains = fitted.as_ref().unwrap_or(&self.whole);
        let changed = *domains != self.domains;
        if changed {
            self.domains.clone_from(domains);
        }
        changed
    }

    /// The scales that fit the values in a part of the axis.
    fn fitted(&self, source: &impl LaneSource, part: Domain) -> Vec<Domain> {
        let scale = self.spec.unit.scale;
        let lines = self.spec.lines.iter().zip(&self.whole);
        let fitted = |(line, whole): (&LineSpec, &Domain)| {
            fit(*whole, source.extent_within(line.column, part), line.drawing, scale)
        };
        let mut domains: Vec<Domain> = lines.map(fitted).collect();
        if self.spec.one_scale {
            share(&mut domains);
        }
        domains
    }

    /// Widens the full scales of lines whose values exceed them.
    fn widen(&mut self, source: &impl LaneSource) {
        let mut widened = false;
        for (spec, domain) in self.spec.lines.iter().zip(&mut self.whole) {
            let mut wider = domain.including(source.extent(spec.column));
            if wider != *domain {
                wider = wider.nice(4);
                *domain = if spec.drawing == Drawing::Centred { wider.symmetric() } else { wider };
                widened = true;
            }
        }
        if widened && self.spec.one_scale {
            share(&mut self.whole);
        }
    }

    /// The pixel at a fraction of the lane's height, from the bottom.
    pub(super) fn at(&self, share: f32, pen: &Pen<'_>) -> f32 {
        let edge = |css: f32| pen.px(css).min((self.bottom - self.top) / 4.0);
        let (bottom, top) = (self.bottom - edge(EDGE), self.top + edge(EDGE.max(self.strip)));
        bottom + (top - bottom) * share
    }

    /// The pixel of zero on the scale of the lane's main line; `None` if zero is not inside of it.
    pub(super) fn zero(&self, pen: &Pen<'_>) -> Option<f32> {
        let domain = self.domains.last()?;
        let within = domain.low() < 0.0 && domain.high() > 0.0;
        let zero = Scale::new(*domain, self.at(0.0, pen), self.at(1.0, pen)).pixel(0.0);
        within.then_some(zero)
    }
}

/// Gives all lines the smallest common scale.
fn share(domains: &mut [Domain]) {
    let whole =
        |one: Domain, other: &Domain| Domain::new(one.low().min(other.low()), one.high().max(other.high()));
    if let Some(first) = domains.first().copied() {
        let widest = domains.iter().fold(first, whole);
        domains.fill(widest);
    }
}

/// The scale that fits the shown values of a line; `whole` if there are none. Its ends are round in display units,
/// which are `scale` times the values.
fn fit(whole: Domain, shown: Extent, drawing: Drawing, scale: f64) -> Domain {
    if shown.is_empty() {
        return whole;
    }
    let (low, high) = (f64::from(shown.low), f64::from(shown.high));
    let reach = (high - low).max(whole.span() * LEAST_SHARE) / 2.0;
    let middle = (low + high) / 2.0;
    let round = Domain::new((middle - reach) * scale, (middle + reach) * scale).nice(4);
    let fitted = Domain::new(round.low() / scale, round.high() / scale);
    if drawing == Drawing::Centred { fitted.symmetric() } else { fitted }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(low: f32, high: f32) -> Extent {
        Extent { low, high }
    }

    #[test]
    fn a_small_gain_fills_its_lane() {
        // 0.030 s gained in a corner, after 0.7 s were lost before it.
        let fitted = fit(Domain::new(-0.2, 1.0), shown(0.67, 0.70), Drawing::Line, 1.0);
        assert!(fitted.low() <= 0.67 && fitted.high() >= 0.70 && fitted.span() < 0.08, "{fitted:?}");
    }

    #[test]
    fn noise_stays_noise_and_steering_stays_centred() {
        let fitted = fit(Domain::new(0.0, 300.0), shown(200.0, 200.2), Drawing::Line, 1.0);
        assert!(fitted.span() >= 12.0, "{fitted:?}");
        let fitted = fit(Domain::new(-180.0, 180.0), shown(-30.0, 12.0), Drawing::Centred, 1.0);
        assert_eq!(fitted.low(), -fitted.high());
        assert!(fitted.high() >= 30.0 && fitted.high() < 60.0, "{fitted:?}");
        // Round in km/h, kept in m/s.
        let fitted = fit(Domain::new(0.0, 100.0), shown(30.0, 90.0), Drawing::Line, 3.6);
        let tens = fitted.low() * 0.36;
        assert!((tens - tens.round()).abs() < 1e-6, "{fitted:?}");
        let whole = Domain::new(0.0, 300.0);
        assert_eq!(fit(whole, Extent::EMPTY, Drawing::Line, 1.0), whole);
    }
}
