//! Draws a figure: axes, legend and marks, on any backend.

use plotters_backend::DrawingBackend;

use super::{Axis, Figure, Mark, Shape, Tone};
use crate::sheet::Anchor;
use crate::{Brush, Colour, Lettering, Scale, Ticks};

/// Height of a row of text, of the title, and of the strip below the axes for ticks and label. CSS pixels, as all here.
const ROW: f32 = 16.0;
const TITLE: f32 = 24.0;
const BELOW: f32 = 36.0;
const RIGHT: f32 = 12.0;
const GAP: f32 = 6.0;
/// Distance between the names of the legend, and the size of the sample of a colour.
const APART: f32 = 12.0;
const SWATCH: [f32; 2] = [10.0, 3.0];
/// Minimum distance of ticks: across, up.
const TICK_ROOM: [f32; 2] = [46.0, 26.0];
/// The radius of dots, the number from which on they are specks, and the size of a speck.
const DOT: f32 = 3.0;
const MANY: usize = 300;
const SPECK: f32 = 1.5;
const LINE: f32 = 1.6;
/// Opacity of bars and specks, which lie over each other.
const BAR_OPACITY: f64 = 0.8;
const SPECK_OPACITY: f64 = 0.45;

/// The role of a part of a figure, which decides its colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FigureInk {
    /// Grid lines.
    Grid,
    /// The lines at zero.
    Zero,
    /// The labels of ticks.
    Ticks,
    /// The names of axes and marks.
    Labels,
    /// The title.
    Title,
    /// A mark.
    Mark(Tone),
}

/// How large a figure is drawn, and in which colours.
pub struct FigureLook<'a> {
    /// Width and height, CSS pixels.
    pub size: [f32; 2],
    /// What stays free on every side, CSS pixels.
    pub margin: f32,
    /// The size of text, CSS pixels.
    pub text_size: f32,
    /// Whether the title is drawn.
    pub has_title: bool,
    /// The colours.
    pub colour: &'a dyn Fn(FigureInk) -> Colour,
}

/// Where the axes of a drawn figure are.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlotArea {
    /// The horizontal scale.
    pub x: Scale,
    /// The vertical scale.
    pub y: Scale,
}

impl PlotArea {
    /// The place of a point of the figure, CSS pixels from the upper left corner.
    pub fn at(&self, [x, y]: [f64; 2]) -> [f32; 2] {
        [self.x.pixel(x), self.y.pixel(y)]
    }
}

/// Draws a figure with a brush whose unit is a CSS pixel.
pub fn draw_figure<B: DrawingBackend>(
    figure: &Figure,
    brush: &mut Brush<'_, B>,
    look: &FigureLook<'_>,
) -> PlotArea {
    let mut drawing = Drawing::new(figure, brush, look);
    drawing.axes();
    drawing.names();
    for mark in &figure.marks {
        drawing.mark(mark);
    }
    drawing.area
}

/// A figure that is being drawn.
struct Drawing<'a, 'b, B: DrawingBackend> {
    figure: &'a Figure,
    look: &'a FigureLook<'a>,
    brush: &'a mut Brush<'b, B>,
    area: PlotArea,
    /// The baselines of the title, the vertical axis' label, and the legend.
    title: f32,
    label: f32,
    legend: f32,
}

