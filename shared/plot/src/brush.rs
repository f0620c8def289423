//! Draws lines, areas and text on any backend of plotters, in the caller's unit: pixels of a page, millimetres of paper.

use plotters_backend::text_anchor::{HPos, Pos, VPos};
use plotters_backend::{
    BackendColor, BackendCoord, BackendStyle, BackendTextStyle, DrawingBackend, DrawingErrorKind, FontFamily,
    FontStyle,
};

use super::sheet::{Anchor, text_width};

/// Backends draw text smaller than requested by this factor.
pub const TEXT_SHRINKS: f64 = 1.24;
/// Text is placed by the middle of its small letters. From its baseline to there, as a fraction of its size.
pub const TEXT_MIDDLE: f32 = 0.27;
/// The fonts of files. A page has its own.
const FONTS: &str = "Helvetica, Arial, sans-serif";
/// Coordinates are clamped to this, backend units.
const FURTHEST: f32 = 1e6;

/// A colour, and how much of it: from 0, nothing, to 1, opaque.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Colour {
    /// Red, green and blue.
    pub rgb: (u8, u8, u8),
    /// The opacity.
    pub opacity: f64,
}

impl Colour {
    /// An opaque colour.
    pub const fn rgb(red: u8, green: u8, blue: u8) -> Self {
        Self { rgb: (red, green, blue), opacity: 1.0 }
    }

    /// The colour with another opacity.
    #[must_use]
    pub const fn thin(self, opacity: f64) -> Self {
        Self { opacity, ..self }
    }
}

/// How a text looks, and which part of it is at its position.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lettering {
    /// Its colour.
    pub colour: Colour,
    /// The font size.
    pub size: f32,
    /// Whether it is bold.
    pub bold: bool,
    /// The part at its position.
    pub anchor: Anchor,
}

/// Draws on a backend. Backends count in whole numbers, so a unit is divided into parts.
pub struct Brush<'a, B: DrawingBackend> {
    backend: &'a mut B,
    /// Backend units in one unit.
    parts: f32,
    /// The size of a pixel of the device.
    pixel: f32,
    drawn: Result<(), DrawingErrorKind<B::ErrorType>>,
}

impl<'a, B: DrawingBackend> Brush<'a, B> {
    /// A brush for a backend with this many backend units in a unit, and pixels of this size.
    pub fn new(backend: &'a mut B, parts: f32, pixel: f32) -> Self {
        Self { backend, parts, pixel, drawn: Ok(()) }
    }

    /// The first error, if there was any.
    pub fn finish(self) -> Result<(), DrawingErrorKind<B::ErrorType>> {
        self.drawn
    }

    /// The size of a pixel of the device.
    pub fn pixel(&self) -> f32 {
        self.pixel
    }

    /// The nearest border between two pixels of the device.
    pub fn snapped(&self, place: f32) -> f32 {
        (place / self.pixel).round() * self.pixel
    }

    /// Draws a line through points.
    pub fn line(&mut self, points: impl IntoIterator<Item = [f32; 2]>, colour: Colour, width: f32) {
        let stroke = Stroke { colour, width: (width * self.parts).round().max(1.0) as u32 };
        let parts = self.parts;
        let drawn = self.backend.draw_path(points.into_iter().map(|point| place(parts, point)), &stroke);
        self.keep(drawn);
    }

    /// Fills an area.
    pub fn area(&mut self, edge: impl IntoIterator<Item = [f32; 2]>, colour: Colour) {
        let parts = self.parts;
        let edge = edge.into_iter().map(|point| place(parts, point));
        let drawn = self.backend.fill_polygon(edge, &backend_colour(colour));
        self.keep(drawn);
    }

    /// Fills a rectangle: from its upper left to its lower right corner.
    pub fn fill(&mut self, upper_left: [f32; 2], lower_right: [f32; 2], colour: Colour) {
        let [upper_left, lower_right] = [upper_left, lower_right].map(|corner| place(self.parts, corner));
        let drawn = self.backend.draw_rect(upper_left, lower_right, &backend_colour(colour), true);
        self.keep(drawn);
    }

