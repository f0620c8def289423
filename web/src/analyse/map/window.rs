//! Which part of the track the map shows.

use leptos::prelude::*;
use trailbrake_shared::plot::MapWindow;

use crate::analyse::canvases::Canvases;
use crate::analyse::{Analyse, MapArea};
use crate::painter::{Framed, Looked, RouteMap};

/// One press on a button zooms by so much.
const ZOOM: f64 = 1.5;

/// Goes to a part of the track that follows from the one that is shown. From then on it no longer follows the lanes.
pub(super) fn go(analyse: Analyse, canvases: Canvases, to: impl FnOnce(&MapWindow) -> Option<MapWindow>) {
    let window = canvases.with_map(RouteMap::window).flatten();
    if let Some(window) = window.and_then(|window| to(&window)) {
        analyse.change_map(|map| map.look = MapArea::At(window));
        // Two fingers move more often than frames come: the next move begins here.
        let lines = analyse.map.get_untracked().lines;
        canvases.change_map(|map| map.look(Looked { framed: Framed::At(window), lines }));
    }
}

/// Zooms about the middle of what is shown.
pub(crate) fn zoom(analyse: Analyse, canvases: Canvases, nearer: bool) {
    let factor = if nearer { 1.0 / ZOOM } else { ZOOM };
    go(analyse, canvases, |window| window.zoomed(factor, window.middle.map(|metres| metres as f32)));
}

/// Follows the lanes, or stays where it is.
pub(crate) fn toggle_following(analyse: Analyse, canvases: Canvases) {
    match analyse.map.get_untracked().look {
        MapArea::Follows => go(analyse, canvases, |window| Some(*window)),
        _ => analyse.change_map(|map| map.look = MapArea::Follows),
    }
}
