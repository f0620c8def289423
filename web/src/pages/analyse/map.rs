//! The track from above: the main lap's way in its colours and the lines of all laps, with corners, brakes and the cursor.

use std::cell::RefCell;
use std::rc::Rc;

use leptos::prelude::document;
use trailbrake_shared::plot::MapWindow;
use wasm_bindgen::JsCast;
use web_sys::{HtmlCanvasElement, HtmlElement};

use super::things::corner_name;
use super::track::Colours;
use crate::analyse::{Analyse, INKS, Look, Seen, Shown, View, apart};
use crate::frame::{self, Phase, Subscription};
use crate::painter::{Framed, Ink, Looked, Route, RouteMap, Sheet, Spot};

/// What one press on a button makes of what is shown.
const ZOOM: f64 = 1.5;

thread_local! {
    /// The map that is shown, for whoever has to know what lies under a finger.
    static MAP: RefCell<Option<RouteMap>> = const { RefCell::new(None) };
}

/// Paints the map until what comes back is dropped.
pub(super) fn paint(analyse: Analyse) -> Option<Subscription> {
    let host = document().get_element_by_id("map")?.dyn_into::<HtmlElement>().ok()?;
    let map = RouteMap::new(Sheet::mount(&host)?);
    MAP.with_borrow_mut(|shown| *shown = Some(map));
    let mut colours = Colours::begin();
    let mut of: Option<(Option<Rc<Shown>>, Seen)> = None;
    let subscription = frame::on(Phase::Draw, move |_| {
        let (shown, seen, view, measure) =
            analyse.read(|state| (state.shown.clone(), state.seen, state.view.clone(), state.measure));
        let (cursor_m, notes) = analyse.read(|state| (state.cursor_m(), Rc::clone(&state.notes.placed)));
        let same = of.as_ref().is_some_and(|(before, looked)| {
            // Where it is looked at changes with every frame, and colours nothing otherwise.
            Seen { look: seen.look, ..*looked } == seen
                && before.as_ref().map(Rc::as_ptr) == shown.as_ref().map(Rc::as_ptr)
        });
        let mut route_anew = None;
        if !same {
            colours.show(shown.as_deref(), seen);
            let route =
                shown.as_ref().map(|shown| Route { coloured: colours.coloured.clone(), ..route(shown) });
            let route = route.unwrap_or_default();
            let _ = host.set_attribute("aria-label", &spoken(&route));
            route_anew = Some(route);
            of = Some((shown.clone(), seen));
        }
        colours.tools(shown.as_deref(), seen);
        let at = shown.as_ref().zip(cursor_m);
        colours.say(at.and_then(|(shown, at)| shown.laps.first()?.row_at(at)));
        let mut dots = at.map(|(shown, at)| cars(shown, at)).unwrap_or_default();
        if let Some(shown) = &shown {
            let measured = measure.places_m.into_iter().flatten().filter_map(|place| shown.seen_at(place));
            let silent = |place, ink| Spot { place, ink, says: String::new() };
            dots.extend(measured.map(|place| silent(place, Ink::Text)));
            let noted = notes.iter().filter(|note| note.place.is_some());
            dots.extend(noted.filter_map(|note| Some(silent(shown.seen_at(note.at_m?)?, Ink::Warn))));
        }
        let framed = shown.as_ref().map_or(Framed::All, |shown| framed(shown, &view, seen.look));
        MAP.with_borrow_mut(|map| {
            if let Some(map) = map {
                route_anew.into_iter().for_each(|route| map.show(route));
                map.look(Looked { framed, lines: seen.lines });
                map.paint(&dots);
            }
        });
    });
    frame::request();
    Some(subscription)
}

/// The map as it is seen now.
pub(super) fn picture(legend: &[(Ink, String)]) -> Option<HtmlCanvasElement> {
    MAP.with_borrow(|map| map.as_ref()?.picture(legend))
}

