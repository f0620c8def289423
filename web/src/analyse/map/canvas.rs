//! What the map paints: the racing lines of the compared laps, brake points, corner names, cars and notes.

use std::rc::Rc;
use std::sync::Arc;

use leptos::prelude::*;
use trailbrake_shared::plot::colouring::ColouredLap;

use crate::analyse::notes::note_ink;
use crate::analyse::{Analyse, INKS, MapArea, PlacedNote, ShownLaps, View, apart};
use crate::painter::{Framed, Ink, Looked, Pin, Route, RouteMap, Spot};
use crate::room::PeerCursor;

/// A note's number stands beside the track. The track's direction there is measured this far before and after, metres.
const AROUND_M: f64 = 20.0;

/// What the map painted last, to see whether the route has to be drawn again.
#[derive(Default)]
pub(super) struct MapFigure {
    shown: Option<Rc<ShownLaps>>,
    coloured: Option<Arc<ColouredLap>>,
}

impl MapFigure {
    /// Paints the current laps, window, cars and notes. `coloured` is the main lap with its colours.
    pub(super) fn paint(&mut self, map: &mut RouteMap, analyse: Analyse, coloured: Option<Arc<ColouredLap>>) {
        let shown = analyse.comparison.shown();
        let same = self.shown.as_ref().map(Rc::as_ptr) == shown.as_ref().map(Rc::as_ptr)
            && self.coloured.as_ref().map(Arc::as_ptr) == coloured.as_ref().map(Arc::as_ptr);
        if !same {
            let route = shown.as_ref().map(|shown| route(shown, coloured.clone()));
            map.show(route.unwrap_or_default());
            (self.shown, self.coloured) = (shown.clone(), coloured);
        }
        let view = analyse.map.state.get();
        let framed = shown
            .map_or(Framed::All, |shown| analyse.view.state.with(|lanes| framed(&shown, lanes, view.look)));
        map.look(Looked { framed, lines: view.lines });
        map.paint(&dots(analyse), &pins(analyse));
    }
}

/// The cars at the cursor, the measuring cursors, and the cursors of other people.
fn dots(analyse: Analyse) -> Vec<Spot> {
    let Some(shown) = analyse.comparison.shown() else { return Vec::new() };
    let silent = |place, ink| Spot { place, ink, says: String::new() };
    let mut dots = analyse.view.cursor_m().map(|at| cars(&shown, at)).unwrap_or_default();
    let measured =
        analyse.measure.state.get().places_m.into_iter().flatten().filter_map(|place| shown.seen_at(place));
    dots.extend(measured.map(|place| silent(place, Ink::Text)));
    let peer =
        |PeerCursor { at_m, title }| Some(Spot { place: shown.seen_at(at_m)?, ink: Ink::Peer, says: title });
    dots.extend(analyse.room.cursors().into_iter().filter_map(peer));
    dots
}

/// The notes about compared laps, with their numbers in the lesson plan.
fn pins(analyse: Analyse) -> Vec<Pin> {
    let Some(shown) = analyse.comparison.shown() else { return Vec::new() };
    let pin = |(number, note): (usize, &PlacedNote)| {
        note.place?;
        let at_m = note.at_m?;
        let place = shown.seen_at(at_m)?;
        let around = [at_m - AROUND_M, at_m + AROUND_M].map(|at_m| shown.seen_at(at_m).unwrap_or(place));
        Some(Pin { place, around, ink: note_ink(&note.note.colour), number })
    };
    (1..).zip(analyse.notes.placed().iter()).filter_map(pin).collect()
}

/// The part of the main lap's racing line that the map shows.
fn framed(shown: &ShownLaps, view: &View, look: MapArea) -> Framed {
    let rows = || {
        let (lap, part) = (shown.laps.first()?, view.part()?);
        let row = |at: f64| lap.row_at(shown.place(view.axis, at)?);
        Some(Framed::Rows(row(part.from)?, row(part.to)?))
    };
    match look {
        MapArea::Follows => rows().unwrap_or_default(),
        MapArea::All => Framed::All,
        MapArea::At(window) => Framed::At(window),
    }
}

/// Where each lap was when the main lap was at a lap distance, in metres.
fn cars(shown: &ShownLaps, at: f64) -> Vec<Spot> {
    let Some(clock_s) = shown.comparison().placed.first().and_then(|main| main.clock_at(at)) else {
        return Vec::new();
    };
    let places = shown.laps.iter().zip(INKS);
    let spot = |place, ink| Spot { place, ink, says: String::new() };
    places.filter_map(|(lap, ink)| Some(spot(lap.seen_when(clock_s)?, ink))).collect()
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
