//! Drawing on a canvas in batches: one call draws a complete line, or all dots of a colour, or a text.

use std::cmp::Ordering;
use std::f64::consts::TAU;

use trailbrake_shared::plot::Polyline;
use web_sys::CanvasRenderingContext2d;

use super::backend::CanvasBackend;
use super::{Ink, Paint, Palette};

/// The most points of a line that are stroked at once. Without a graphics card, Chromium takes three times as long to
/// stroke a line that oscillates in every pixel in one piece.
const PIECE: usize = 24;

/// The horizontal alignment of a text at its position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Align {
    /// The text begins there.
    Left,
    /// The text is centred there.
    Centre,
    /// The text ends there.
    Right,
}

/// How a text looks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TextStyle {
    /// Its colour.
    pub ink: Ink,
    /// Its horizontal alignment.
    pub align: Align,
}

/// Draws on one layer. Positions and sizes are in device pixels. Line widths and radii are in CSS pixels, so that they
/// look the same on every screen.
pub struct Pen<'a> {
    context: &'a CanvasRenderingContext2d,
    palette: &'a Palette,
    density: f32,
}

impl<'a> Pen<'a> {
    pub(super) fn new(context: &'a CanvasRenderingContext2d, palette: &'a Palette, density: f32) -> Self {
        // Resizing a canvas resets all of this, so it is set whenever drawing begins.
        context.set_line_join("round");
        context.set_line_cap("butt");
        context.set_text_baseline("alphabetic");
        context.set_font(&format!("{}px {}", palette.small * density, palette.family()));
        Self { context, palette, density }
    }

