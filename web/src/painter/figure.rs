//! Figures in the page, painted with each frame for as long as their subscription is kept.

use std::rc::Rc;

use plotters_backend::DrawingBackend;
use trailbrake_shared::plot::figure::{Figure, FigureInk, FigureLook, PlotArea, Tone, draw_figure};
use trailbrake_shared::plot::{Brush, Colour};
use web_sys::{HtmlCanvasElement, HtmlElement};

use super::backend::GRAIN;
use super::{Ink, Layer, Sheet};
use crate::frame::{self, Phase, Subscription, Tick};

/// The radius of the dot at the cursor, and of the background disc behind it, CSS pixels.
const DOT: f32 = 4.0;
const GROUND: f32 = 5.5;

/// Paints a figure into an element. `make` returns a closure that paints, which is called with each frame until the
/// subscription is dropped. `None` if the browser cannot draw.
pub fn paint<P>(host: &HtmlElement, make: impl FnOnce(Sheet) -> P) -> Option<Subscription>
where
    P: FnMut(&Tick) + 'static,
{
    let painting = frame::on(Phase::Draw, make(Sheet::mount(host)?));
    frame::request();
    Some(painting)
}

/// A figure with axes on a sheet.
pub struct FigurePainter {
    sheet: Sheet,
    figure: Rc<Figure>,
    area: Option<PlotArea>,
    point: Option<[f64; 2]>,
    is_stale: bool,
}

impl FigurePainter {
    /// A painter that draws the figure on its first `paint`.
    pub fn new(sheet: Sheet, figure: Rc<Figure>) -> Self {
        Self { sheet, figure, area: None, point: None, is_stale: true }
    }

    /// A picture of the figure as it is on screen, below a legend; `None` while it is not visible.
    pub fn picture(&self, legend: &[(Ink, String)]) -> Option<HtmlCanvasElement> {
        self.sheet.picture(legend)
    }

    /// Draws what has changed; `point` is the cursor's point in the figure.
    pub fn paint(&mut self, point: Option<[f64; 2]>) {
        let all = self.sheet.refresh() || std::mem::take(&mut self.is_stale);
        if !self.sheet.is_visible() {
            // A hidden figure is drawn once it is visible.
            self.is_stale |= all;
            return;
        }
        if all {
            self.area = self.draw();
        }
        if all || self.point != point {
            self.point = point;
            self.draw_point();
        }
    }

    fn draw(&self) -> Option<PlotArea> {
        let (size, pen) = (self.sheet.size(), self.sheet.wiped(Layer::Data)?);
        let palette = pen.palette();
        let look = FigureLook {
            size: [size.width, size.height].map(|pixels| pixels as f32 / size.density),
            margin: 0.0,
            text_size: palette.small,
            has_title: false,
            colour: &|role| Colour { rgb: palette.rgb(ink(role)), opacity: 1.0 },
        };
        let mut backend = pen.backend([size.width, size.height]);
        let mut brush = Brush::new(&mut backend, GRAIN * size.density, 1.0 / size.density);
        let area = draw_figure(&self.figure, &mut brush, &look);
        // Drawing on a canvas has no errors.
        let _ = brush.finish();
        let _ = backend.present();
        Some(area)
    }

    fn draw_point(&self) {
        let (Some(pen), Some(area)) = (self.sheet.wiped(Layer::Cursor), &self.area) else { return };
        let Some(point) = self.point else { return };
        let place = area.at(point).map(|css| pen.px(css));
        pen.dots([place], GROUND, Ink::Panel);
        pen.dots([place], DOT, Ink::Text);
    }
}

/// The ink of a role. The lap and its reference have the same colours in every figure, and no other series has them.
const fn ink(role: FigureInk) -> Ink {
    match role {
        FigureInk::Grid => Ink::Line,
        FigureInk::Zero => Ink::LineStrong,
        FigureInk::Ticks | FigureInk::Mark(Tone::Faint) => Ink::Faint,
        FigureInk::Labels => Ink::Soft,
        FigureInk::Title => Ink::Text,
        FigureInk::Mark(Tone::Main) => Ink::Main,
        FigureInk::Mark(Tone::Reference) => Ink::Reference,
        FigureInk::Mark(Tone::Off) => Ink::Loss,
        FigureInk::Mark(Tone::One(0)) => Ink::Lap3,
        FigureInk::Mark(Tone::One(1)) => Ink::Lap4,
        FigureInk::Mark(Tone::One(2)) => Ink::Lap5,
        FigureInk::Mark(Tone::One(_)) => Ink::Lap6,
    }
}