/// The place that lies at a point of the map, in CSS pixels from its upper left corner.
pub(super) fn place_at(css: [f32; 2]) -> Option<[f32; 2]> {
    MAP.with_borrow(|map| map.as_ref().map(|map| map.place_at(css)))
}

/// Goes to a part of the track that follows from the one that is shown. From then on it is looked at by itself.
pub(super) fn go(analyse: Analyse, to: impl FnOnce(&MapWindow) -> Option<MapWindow>) {
    let window = MAP.with_borrow(|map| map.as_ref()?.window());
    if let Some(window) = window.and_then(|window| to(&window)) {
        analyse.see(|seen| seen.look = Look::At(window));
        // Two fingers move more often than frames come: what follows begins here.
        let lines = analyse.read(|state| state.seen.lines);
        MAP.with_borrow_mut(|map| {
            map.iter_mut().for_each(|map| map.look(Looked { framed: Framed::At(window), lines }));
        });
    }
}

/// Makes what is shown smaller or larger, its middle staying where it is.
pub(super) fn zoom(analyse: Analyse, nearer: bool) {
    let factor = if nearer { 1.0 / ZOOM } else { ZOOM };
    go(analyse, |window| window.zoomed(factor, window.middle.map(|metres| metres as f32)));
}

/// Follows the lanes, or stays where it is.
pub(super) fn turn_following(analyse: Analyse) {
    match analyse.read(|state| state.seen.look) {
        Look::Follows => go(analyse, |window| Some(*window)),
        _ => analyse.see(|seen| seen.look = Look::Follows),
    }
}

/// What is shown of the main lap's way.
fn framed(shown: &Shown, view: &View, look: Look) -> Framed {
    let rows = || {
        let (lap, part) = (shown.laps.first()?, view.part()?);
        let row = |at: f64| lap.row_at(shown.place(view.axis, at)?);
        Some(Framed::Rows(row(part.from)?, row(part.to)?))
    };
    match look {
        Look::Follows => rows().unwrap_or_default(),
        Look::All => Framed::All,
        Look::At(window) => Framed::At(window),
    }
}

/// Where the laps were when the main lap was at a place.
fn cars(shown: &Shown, at: f64) -> Vec<Spot> {
    let Some(clock_s) = shown.comparison().placed.first().and_then(|main| main.clock_at(at)) else {
        return Vec::new();
    };
    let places = shown.laps.iter().zip(INKS);
    let spot = |place, ink| Spot { place, ink, says: String::new() };
    places.filter_map(|(lap, ink)| Some(spot(lap.seen_when(clock_s)?, ink))).collect()
}

fn route(shown: &Shown) -> Route {
    let Some(lap) = shown.laps.first() else { return Route::default() };
    let comparison = shown.comparison();
    let mut route = Route { way: Rc::clone(&lap.way), ..Route::default() };
    for corner in &comparison.corners {
        route.names.extend(lap.row_at(corner.apex_m).map(|row| (row, corner_name(shown, corner.number))));
    }
    let [_, reference] = &comparison.tables;
    // The main lap's stand in front.
    for ((table, lap), ink) in comparison.tables.iter().zip(&shown.laps).zip(INKS).rev() {
        for (row, other) in table.rows.iter().zip(&reference.rows) {
            let place = row.brake_on_m.and_then(|metres| lap.way.place(lap.row_at(metres)?));
            // The main lap's are red as its brake is.
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

/// What the map says to whom it can't show anything.
fn spoken(route: &Route) -> String {
    let mut words = "The track from above".to_owned();
    for mark in route.marks.iter().filter(|mark| !mark.says.is_empty()) {
        words.push_str(" · ");
        words.push_str(&mark.says);
    }
    words
}

/// How much earlier than the reference the brake came on.
fn earlier(shown: &Shown, corner: u16, places_m: Option<(f64, f64)>) -> String {
    let Some((lap, reference)) = places_m.filter(|_| shown.compared) else { return String::new() };
    [&corner_name(shown, corner), ": braked ", &apart(lap, reference)].concat()
}