    /// Fills a dot.
    pub fn dot(&mut self, centre: [f32; 2], radius: f32, colour: Colour) {
        let radius = (radius * self.parts).round() as u32;
        let centre = place(self.parts, centre);
        let drawn = self.backend.draw_circle(centre, radius, &backend_colour(colour), true);
        self.keep(drawn);
    }

    /// Draws a horizontal hairline that fills whole pixels.
    pub fn level(&mut self, [left, right]: [f32; 2], y: f32, colour: Colour) {
        let thickness = self.hairline();
        let top = self.snapped(y - thickness / 2.0);
        self.fill([self.snapped(left), top], [self.snapped(right), top + thickness], colour);
    }

    /// Draws a vertical hairline that fills whole pixels.
    pub fn upright(&mut self, [top, bottom]: [f32; 2], x: f32, colour: Colour) {
        let thickness = self.hairline();
        let left = self.snapped(x - thickness / 2.0);
        self.fill([left, self.snapped(top)], [left + thickness, self.snapped(bottom)], colour);
    }

    /// Writes a text with its baseline at a position.
    pub fn text(&mut self, text: &str, [x, baseline]: [f32; 2], lettering: Lettering) {
        let position = place(self.parts, [x, baseline - TEXT_MIDDLE * lettering.size]);
        let drawn = self.backend.draw_text(text, &self.font(lettering), position);
        self.keep(drawn);
    }

    /// The width of a text.
    pub fn text_width(&self, text: &str, lettering: Lettering) -> f32 {
        let size = self.backend.estimate_text_size(text, &self.font(lettering));
        size.map_or(0.0, |(width, _)| width as f32 / self.parts)
    }

    /// As thick as one unit, in whole pixels.
    fn hairline(&self) -> f32 {
        self.snapped(1.0).max(self.pixel)
    }

    fn font(&self, lettering: Lettering) -> Font {
        Font { lettering, size: f64::from(lettering.size * self.parts) }
    }

    fn keep(&mut self, drawn: Result<(), DrawingErrorKind<B::ErrorType>>) {
        if self.drawn.is_ok() {
            self.drawn = drawn;
        }
    }
}

fn place(parts: f32, point: [f32; 2]) -> BackendCoord {
    let [x, y] = point.map(|place| (place * parts).clamp(-FURTHEST, FURTHEST).round() as i32);
    (x, y)
}

fn backend_colour(colour: Colour) -> BackendColor {
    BackendColor { alpha: colour.opacity, rgb: colour.rgb }
}

struct Stroke {
    colour: Colour,
    width: u32,
}

impl BackendStyle for Stroke {
    fn color(&self) -> BackendColor {
        backend_colour(self.colour)
    }

    fn stroke_width(&self) -> u32 {
        self.width
    }
}

/// A lettering in backend units.
struct Font {
    lettering: Lettering,
    size: f64,
}

impl BackendTextStyle for Font {
    type FontError = std::convert::Infallible;

    fn color(&self) -> BackendColor {
        backend_colour(self.lettering.colour)
    }

    fn size(&self) -> f64 {
        self.size * TEXT_SHRINKS
    }

    fn style(&self) -> FontStyle {
        if self.lettering.bold { FontStyle::Bold } else { FontStyle::Normal }
    }

    fn anchor(&self) -> Pos {
        let side = match self.lettering.anchor {
            Anchor::Left => HPos::Left,
            Anchor::Middle => HPos::Center,
            Anchor::Right => HPos::Right,
        };
        Pos::new(side, VPos::Center)
    }

    fn family(&self) -> FontFamily<'_> {
        FontFamily::Name(FONTS)
    }

    /// The size by a table, for backends that can't measure text.
    fn layout_box(&self, text: &str) -> Result<((i32, i32), (i32, i32)), Self::FontError> {
        let width = f64::from(text_width(text, self.lettering.bold)) * self.size;
        Ok(((0, 0), (width.round() as i32, self.size.round() as i32)))
    }

    fn draw<E, D: FnMut(i32, i32, BackendColor) -> Result<(), E>>(
        &self,
        _text: &str,
        _position: BackendCoord,
        _pixel: D,
    ) -> Result<Result<(), E>, Self::FontError> {
        // Only backends without text of their own ask for pixels. None of ours does.
        Ok(Ok(()))
    }
}
