//! The figure of the latest braking, which stays until the next one, over the reference's braking at the same corner.

use trailbrake_shared::model::Drawing;
use trailbrake_shared::plot::{Domain, Polyline, Pyramid, Scale, Series, View, trace};

use super::{Align, Ink, Layer, Pen, Sheet, TextStyle};
use crate::frame;

/// The brake before an apex, over lap distance.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BrakingCurve {
    /// Metres from the apex, ascending; negative before it.
    pub metres: Vec<f32>,
    /// The brake at each of them, 0 to 1.
    pub brake: Vec<f32>,
}

/// The figure shows at least this much before the apex, metres.
const SHORTEST_METRES: f64 = 100.0;
/// Samples farther apart than this are not joined, metres. A low packet rate at top speed stays below it.
const BRIDGE_METRES: f64 = 25.0;
/// CSS pixels: the height of the axis, and the margins at the sides and the top.
const AXIS: f32 = 24.0;
const SIDE: f32 = 14.0;
const TOP: f32 = 10.0;

/// The figure of a braking.
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

    /// Shows a braking, over the reference's if there is one.
    pub fn show(&mut self, latest: BrakingCurve, reference: Option<BrakingCurve>) {
        self.latest = latest;
        self.reference = reference.unwrap_or_default();
        self.dirty = true;
        frame::request();
    }

    /// Draws the figure if anything changed.
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

    /// The scale from the earlier start of the two curves to the later end.
    fn x_scale(&self) -> Scale {
        let size = self.sheet.size();
        let side = SIDE * size.density;
        let ends = [&self.latest, &self.reference].into_iter().flat_map(|curve| {
            [curve.metres.first(), curve.metres.last()].into_iter().flatten().map(|metres| f64::from(*metres))
        });
        let (low, high) =
            ends.fold((-SHORTEST_METRES, 0.0), |(low, high), metres| (metres.min(low), metres.max(high)));
        // The ends are multiples of 10 m, so that the scale does not change with each braking.
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
