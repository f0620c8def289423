//! Lanes: channels stacked on one shared x axis.

mod draw;
mod flags;
mod lane;
mod marks;
mod measure;
mod peers;
mod readings;
mod spec;

use trailbrake_shared::plot::{Domain, Polyline, Scale, Tint};
use web_sys::HtmlCanvasElement;

use super::gutter::Gutter;
use super::{Ink, Layer, Sheet};
use crate::frame::Tick;

pub use readings::Reading;
pub use spec::{
    Across, Along, Braking, Brakings, Flag, LaneSource, LaneSpec, LineSpec, PeerMark, Readout, Says,
};

use lane::Lane;

/// CSS pixels: the height of the axis, the height of the names, and the margin at the sides.
const AXIS: f32 = 22.0;
const NAMES: f32 = 18.0;
const SIDE: f32 = 14.0;
/// CSS pixels for the scales between gutter and lanes, and the width of a sheet from which on they have room there.
const SCALES: f32 = 40.0;
const SCALES_FROM: f32 = 480.0;
/// The interval at which rolling values change. Faster changes could not be read.
const VALUES_MS: f64 = 100.0;

/// Lanes on a sheet.
pub struct LaneStack {
    sheet: Sheet,
    lanes: Vec<Lane>,
    gutter: Option<Gutter>,
    across: Across,
    /// Whether the scales of lines that follow fit the shown part of the axis.
    fits: bool,
    along: Along,
    cursor: Option<f64>,
    /// The part of the axis that is being selected.
    band: Option<(f64, f64)>,
    /// The measuring cursors, as points of the axis.
    measured: [Option<f64>; 2],
    flags: Vec<Flag>,
    peers: Vec<PeerMark>,
    /// How many brakings had room for a label when they were last drawn.
    worded: usize,
    /// When the values were last drawn.
    values_ms: f64,
    line: Polyline,
    areas: Tint,
    background_dirty: bool,
    data_dirty: bool,
    cursor_dirty: bool,
}

impl LaneStack {
    /// Lanes from top to bottom. `gutter` is the gutter's width in CSS pixels; without one the lanes take the full
    /// width.
    pub fn new(sheet: Sheet, specs: Vec<LaneSpec>, gutter: Option<f32>) -> Self {
        Self {
            sheet,
            lanes: specs.into_iter().map(Lane::new).collect(),
            gutter: gutter.map(Gutter::new),
            across: Across::Rolling { seconds: 12.0, edge: 0.0, ahead: 0.0 },
            fits: false,
            along: Along::default(),
            cursor: None,
            band: None,
            measured: [None; 2],
            flags: Vec::new(),
            peers: Vec::new(),
            worded: 0,
            values_ms: f64::NEG_INFINITY,
            line: Polyline::default(),
            areas: Tint::default(),
            background_dirty: true,
            data_dirty: true,
            cursor_dirty: true,
        }
    }

    /// Replaces the lanes. Their scales start from the specs' ranges.
    pub fn set_lanes(&mut self, specs: Vec<LaneSpec>) {
        self.lanes = specs.into_iter().map(Lane::new).collect();
        self.redraw();
    }

    /// Replaces the marks along the axis.
    pub fn mark(&mut self, along: Along) {
        self.along = along;
        self.redraw();
    }

    /// Sets the range of the x axis.
    pub fn show(&mut self, across: Across) {
        if across != self.across {
            let ahead = |across| if let Across::Rolling { ahead, .. } = across { Some(ahead) } else { None };
            self.background_dirty |= ahead(across).is_none() || ahead(across) != ahead(self.across);
            self.across = across;
            self.data_dirty = true;
            self.cursor_dirty = true;
        }
    }

    /// Sets whether the scales of lines that follow fit the shown part of the x axis.
    pub fn fit(&mut self, fits: bool) {
        self.data_dirty |= fits != self.fits;
        self.fits = fits;
    }

    /// Sets the width of the gutter, CSS pixels. Does nothing without a gutter.
    pub fn widen_gutter(&mut self, width: f32) {
        if self.gutter.as_ref().is_some_and(|gutter| gutter.width != width) {
            self.gutter = Some(Gutter::new(width));
            self.redraw();
        }
    }

    /// Requests a redraw, because the source has new samples.
    pub fn changed(&mut self) {
        self.data_dirty = true;
        self.cursor_dirty = true;
    }

    /// Moves the cursor to a point of the x axis; `None` removes it.
    pub fn point(&mut self, cursor: Option<f64>) {
        self.cursor_dirty |= cursor != self.cursor;
        self.cursor = cursor;
    }

    /// Highlights the part of the axis that is being selected; `None` removes the highlight.
    pub fn choose(&mut self, band: Option<(f64, f64)>) {
        self.cursor_dirty |= band != self.band;
        self.band = band;
    }

