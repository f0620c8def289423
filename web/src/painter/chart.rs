//! A figure of `trailbrake_shared::plot::figure`: axes, and what stands between them.

use trailbrake_shared::plot::figure::{Axis, Figure, Mark, Shape, Tone};
use trailbrake_shared::plot::{Polyline, Scale, Ticks};
use web_sys::HtmlCanvasElement;

use super::{Align, Ink, Layer, Paint, Pen, Sheet, Size, TextStyle};

/// CSS pixels: a row of words, the strip under the figure for ticks and label, and the free edges.
const ROW: f32 = 16.0;
const BELOW: f32 = 34.0;
const RIGHT: f32 = 12.0;
const GAP: f32 = 6.0;
/// From a word of the legend to the next, and how wide the sample of its colour is.
const APART: f32 = 12.0;
const SWATCH: f32 = 10.0;
/// A tick is no nearer to the next than this, CSS pixels.
const TICK_ROOM: [f32; 2] = [46.0, 26.0];
/// Dots are this large, until there are so many that only where they lie can be seen.
const DOT: f32 = 3.0;
const MANY: usize = 300;
const SPECK: f32 = 1.5;
const LINE: f32 = 1.6;

/// The figure.
pub struct Chart {
    sheet: Sheet,
    figure: Figure,
    frame: Option<Frame>,
    point: Option<[f64; 2]>,
    dirty: bool,
}

/// Where the axes are.
#[derive(Clone, Copy)]
struct Frame {
    x: Scale,
    y: Scale,
    /// The baseline of the upright axis' label, and of the legend.
    label: f32,
    legend: f32,
}

impl Chart {
    /// A figure that is drawn when it is painted.
    pub fn new(sheet: Sheet, figure: Figure) -> Self {
        Self { sheet, figure, frame: None, point: None, dirty: true }
    }

    /// The figure.
    pub fn figure(&self) -> &Figure {
        &self.figure
    }

    /// The figure as it is seen now, in a canvas of its own, under what its colours mean.
    pub fn picture(&self, legend: &[(Ink, String)]) -> Option<HtmlCanvasElement> {
        self.sheet.picture(legend)
    }

    /// Draws what has changed; `point` is the place in the figure that the cursor stands for.
    pub fn paint(&mut self, point: Option<[f64; 2]>) {
        let anew = self.sheet.refresh() || std::mem::take(&mut self.dirty);
        if !self.sheet.is_visible() {
            // What can't be seen yet is drawn once it can.
            self.dirty |= anew;
            return;
        }
        let Self { sheet, figure, frame, .. } = self;
        if anew && let Some(pen) = sheet.wiped(Layer::Background) {
            let laid = Frame::of(&pen, figure, sheet.size());
            laid.axes(&pen, figure);
            laid.legend(&pen, figure);
            *frame = Some(laid);
        }
        if anew && let Some((pen, frame)) = sheet.wiped(Layer::Data).zip(*frame) {
            figure.marks.iter().for_each(|mark| frame.mark(&pen, mark));
        }
        if anew || self.point != point {
            self.point = point;
            let found = sheet.wiped(Layer::Cursor).zip(frame.zip(point));
            if let Some((pen, (frame, point))) = found {
                let place = frame.at(point);
                pen.dots([place], DOT + 2.5, Ink::Panel);
                pen.dots([place], DOT + 1.0, Ink::Text);
            }
        }
    }
}

impl Frame {
    fn of(pen: &Pen<'_>, figure: &Figure, size: Size) -> Self {
        let (width, height) = (size.width as f32, size.height as f32);
        let legend = legend_width(pen, figure);
        let label = pen.width(&figure.y.label);
        let beside = legend > 0.0 && label + legend + pen.px(2.0 * APART) < width;
        let rows = if legend > 0.0 && !beside { 2.0 } else { 1.0 };
        let top = pen.px(ROW * rows + GAP);
        let bottom = (height - pen.px(BELOW)).max(top + 1.0);
        let widest = ticks(&figure.y, bottom - top, pen.px(TICK_ROOM[1]));
        let widest = longest(pen, &widest);
        let left = widest + pen.px(GAP);
        let right = (width - pen.px(RIGHT)).max(left + 1.0);
        let (mut x, mut y) = ((left, right), (bottom, top));
        if figure.square {
            // The smaller of the two, in the middle of the larger.
            let side = (right - left).min(bottom - top);
            let aside = (right - left - side) / 2.0;
            (x, y) = ((left + aside, left + aside + side), (bottom, bottom - side));
        }
        let baseline = pen.px(ROW - 5.0);
        Self {
            x: Scale::new(figure.x.domain, x.0.round(), x.1.round()),
            y: Scale::new(figure.y.domain, y.0.round(), y.1.round()),
            label: baseline,
            legend: if beside { baseline } else { baseline + pen.px(ROW) },
        }
    }

    fn at(&self, [x, y]: [f64; 2]) -> [f32; 2] {
        [self.x.pixel(x), self.y.pixel(y)]
    }

