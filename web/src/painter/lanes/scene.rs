//! What a stack of lanes shows, and where on its sheet.

use trailbrake_shared::plot::{Domain, Scale};

use super::lane::Lane;
use super::{Across, Along, Flag, PeerMark};
use crate::painter::Size;
use crate::painter::gutter::Gutter;

/// CSS pixels: the height of the axis, the height of the names, and the margin at the sides.
const AXIS: f32 = 22.0;
const NAMES: f32 = 18.0;
const SIDE: f32 = 14.0;
/// CSS pixels for the scales between gutter and lanes, and the width of a sheet from which on they have room there.
const SCALES: f32 = 40.0;
const SCALES_FROM: f32 = 480.0;

/// The lanes and everything that is drawn on them.
pub(super) struct Scene {
    pub(super) lanes: Vec<Lane>,
    pub(super) gutter: Option<Gutter>,
    pub(super) across: Across,
    pub(super) along: Along,
    pub(super) cursor: Option<f64>,
    /// The part of the axis that is being selected.
    pub(super) band: Option<(f64, f64)>,
    /// The measuring cursors, as points of the axis.
    pub(super) measured: [Option<f64>; 2],
    pub(super) flags: Vec<Flag>,
    pub(super) peers: Vec<PeerMark>,
}

impl Scene {
    /// Lanes without marks and cursors.
    pub(super) fn new(lanes: Vec<Lane>, gutter: Option<Gutter>) -> Self {
        Self {
            lanes,
            gutter,
            across: Across::Rolling { seconds: 12.0, edge: 0.0, ahead: 0.0 },
            along: Along::default(),
            cursor: None,
            band: None,
            measured: [None; 2],
            flags: Vec::new(),
            peers: Vec::new(),
        }
    }

    /// Divides the height among the lanes.
    pub(super) fn lay_out(&mut self, size: Size) {
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
    pub(super) fn left(&self, size: Size) -> f32 {
        let width = size.width as f32 / size.density;
        let scales = if width < SCALES_FROM { 0.0 } else { SCALES };
        self.gutter.as_ref().map_or(SIDE, |gutter| gutter.width + scales)
    }

    /// The scale of the x axis.
    pub(super) fn x_scale(&self, size: Size) -> Scale {
        let left = (self.left(size) * size.density).round();
        let right = (size.width as f32 - SIDE * size.density).round().max(left + 1.0);
        let domain = match self.across {
            Across::Rolling { seconds, edge, ahead } => Domain::new(edge + ahead - seconds, edge + ahead),
            Across::Fixed { domain, .. } => domain,
        };
        Scale::new(domain, left, right)
    }

    /// The top of the first lane and the bottom of the last one, device pixels.
    pub(super) fn heights(&self) -> (f32, f32) {
        let top = self.lanes.first().map_or(0.0, |lane| lane.top);
        (top, self.lanes.last().map_or(0.0, |lane| lane.bottom))
    }
}
