//! The track from above: the main lap's way in its colours, with corners, brakes and the cursor.

use std::rc::Rc;

use leptos::prelude::document;
use trailbrake_shared::analysis::CornerTable;
use wasm_bindgen::JsCast;
use web_sys::HtmlElement;

use super::things::corner_name;
use super::track::Colours;
use crate::analyse::{Analyse, INKS, PlacedNote, Seen, Shown};
use crate::frame::{self, Phase, Subscription};
use crate::painter::{Ink, Route, RouteMap, Sheet, Spot};

/// Paints the map until what comes back is dropped.
pub(super) fn paint(analyse: &Analyse) -> Option<Subscription> {
    let host = document().get_element_by_id("map")?.dyn_into::<HtmlElement>().ok()?;
    let mut map = RouteMap::new(Sheet::mount(&host)?);
    let mut colours = Colours::begin();
    let analyse = analyse.clone();
    let mut of: Option<(Option<Rc<Shown>>, Seen)> = None;
    let subscription = frame::on(Phase::Draw, move |_| {
        let (shown, seen, cursor_m, measure) =
            analyse.read(|state| (state.shown.clone(), state.seen, state.cursor_m(), state.measure));
        let notes = analyse.read(|state| Rc::clone(&state.notes.placed));
        let same = of.as_ref().is_some_and(|(before, looked)| {
            *looked == seen && before.as_ref().map(Rc::as_ptr) == shown.as_ref().map(Rc::as_ptr)
        });
        if !same {
            colours.show(shown.as_deref(), seen);
            let route =
                shown.as_ref().map(|shown| Route { coloured: colours.coloured.clone(), ..route(shown) });
            map.show(route.unwrap_or_default());
            of = Some((shown.clone(), seen));
        }
        let at = shown.as_ref().zip(cursor_m);
        colours.say(at.and_then(|(shown, at)| shown.laps.first()?.row_at(at)));
        let mut dots = at.map(|(shown, at)| cars(shown, at)).unwrap_or_default();
        if let Some(shown) = &shown {
            let measured = measure.places_m.into_iter().flatten().filter_map(|place| shown.seen_at(place));
            dots.extend(measured.map(|place| Spot { place, ink: Ink::Text }));
            let noted = notes.iter().filter(|note| note.place.is_some());
            let spot = |note: &PlacedNote| Some(Spot { place: shown.seen_at(note.at_m?)?, ink: Ink::Warn });
            dots.extend(noted.filter_map(spot));
        }
        map.paint(&dots);
    });
    frame::request();
    Some(subscription)
}

/// Where the laps were when the main lap was at a place.
fn cars(shown: &Shown, at: f64) -> Vec<Spot> {
    let rival = || shown.seen_at(shown.rival_at(at)?);
    let places = [shown.seen_at(at), rival()].into_iter().zip(INKS);
    places.filter_map(|(place, ink)| Some(Spot { place: place?, ink })).collect()
}

fn route(shown: &Shown) -> Route {
    let Some(lap) = shown.laps.first() else { return Route::default() };
    let comparison = &shown.comparison;
    let names = comparison.corners.iter();
    let names =
        names.filter_map(|corner| Some((lap.row_at(corner.apex_m)?, corner_name(shown, corner.number))));
    let count = if shown.compared { 2 } else { 1 };
    let brakes = |(table, ink): (&CornerTable, Ink)| {
        // The main lap's are red as its brake is.
        let ink = if ink == Ink::Main { Ink::Brake } else { ink };
        let places = table.rows.iter().filter_map(|row| shown.seen_at(row.brake_on_m?));
        places.map(|place| Spot { place, ink }).collect::<Vec<_>>()
    };
    let marks = comparison.tables.iter().zip(INKS).take(count).flat_map(brakes).collect();
    Route { way: Rc::clone(&lap.way), coloured: None, names: names.collect(), marks }
}
