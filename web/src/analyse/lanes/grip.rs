//! What mouse and touch can grab in the lanes: measuring cursors, and the borders between lanes.

use leptos::prelude::*;

use super::canvas::LaneCanvas;
use crate::analyse::canvases::Canvases;
use crate::analyse::{LaneStore, MeasureStore, Strip, ViewStore};

/// The reach of the mouse and of a finger, CSS pixels.
const MOUSE: f32 = 5.0;
const FINGER: f32 = 22.0;
/// How far from the upper edge fingers can grab a measuring cursor, CSS pixels: there is its flag. Further down a
/// finger moves the cursor.
const FLAG: f32 = 62.0;
/// The least height that a lane can be dragged to, CSS pixels.
const LEAST: f32 = 36.0;

/// What a grip changes. Copies are handles to the same stores.
#[derive(Clone, Copy)]
pub(super) struct GripStores {
    lanes: LaneStore,
    measure: MeasureStore,
    view: ViewStore,
    canvases: Canvases,
}

impl GripStores {
    pub(super) fn here() -> Self {
        Self {
            lanes: expect_context(),
            measure: expect_context(),
            view: expect_context(),
            canvases: Canvases::here(),
        }
    }
}

/// Something that can be grabbed.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Grip {
    /// One of the measuring cursors.
    Measure(usize),
    /// The border between two lanes.
    Border(Border),
}

/// A border between two lanes, as it was when it was grabbed.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Border {
    lanes: [Strip; 2],
    /// The top of the upper lane, the border and the bottom of the lower lane, CSS pixels from the lanes' upper edge.
    edges: [f32; 3],
}

impl Grip {
    /// What can be grabbed at a position, CSS pixels from the lanes' left and upper edges.
    pub(super) fn at(stores: GripStores, [x, y]: [f32; 2], touch: bool) -> Option<Self> {
        let reach = if touch { FINGER } else { MOUSE };
        match x < stores.canvases.with_lanes(LaneCanvas::left)? {
            true => Border::at(stores, y, reach).map(Self::Border),
            false if touch && y > FLAG => None,
            false => measure_at(stores, x, reach).map(Self::Measure),
        }
    }

    /// The style sheet's word for it, for the shape of the mouse's pointer.
    pub(super) const fn word(&self) -> &'static str {
        match self {
            Self::Measure(_) => "column",
            Self::Border(_) => "row",
        }
    }

    /// Drags it to a position, CSS pixels.
    pub(super) fn drag(&self, stores: GripStores, [x, y]: [f32; 2]) {
        match self {
            Self::Measure(which) => {
                let at = stores.canvases.with_lanes(|lanes| lanes.place_at(x));
                let at_m = at.and_then(|at| stores.view.place_m(at));
                if let Some(at_m) = at_m {
                    stores.measure.drag(|measure| measure.put(*which, Some(at_m)));
                }
            }
            Self::Border(border) => border.drag(stores, y),
        }
    }

    /// Releases it, which stores what was dragged.
    pub(super) fn release(&self, stores: GripStores) {
        match self {
            Self::Measure(_) => stores.measure.change(|_| ()),
            Self::Border(_) => stores.lanes.arrange(|_| ()),
        }
    }

    /// Resets both lanes of a border to their default heights. Returns false for a measuring cursor.
    pub(super) fn reset(&self, stores: GripStores) -> bool {
        let Self::Border(Border { lanes, .. }) = self else { return false };
        let usual = lanes.clone().map(|lane| Strip::usual(&lane.id));
        stores.lanes.arrange(|strips| put(strips, &usual));
        true
    }
}

/// The nearest measuring cursor within reach, by its index.
fn measure_at(stores: GripStores, x: f32, reach: f32) -> Option<usize> {
    let places = stores.measure.on_axis();
    stores.canvases.with_lanes(|lanes| {
        let off = |at: f64| lanes.css_of(at).map(|css| (css - x).abs()).filter(|off| *off <= reach);
        let near = places.into_iter().enumerate().filter_map(|(which, at)| Some((which, off(at?)?)));
        near.min_by(|one, other| one.1.total_cmp(&other.1)).map(|(which, _)| which)
    })?
}

impl Border {
    fn at(stores: GripStores, y: f32, reach: f32) -> Option<Self> {
        let edges = stores.canvases.with_lanes(LaneCanvas::edges)?;
        let off = |edges: &[f32]| edges.get(1).map_or(f32::INFINITY, |border| (border - y).abs());
        let near = edges.windows(3).enumerate().filter(|(_, edges)| off(edges) <= reach);
        let (upper, edges) = near.min_by(|one, other| off(one.1).total_cmp(&off(other.1)))?;
        let strip = |place: usize| {
            let id = stores.canvases.with_lanes(|lanes| lanes.id(place).map(str::to_owned))??;
            stores.lanes.state.with(|lanes| lanes.strips.iter().find(|strip| strip.id == id).cloned())
        };
        Some(Self { lanes: [strip(upper)?, strip(upper + 1)?], edges: edges.try_into().ok()? })
    }

    /// Moves the border: one lane grows by as much as the other shrinks.
    fn drag(&self, stores: GripStores, y: f32) {
        let [top, border, bottom] = self.edges;
        let y = y.clamp(top + LEAST, (bottom - LEAST).max(top + LEAST));
        let scales = [(y - top) / (border - top), (bottom - y) / (bottom - border)];
        let mut lanes = self.lanes.clone();
        for (lane, scale) in lanes.iter_mut().zip(scales) {
            lane.percent = (f32::from(lane.percent) * scale).round() as u16;
        }
        stores.lanes.drag(|strips| put(strips, &lanes));
    }
}

/// Sets the heights of some lanes.
fn put(strips: &mut [Strip], lanes: &[Strip]) {
    for strip in strips {
        if let Some(lane) = lanes.iter().find(|lane| lane.id == strip.id) {
            strip.percent = lane.percent;
        }
    }
}
