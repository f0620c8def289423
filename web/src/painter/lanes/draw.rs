//! A stack's three layers: grid and names, lines, cursor and values.

use trailbrake_shared::plot::{Scale, TickKind, Ticks, View};

use super::{Across, LaneSource, LaneStack};
use crate::painter::gutter::Place;
use crate::painter::{Align, Ink, Layer, Paint, Pen, TextStyle};

/// CSS pixels of the least room between two names, of the strip of gaps.
const NAME_ROOM: f32 = 26.0;
const GAP: f32 = 3.0;
/// CSS pixels of the bars that say where a car coasted.
const COAST: f32 = 4.0;
/// CSS pixels from the lanes' bottom to what is written on the axis.
const AXIS_BASELINE: f32 = 15.0;
/// CSS pixels of the label that goes along the axis with the cursor.
const LABEL: [f32; 2] = [66.0, 17.0];

impl LaneStack {
    pub(super) fn draw_background(&self, pen: &Pen<'_>) {
        let x = self.x_scale();
        let (left, right) = x.pixels();
        let last = self.lanes.len().saturating_sub(1);
        for (index, lane) in self.lanes.iter().enumerate() {
            for guide in lane.spec.guides {
                pen.level(left, right, lane.at(*guide, pen), Ink::Line);
            }
            if let Some(zero) = lane.zero(pen) {
                pen.level(left, right, zero, Ink::LineStrong);
            }
            if index < last {
                pen.level(0.0, self.sheet.size().width as f32, lane.bottom, Ink::Line);
            }
            if let Some(gutter) = &self.gutter {
                gutter.name(pen, &lane.spec, lane.top);
            }
        }
        self.draw_names(pen, &x);
        self.draw_flags(pen, &x);
        if let Across::Fixed { domain, kind } = self.across {
            let (_, bottom) = self.heights();
            for (from, to) in &self.along.gaps {
                let (from, to) = (x.pixel(*from).max(left), x.pixel(*to).min(right));
                // The shortest gap is seen too, whatever the zoom.
                let width = (to - from).max(pen.px(2.0));
                if to >= left && from <= right {
                    pen.rectangles([[from, bottom, width, pen.px(GAP)]], Ink::Warn);
                }
            }
            for at in self.along.cuts.iter().map(|at| x.pixel(*at)).filter(|at| (left..=right).contains(at)) {
                pen.rectangles([[at - pen.px(1.0), bottom, pen.px(2.0), pen.px(2.0 * GAP)]], Ink::Text);
            }
            self.draw_axis(pen, &x, &Ticks::new(kind, domain, most_ticks(&x, pen)));
        }
    }

    /// The names above the lanes, as far as there is room, each with a fine line down all lanes.
    fn draw_names(&self, pen: &Pen<'_>, x: &Scale) {
        let (left, right) = x.pixels();
        let (top, bottom) = self.heights();
        let mut free = f32::NEG_INFINITY;
        for (at, name) in &self.along.names {
            let place = x.pixel(*at);
            if !(left..=right).contains(&place) {
                continue;
            }
            pen.upright(top, bottom, place, Ink::Line);
            if place >= free {
                let style = TextStyle { ink: Ink::Soft, align: Align::Centre };
                pen.text(name, place, top - pen.px(5.0), style);
                free = place + pen.px(NAME_ROOM);
            }
        }
    }

    fn draw_axis(&self, pen: &Pen<'_>, x: &Scale, ticks: &Ticks) {
        let (top, bottom) = self.heights();
        // Where places have names, lines down the lanes are theirs.
        let lined = self.along.names.is_empty();
        for value in ticks.values() {
            let place = x.pixel(value);
            if lined {
                pen.upright(top, bottom, place, Ink::Line);
            } else {
                pen.upright(bottom, bottom + pen.px(4.0), place, Ink::LineStrong);
            }
        }
    }

    /// Writes at the ticks, but where the cursor's own label stands: nothing is cut by it, nor by the edge.
    fn write_axis(&self, pen: &Pen<'_>, x: &Scale, ticks: &Ticks, taken: Option<[f32; 2]>) {
        let (_, bottom) = self.heights();
        let edge = self.sheet.size().width as f32;
        for value in ticks.values() {
            let words = ticks.label(value);
            let half = pen.width(&words) / 2.0;
            let place = x.pixel(value).min(edge - half - pen.px(2.0));
            if taken.is_none_or(|[from, to]| place + half < from || place - half > to) {
                let style = TextStyle { ink: Ink::Faint, align: Align::Centre };
                pen.text(&words, place, bottom + pen.px(AXIS_BASELINE), style);
            }
        }
    }