    /// The colours.
    pub(super) fn palette(&self) -> &'a Palette {
        self.palette
    }

    /// The layer as a backend of plotters; `size` is in device pixels.
    pub(super) fn backend(&self, size: [u32; 2]) -> CanvasBackend<'a> {
        CanvasBackend::new(self.context, self.palette.family(), size)
    }

    /// Converts CSS pixels to device pixels.
    pub fn px(&self, css: f32) -> f32 {
        css * self.density
    }

    /// Draws all runs of a line. A run of a single point is drawn as a dot, so that a lone sample is visible.
    pub fn line(&self, line: &Polyline, paint: impl Into<Paint>, width: f32) {
        if line.is_empty() {
            return;
        }
        let (width, paint) = (self.px(width), paint.into());
        self.ink(paint, CanvasRenderingContext2d::set_stroke_style_str);
        self.context.set_line_width(width.into());
        // Pieces and bars overlap, which would be visible with translucent ink.
        let is_opaque = paint.opacity >= 1.0;
        if is_opaque {
            self.ink(paint, CanvasRenderingContext2d::set_fill_style_str);
        }
        self.context.begin_path();
        let mut count = 0;
        for run in line.runs() {
            match run {
                [[x, y]] => {
                    self.context.move_to(f64::from(x - width / 2.0), (*y).into());
                    self.context.line_to(f64::from(x + width / 2.0), (*y).into());
                }
                _ if is_opaque => self.stroke_run(run, width, &mut count),
                _ => self.path(run),
            }
        }
        self.context.stroke();
    }

    /// Fills every run as a polygon.
    pub fn areas(&self, areas: &Polyline, paint: impl Into<Paint>) {
        if areas.is_empty() {
            return;
        }
        self.ink(paint.into(), CanvasRenderingContext2d::set_fill_style_str);
        self.context.begin_path();
        areas.runs().for_each(|run| self.path(run));
        self.context.fill();
    }

    /// Fills rectangles: left, top, width, height.
    pub fn rectangles(&self, rectangles: impl IntoIterator<Item = [f32; 4]>, paint: impl Into<Paint>) {
        self.ink(paint.into(), CanvasRenderingContext2d::set_fill_style_str);
        for [left, top, width, height] in rectangles {
            self.context.fill_rect(left.into(), top.into(), width.into(), height.into());
        }
    }

    /// Draws a level hairline that fills whole device pixels, as sharp as the screen can.
    pub fn level(&self, left: f32, right: f32, y: f32, ink: Ink) {
        let thickness = self.hairline();
        let top = (y - thickness / 2.0).round();
        self.rectangles([[left.round(), top, right.round() - left.round(), thickness]], ink);
    }

    /// Draws an upright hairline that fills whole device pixels.
    pub fn upright(&self, top: f32, bottom: f32, x: f32, paint: impl Into<Paint>) {
        let thickness = self.hairline();
        let left = (x - thickness / 2.0).round();
        self.rectangles([[left, top.round(), thickness, bottom.round() - top.round()]], paint);
    }

    /// Fills dots of one size.
    pub fn dots(&self, centres: impl IntoIterator<Item = [f32; 2]>, radius: f32, paint: impl Into<Paint>) {
        self.ink(paint.into(), CanvasRenderingContext2d::set_fill_style_str);
        let radius = f64::from(self.px(radius));
        self.context.begin_path();
        for [x, y] in centres {
            // Without the move, dots would be joined by lines.
            self.context.move_to(f64::from(x) + radius, y.into());
            // Fails only for a negative radius.
            let _ = self.context.arc(x.into(), y.into(), radius, 0.0, TAU);
        }
        self.context.fill();
    }

    /// Draws rings of one size.
    pub fn rings(
        &self,
        centres: impl IntoIterator<Item = [f32; 2]>,
        radius: f32,
        width: f32,
        paint: impl Into<Paint>,
    ) {
        self.ink(paint.into(), CanvasRenderingContext2d::set_stroke_style_str);
        self.context.set_line_width(self.px(width).into());
        let radius = f64::from(self.px(radius));
        self.context.begin_path();
        for [x, y] in centres {
            self.context.move_to(f64::from(x) + radius, y.into());
            // Fails only for a negative radius.
            let _ = self.context.arc(x.into(), y.into(), radius, 0.0, TAU);
        }
        self.context.stroke();
    }

    /// Makes the texts that follow bold, with a font size in CSS pixels.
    pub fn enlarge(&self, css: f32) {
        self.context.set_font(&format!("600 {}px {}", self.px(css), self.palette.family()));
    }

    /// Writes a text in the current font. `x` is its left end, middle or right end, by its alignment.
    pub fn text(&self, text: &str, x: f32, baseline: f32, style: TextStyle) {
        self.set_text(style);
        // An error only leaves the text out; there is nothing a driver could do about it.
        let _ = self.context.fill_text(text, x.into(), baseline.into());
    }

    /// Like [`Self::text`], but condenses a text that is wider than `room`.
    pub fn text_within(&self, text: &str, x: f32, baseline: f32, room: f32, style: TextStyle) {
        self.set_text(style);
        let _ = self.context.fill_text_with_max_width(text, x.into(), baseline.into(), room.into());
    }

    /// The width of a text in the current font, device pixels.
    pub fn width(&self, text: &str) -> f32 {
        self.context.measure_text(text).map_or(0.0, |measured| measured.width() as f32)
    }

    fn set_text(&self, style: TextStyle) {
        self.ink(style.ink.into(), CanvasRenderingContext2d::set_fill_style_str);
        self.context.set_text_align(match style.align {
            Align::Left => "left",
            Align::Centre => "center",
            Align::Right => "right",
        });
    }

    fn hairline(&self) -> f32 {
        self.density.round().max(1.0)
    }

    fn ink(&self, paint: Paint, set: impl FnOnce(&CanvasRenderingContext2d, &str)) {
        self.context.set_global_alpha(paint.opacity);
        set(self.context, self.palette.colour(paint.ink));
    }

    /// Draws a run: a bar for each pixel column in which it goes up and down, and strokes between bars.
    fn stroke_run(&self, run: &[[f32; 2]], width: f32, count: &mut usize) {
        let (mut stroked, mut place) = (0, 0);
        let mut before: Option<Bar> = None;
        for points in run.chunk_by(|[one, _], [other, _]| one.floor() == other.floor()) {
            let bar = Bar::of(points);
            if let Some(bar) = bar {
                if before.is_none_or(|before| !before.touches(bar)) {
                    self.stroke_pieces(run.get(stroked..=place).unwrap_or_default(), count);
                }
                let left = bar.pixel + (1.0 - width) / 2.0;
                let height = bar.bottom - bar.top + width;
                let [left, top, width, height] = [left, bar.top - width / 2.0, width, height].map(f64::from);
                self.context.fill_rect(left, top, width, height);
                stroked = place + points.len() - 1;
            }
            before = bar;
            place += points.len();
        }
        self.stroke_pieces(run.get(stroked..).unwrap_or_default(), count);
    }

    /// Like [`Self::path`], but strokes whenever there are [`PIECE`] points; `count` is how many are not stroked yet.
    /// The next piece repeats the last segment, so that the join between the pieces is drawn.
    fn stroke_pieces(&self, run: &[[f32; 2]], count: &mut usize) {
        let Some(&[x, y]) = run.first() else { return };
        self.context.move_to(x.into(), y.into());
        let (mut before, mut last) = ([x, y], [x, y]);
        for [x, y] in corners(run) {
            if *count >= PIECE {
                self.context.stroke();
                self.context.begin_path();
                self.context.move_to(before[0].into(), before[1].into());
                self.context.line_to(last[0].into(), last[1].into());
                *count = 0;
            }
            self.context.line_to(x.into(), y.into());
            *count += 1;
            (before, last) = (last, [x, y]);
        }
    }

    fn path(&self, run: &[[f32; 2]]) {
        let Some(&[x, y]) = run.first() else { return };
        self.context.move_to(x.into(), y.into());
        for [x, y] in corners(run) {
            self.context.line_to(x.into(), y.into());
        }
    }
}

