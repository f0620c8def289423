//! Draws figures as SVG, for reports and browsers.

use plotters::element::{Circle, PathElement, Polygon, Rectangle, Text};
use plotters::prelude::{DrawingArea, IntoDrawingArea, SVGBackend};
use plotters::style::text_anchor::{HPos, Pos, VPos};
use plotters::style::{
    BLACK, Color, FontStyle, FontTransform, IntoFont, RGBColor, ShapeStyle, TextStyle, WHITE,
};

use super::{Axis, Figure, Mark, Shape, Tone};
use crate::plot::sheet::harmless;
use crate::plot::{Scale, Ticks};

type Area<'a> = DrawingArea<SVGBackend<'a>, plotters::coord::Shift>;
type DrawResult = Result<(), Box<dyn std::error::Error>>;

/// Margins for labels, pixels.
const LEFT: i32 = 72;
const RIGHT: i32 = 16;
const TOP: i32 = 34;
const BOTTOM: i32 = 48;
/// Minimum distance of ticks, pixels: text is wider than it is high.
const TICK_ROOM: [i32; 2] = [70, 40];
/// Coordinates are clamped to this, pixels.
const FURTHEST: f32 = 1e5;
const FONT: &str = "sans-serif";
const TITLE_SIZE: f64 = 15.0;
const TEXT_SIZE: f64 = 12.0;
const GRID: RGBColor = RGBColor(214, 219, 227);
const SOFT: RGBColor = RGBColor(92, 102, 117);

/// Draws a figure as SVG. Fails only if the drawing library does.
pub fn draw(figure: &Figure, width: u32, height: u32) -> Result<String, Box<dyn std::error::Error>> {
    let mut text = String::new();
    {
        let area = SVGBackend::with_string(&mut text, (width, height)).into_drawing_area();
        area.fill(&WHITE)?;
        let frame = Frame::of(figure, width, height);
        frame.grid(&area, figure)?;
        for mark in &figure.marks {
            frame.mark(&area, mark)?;
        }
        frame.words(&area, figure)?;
        area.present()?;
    }
    Ok(text)
}

/// The scales of the plot area.
struct Frame {
    x: Scale,
    y: Scale,
}

impl Frame {
    fn of(figure: &Figure, width: u32, height: u32) -> Self {
        let whole = |pixels: u32| i32::try_from(pixels).unwrap_or(i32::MAX);
        let mut wide = (whole(width) - LEFT - RIGHT).max(1);
        let mut high = (whole(height) - TOP - BOTTOM).max(1);
        if figure.square {
            (wide, high) = (wide.min(high), wide.min(high));
        }
        let x = Scale::new(figure.x.domain, LEFT as f32, (LEFT + wide) as f32);
        let y = Scale::new(figure.y.domain, (TOP + high) as f32, TOP as f32);
        Self { x, y }
    }

    /// The left, right, top and bottom pixels.
    fn edges(&self) -> (i32, i32, i32, i32) {
        let ((left, right), (bottom, top)) = (self.x.pixels(), self.y.pixels());
        (left as i32, right as i32, top as i32, bottom as i32)
    }

    fn at(&self, [x, y]: [f64; 2]) -> (i32, i32) {
        // The drawing library uses whole pixels in 32 bits.
        let whole = |pixel: f32| pixel.clamp(-FURTHEST, FURTHEST).round() as i32;
        (whole(self.x.pixel(x)), whole(self.y.pixel(y)))
    }

    fn grid(&self, area: &Area<'_>, figure: &Figure) -> DrawResult {
        let (left, right, top, bottom) = self.edges();
        let small = |horizontal, vertical| text_style(TEXT_SIZE, &SOFT).pos(Pos::new(horizontal, vertical));
        let ticks = |axis: &Axis, pixels: i32, room: i32| {
            Ticks::new(axis.ticks, axis.domain, usize::try_from(pixels / room).unwrap_or_default())
        };
        let [across_room, up_room] = TICK_ROOM;
        let across = ticks(&figure.x, right - left, across_room);
        for value in across.values() {
            let (x, _) = self.at([value, 0.0]);
            area.draw(&PathElement::new(vec![(x, top), (x, bottom)], GRID))?;
            area.draw(&Text::new(across.label(value), (x, bottom + 6), small(HPos::Center, VPos::Top)))?;
        }
        let up = ticks(&figure.y, bottom - top, up_room);
        for value in up.values() {
            let (_, y) = self.at([0.0, value]);
            area.draw(&PathElement::new(vec![(left, y), (right, y)], GRID))?;
            area.draw(&Text::new(up.label(value), (left - 6, y), small(HPos::Right, VPos::Center)))?;
        }
        Ok(())
    }

