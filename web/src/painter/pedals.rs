//! The pedals over the last seconds, on top of the reference's. The reference's pedals and gears continue ahead of the
//! car.

use trailbrake_shared::model::Drawing;
use trailbrake_shared::plot::{Domain, Polyline, Scale, View};

use super::{Align, ComparedTraces, Ink, LaneSource, Layer, Paint, Pen, Sheet, TextStyle};

/// CSS pixels: the margin at the sides, the margin above and below, the height of the gears, and their font size.
const SIDE: f32 = 14.0;
const EDGE: f32 = 8.0;
const GEARS: f32 = 30.0;
const DIGIT: f32 = 20.0;
/// CSS pixels from a gear's tick to its digit, and the least width for a digit.
const BESIDE: f32 = 4.0;
const DIGIT_ROOM: f32 = 16.0;

/// The columns of the lines in [`ComparedTraces`].
#[derive(Clone, Copy, Debug)]
pub struct PedalLines {
    /// The car's throttle, brake and steering.
    pub car: [usize; 3],
    /// The reference's throttle and brake.
    pub reference: [usize; 2],
}

/// The time axis: its length, the current time, and how much of the length lies ahead of it, all in seconds.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Axis {
    seconds: f64,
    edge: f64,
    ahead: f64,
}

/// The figure of the pedals.
pub struct PedalFigure {
    sheet: Sheet,
    lines: PedalLines,
    axis: Axis,
    /// The reference's gears: from and to in seconds, and the digit.
    gears: Vec<(f64, f64, String)>,
    is_background_dirty: bool,
    line: Polyline,
    area: Polyline,
}

impl PedalFigure {
    /// An empty figure for these columns.
    pub fn new(sheet: Sheet, lines: PedalLines) -> Self {
        Self {
            sheet,
            lines,
            axis: Axis::default(),
            gears: Vec::new(),
            is_background_dirty: true,
            line: Polyline::default(),
            area: Polyline::default(),
        }
    }

    /// Sets the time axis and the reference's gears. `edge` is the current time; `ahead` of the `seconds` lie after it.
    pub fn show(&mut self, seconds: f64, edge: f64, ahead: f64, gears: Vec<(f64, f64, String)>) {
        self.is_background_dirty |= (seconds, ahead) != (self.axis.seconds, self.axis.ahead);
        self.axis = Axis { seconds, edge, ahead };
        self.gears = gears;
    }

    /// Draws the lines and the gears, and the background if it changed.
    pub fn paint(&mut self, traces: &ComparedTraces) {
        let refreshed = self.sheet.refresh();
        if !self.sheet.is_visible() {
            return;
        }
        if refreshed | std::mem::take(&mut self.is_background_dirty) {
            self.sheet.draw(Layer::Background, |pen| self.draw_background(pen));
        }
        // The buffers are lent to the drawing and taken back, so that no frame asks for memory.
        let (mut line, mut area) = (std::mem::take(&mut self.line), std::mem::take(&mut self.area));
        self.sheet.draw(Layer::Data, |pen| {
            self.draw_lines(pen, traces, &mut line, &mut area);
            self.draw_gears(pen);
        });
        (self.line, self.area) = (line, area);
    }

    fn x_scale(&self) -> Scale {
        let size = self.sheet.size();
        let left = (SIDE * size.density).round();
        let right = (size.width as f32 - left).max(left + 1.0);
        let Axis { seconds, edge, ahead } = self.axis;
        Scale::new(Domain::new(edge + ahead - seconds, edge + ahead), left, right)
    }

    /// The pixels of a released and a fully pressed pedal, and the bottom of the gears.
    fn heights(&self) -> [f32; 3] {
        let size = self.sheet.size();
        let height = size.height as f32;
        let strip = if self.axis.ahead > 0.0 { GEARS * size.density } else { 0.0 };
        [(height - strip - EDGE * size.density).round(), (EDGE * size.density).round(), height]
    }

