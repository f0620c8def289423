//! What the map paints: the racing lines of the compared laps, brake points, corner names, cars and notes.

use std::rc::Rc;
use std::sync::Arc;

use trailbrake_shared::plot::colouring::ColouredLap;

use super::scene::MapScene;
use crate::analyse::{INKS, ShownLaps, apart};
use crate::painter::{Ink, Route, RouteMap, Spot};

/// What the map painted last, to see whether the route has to be drawn again.
#[derive(Default)]
pub(super) struct MapFigure {
    shown: Option<Rc<ShownLaps>>,
    coloured: Option<Arc<ColouredLap>>,
}

impl MapFigure {
    /// Paints the laps, cars and notes.
    pub(super) fn paint(&mut self, map: &mut RouteMap, scene: MapScene) {
        let MapScene { shown, coloured, looked, dots, pins } = scene;
        let same = self.shown.as_ref().map(Rc::as_ptr) == shown.as_ref().map(Rc::as_ptr)
            && self.coloured.as_ref().map(Arc::as_ptr) == coloured.as_ref().map(Arc::as_ptr);
        if !same {
            let route = shown.as_ref().map(|shown| route(shown, coloured.clone()));
            map.show(route.unwrap_or_default());
            (self.shown, self.coloured) = (shown, coloured);
        }
        map.look(looked);
        map.paint(&dots, &pins);
    }
}

fn route(shown: &ShownLaps, coloured: Option<Arc<ColouredLap>>) -> Route {
    let Some(lap) = shown.laps.first() else { return Route::default() };
    let comparison = shown.comparison();
    let mut route = Route { way: Rc::clone(&lap.way), coloured, ..Route::default() };
    for corner in &comparison.corners {
        route.names.extend(lap.row_at(corner.apex_m).map(|row| (row, shown.corner_name(corner.number))));
    }
    let [_, reference] = &comparison.tables;
    // The main lap comes last, so that its marks are in front.
    for ((table, lap), ink) in comparison.tables.iter().zip(&shown.laps).zip(INKS).rev() {
        for (row, other) in table.rows.iter().zip(&reference.rows) {
            let place = row.brake_on_m.and_then(|metres| lap.way.place(lap.row_at(metres)?));
            // The main lap's brake points have the red of its brake.
            let (ink, says) = match ink {
                Ink::Main => (Ink::Brake, earlier(shown, row.number, row.brake_on_m.zip(other.brake_on_m))),
                ink => (ink, String::new()),
            };
            route.marks.extend(place.map(|place| Spot { place, ink, says }));
        }
    }
    route.lines = shown.laps.iter().zip(INKS).rev().map(|(lap, ink)| (Rc::clone(&lap.way), ink)).collect();
    route
}

/// The map in words, for screen readers.
pub(super) fn spoken(shown: Option<&ShownLaps>) -> String {
    let mut words = "The track from above".to_owned();
    let Some(shown) = shown else { return words };
    let [main, reference] = &shown.comparison().tables;
    for (row, other) in main.rows.iter().zip(&reference.rows) {
        let says = earlier(shown, row.number, row.brake_on_m.zip(other.brake_on_m));
        if !says.is_empty() {
            words.push_str(" · ");
            words.push_str(&says);
        }
    }
    words
}

/// How much earlier or later than the reference a lap braked for a corner; empty without a reference.
fn earlier(shown: &ShownLaps, corner: u16, places_m: Option<(f64, f64)>) -> String {
    let Some((lap, reference)) = places_m.filter(|_| shown.compared) else { return String::new() };
    format!("{}: braked {}", shown.corner_name(corner), apart(lap, reference))
}
