//! The last braking, frozen until the next one, over the reference's at the same corner.

use trailbrake_shared::model::Drawing;
use trailbrake_shared::plot::{Domain, Polyline, Pyramid, Scale, Series, View, trace};

use super::{Align, Ink, Layer, Pen, Sheet, TextStyle};
use crate::frame;

/// Brake pressure before an apex.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BrakingCurve {
    /// Metres from the apex, negative before it, never falling.
    pub metres: Vec<f32>,
    /// The brake at those places, 0 to 1.
    pub brake: Vec<f32>,
}

/// What the figure shows: at least so many metres before the apex.
const SHORTEST_METRES: f64 = 100.0;
/// Two samples farther apart than this are not joined: a slow sender at top speed still is.
const BRIDGE_METRES: f64 = 25.0;
/// CSS pixels: the strip under the curve, and the free edges.
const AXIS: f32 = 24.0;
const SIDE: f32 = 14.0;
const TOP: f32 = 10.0;

/// The figure.
pub struct BrakingFigure {
    sheet: Sheet,
    latest: BrakingCurve,
    reference: BrakingCurve,
    line: Polyline,
    dirty: bool,
}

impl BrakingFigure {
    /// An empty figure.
    pub fn new(sheet: Sheet) -> Self {
        let (latest, reference) = (BrakingCurve::default(), BrakingCurve::default());
        Self { sheet, latest, reference, line: Polyline::default(), dirty: true }
    }

    /// Shows a braking, over the reference's where there is one.
    pub fn show(&mut self, latest: BrakingCurve, reference: Option<BrakingCurve>) {
        self.latest = latest;
        self.reference = reference.unwrap_or_default();
        self.dirty = true;
        frame::request();
    }

    /// Draws it if anything changed.
    pub fn paint(&mut self) {
        self.dirty |= self.sheet.refresh();
        if !(self.dirty && self.sheet.is_visible()) {
            return;
        }
        self.dirty = false;
        let x = self.x_scale();
        let mut line = std::mem::take(&mut self.line);
        self.sheet.draw(Layer::Background, |pen| self.draw_axis(pen, &x));
        self.sheet.draw(Layer::Data, |pen| {
            let height = self.sheet.size().height as f32;
            let y = Scale::new(Domain::new(0.0, 1.0), height - pen.px(AXIS), pen.px(TOP));
            let view = View { x, y, bridge: BRIDGE_METRES, drawing: Drawing::Line };
            for (curve, ink, width) in
                [(&self.reference, Ink::Reference, 1.2), (&self.latest, Ink::Brake, 2.2)]
            {
                line.clear();
                let extents = Pyramid::over(&curve.brake);
                let series = Series { x: &curve.metres, y: &curve.brake, extents: &extents };
                trace(&series, &view, &mut line);
                pen.line(&line, ink, width);
            }
        });
        self.line = line;
    }

    /// From where the earlier of the two begins, in round metres, to the later end.
    fn x_scale(&self) -> Scale {
        let size = self.sheet.size();
        let side = SIDE * size.density;
        let ends = [&self.latest, &self.reference].into_iter().flat_map(|curve| {
            [curve.metres.first(), curve.metres.last()].into_iter().flatten().map(|metres| f64::from(*metres))
        });
        let (low, high) =
            ends.fold((-SHORTEST_METRES, 0.0), |(low, high), metres| (metres.min(low), metres.max(high)));
        // Whole steps of ten metres, so that a metre more does not move the picture.
        let domain = Domain::new((low / 10.0).floor() * 10.0, (high / 10.0).ceil() * 10.0);
        Scale::new(domain, side, (size.width as f32 - side).max(side + 1.0))
    }

    fn draw_axis(&self, pen: &Pen<'_>, x: &Scale) {
        let (left, right) = x.pixels();
        let bottom = self.sheet.size().height as f32 - pen.px(AXIS);
        pen.level(left, right, bottom, Ink::Line);
        let step = if x.domain().span() > 400.0 { 100.0 } else { 50.0 };
        let first = (x.domain().low() / step).ceil() as i32;
        let last = (x.domain().high() / step).floor() as i32;
        for tick in first..=last {
            let metres = f64::from(tick) * step;
            let text = if tick == 0 { "apex".to_owned() } else { format!("{:.0} m", metres.abs()) };
            let place = x.pixel(metres);
            let align = match place {
                place if place < left + pen.px(16.0) => Align::Left,
                place if place > right - pen.px(16.0) => Align::Right,
                _ => Align::Centre,
            };
            pen.text(&text, place, bottom + pen.px(17.0), TextStyle { ink: Ink::Faint, align });
        }
    }
}
