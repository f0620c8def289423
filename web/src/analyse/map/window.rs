//! Panning and zooming the track map.

use leptos::prelude::*;
use trailbrake_shared::plot::MapWindow;

use crate::analyse::canvases::Canvases;
use crate::analyse::{MapArea, MapStore};
use crate::painter::{Framed, Looked, RouteMap};

/// Zoom factor of one press of a button.
const ZOOM: f64 = 1.5;

/// Shows the part of the track that `to` makes of the shown one. The map stops following the lanes.
pub(super) fn go(map: MapStore, canvases: Canvases, to: impl FnOnce(&MapWindow) -> Option<MapWindow>) {
    let window = canvases.with_map(RouteMap::window).flatten();
    if let Some(window) = window.and_then(|window| to(&window)) {
        map.change(|map| map.look = MapArea::At(window));
        // Pointers move more often than frames are painted, and the next move starts from this window.
        let lines = map.state.get_untracked().lines;
        canvases.change_map(|map| map.look(Looked { framed: Framed::At(window), lines }));
    }
}

/// Zooms about the middle of the map.
pub(crate) fn zoom(map: MapStore, canvases: Canvases, nearer: bool) {
    let factor = if nearer { 1.0 / ZOOM } else { ZOOM };
    go(map, canvases, |window| window.zoomed(factor, window.middle.map(|metres| metres as f32)));
}

/// Makes the map follow the lanes; if it does already, keeps the part that it shows.
pub(crate) fn toggle_following(map: MapStore, canvases: Canvases) {
    match map.state.get_untracked().look {
        MapArea::Follows => go(map, canvases, |window| Some(*window)),
        _ => map.change(|map| map.look = MapArea::Follows),
    }
}
