//! Lanes of recorded samples, and lanes of a window that moves on by a sample with each frame.

use std::rc::Rc;

use trailbrake_shared::model::{Channel, Drawing};
use trailbrake_shared::plot::{
    Domain, Extent, Polyline, Pyramid, Series, TickKind, Tint, View, tint, trace, value_at,
};
use trailbrake_web::frame::Tick;
use trailbrake_web::painter::{Across, LaneSource, LaneSpec, LaneStack, LineSpec, RollingTraces, Sheet};
use wasm_bindgen::prelude::wasm_bindgen;
use web_sys::HtmlElement;

/// CSS pixels of the strip of names and values, as on the Analyse page.
const GUTTER: f32 = 118.0;
/// Samples farther apart than this are not joined.
const BRIDGE_S: f64 = 0.5;

/// Samples of some lanes. They are in memory before anything is drawn, as decoded laps are.
#[wasm_bindgen]
#[derive(Clone)]
pub struct Samples {
    seconds: Rc<Vec<f64>>,
    lanes: Vec<Rc<Vec<f32>>>,
}

#[wasm_bindgen]
impl Samples {
    /// Samples at these times, without any lane yet.
    #[wasm_bindgen(constructor)]
    pub fn new(seconds: Vec<f64>) -> Self {
        Self { seconds: Rc::new(seconds), lanes: Vec::new() }
    }

    /// Adds the values of a lane.
    pub fn add(&mut self, values: Vec<f32>) {
        self.lanes.push(Rc::new(values));
    }
}

/// Lanes of recorded samples.
#[wasm_bindgen]
pub struct RecordedLanes {
    stack: LaneStack,
    source: Recorded,
}

#[wasm_bindgen]
impl RecordedLanes {
    /// Lanes in an element; none if the browser can't draw.
    pub fn new(host: &HtmlElement, samples: &Samples) -> Option<Self> {
        let extents = samples.lanes.iter().map(|values| Pyramid::over(values)).collect();
        let source = Recorded { samples: samples.clone(), extents };
        let mut stack = LaneStack::new(Sheet::mount(host)?, specs(samples), Some(GUTTER));
        stack.fit(true);
        Some(Self { stack, source })
    }

    /// Draws a part of the axis.
    pub fn show(&mut self, from: f64, to: f64, now_ms: f64) {
        self.stack.show(Across::Fixed { domain: Domain::new(from, to), kind: TickKind::Time });
        self.stack.paint(&Tick { now_ms }, &self.source);
    }
}

/// Lanes of a window that moves on.
#[wasm_bindgen]
pub struct RollingLanes {
    stack: LaneStack,
    traces: RollingTraces,
    samples: Samples,
    /// The next sample.
    next: usize,
    /// The window's length.
    seconds: f64,
}

#[wasm_bindgen]
impl RollingLanes {
    /// Lanes in an element that show this many samples; none if the browser can't draw.
    pub fn new(host: &HtmlElement, samples: &Samples, window: usize) -> Option<Self> {
        let stack = LaneStack::new(Sheet::mount(host)?, specs(samples), Some(GUTTER));
        let traces = RollingTraces::new(samples.lanes.len(), window, BRIDGE_S);
        let seconds = *samples.seconds.get(window - 1)? - *samples.seconds.first()?;
        let mut lanes = Self { stack, traces, samples: samples.clone(), next: 0, seconds };
        (0..window).for_each(|_| lanes.push());
        Some(lanes)
    }

    /// Draws the window after one more sample.
    pub fn advance(&mut self, now_ms: f64) {
        self.push();
        let edge = self.traces.latest().unwrap_or_default();
        self.stack.show(Across::Rolling { seconds: self.seconds, edge, ahead: 0.0 });
        self.stack.paint(&Tick { now_ms }, &self.traces);
    }

    fn push(&mut self) {
        let Some(seconds) = self.samples.seconds.get(self.next) else { return };
        let mut values = [f32::NAN; 8];
        for (value, lane) in values.iter_mut().zip(&self.samples.lanes) {
            *value = lane.get(self.next).copied().unwrap_or(f32::NAN);
        }
        self.traces.push(*seconds, &values);
        self.next += 1;
    }
}

/// Recorded samples with the extents of their blocks, as the Analyse page has them of its laps.
struct Recorded {
    samples: Samples,
    extents: Vec<Pyramid>,
}

impl Recorded {
    fn series(&self, column: usize) -> Option<Series<'_, [f64], [f32]>> {
        let (values, extents) = (self.samples.lanes.get(column)?, self.extents.get(column)?);
        Some(Series { x: self.samples.seconds.as_slice(), y: values.as_slice(), extents })
    }
}

impl LaneSource for Recorded {
    fn trace(&self, column: usize, view: &View, line: &mut Polyline) {
        if let Some(series) = self.series(column) {
            trace(&series, &View { bridge: BRIDGE_S, ..*view }, line);
        }
    }

    fn tint(&self, column: usize, view: &View, areas: &mut Tint) {
        if let Some(series) = self.series(column) {
            tint(&series, &View { bridge: BRIDGE_S, ..*view }, 0.0, areas);
        }
    }

    fn extent(&self, column: usize) -> Extent {
        self.series(column).map_or(Extent::EMPTY, |series| series.extents.extent(series.y, 0..series.y.len()))
    }

    fn extent_within(&self, column: usize, part: Domain) -> Extent {
        let Some(Series { x, y, extents }) = self.series(column) else { return Extent::EMPTY };
        let first = x.partition_point(|x| *x < part.low()).saturating_sub(1);
        let end = (x.partition_point(|x| *x <= part.high()) + 1).min(x.len());
        extents.extent(y, first..end)
    }

    fn value(&self, column: usize, at: Option<f64>, drawing: Drawing) -> Option<f64> {
        value_at(&self.series(column)?, at?, BRIDGE_S, drawing)
    }
}

/// A lane of one line for each column.
fn specs(samples: &Samples) -> Vec<LaneSpec> {
    let lane = |column| {
        let spec = LaneSpec::of(Channel::Throttle, column, 1.0);
        let lines = spec.lines.iter().map(|line| LineSpec { follows: true, ..*line }).collect();
        LaneSpec { name: format!("Lane {}", column + 1).into(), lines, ..spec }
    };
    (0..samples.lanes.len()).map(lane).collect()
}
