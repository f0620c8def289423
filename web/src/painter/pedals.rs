//! The pedals and gears over the last seconds, on top of the reference's pedals. The reference's pedals and gears continue
//! ahead of the car, and blocks count down to the next brake point.

use std::f64::consts::FRAC_PI_2;

use trailbrake_shared::model::Drawing;
use trailbrake_shared::plot::{Domain, Polyline, Scale, View};

use super::{Align, ComparedTraces, Ink, LaneSource, Layer, Paint, Pen, Sheet, TextStyle};

/// CSS pixels: the margin at the sides, the margin above and below, the height of the gears, and their font size.
const SIDE: f32 = 14.0;
const EDGE: f32 = 8.0;
const GEARS: f32 = 34.0;
const DIGIT: f32 = 24.0;
/// The font size of the current gear, in CSS pixels, and half of the width that it takes.
const NOW_DIGIT: f32 = 32.0;
const NOW_ROOM: f32 = 14.0;
/// CSS pixels from a gear's tick to its digit, and the least width for a digit.
const BESIDE: f32 = 4.0;
const DIGIT_ROOM: f32 = 20.0;
/// CSS pixels: the height of the countdown above the pedals, the gap between its blocks, and the width of its words.
const COUNTDOWN: f32 = 34.0;
const GAP: f32 = 4.0;
const WORDS: f32 = 160.0;
/// In a figure lower than this, in CSS pixels, the pedals take all of it.
const LOW: f32 = 120.0;
/// A block stands for so many metres, and blocks are shown from this distance on.
const BLOCK_M: f64 = 20.0;
const FAR_M: f64 = 200.0;
/// The driver gets ready to brake from this distance to the brake point, in metres.
pub const NEAR_M: f64 = 140.0;

/// The columns of the lines in [`ComparedTraces`].
#[derive(Clone, Copy, Debug)]
pub struct PedalLines {
    /// The car's throttle, brake and steering.
    pub car: [usize; 3],
    /// The reference's throttle and brake.
    pub reference: [usize; 2],
}

/// The next brake point.
#[derive(Clone, Debug, PartialEq)]
pub struct Countdown {
    /// Metres to it; negative just behind it.
    pub ahead_m: f64,
    /// When the reference would be there, in seconds on the game's clock.
    pub at_s: f64,
    /// What to do there.
    pub words: String,
}

/// The time axis: its length, the current time, and how much of the length lies ahead of it, all in seconds.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Axis {
    seconds: f64,
    edge: f64,
    ahead: f64,
}

/// The gears below the pedals: from and to in seconds, and the digit.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PedalGears {
    /// The car's, until now.
    pub car: Vec<(f64, f64, String)>,
    /// The reference's, of which those ahead are shown.
    pub reference: Vec<(f64, f64, String)>,
}

/// The figure of the pedals.
pub struct PedalFigure {
    sheet: Sheet,
    lines: PedalLines,
    axis: Axis,
    gears: PedalGears,
    countdown: Option<Countdown>,
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
            gears: PedalGears::default(),
            countdown: None,
            is_background_dirty: true,
            line: Polyline::default(),
            area: Polyline::default(),
        }
    }

    /// Sets the time axis and the gears. `edge` is the current time; `ahead` of the `seconds` lie after it.
    pub fn show(&mut self, seconds: f64, edge: f64, ahead: f64, gears: PedalGears) {
        let has_gears = |gears: &PedalGears| !gears.car.is_empty();
        self.is_background_dirty |= (seconds, ahead) != (self.axis.seconds, self.axis.ahead)
            || has_gears(&gears) != has_gears(&self.gears);
        self.axis = Axis { seconds, edge, ahead };
        self.gears = gears;
    }

    /// Sets the next brake point.
    pub fn count_down(&mut self, countdown: Option<Countdown>) {
        self.countdown = countdown;
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
            self.draw_countdown(pen);
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

    /// Whether the figure is so low that the pedals take all of it, as on a telephone that lies on its side.
    fn is_low(&self) -> bool {
        let size = self.sheet.size();
        (size.height as f32) < LOW * size.density
    }

    fn has_gears(&self) -> bool {
        self.axis.ahead > 0.0 || !self.gears.car.is_empty()
    }

    /// The pixels of a released and a fully pressed pedal, and the bottom of the gears.
    fn heights(&self) -> [f32; 3] {
        let size = self.sheet.size();
        let height = size.height as f32;
        let is_high = !self.is_low();
        let below = if is_high && self.has_gears() { GEARS } else { 0.0 };
        let above = if is_high && self.axis.ahead > 0.0 { COUNTDOWN } else { 0.0 };
        let bottom = height - (below + EDGE) * size.density;
        let top = (above + EDGE) * size.density;
        [bottom.round(), top.round(), height]
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
        let now = x.pixel(self.axis.edge);
        trace(brake, &pedal, line);
        fill_down(line, empty, now, area);
        pen.areas(area, Paint::thin(Ink::Brake, 0.22));
        pen.line(line, Paint::thin(Ink::Brake, 0.65), 1.5);
        trace(throttle, &pedal, line);
        pen.line(line, Paint::thin(Ink::Throttle, 0.6), 1.5);
        let [throttle, brake, steering] = self.lines.car;
        let turned = traces.extent(steering);
        let most = f64::from(turned.low.abs().max(turned.high.abs()));
        trace(steering, &view(steering_domain(most)), line);
        pen.line(line, Ink::Soft, 1.2);
        trace(throttle, &pedal, line);
        pen.line(line, Ink::Throttle, 2.5);
        trace(brake, &pedal, line);
        fill_down(line, empty, 0.0, area);
        pen.areas(area, Paint::thin(Ink::Brake, 0.22));
        pen.line(line, Ink::Brake, 3.0);
    }

    /// Draws the gears at the bottom, the current one large. A gear that is too short for its digit is only a tick.
    fn draw_gears(&self, pen: &Pen<'_>) {
        if !self.has_gears() || self.is_low() {
            return;
        }
        let x = self.x_scale();
        let (left, right) = x.pixels();
        let [_, _, bottom] = self.heights();
        let now = x.pixel(self.axis.edge);
        let (top, base) = (bottom - pen.px(GEARS - 4.0), bottom - pen.px(7.0));
        let room = pen.px(if self.gears.car.is_empty() { 0.0 } else { NOW_ROOM });
        pen.enlarge(DIGIT);
        let halves = [
            (&self.gears.car, left, now - room, Ink::Faint),
            (&self.gears.reference, now + room, right, Ink::Text),
        ];
        for (gears, first, last, ink) in halves {
            for (from, to, digit) in gears {
                let (from, to) = (x.pixel(*from), x.pixel(*to).min(last));
                if from > first && from < last {
                    pen.upright(top, bottom - pen.px(4.0), from, Ink::LineStrong);
                }
                let from = from.max(first);
                if to - from >= pen.px(DIGIT_ROOM) {
                    pen.text(digit, from + pen.px(BESIDE), base, TextStyle { ink, align: Align::Left });
                }
            }
        }
        if let Some((_, _, digit)) = self.gears.car.last() {
            pen.enlarge(NOW_DIGIT);
            // Without anything ahead the current time is at the edge.
            let centre = now.min(right - room);
            pen.text(digit, centre, base, TextStyle { ink: Ink::Main, align: Align::Centre });
        }
    }
}