    fn mark(&self, area: &Area<'_>, mark: &Mark) -> DrawResult {
        let (left, right, _, _) = self.edges();
        let colour = colour(mark.tone);
        match &mark.shape {
            Shape::Dots(places) => {
                let size = if mark.tone == Tone::Faint { 1 } else { 3 };
                for place in drawable(places) {
                    area.draw(&Circle::new(self.at(place), size, colour.filled()))?;
                }
            }
            Shape::Line(places) => {
                let points: Vec<(i32, i32)> = drawable(places).map(|place| self.at(place)).collect();
                area.draw(&PathElement::new(points, line(colour)))?;
            }
            Shape::Bars(width, places) => {
                for [x, y] in drawable(places) {
                    let corners = [self.at([x - width / 2.0, 0.0]), self.at([x + width / 2.0, y])];
                    area.draw(&Rectangle::new(corners, colour.filled()))?;
                }
            }
            Shape::Outline(width, places) => {
                let places: Vec<[f64; 2]> = drawable(places).collect();
                let corners = Shape::outline(*width, &places).into_iter().map(|place| self.at(place));
                area.draw(&PathElement::new(corners.collect::<Vec<_>>(), line(colour)))?;
            }
            Shape::Level(value) => {
                let (_, y) = self.at([0.0, *value]);
                area.draw(&PathElement::new(vec![(left, y), (right, y)], line(colour)))?;
            }
        }
        Ok(())
    }

    fn words(&self, area: &Area<'_>, figure: &Figure) -> DrawResult {
        let (left, right, top, bottom) = self.edges();
        let title = text_style(TITLE_SIZE, &BLACK).pos(Pos::new(HPos::Left, VPos::Top));
        area.draw(&Text::new(harmless(&figure.title), (left, 8), title))?;
        let below = text_style(TEXT_SIZE, &BLACK).pos(Pos::new(HPos::Center, VPos::Top));
        area.draw(&Text::new(figure.x.label.clone(), ((left + right) / 2, bottom + 26), below))?;
        let beside = text_style(TEXT_SIZE, &BLACK)
            .transform(FontTransform::Rotate270)
            .pos(Pos::new(HPos::Center, VPos::Top));
        area.draw(&Text::new(figure.y.label.clone(), (14, (top + bottom) / 2), beside))?;
        // The legend is above the figure, aligned right.
        let named: Vec<&Mark> = figure.marks.iter().filter(|mark| !mark.name.is_empty()).collect();
        let mut end = right;
        for mark in named.iter().rev() {
            const LETTER: i32 = 7;
            let wide = i32::try_from(mark.name.chars().count()).unwrap_or_default() * LETTER;
            let words = text_style(TEXT_SIZE, &SOFT).pos(Pos::new(HPos::Left, VPos::Center));
            area.draw(&Text::new(mark.name.clone(), (end - wide, 18), words))?;
            let (x, y) = (end - wide - 12, 18);
            let box_of = vec![(x - 4, y - 4), (x + 4, y - 4), (x + 4, y + 4), (x - 4, y + 4)];
            area.draw(&Polygon::new(box_of, colour(mark.tone).filled()))?;
            end -= wide + 30;
        }
        Ok(())
    }
}

/// The finite points.
fn drawable(places: &[[f64; 2]]) -> impl Iterator<Item = [f64; 2]> {
    places.iter().copied().filter(|place| place.iter().all(|number| number.is_finite()))
}

fn text_style(size: f64, colour: &RGBColor) -> TextStyle<'static> {
    (FONT, size, FontStyle::Normal).into_font().color(colour)
}

fn line(colour: RGBColor) -> ShapeStyle {
    colour.stroke_width(2)
}

/// Colours that also differ for colour-blind readers, on white.
fn colour(tone: Tone) -> RGBColor {
    match tone {
        Tone::Main => RGBColor(0, 90, 181),
        Tone::Reference => RGBColor(204, 102, 0),
        Tone::Faint => RGBColor(150, 160, 175),
        Tone::Off => RGBColor(170, 51, 85),
        Tone::One(nth) => match nth % 4 {
            0 => RGBColor(0, 90, 181),
            1 => RGBColor(204, 102, 0),
            2 => RGBColor(0, 128, 100),
            _ => RGBColor(140, 60, 140),
        },
    }
}