impl<'a, 'b, B: DrawingBackend> Drawing<'a, 'b, B> {
    /// Lays the figure out.
    fn new(figure: &'a Figure, brush: &'a mut Brush<'b, B>, look: &'a FigureLook<'a>) -> Self {
        let [width, height] = look.size.map(|length| length - look.margin);
        let area = PlotArea {
            x: Scale::new(figure.x.domain, 0.0, width),
            y: Scale::new(figure.y.domain, height, 0.0),
        };
        let mut drawing = Self { figure, look, brush, area, title: 0.0, label: 0.0, legend: 0.0 };
        let legend: f32 = drawing.named().map(|mark| drawing.legend_width(mark)).sum();
        let label = drawing.width(&figure.y.label);
        let beside = look.margin + label + legend + 2.0 * APART < width;
        let title = look.margin + if look.has_title { TITLE } else { 0.0 };
        let rows = if legend > 0.0 && !beside { 2.0 } else { 1.0 };
        let top = title + ROW * rows + GAP;
        let bottom = (height - BELOW).max(top + 1.0);
        let left = look.margin + drawing.widest(&ticks(&figure.y, bottom - top, TICK_ROOM[1])) + GAP;
        let right = (width - RIGHT).max(left + 1.0);
        let (mut across, mut up) = ((left, right), (bottom, top));
        if figure.square {
            // The smaller side, in the middle of the larger.
            let side = (right - left).min(bottom - top);
            let aside = (right - left - side) / 2.0;
            (across, up) = ((left + aside, left + aside + side), (bottom, bottom - side));
        }
        let snapped = |place| drawing.brush.snapped(place);
        drawing.area = PlotArea {
            x: Scale::new(figure.x.domain, snapped(across.0), snapped(across.1)),
            y: Scale::new(figure.y.domain, snapped(up.0), snapped(up.1)),
        };
        drawing.title = look.margin + TITLE - 8.0;
        drawing.label = title + ROW - 5.0;
        drawing.legend = if beside { drawing.label } else { drawing.label + ROW };
        drawing
    }

    /// Draws the grid, the ticks' labels, and the names of the axes.
    fn axes(&mut self) {
        let ((left, right), (bottom, top)) = (self.area.x.pixels(), self.area.y.pixels());
        let figure = self.figure;
        let [room, high] = TICK_ROOM;
        // A square figure has the same ticks both ways.
        let room = if figure.square { high } else { room };
        let across = ticks(&figure.x, right - left, room);
        let room = room.max(self.widest(&across) + APART);
        let across = ticks(&figure.x, right - left, room);
        for value in across.values() {
            let x = self.area.x.pixel(value);
            self.brush.upright([top, bottom], x, self.grid(value));
            self.text(&across.label(value), [x, bottom + 15.0], FigureInk::Ticks, Anchor::Middle);
        }
        let up = if figure.square { across } else { ticks(&figure.y, bottom - top, high) };
        for value in up.values() {
            let y = self.area.y.pixel(value);
            self.brush.level([left, right], y, self.grid(value));
            self.text(&up.label(value), [left - GAP, y + 4.0], FigureInk::Ticks, Anchor::Right);
        }
        let middle = (left + right) / 2.0;
        self.text(&figure.x.label, [middle, bottom + 30.0], FigureInk::Labels, Anchor::Middle);
        self.text(&figure.y.label, [self.look.margin, self.label], FigureInk::Labels, Anchor::Left);
    }

    /// Draws the title, and the legend from the right.
    fn names(&mut self) {
        if self.look.has_title {
            let lettering = Lettering {
                size: self.look.text_size + 3.0,
                bold: true,
                ..self.lettering(FigureInk::Title, Anchor::Left)
            };
            self.brush.text(&self.figure.title, [self.look.margin, self.title], lettering);
        }
        let (_, mut end) = self.area.x.pixels();
        let figure = self.figure;
        for mark in figure.marks.iter().rev().filter(|mark| !mark.name.is_empty()) {
            let begin = end - self.legend_width(mark) + APART;
            let [wide, high] = SWATCH;
            let top = self.brush.snapped(self.legend - 5.5);
            let colour = (self.look.colour)(FigureInk::Mark(mark.tone));
            self.brush.fill([begin, top], [begin + wide, top + high], colour);
            self.text(&mark.name, [begin + wide + 4.0, self.legend], FigureInk::Labels, Anchor::Left);
            end = begin - APART;
        }
    }

