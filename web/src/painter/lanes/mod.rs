//! Lanes: channels stacked on one shared x axis.

mod cursors;
mod draw;
mod flags;
mod lane;
mod marks;
mod readings;
mod scene;
mod spec;

use web_sys::HtmlCanvasElement;

use super::gutter::Gutter;
use super::{Ink, Layer, Sheet};
use crate::frame::Tick;

pub use readings::Reading;
pub use spec::{
    Across, Along, Braking, Brakings, Flag, LaneSource, LaneSpec, LineSpec, PeerMark, Readout, Says,
};

use draw::{Buffers, draw_background, draw_cursor, draw_data};
use lane::Lane;
use scene::Scene;

/// The interval at which rolling values change. Faster changes could not be read.
const VALUES_MS: f64 = 100.0;

/// Lanes on a sheet.
pub struct LaneStack {
    sheet: Sheet,
    scene: Scene,
    /// Whether the scales of lines that follow fit the shown part of the axis.
    fits: bool,
    /// How many brakings had room for a label when they were last drawn.
    worded: usize,
    /// When the values were last drawn.
    values_ms: f64,
    buffers: Buffers,
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
            scene: Scene::new(specs.into_iter().map(Lane::new).collect(), gutter.map(Gutter::new)),
            fits: false,
            worded: 0,
            values_ms: f64::NEG_INFINITY,
            buffers: Buffers::default(),
            background_dirty: true,
            data_dirty: true,
            cursor_dirty: true,
        }
    }

    /// Replaces the lanes. Their scales start from the specs' ranges.
    pub fn set_lanes(&mut self, specs: Vec<LaneSpec>) {
        self.scene.lanes = specs.into_iter().map(Lane::new).collect();
        self.redraw();
    }

    /// Replaces the marks along the axis.
    pub fn mark(&mut self, along: Along) {
        self.scene.along = along;
        self.redraw();
    }

    /// Sets the range of the x axis.
    pub fn show(&mut self, across: Across) {
        if across != self.scene.across {
            let ahead = |across| if let Across::Rolling { ahead, .. } = across { Some(ahead) } else { None };
            self.background_dirty |= ahead(across).is_none() || ahead(across) != ahead(self.scene.across);
            self.scene.across = across;
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
        if self.scene.gutter.as_ref().is_some_and(|gutter| gutter.width != width) {
            self.scene.gutter = Some(Gutter::new(width));
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
        self.cursor_dirty |= cursor != self.scene.cursor;
        self.scene.cursor = cursor;
    }

    /// Highlights the part of the axis that is being selected; `None` removes the highlight.
    pub fn choose(&mut self, band: Option<(f64, f64)>) {
        self.cursor_dirty |= band != self.scene.band;
        self.scene.band = band;
    }

    /// Moves the measuring cursors to points of the x axis; `None` removes one.
    pub fn measure(&mut self, measured: [Option<f64>; 2]) {
        self.cursor_dirty |= measured != self.scene.measured;
        self.scene.measured = measured;
    }

    /// Replaces the flags.
    pub fn flag(&mut self, flags: Vec<Flag>) {
        self.background_dirty |= flags != self.scene.flags;
        self.scene.flags = flags;
    }

    /// Replaces the cursors of other people.
    pub fn show_peers(&mut self, peers: Vec<PeerMark>) {
        self.cursor_dirty |= peers != self.scene.peers;
        self.scene.peers = peers;
    }

    /// How many brakings had room for a label when they were last drawn.
    pub fn worded(&self) -> usize {
        self.worded
    }

    /// The values of all lanes from the top, including rows without room in the gutter.
    pub fn readings(&self, source: &impl LaneSource) -> Vec<Reading> {
        let lanes = self.scene.lanes.iter();
        lanes.map(|lane| Reading::of(&lane.spec, source, self.scene.cursor)).collect()
    }

    /// CSS pixels from the sheet's left edge to the lanes: the gutter and the scales.
    pub fn left(&self) -> f32 {
        self.scene.left(self.sheet.size())
    }

    /// CSS pixels from the sheet's left edge to a point of the x axis; `None` if the point is not shown.
    pub fn css_of(&self, at: f64) -> Option<f32> {
        let x = self.scene.x_scale(self.sheet.size());
        let (left, right) = x.pixels();
        let pixel = x.pixel(at);
        (left..=right).contains(&pixel).then(|| pixel / self.sheet.size().density)
    }

    /// The point of the x axis at a number of CSS pixels from the sheet's left edge.
    pub fn place_at(&self, css: f32) -> f64 {
        self.scene.x_scale(self.sheet.size()).invert(css * self.sheet.size().density)
    }

    /// CSS pixels from the sheet's upper edge to the top of each lane, and to the bottom of the last one.
    pub fn edges(&self) -> Vec<f32> {
        let density = self.sheet.size().density;
        let tops = self.scene.lanes.iter().map(|lane| lane.top);
        tops.chain(self.scene.lanes.last().map(|lane| lane.bottom)).map(|edge| edge / density).collect()
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
            let part = match self.scene.across {
                Across::Fixed { domain, .. } if self.fits => Some(domain),
                Across::Fixed { .. } | Across::Rolling { .. } => None,
            };
            for lane in &mut self.scene.lanes {
                self.background_dirty |= lane.rescale(source, part);
            }
        }
        let size = self.sheet.size();
        if std::mem::take(&mut self.background_dirty) {
            self.scene.lay_out(size);
            self.sheet.draw(Layer::Background, |pen| draw_background(&self.scene, size, pen));
        }
        if std::mem::take(&mut self.data_dirty) {
            let x = self.scene.x_scale(size);
            self.sheet.draw(Layer::Data, |pen| {
                self.worded = draw_data(&self.scene, &x, pen, source, &mut self.buffers);
            });
        }
        // Without a cursor only the rolling values change, which is limited to a readable rate.
        let due = self.scene.cursor.is_some() || tick.now_ms - self.values_ms >= VALUES_MS;
        if self.cursor_dirty && due {
            self.cursor_dirty = false;
            self.values_ms = tick.now_ms;
            self.sheet.draw(Layer::Cursor, |pen| draw_cursor(&self.scene, size, pen, source));
        }
    }

    fn redraw(&mut self) {
        (self.background_dirty, self.data_dirty, self.cursor_dirty) = (true, true, true);
    }
}