impl PedalFigure {
    /// Draws the brake point as a line, blocks that lead to it, and what to do there.
    fn draw_countdown(&self, pen: &Pen<'_>) {
        let Some(Countdown { ahead_m, at_s, words }) =
            self.countdown.as_ref().filter(|_| self.axis.ahead > 0.0)
        else {
            return;
        };
        let x = self.x_scale();
        let (_, right) = x.pixels();
        let [empty, full, _] = self.heights();
        let (now, point) = (x.pixel(self.axis.edge), x.pixel(*at_s));
        if point > right {
            return;
        }
        pen.rectangles([[point - pen.px(1.0), 0.0, pen.px(2.0), empty]], Ink::Brake);
        let blocks = blocks(*ahead_m);
        if blocks > 0 && point > now {
            // In a low figure the blocks stand over the pedals.
            let full = full.max(pen.px(COUNTDOWN / 2.0));
            let wide = (point - now) * (BLOCK_M / ahead_m) as f32;
            let ink = if *ahead_m <= NEAR_M { Ink::WarnFill } else { Ink::LineStrong };
            let (gap, top) = (pen.px(GAP).min(wide / 3.0), pen.px(GAP));
            let block = |place: u16| {
                [
                    point - wide * f32::from(place + 1) + gap / 2.0,
                    top,
                    wide - gap,
                    (full - 2.0 * top).max(1.0),
                ]
            };
            pen.rectangles((0..blocks).map(block), ink);
        }
        if point + pen.px(WORDS) <= right && !self.is_low() {
            pen.enlarge(DIGIT);
            let style = TextStyle { ink: Ink::Brake, align: Align::Left };
            pen.text(words, point + pen.px(2.0 * GAP), full - pen.px(2.0 * GAP), style);
        }
    }
}

/// The number of whole blocks before a brake point.
fn blocks(ahead_m: f64) -> u16 {
    if (0.0..=FAR_M).contains(&ahead_m) { (ahead_m / BLOCK_M) as u16 } else { 0 }
}

/// The scale of the steering wheel, symmetric about straight ahead, for the most that it is turned: a share of its
/// lock, or radians, of which a quarter turn fits at least. It widens in steps, so that it seldom changes.
fn steering_domain(most: f64) -> Domain {
    // Before the first sample there is no most.
    let half = if most > 1.0 && most.is_finite() { (most / FRAC_PI_2).ceil() * FRAC_PI_2 } else { 1.0 };
    Domain::new(-half, half)
}

/// Fills `area` with the areas between a line's runs and a level below them, from a place on.
fn fill_down(line: &Polyline, level: f32, from: f32, area: &mut Polyline) {
    area.clear();
    for run in line.runs() {
        let run = run.get(run.partition_point(|[x, _]| *x < from)..).unwrap_or_default();
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
    fn blocks_vanish_one_by_one() {
        assert_eq!([500.0, 200.0, 139.0, 40.0, 39.0, 19.0, -5.0].map(blocks), [0, 10, 6, 2, 1, 0, 0]);
    }

    #[test]
    fn every_angle_of_the_wheel_is_on_the_scale() {
        let half = |most: f64| steering_domain(most).high();
        assert_eq!([0.0, 0.4, 1.0, f64::INFINITY].map(half), [1.0; 4]);
        assert_eq!([1.2, 3.0, 7.9].map(half), [FRAC_PI_2, 2.0 * FRAC_PI_2, 6.0 * FRAC_PI_2]);
        assert_eq!(steering_domain(3.0).low(), -half(3.0));
    }

    #[test]
    fn areas_go_down_to_the_level() {
        let (mut line, mut area) = (Polyline::default(), Polyline::default());
        line.move_to(0.0, 5.0);
        line.line_to(1.0, 3.0);
        line.move_to(4.0, 2.0);
        fill_down(&line, 9.0, 0.0, &mut area);
        let runs: Vec<_> = area.runs().map(<[_]>::to_vec).collect();
        assert_eq!(runs, [vec![[0.0, 9.0], [0.0, 5.0], [1.0, 3.0], [1.0, 9.0]]]);
    }
}
