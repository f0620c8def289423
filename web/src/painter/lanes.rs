//! Lanes: channels stacked on one shared x axis.

use trailbrake_shared::model::{Channel, Drawing};
use trailbrake_shared::plot::{Domain, Extent, Polyline, Scale, TickKind, Ticks, Tint, View};
use trailbrake_shared::units::Unit;

use super::gutter::{Gutter, Place};
use super::{Align, Ink, Layer, Paint, Pen, Sheet, TextStyle};
use crate::frame::Tick;

/// Where a stack of lanes gets what it draws. Columns are numbered as in the lanes' `LineSpec`s.
pub trait LaneSource {
    /// Adds a column's line.
    fn trace(&self, column: usize, view: &View, line: &mut Polyline);
    /// Adds the areas between a column's line and zero.
    fn tint(&self, column: usize, view: &View, areas: &mut Tint);
    /// The lowest and highest value of a column.
    fn extent(&self, column: usize) -> Extent;
    /// A column's value at a place of the x axis, or its latest.
    fn value(&self, column: usize, at: Option<f64>, drawing: Drawing) -> Option<f64>;
}

/// One line of a lane.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LineSpec {
    /// Which of the source's columns.
    pub column: usize,
    /// Its colour.
    pub paint: Paint,
    /// Its width in CSS pixels.
    pub width: f32,
    /// How it goes from sample to sample, and whether its scale is symmetric about zero.
    pub drawing: Drawing,
    /// What its scale shows at least; it widens when values go beyond.
    pub domain: Domain,
    /// Whether the area down to zero tells gain from loss.
    pub tinted: bool,
}

impl LineSpec {
    /// A channel's line, with the scale and drawing of the channel table.
    pub fn of(channel: Channel, column: usize, ink: Ink) -> Self {
        let (low, high) = channel.range();
        let domain = Domain::new(low.into(), high.into());
        Self { column, paint: ink.into(), width: 1.6, drawing: channel.drawing(), domain, tinted: false }
    }

    /// The line, that thick.
    #[must_use]
    pub fn wide(self, width: f32) -> Self {
        Self { width, ..self }
    }
}

/// One lane.
#[derive(Clone, Debug, PartialEq)]
pub struct LaneSpec {
    /// What stands in its gutter.
    pub name: &'static str,
    /// The unit in which its values are kept.
    pub unit: Unit,
    /// Its height beside the others'.
    pub share: f32,
    /// Where fine lines cross it, as shares of its height from the bottom.
    pub guides: &'static [f32],
    /// Its lines, the main one last.
    pub lines: Vec<LineSpec>,
}

impl LaneSpec {
    /// A lane of one channel.
    pub fn of(channel: Channel, column: usize, share: f32) -> Self {
        let lines = vec![LineSpec::of(channel, column, Ink::Main)];
        Self { name: channel.label(), unit: channel.unit(), share, guides: &[], lines }
    }
}

/// What the shared x axis shows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Across {
    /// So many seconds up to the latest sample; nothing is written along it, since it never stands still.
    Rolling {
        /// The window's length.
        seconds: f64,
        /// Where its right edge is now.
        edge: f64,
    },
    /// A part of a lap, with ticks.
    Fixed {
        /// The part.
        domain: Domain,
        /// What the axis counts.
        kind: TickKind,
    },
}

/// CSS pixels of the axis' strip, of a lane's free edge, and of the stack's edge.
const AXIS: f32 = 22.0;
const EDGE: f32 = 6.0;
const SIDE: f32 = 14.0;
/// Values in the gutter change this often; more could not be read.
const VALUES_MS: f64 = 100.0;

/// Lanes on a sheet.
pub struct LaneStack {
    sheet: Sheet,
    lanes: Vec<Lane>,
    gutter: Option<Gutter>,
    across: Across,
    cursor: Option<f64>,
    valued_ms: f64,
    line: Polyline,
    areas: Tint,
    background_dirty: bool,
    data_dirty: bool,
    cursor_dirty: bool,
}