/// An upright bar that stands for a line that goes up and down within one pixel column. A browser fills the bar many
/// times as fast as it strokes the line.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Bar {
    pixel: f32,
    top: f32,
    bottom: f32,
}

impl Bar {
    /// The bar of the points in one pixel column; `None` if they only rise or only fall.
    fn of(points: &[[f32; 2]]) -> Option<Self> {
        let [x, _] = points.first()?;
        let heights = points.iter().map(|[_, y]| *y);
        let pairs = heights.clone().zip(heights.clone().skip(1));
        let goes = |turn: Ordering| pairs.clone().any(|(one, other)| one.partial_cmp(&other) == Some(turn));
        let top = heights.clone().fold(f32::INFINITY, f32::min);
        let bottom = heights.clone().fold(f32::NEG_INFINITY, f32::max);
        (goes(Ordering::Less) && goes(Ordering::Greater)).then_some(Self { pixel: x.floor(), top, bottom })
    }

    /// Whether the next pixel's bar overlaps in height, so that no stroke is needed between them.
    fn touches(self, next: Self) -> bool {
        self.pixel + 1.0 == next.pixel && self.top <= next.bottom && next.top <= self.bottom
    }
}

/// The points of a run after its first, without those inside a level stretch. A pedal held down becomes one stroke: a
/// call into the browser costs more than a hundred comparisons here.
fn corners(run: &[[f32; 2]]) -> impl Iterator<Item = [f32; 2]> {
    let within = run.windows(3).filter_map(|points| match points {
        [[_, before], point, [_, after]] if point[1] != *before || point[1] != *after => Some(*point),
        _ => None,
    });
    within.chain(run.iter().skip(1).next_back().copied())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn up_and_down_within_a_pixel_is_a_bar() {
        let bar = Bar::of(&[[7.0, 5.0], [7.5, 3.0], [7.5, 9.0], [7.9, 6.0]]).expect("a bar");
        assert_eq!(bar, Bar { pixel: 7.0, top: 3.0, bottom: 9.0 });
        assert_eq!(Bar::of(&[[7.0, 5.0], [7.5, 3.0], [7.9, 3.0], [7.9, 1.0]]), None, "a slope is stroked");
        assert_eq!(Bar::of(&[[7.0, 5.0]; 4]), None, "level");
        let next = |pixel, top| Bar { pixel, top, bottom: top + 2.0 };
        assert!(bar.touches(next(8.0, 9.0)) && bar.touches(next(8.0, 1.0)));
        assert!(!bar.touches(next(8.0, 9.5)), "a jump is stroked");
        assert!(!bar.touches(next(9.0, 5.0)), "so is the way across a pixel");
    }

    #[test]
    fn level_stretches_are_one_stroke() {
        let run = [[0.0, 5.0], [1.0, 5.0], [2.0, 5.0], [3.0, 7.0], [4.0, 7.0], [5.0, 7.0], [6.0, 7.0]];
        assert_eq!(corners(&run).collect::<Vec<_>>(), [[2.0, 5.0], [3.0, 7.0], [6.0, 7.0]]);
        assert_eq!(corners(&run[..2]).collect::<Vec<_>>(), [[1.0, 5.0]]);
        assert_eq!(corners(&run[..1]).count(), 0);
        assert_eq!(corners(&[]).count(), 0);
    }
}