    pub(super) fn draw_data(&mut self, source: &impl LaneSource) {
        let x = self.x_scale();
        // The buffers are lent to the drawing and taken back, so that no frame asks for memory.
        let (mut line, mut areas) = (std::mem::take(&mut self.line), std::mem::take(&mut self.areas));
        let mut worded = 0;
        self.sheet.draw(Layer::Data, |pen| {
            for lane in &self.lanes {
                for (spec, domain) in lane.spec.lines.iter().zip(&lane.domains) {
                    let (bottom, top) = (lane.at(0.0, pen), lane.at(1.0, pen));
                    let y = Scale::new(*domain, bottom, top);
                    let view = View { x, y, bridge: f64::INFINITY, drawing: spec.drawing };
                    if spec.tinted {
                        areas.clear();
                        source.tint(spec.column, &view, &mut areas);
                        pen.areas(&areas.rising, Paint::thin(Ink::Loss, 0.25));
                        pen.areas(&areas.falling, Paint::thin(Ink::Gain, 0.25));
                    }
                    line.clear();
                    source.trace(spec.column, &view, &mut line);
                    pen.line(&line, spec.paint, spec.width);
                }
            }
            self.draw_coasts(pen, &x);
            worded = self.draw_brakings(pen, &x, &mut line);
        });
        (self.line, self.areas, self.worded) = (line, areas, worded);
    }

    /// Where neither pedal was pressed, along the bottoms of the lanes of pedals.
    fn draw_coasts(&self, pen: &Pen<'_>, x: &Scale) {
        let (left, right) = x.pixels();
        for lane in self.along.pedals.iter().filter_map(|lane| self.lanes.get(*lane)) {
            let (bottom, high) = (lane.at(0.0, pen), pen.px(COAST));
            let bars = self.along.coasts.iter();
            let bars = bars.map(|(from, to)| (x.pixel(*from).max(left), x.pixel(*to).min(right)));
            let bars = bars.filter(|(from, to)| from < to);
            pen.rectangles(bars.map(|(from, to)| [from, bottom - high, to - from, high]), Ink::Coast);
        }
    }

    pub(super) fn draw_cursor(&self, pen: &Pen<'_>, source: &impl LaneSource) {
        let x = self.x_scale();
        let (left, right) = x.pixels();
        let (top, bottom) = self.heights();
        if let Some((from, to)) = self.band {
            let (from, to) = (x.pixel(from.min(to)).max(left), x.pixel(from.max(to)).min(right));
            pen.rectangles([[from, top, (to - from).max(0.0), bottom - top]], Paint::thin(Ink::Main, 0.15));
        }
        self.draw_measured(pen, &x);
        let cursor = self.cursor.filter(|at| (left..=right).contains(&x.pixel(*at)));
        if let Some(at) = cursor {
            pen.upright(top, bottom, x.pixel(at), Paint::thin(Ink::Text, 0.75));
        }
        if let Across::Fixed { domain, kind } = self.across {
            let taken = cursor.map(|at| label(pen, &x, bottom, at, kind));
            self.write_axis(pen, &x, &Ticks::new(kind, domain, most_ticks(&x, pen)), taken);
        }
        let Some(gutter) = &self.gutter else { return };
        for lane in &self.lanes {
            let said = self.said(&lane.spec, source);
            for (row, (ink, words)) in said.iter().enumerate() {
                let place = Place { top: lane.top, bottom: lane.bottom, row, rows: said.len() };
                gutter.row(pen, words, *ink, place);
            }
        }
    }
}

/// Writes on the axis where the cursor is; says what that takes, from the left to the right.
fn label(pen: &Pen<'_>, x: &Scale, bottom: f32, at: f64, kind: TickKind) -> [f32; 2] {
    let (left, right) = x.pixels();
    let (width, height) = (pen.px(LABEL[0]), pen.px(LABEL[1]));
    let middle = x.pixel(at).clamp(left + width / 2.0, (right - width / 2.0).max(left + width / 2.0));
    pen.rectangles([[middle - width / 2.0, bottom + pen.px(3.0), width, height]], Ink::Raised);
    let words = match kind {
        TickKind::Time => crate::figures::precise_clock(at),
        TickKind::Distance => {
            format!("{} m", trailbrake_shared::number::thousands(at.max(0.0).round() as u64))
        }
        TickKind::Number => trailbrake_shared::number::write(at, 1),
        TickKind::Whole => trailbrake_shared::number::write(at, 0),
    };
    let style = TextStyle { ink: Ink::Text, align: Align::Centre };
    pen.text(&words, middle, bottom + pen.px(AXIS_BASELINE), style);
    [middle - width / 2.0, middle + width / 2.0]
}

/// As many ticks as have room for what is written at them.
fn most_ticks(x: &Scale, pen: &Pen<'_>) -> usize {
    let (left, right) = x.pixels();
    ((right - left) / pen.px(80.0)) as usize
}
