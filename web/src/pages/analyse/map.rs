//! The track from above: the main lap's way, coloured by what was lost, with corners, brakes and the cursor.

use std::rc::Rc;

use leptos::prelude::document;
use wasm_bindgen::JsCast;
use web_sys::HtmlElement;

use super::things::corner_name;
use crate::analyse::{Analyse, INKS, Shown};
use crate::dom::{fill_id, part};
use crate::frame::{self, Phase, Subscription};
use crate::painter::{Ink, Route, RouteMap, Sheet};

/// Losing or gaining less than this in a metre is neither, seconds.
const LEVEL_S: f64 = 1.5e-4;
/// Stretches of the way are coloured by what was lost over so many metres.
const OVER_M: f64 = 20.0;

/// Paints the map until what comes back is dropped.
pub(super) fn paint(analyse: &Analyse) -> Option<Subscription> {
    let host = document().get_element_by_id("map")?.dyn_into::<HtmlElement>().ok()?;
    let mut map = RouteMap::new(Sheet::mount(&host)?);
    let analyse = analyse.clone();
    let mut of: Option<Rc<Shown>> = None;
    let mut first = true;
    let subscription = frame::on(Phase::Draw, move |_| {
        let (shown, cursor_m, measure) =
            analyse.read(|state| (state.shown.clone(), state.cursor_m(), state.measure));
        let same = match (&of, &shown) {
            (Some(before), Some(shown)) => Rc::ptr_eq(before, shown),
            (None, None) => !first,
            _ => false,
        };
        if !same {
            first = false;
            map.show(shown.as_ref().map(|shown| route(shown)).unwrap_or_default());
            head(shown.as_deref());
            of.clone_from(&shown);
        }
        let mut dots = Vec::new();
        if let Some((shown, at)) = shown.as_ref().zip(cursor_m) {
            let rival = shown.rival_at(at).and_then(|place| shown.seen_at(place));
            let [main, reference, ..] = INKS;
            dots.extend(shown.seen_at(at).map(|place| (place, main)));
            dots.extend(rival.map(|place| (place, reference)));
        }
        if let Some(shown) = &shown {
            let measured = measure.places_m.into_iter().flatten().filter_map(|place| shown.seen_at(place));
            dots.extend(measured.map(|place| (place, Ink::Text)));
        }
        map.paint(&dots);
    });
    frame::request();
    Some(subscription)
}

fn head(shown: Option<&Shown>) {
    let Some(shown) = shown else { return fill_id("track-head", Vec::new()) };
    let words = match (shown.way.is_empty(), shown.compared) {
        (true, _) => "this game tells no positions",
        (false, true) => "coloured by delta",
        (false, false) => "",
    };
    fill_id("track-head", vec![part("h2", "").says("Track"), part("span", "").says(words)]);
}

fn route(shown: &Shown) -> Route {
    let Some(lap) = shown.laps.first().filter(|_| !shown.way.is_empty()) else { return Route::default() };
    let comparison = &shown.comparison;
    let row = |place: f64| lap.distance_m.partition_point(|other| *other < place);
    let names = comparison.corners.iter();
    let names = names.map(|corner| (row(corner.apex_m), corner_name(shown, corner.number))).collect();
    let count = if shown.compared { 2 } else { 1 };
    let brakes = |(table, ink): (&trailbrake_shared::analysis::CornerTable, Ink)| {
        let ink = if ink == Ink::Main { Ink::Brake } else { ink };
        let places = table.rows.iter().filter_map(|row| shown.seen_at(row.brake_on_m?));
        places.map(|place| (place, ink)).collect::<Vec<_>>()
    };
    let marks = comparison.tables.iter().zip(INKS).take(count).flat_map(brakes).collect();
    let mut pieces: Vec<(usize, usize, Ink)> = Vec::new();
    let mut from = 0.0;
    while shown.compared && from < comparison.length_m {
        let to = from + OVER_M;
        let lost =
            comparison.at(to).zip(comparison.at(from)).map(|(after, before)| (after - before) / OVER_M);
        let ink = match lost {
            Some(lost) if lost > LEVEL_S => Ink::Loss,
            Some(lost) if lost < -LEVEL_S => Ink::Gain,
            _ => Ink::Soft,
        };
        let (first, last) = (row(from), row(to));
        match pieces.last_mut() {
            Some((_, end, own)) if *own == ink => *end = last,
            _ => pieces.push((first, last, ink)),
        }
        from = to;
    }
    if !shown.compared {
        pieces.push((0, shown.way.len(), Ink::Soft));
    }
    Route { way: shown.way.clone(), pieces, names, marks }
}