    fn draw_background(&self, pen: &Pen<'_>) {
        let x = self.x_scale();
        let (left, right) = x.pixels();
        let [empty, full, bottom] = self.heights();
        let now = x.pixel(self.axis.edge);
        if self.axis.ahead > 0.0 {
            pen.rectangles([[now, 0.0, right - now, bottom]], Paint::thin(Ink::Raised, 0.6));
        }
        for share in [0.0, 0.5, 1.0] {
            pen.level(left, right, empty + (full - empty) * share, Ink::Line);
        }
        if self.axis.ahead > 0.0 {
            pen.rectangles([[now - pen.px(1.0), 0.0, pen.px(2.0), bottom]], Paint::thin(Ink::Text, 0.7));
        }
    }

    fn draw_lines(&self, pen: &Pen<'_>, traces: &ComparedTraces, line: &mut Polyline, area: &mut Polyline) {
        let x = self.x_scale();
        let [empty, full, _] = self.heights();
        let view = |domain| View {
            x,
            y: Scale::new(domain, empty, full),
            bridge: f64::INFINITY,
            drawing: Drawing::Line,
        };
        let pedal = view(Domain::new(0.0, 1.0));
        let trace = |column: usize, view: &View, line: &mut Polyline| {
            line.clear();
            traces.trace(column, view, line);
        };
        let [throttle, brake] = self.lines.reference;
        trace(brake, &pedal, line);
        fill_down(line, empty, area);
        pen.areas(area, Paint::thin(Ink::Brake, 0.22));
        pen.line(line, Paint::thin(Ink::Brake, 0.65), 1.5);
        trace(throttle, &pedal, line);
        pen.line(line, Paint::thin(Ink::Throttle, 0.6), 1.5);
        let [throttle, brake, steering] = self.lines.car;
        trace(steering, &view(Domain::new(-1.0, 1.0)), line);
        pen.line(line, Ink::Soft, 1.2);
        trace(throttle, &pedal, line);
        pen.line(line, Ink::Throttle, 2.5);
        trace(brake, &pedal, line);
        pen.line(line, Ink::Brake, 3.0);
    }

    /// Draws the reference's gears at the bottom. A gear that is too short for its digit is only a tick.
    fn draw_gears(&self, pen: &Pen<'_>) {
        if self.axis.ahead <= 0.0 {
            return;
        }
        let x = self.x_scale();
        let (left, right) = x.pixels();
        let [_, _, bottom] = self.heights();
        let now = x.pixel(self.axis.edge);
        let top = bottom - pen.px(GEARS - 4.0);
        pen.enlarge(DIGIT);
        for (from, to, digit) in &self.gears {
            let (from, to) = (x.pixel(*from), x.pixel(*to).min(right));
            if from > left && from < right {
                pen.upright(top, bottom - pen.px(4.0), from, Ink::LineStrong);
            }
            // The current gear has a digit on either side of the current time.
            for (from, to, ink) in [(from.max(left), to.min(now), Ink::Faint), (from.max(now), to, Ink::Text)]
            {
                if to - from >= pen.px(DIGIT_ROOM) {
                    let style = TextStyle { ink, align: Align::Left };
                    pen.text(digit, from + pen.px(BESIDE), bottom - pen.px(7.0), style);
                }
            }
        }
    }
}

/// Fills `area` with the areas between a line's runs and a level below them.
fn fill_down(line: &Polyline, level: f32, area: &mut Polyline) {
    area.clear();
    for run in line.runs() {
        if let [[first, _], .., [last, _]] = run {
            area.move_to(*first, level);
            run.iter().for_each(|[x, y]| area.line_to(*x, *y));
            area.line_to(*last, level);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn areas_go_down_to_the_level() {
        let (mut line, mut area) = (Polyline::default(), Polyline::default());
        line.move_to(0.0, 5.0);
        line.line_to(1.0, 3.0);
        line.move_to(4.0, 2.0);
        fill_down(&line, 9.0, &mut area);
        let runs: Vec<_> = area.runs().map(<[_]>::to_vec).collect();
        assert_eq!(runs, [vec![[0.0, 9.0], [0.0, 5.0], [1.0, 3.0], [1.0, 9.0]]]);
    }
}
