//! One lane of a stack: where it is, and the scales of its lines.

use trailbrake_shared::model::Drawing;
use trailbrake_shared::plot::{Domain, Scale};

use super::{LaneSource, LaneSpec};
use crate::painter::Pen;

/// CSS pixels of a lane's free edge.
const EDGE: f32 = 6.0;

pub(super) struct Lane {
    pub(super) spec: LaneSpec,
    /// Its lines' scales: they widen and never narrow, so that a line does not jump.
    pub(super) domains: Vec<Domain>,
    pub(super) top: f32,
    pub(super) bottom: f32,
    /// CSS pixels at its top for what is marked there.
    pub(super) strip: f32,
}

impl Lane {
    pub(super) fn new(spec: LaneSpec) -> Self {
        let domains = spec.lines.iter().map(|line| line.domain).collect();
        Self { spec, domains, top: 0.0, bottom: 0.0, strip: 0.0 }
    }

    /// Widens the scales of lines that have gone beyond them; whether any has.
    pub(super) fn widen(&mut self, source: &impl LaneSource) -> bool {
        let mut widened = false;
        for (spec, domain) in self.spec.lines.iter().zip(&mut self.domains) {
            let mut wider = domain.including(source.extent(spec.column));
            if wider != *domain {
                wider = wider.nice(4);
                *domain = if spec.drawing == Drawing::Centred { wider.symmetric() } else { wider };
                widened = true;
            }
        }
        if widened && self.spec.one_scale {
            let whole = |one: Domain, other: &Domain| {
                Domain::new(one.low().min(other.low()), one.high().max(other.high()))
            };
            if let Some(first) = self.domains.first().copied() {
                let widest = self.domains.iter().fold(first, whole);
                self.domains.fill(widest);
            }
        }
        widened
    }

    /// The pixel at a share of the lane's height, counted from the bottom.
    pub(super) fn at(&self, share: f32, pen: &Pen<'_>) -> f32 {
        let edge = |css: f32| pen.px(css).min((self.bottom - self.top) / 4.0);
        let (bottom, top) = (self.bottom - edge(EDGE), self.top + edge(EDGE.max(self.strip)));
        bottom + (top - bottom) * share
    }

    /// Where zero lies, when it lies within the scale of the lane's main line.
    pub(super) fn zero(&self, pen: &Pen<'_>) -> Option<f32> {
        let domain = self.domains.last()?;
        let within = domain.low() < 0.0 && domain.high() > 0.0;
        let zero = Scale::new(*domain, self.at(0.0, pen), self.at(1.0, pen)).pixel(0.0);
        within.then_some(zero)
    }
}