struct Lane {
    spec: LaneSpec,
    /// Its lines' scales: they widen and never narrow, so that a line does not jump.
    domains: Vec<Domain>,
    top: f32,
    bottom: f32,
}

impl LaneStack {
    /// Lanes from top to bottom. `gutter` is the width in CSS pixels of the strip of names, units and values; without
    /// one the lanes take the whole width.
    pub fn new(sheet: Sheet, specs: Vec<LaneSpec>, gutter: Option<f32>) -> Self {
        let lanes = specs.into_iter().map(Lane::new).collect();
        Self {
            sheet,
            lanes,
            gutter: gutter.map(Gutter::new),
            across: Across::Rolling { seconds: 12.0, edge: 0.0 },
            cursor: None,
            valued_ms: f64::NEG_INFINITY,
            line: Polyline::default(),
            areas: Tint::default(),
            background_dirty: true,
            data_dirty: true,
            cursor_dirty: true,
        }
    }

    /// Sets what the x axis shows.
    pub fn show(&mut self, across: Across) {
        if across != self.across {
            self.background_dirty |= matches!(across, Across::Fixed { .. });
            self.across = across;
            self.data_dirty = true;
            self.cursor_dirty = true;
        }
    }

    /// Says that the source has other samples than before, though the axis shows the same part.
    pub fn changed(&mut self) {
        self.data_dirty = true;
        self.cursor_dirty = true;
    }

    /// Puts the cursor at a place of the x axis, or takes it away.
    pub fn point(&mut self, cursor: Option<f64>) {
        self.cursor_dirty |= cursor != self.cursor;
        self.cursor = cursor;
    }

    /// Which place of the x axis lies at so many CSS pixels from the sheet's left edge.
    pub fn place_at(&self, css: f32) -> f64 {
        self.x_scale().invert(css * self.sheet.size().density)
    }

    /// Draws the layers that changed.
    pub fn paint(&mut self, tick: &Tick, source: &impl LaneSource) {
        if self.sheet.refresh() {
            (self.background_dirty, self.data_dirty, self.cursor_dirty) = (true, true, true);
            self.valued_ms = f64::NEG_INFINITY;
        }
        if !self.sheet.is_visible() {
            return;
        }
        if self.data_dirty {
            for lane in &mut self.lanes {
                self.background_dirty |= lane.widen(source);
            }
        }
        if std::mem::take(&mut self.background_dirty) {
            self.lay_out();
            self.sheet.draw(Layer::Background, |pen| self.draw_background(pen));
        }
        if std::mem::take(&mut self.data_dirty) {
            self.draw_data(source);
        }
        // While time rolls on only the values change, and those not with every frame.
        let due = self.cursor.is_some() || tick.now_ms - self.valued_ms >= VALUES_MS;
        if self.cursor_dirty && due {
            self.cursor_dirty = false;
            self.valued_ms = tick.now_ms;
            self.sheet.draw(Layer::Cursor, |pen| self.draw_cursor(pen, source));
        }
    }

    /// Shares the height out among the lanes.
    fn lay_out(&mut self) {
        let size = self.sheet.size();
        let axis = match self.across {
            Across::Fixed { .. } => AXIS * size.density,
            Across::Rolling { .. } => 0.0,
        };
        let room = (size.height as f32 - axis).max(0.0);
        let shares: f32 = self.lanes.iter().map(|lane| lane.spec.share).sum();
        let mut top = 0.0;
        for lane in &mut self.lanes {
            lane.top = top;
            top += room * lane.spec.share / shares.max(f32::MIN_POSITIVE);
            lane.bottom = top;
        }
    }

