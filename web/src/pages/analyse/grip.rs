//! What mouse and fingers can take hold of in the lanes: measuring cursors, and the borders between lanes.

use super::lanes;
use crate::analyse::{Analyse, Strip};

/// The mouse takes hold of what is within so many CSS pixels, a finger within more.
const MOUSE: f32 = 5.0;
const FINGER: f32 = 22.0;
/// Fingers take measuring cursors by what stands at their upper ends: elsewhere a finger moves the cursor.
const FLAG: f32 = 62.0;
/// No lane is dragged lower than so many CSS pixels.
const LEAST: f32 = 36.0;

/// Something to take hold of.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Grip {
    /// One of the measuring cursors.
    Measure(usize),
    /// The border between two lanes.
    Border(Border),
}

/// A border between two lanes, as it was when it was taken hold of.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Border {
    lanes: [Strip; 2],
    /// CSS pixels from the lanes' upper edge: where the upper lane begins, the border, where the lower one ends.
    edges: [f32; 3],
}

impl Grip {
    /// What lies so many CSS pixels from the lanes' left and upper edges.
    pub(super) fn at(analyse: Analyse, [x, y]: [f32; 2], touch: bool) -> Option<Self> {
        let reach = if touch { FINGER } else { MOUSE };
        match x < lanes::gutter() {
            true => Border::at(analyse, y, reach).map(Self::Border),
            false if touch && y > FLAG => None,
            false => measure_at(analyse, x, reach).map(Self::Measure),
        }
    }

    /// What the style sheet calls it, for the mouse's pointer.
    pub(super) const fn word(&self) -> &'static str {
        match self {
            Self::Measure(_) => "column",
            Self::Border(_) => "row",
        }
    }

    /// Moves it to a place.
    pub(super) fn drag(&self, analyse: Analyse, [x, y]: [f32; 2]) {
        match self {
            Self::Measure(which) => {
                let at_m = lanes::place_at(x).and_then(|at| analyse.read(|state| state.place_m(at)));
                if let Some(at_m) = at_m {
                    analyse.drag_measure(|measure| measure.put(*which, Some(at_m)));
                }
            }
            Self::Border(border) => border.drag(analyse, y),
        }
    }

    /// Lets go of it.
    pub(super) fn release(&self, analyse: Analyse) {
        match self {
            Self::Measure(_) => analyse.measure(|_| ()),
            Self::Border(_) => analyse.arrange(&|_| ()),
        }
    }

    /// A double press: lanes are as high again as they usually are; whether it means anything.
    pub(super) fn reset(&self, analyse: Analyse) -> bool {
        let Self::Border(Border { lanes, .. }) = self else { return false };
        let usual = lanes.clone().map(|lane| Strip::usual(&lane.id));
        analyse.arrange(&|strips| put(strips, &usual));
        true
    }
}

/// The measuring cursor that is nearest, and within reach.
fn measure_at(analyse: Analyse, x: f32, reach: f32) -> Option<usize> {
    let places = analyse.read(|state| state.measured());
    let off = |at: f64| lanes::css_of(at).map(|css| (css - x).abs()).filter(|off| *off <= reach);
    let near = places.into_iter().enumerate().filter_map(|(which, at)| Some((which, off(at?)?)));
    near.min_by(|one, other| one.1.total_cmp(&other.1)).map(|(which, _)| which)
}

impl Border {
    fn at(analyse: Analyse, y: f32, reach: f32) -> Option<Self> {
        let edges = lanes::edges();
        let off = |edges: &[f32]| edges.get(1).map_or(f32::INFINITY, |border| (border - y).abs());
        let near = edges.windows(3).enumerate().filter(|(_, edges)| off(edges) <= reach);
        let (upper, edges) = near.min_by(|one, other| off(one.1).total_cmp(&off(other.1)))?;
        let strip = |place: usize| {
            let id = lanes::id(place)?;
            analyse.read(|state| state.lanes.iter().find(|strip| strip.id == id).cloned())
        };
        Some(Self { lanes: [strip(upper)?, strip(upper + 1)?], edges: edges.try_into().ok()? })
    }

    /// What the one lane becomes higher, the other becomes lower.
    fn drag(&self, analyse: Analyse, y: f32) {
        let [top, border, bottom] = self.edges;
        let y = y.clamp(top + LEAST, (bottom - LEAST).max(top + LEAST));
        let scales = [(y - top) / (border - top), (bottom - y) / (bottom - border)];
        let mut lanes = self.lanes.clone();
        for (lane, scale) in lanes.iter_mut().zip(scales) {
            lane.percent = (f32::from(lane.percent) * scale).round() as u16;
        }
        analyse.drag_lanes(&|strips| put(strips, &lanes));
    }
}

/// Gives lanes their heights.
fn put(strips: &mut [Strip], lanes: &[Strip]) {
    for strip in strips {
        if let Some(lane) = lanes.iter().find(|lane| lane.id == strip.id) {
            strip.percent = lane.percent;
        }
    }
}