    /// The grid, what is written along it, and what the axes count.
    fn axes(&self, pen: &Pen<'_>, figure: &Figure) {
        let ((left, right), (bottom, top)) = (self.x.pixels(), self.y.pixels());
        let text = |ink, align| TextStyle { ink, align };
        let grid = |value: f64| if value == 0.0 { Ink::LineStrong } else { Ink::Line };
        // Beside the longest word there is room for the next.
        let [room, high] = TICK_ROOM.map(|room| pen.px(room));
        // A unit that is as long both ways is marked as often.
        let room = if figure.square { high } else { room };
        let across = ticks(&figure.x, right - left, room);
        let across = ticks(&figure.x, right - left, room.max(longest(pen, &across) + pen.px(APART)));
        for value in across.values() {
            let x = self.x.pixel(value);
            pen.upright(top, bottom, x, grid(value));
            pen.text(&across.label(value), x, bottom + pen.px(13.0), text(Ink::Faint, Align::Centre));
        }
        let up = if figure.square { across } else { ticks(&figure.y, bottom - top, high) };
        for value in up.values() {
            let y = self.y.pixel(value);
            pen.level(left, right, y, grid(value));
            let beside = text(Ink::Faint, Align::Right);
            pen.text(&up.label(value), left - pen.px(GAP), y + pen.px(4.0), beside);
        }
        let middle = (left + right) / 2.0;
        pen.text(&figure.x.label, middle, bottom + pen.px(28.0), text(Ink::Soft, Align::Centre));
        pen.text(&figure.y.label, 0.0, self.label, text(Ink::Soft, Align::Left));
    }

    /// What is what, from the right.
    fn legend(&self, pen: &Pen<'_>, figure: &Figure) {
        let (_, mut end) = self.x.pixels();
        for mark in figure.marks.iter().rev().filter(|mark| !mark.name.is_empty()) {
            pen.text(&mark.name, end, self.legend, TextStyle { ink: Ink::Soft, align: Align::Right });
            end -= pen.width(&mark.name) + pen.px(4.0 + SWATCH);
            let top = self.legend - pen.px(5.5);
            pen.rectangles([[end, top, pen.px(SWATCH), pen.px(3.0)]], ink(mark.tone));
            end -= pen.px(APART);
        }
    }

    fn mark(&self, pen: &Pen<'_>, mark: &Mark) {
        let ink = ink(mark.tone);
        match &mark.shape {
            Shape::Dots(places) if places.len() > MANY => self.cloud(pen, places, ink),
            Shape::Dots(places) => pen.dots(self.line(places).points().iter().copied(), DOT, ink),
            Shape::Line(places) => {
                let line = self.line(places);
                pen.line(&line, ink, LINE);
                // A single value is seen too.
                if let [place] = line.points() {
                    pen.dots([*place], DOT, ink);
                }
            }
            Shape::Bars(width, places) => {
                let base = self.y.pixel(0.0);
                for [x, y] in places {
                    let (from, to) = (self.x.pixel(x - width / 2.0), self.x.pixel(x + width / 2.0));
                    let end = self.y.pixel(*y);
                    // A hair of ground between two bars.
                    let gap = if to - from > pen.px(4.0) { pen.px(1.0) } else { 0.0 };
                    let bar = [from, base.min(end), to - from - gap, (base - end).abs()];
                    pen.rectangles([bar], Paint::thin(ink, 0.8));
                }
            }
            Shape::Outline(width, places) => {
                pen.line(&self.line(&Shape::outline(*width, places)), ink, LINE);
            }
            Shape::Level(value) => {
                let (left, right) = self.x.pixels();
                pen.level(left, right, self.y.pixel(*value), ink);
            }
        }
    }

    /// Places as they lie here, without those that are no numbers.
    fn line(&self, places: &[[f64; 2]]) -> Polyline {
        let mut line = Polyline::default();
        for place in places {
            let [x, y] = self.at(*place);
            if x.is_finite() && y.is_finite() {
                line.line_to(x, y);
            }
        }
        line
    }

    /// Very many dots: one in each place, however many lie there.
    fn cloud(&self, pen: &Pen<'_>, places: &[[f64; 2]], ink: Ink) {
        let size = pen.px(SPECK).max(1.0);
        let ((left, right), (bottom, top)) = (self.x.pixels(), self.y.pixels());
        let (wide, high) = (((right - left) / size) as usize + 1, ((bottom - top) / size) as usize + 1);
        let mut taken = vec![false; wide * high];
        for [x, y] in self.line(places).points() {
            let (column, row) = (((x - left) / size) as usize, ((y - top) / size) as usize);
            if let Some(taken) = taken.get_mut(row * wide + column)
                && !std::mem::replace(taken, true)
            {
                let speck = [left + column as f32 * size, top + row as f32 * size, size, size];
                pen.rectangles([speck], Paint::thin(ink, 0.45));
            }
        }
    }
}

fn ticks(axis: &Axis, pixels: f32, room: f32) -> Ticks {
    Ticks::new(axis.ticks, axis.domain, (pixels / room) as usize)
}

/// How wide the longest word of an axis is.
fn longest(pen: &Pen<'_>, ticks: &Ticks) -> f32 {
    let mut longest: f32 = 0.0;
    for value in ticks.values() {
        longest = longest.max(pen.width(&ticks.label(value)));
    }
    longest
}

/// How wide the legend is: of every mark that has a name.
fn legend_width(pen: &Pen<'_>, figure: &Figure) -> f32 {
    let mut width = 0.0;
    for mark in figure.marks.iter().filter(|mark| !mark.name.is_empty()) {
        width += pen.width(&mark.name) + pen.px(SWATCH + 4.0 + APART);
    }
    width
}

/// The lap and its reference have their colours everywhere; equals have those that neither of them has.
const fn ink(tone: Tone) -> Ink {
    match tone {
        Tone::Main => Ink::Main,
        Tone::Reference => Ink::Reference,
        Tone::Faint => Ink::Faint,
        Tone::Off => Ink::Loss,
        Tone::One(0) => Ink::Lap3,
        Tone::One(1) => Ink::Lap4,
        Tone::One(2) => Ink::Lap5,
        Tone::One(_) => Ink::Lap6,
    }
}