    fn x_scale(&self) -> Scale {
        let size = self.sheet.size();
        let css = |px: f32| px * size.density;
        let left = css(self.gutter.as_ref().map_or(SIDE, |gutter| gutter.width)).round();
        let right = (size.width as f32 - css(SIDE)).round().max(left + 1.0);
        let domain = match self.across {
            Across::Rolling { seconds, edge } => Domain::new(edge - seconds, edge),
            Across::Fixed { domain, .. } => domain,
        };
        Scale::new(domain, left, right)
    }

    fn draw_background(&self, pen: &Pen<'_>) {
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
        if let Across::Fixed { domain, kind } = self.across {
            self.draw_axis(pen, &x, &Ticks::new(kind, domain, most_ticks(&x, pen)));
        }
    }

    fn draw_axis(&self, pen: &Pen<'_>, x: &Scale, ticks: &Ticks) {
        let bottom = self.lanes.last().map_or(0.0, |lane| lane.bottom);
        let baseline = bottom + pen.px(15.0);
        let style = TextStyle { ink: Ink::Faint, align: Align::Centre };
        for value in ticks.values() {
            let place = x.pixel(value);
            pen.upright(0.0, bottom, place, Ink::Line);
            pen.text(&ticks.label(value), place, baseline, style);
        }
    }

    fn draw_data(&mut self, source: &impl LaneSource) {
        let x = self.x_scale();
        // The buffers are lent to the drawing and taken back, so that no frame asks for memory.
        let (mut line, mut areas) = (std::mem::take(&mut self.line), std::mem::take(&mut self.areas));
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
        });
        (self.line, self.areas) = (line, areas);
    }

    fn draw_cursor(&self, pen: &Pen<'_>, source: &impl LaneSource) {
        if let Some(at) = self.cursor {
            let bottom = self.lanes.last().map_or(0.0, |lane| lane.bottom);
            pen.upright(0.0, bottom, self.x_scale().pixel(at), Paint::thin(Ink::Text, 0.75));
        }
        let Some(gutter) = &self.gutter else { return };
        for lane in &self.lanes {
            for (row, line) in lane.spec.lines.iter().enumerate() {
                let value = source.value(line.column, self.cursor, line.drawing);
                gutter.value(pen, value, lane.spec.unit, line, Place { top: lane.top, row });
            }
        }
    }
}

impl Lane {
    fn new(spec: LaneSpec) -> Self {
        let domains = spec.lines.iter().map(|line| line.domain).collect();
        Self { spec, domains, top: 0.0, bottom: 0.0 }
    }

    /// Widens the scales of lines that have gone beyond them; whether any has.
    fn widen(&mut self, source: &impl LaneSource) -> bool {
        let mut widened = false;
        for (spec, domain) in self.spec.lines.iter().zip(&mut self.domains) {
            let mut wider = domain.including(source.extent(spec.column));
            if wider != *domain {
                wider = wider.nice(4);
                *domain = if spec.drawing == Drawing::Centred { wider.symmetric() } else { wider };
                widened = true;
            }
        }
        widened
    }

    /// The pixel at a share of the lane's height, counted from the bottom.
    fn at(&self, share: f32, pen: &Pen<'_>) -> f32 {
        let edge = pen.px(EDGE).min((self.bottom - self.top) / 4.0);
        let (bottom, top) = (self.bottom - edge, self.top + edge);
        bottom + (top - bottom) * share
    }

    /// Where zero lies, when it lies within the scale of the lane's main line.
    fn zero(&self, pen: &Pen<'_>) -> Option<f32> {
        let domain = self.domains.last()?;
        let within = domain.low() < 0.0 && domain.high() > 0.0;
        let zero = Scale::new(*domain, self.at(0.0, pen), self.at(1.0, pen)).pixel(0.0);
        within.then_some(zero)
    }
}

/// As many ticks as have room for what is written at them.
fn most_ticks(x: &Scale, pen: &Pen<'_>) -> usize {
    let (left, right) = x.pixels();
    ((right - left) / pen.px(80.0)) as usize
}