    fn mark(&mut self, mark: &Mark) {
        let colour = (self.look.colour)(FigureInk::Mark(mark.tone));
        let area = self.area;
        match &mark.shape {
            Shape::Dots(points) if points.len() > MANY => self.specks(points, colour),
            Shape::Dots(points) => {
                finite(points).for_each(|point| self.brush.dot(area.at(point), DOT, colour));
            }
            Shape::Line(points) => {
                self.brush.line(finite(points).map(|point| area.at(point)), colour, LINE);
                // A single value can be seen, too.
                let mut rest = finite(points);
                if let (Some(point), None) = (rest.next(), rest.next()) {
                    self.brush.dot(area.at(point), DOT, colour);
                }
            }
            Shape::Bars(width, points) => {
                for [x, y] in finite(points) {
                    let [[left, base], [right, end]] =
                        [[x - width / 2.0, 0.0], [x + width / 2.0, y]].map(|point| area.at(point));
                    let gap = if right - left > 4.0 { 1.0 } else { 0.0 };
                    let (top, bottom) = (base.min(end), base.max(end));
                    self.brush.fill([left, top], [right - gap, bottom], colour.thin(BAR_OPACITY));
                }
            }
            Shape::Outline(width, points) => {
                let points: Vec<[f64; 2]> = finite(points).collect();
                let outline = Shape::outline(*width, &points);
                self.brush.line(outline.into_iter().map(|point| area.at(point)), colour, LINE);
            }
            Shape::Level(value) => {
                let (left, right) = area.x.pixels();
                self.brush.level([left, right], area.y.pixel(*value), colour);
            }
        }
    }

    /// Draws very many dots: one speck per place, however many dots there are.
    fn specks(&mut self, points: &[[f64; 2]], colour: Colour) {
        let size = self.brush.snapped(SPECK).max(self.brush.pixel());
        let ((left, right), (bottom, top)) = (self.area.x.pixels(), self.area.y.pixels());
        let (wide, high) = (((right - left) / size) as usize + 1, ((bottom - top) / size) as usize + 1);
        let mut taken = vec![false; wide * high];
        for point in finite(points) {
            let [x, y] = self.area.at(point);
            let (column, row) = (((x - left) / size) as usize, ((y - top) / size) as usize);
            if let Some(taken) = taken.get_mut(row * wide + column)
                && !std::mem::replace(taken, true)
            {
                let corner = [left + column as f32 * size, top + row as f32 * size];
                self.brush.fill(corner, corner.map(|place| place + size), colour.thin(SPECK_OPACITY));
            }
        }
    }

    fn grid(&self, value: f64) -> Colour {
        (self.look.colour)(if value == 0.0 { FigureInk::Zero } else { FigureInk::Grid })
    }

    fn text(&mut self, text: &str, at: [f32; 2], ink: FigureInk, anchor: Anchor) {
        self.brush.text(text, at, self.lettering(ink, anchor));
    }

    fn lettering(&self, ink: FigureInk, anchor: Anchor) -> Lettering {
        Lettering { colour: (self.look.colour)(ink), size: self.look.text_size, bold: false, anchor }
    }

    fn width(&self, text: &str) -> f32 {
        self.brush.text_width(text, self.lettering(FigureInk::Labels, Anchor::Left))
    }

    /// The width of the widest label.
    fn widest(&self, ticks: &Ticks) -> f32 {
        ticks.values().map(|value| self.width(&ticks.label(value))).fold(0.0, f32::max)
    }

    /// The marks in the legend.
    fn named(&self) -> impl Iterator<Item = &Mark> {
        self.figure.marks.iter().filter(|mark| !mark.name.is_empty())
    }

    fn legend_width(&self, mark: &Mark) -> f32 {
        self.width(&mark.name) + SWATCH[0] + 4.0 + APART
    }
}

fn ticks(axis: &Axis, length: f32, room: f32) -> Ticks {
    Ticks::new(axis.ticks, axis.domain, (length / room) as usize)
}

/// The finite points.
fn finite(points: &[[f64; 2]]) -> impl Iterator<Item = [f64; 2]> {
    points.iter().copied().filter(|point| point.iter().all(|number| number.is_finite()))
}