    /// Moves the measuring cursors to points of the x axis; `None` removes one.
    pub fn measure(&mut self, measured: [Option<f64>; 2]) {
        self.cursor_dirty |= measured != self.measured;
        self.measured = measured;
    }

    /// CSS pixels from the sheet's left edge to a point of the x axis; `None` if the point is not shown.
    pub fn css_of(&self, at: f64) -> Option<f32> {
        let x = self.x_scale();
        let (left, right) = x.pixels();
        let pixel = x.pixel(at);
        (left..=right).contains(&pixel).then(|| pixel / self.sheet.size().density)
    }

    /// The point of the x axis at a number of CSS pixels from the sheet's left edge.
    pub fn place_at(&self, css: f32) -> f64 {
        self.x_scale().invert(css * self.sheet.size().density)
    }

    /// CSS pixels from the sheet's upper edge to the top of each lane, and to the bottom of the last one.
    pub fn edges(&self) -> Vec<f32> {
        let density = self.sheet.size().density;
        let tops = self.lanes.iter().map(|lane| lane.top);
        tops.chain(self.lanes.last().map(|lane| lane.bottom)).map(|edge| edge / density).collect()
    }

    /// A picture of the lanes as they are on screen, below a legend; `None` while they are not visible.
    pub fn picture(&self, legend: &[(Ink, String)]) -> Option<HtmlCanvasElement> {
        self.sheet.picture(legend)
    }

    /// Draws the layers that changed.
    pub fn paint(&mut self, tick: &Tick, source: &impl LaneSource) {
        if self.sheet.refresh() {
            self.redraw();
            self.values_ms = f64::NEG_INFINITY;
        }
        if !self.sheet.is_visible() {
            return;
        }
        if self.data_dirty {
            let part = match self.across {
                Across::Fixed { domain, .. } if self.fits => Some(domain),
                Across::Fixed { .. } | Across::Rolling { .. } => None,
            };
            for lane in &mut self.lanes {
                self.background_dirty |= lane.rescale(source, part);
            }
        }
        if std::mem::take(&mut self.background_dirty) {
            self.lay_out();
            self.sheet.draw(Layer::Background, |pen| self.draw_background(pen));
        }
        if std::mem::take(&mut self.data_dirty) {
            self.draw_data(source);
        }
        // Without a cursor only the rolling values change, which is limited to a readable rate.
        let due = self.cursor.is_some() || tick.now_ms - self.values_ms >= VALUES_MS;
        if self.cursor_dirty && due {
            self.cursor_dirty = false;
            self.values_ms = tick.now_ms;
            self.sheet.draw(Layer::Cursor, |pen| self.draw_cursor(pen, source));
        }
    }

    fn redraw(&mut self) {
        (self.background_dirty, self.data_dirty, self.cursor_dirty) = (true, true, true);
    }

    /// Divides the height among the lanes.
    fn lay_out(&mut self) {
        let size = self.sheet.size();
        let axis = match self.across {
            Across::Fixed { .. } => AXIS * size.density,
            Across::Rolling { .. } => 0.0,
        };
        let mut top = if self.along.names.is_empty() { 0.0 } else { NAMES * size.density };
        let room = (size.height as f32 - axis - top).max(0.0);
        let shares: f32 = self.lanes.iter().map(|lane| lane.spec.share).sum();
        for (place, lane) in self.lanes.iter_mut().enumerate() {
            lane.top = top;
            top += room * lane.spec.share / shares.max(f32::MIN_POSITIVE);
            lane.bottom = top;
            lane.strip = self.along.brakings.strip(place);
        }
    }

    /// CSS pixels from the sheet's left edge to the lanes: the gutter and the scales.
    pub fn left(&self) -> f32 {
        let width = self.sheet.size().width as f32 / self.sheet.size().density;
        let scales = if width < SCALES_FROM { 0.0 } else { SCALES };
        self.gutter.as_ref().map_or(SIDE, |gutter| gutter.width + scales)
    }

    fn x_scale(&self) -> Scale {
        let size = self.sheet.size();
        let left = (self.left() * size.density).round();
        let right = (size.width as f32 - SIDE * size.density).round().max(left + 1.0);
        let domain = match self.across {
            Across::Rolling { seconds, edge, ahead } => Domain::new(edge + ahead - seconds, edge + ahead),
            Across::Fixed { domain, .. } => domain,
        };
        Scale::new(domain, left, right)
    }

    /// The top of the first lane and the bottom of the last one, device pixels.
    fn heights(&self) -> (f32, f32) {
        let top = self.lanes.first().map_or(0.0, |lane| lane.top);
        (top, self.lanes.last().map_or(0.0, |lane| lane.bottom))
    }
}
