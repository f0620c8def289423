//! What a press on something means.

use trailbrake_shared::number;
use web_sys::{Event, HtmlElement};

use super::actions::{self, Hands};
use super::{channels, copy, list, names, notes, sheet, track};
use crate::analyse::{Analyse, Gesture, Key, Part, Shown};
use crate::cockpit::Cockpit;
use crate::dom::{Listening, meant, value};
use crate::opener;

/// Before and behind a corner so much of it is shown too, metres.
const AROUND_M: f64 = 80.0;

/// Listens to everything in an element.
pub(super) fn listen(cockpit: Cockpit, analyse: Analyse, main: &HtmlElement) -> Vec<Listening> {
    vec![
        Listening::begin(main, "click", Box::new(move |event| pressed(cockpit, analyse, &event))),
        Listening::begin(main, "input", Box::new(move |event| typed(analyse, &event))),
        Listening::begin(main, "change", Box::new(move |event| chosen(cockpit, analyse, &event))),
    ]
}

fn typed(analyse: Analyse, event: &Event) {
    let Some((field, action, of)) = meant(event) else { return };
    match action.as_str() {
        "search-sheet" => sheet::find(analyse),
        "wanted" => analyse.want(&value(&field)),
        "name-layout" => analyse.rename_layout(of.parse().unwrap_or_default(), &value(&field)),
        track::COLOUR | track::WHEEL => track::chosen(analyse, &action, &field),
        _ => {}
    }
}

fn chosen(cockpit: Cockpit, analyse: Analyse, event: &Event) {
    let Some((field, action, _)) = meant(event) else { return };
    match action.as_str() {
        "seat" => value(&field).parse().into_iter().for_each(|place| analyse.list_seat(place)),
        "open" => opener::opened(cockpit, &field),
        _ => {}
    }
}

fn pressed(cockpit: Cockpit, analyse: Analyse, event: &Event) {
    let Some((_, action, of)) = meant(event) else { return };
    let elsewhere = channels::pressed(analyse, &action, &of) || copy::pressed(analyse, &action, &of);
    if elsewhere || names::pressed(cockpit, analyse, &action) {
        return;
    }
    let lap = || analyse.read(|state| list::named(state, &of));
    let hands = Hands { cockpit, analyse, far: false, digit: None };
    match action.as_str() {
        "command" => sheet::run(&hands, &of),
        "close-sheet" => analyse.ask(None),
        "overlay" => lap().into_iter().for_each(|key| overlay(cockpit, analyse, key)),
        "stretch" => to_stretch(analyse, &of),
        "panel" => analyse.open_panel(&of),
        "origin" => of.parse().into_iter().for_each(|place| analyse.list_other(place)),
        "lap" => lap().into_iter().for_each(|key| look_at(cockpit, analyse, key)),
        "go-to-note" => of.parse().into_iter().for_each(|place| analyse.go_to_note(cockpit, place)),
        "take-note-away" => of.parse().into_iter().for_each(|place| analyse.take_note_away(place)),
        "save-note" => notes::save(analyse),
        "seek" => analyse.seek(cockpit),
        "leave-out" => lap().into_iter().for_each(|key| analyse.exclude(cockpit, key)),
        "reference" => lap().into_iter().for_each(|key| refer_to(cockpit, analyse, key)),
        "close-corner" => analyse.view(&|view, _| view.open_corner(None)),
        "away" => of.parse().into_iter().for_each(|place| away(cockpit, analyse, place)),
        "corner" => of.parse().into_iter().for_each(|number| to_corner(analyse, number)),
        name => actions::named(name).into_iter().for_each(|action| (action.does)(&hands)),
    }
}

/// Makes a lap the main one.
pub(super) fn look_at(cockpit: Cockpit, analyse: Analyse, key: Key) {
    analyse.choose(cockpit, |chosen| {
        if chosen.reference == Some(key) {
            chosen.reference = chosen.main;
        }
        chosen.main = Some(key);
    });
}

/// Makes a lap the reference; the main lap and the reference change places where it was the main one.
pub(super) fn refer_to(cockpit: Cockpit, analyse: Analyse, key: Key) {
    analyse.choose(cockpit, |chosen| {
        if chosen.main == Some(key) {
            chosen.main = chosen.reference.or(chosen.main);
        }
        chosen.reference = Some(key).filter(|_| chosen.main != Some(key));
    });
}

/// Lays a lap beside the others, or takes it away again.
fn overlay(cockpit: Cockpit, analyse: Analyse, key: Key) {
    analyse.choose(cockpit, |chosen| match chosen.place(key) {
        None => chosen.others.push(key),
        Some(_) => chosen.take_away(key),
    });
}

/// Takes the lap away that is shown in a place, whoever's laps are listed.
fn away(cockpit: Cockpit, analyse: Analyse, place: usize) {
    let key = analyse.read(|state| Some(state.shown.as_ref()?.laps.get(place)?.driven.key));
    key.into_iter().for_each(|key| analyse.choose(cockpit, |chosen| chosen.take_away(key)));
}

/// Shows a part of the lap on the lanes, with a place in it under the cursor: three numbers, metres from the line.
fn to_stretch(analyse: Analyse, of: &str) {
    let mut metres = of.split(' ').filter_map(number::read);
    let (Some(from_m), Some(to_m), Some(at_m)) = (metres.next(), metres.next(), metres.next()) else {
        return;
    };
    let Some(shown) = analyse.read(|state| state.shown.clone()) else { return };
    show(analyse, &shown, [from_m - AROUND_M, to_m + AROUND_M, at_m], None);
}

/// Shows a place of the lap on the lanes, with the cursor there.
pub(super) fn to_place(analyse: Analyse, place_m: f64) {
    if let Some(shown) = analyse.read(|state| state.shown.clone()) {
        show(analyse, &shown, [place_m - AROUND_M, place_m + AROUND_M, place_m], None);
    }
}

/// Shows a corner on the lanes, with its apex under the cursor.
pub(super) fn to_corner(analyse: Analyse, number: u16) {
    let Some(shown) = analyse.read(|state| state.shown.clone()) else { return };
    let comparison = shown.comparison();
    let Some(corner) = comparison.corners.iter().find(|corner| corner.number == number) else { return };
    let loss = comparison.losses.iter().find(|loss| loss.number == number);
    let from_m = loss.map_or(corner.entry_m, |loss| loss.from_m.min(corner.entry_m)) - AROUND_M;
    show(analyse, &shown, [from_m, corner.exit_m + AROUND_M, corner.apex_m], Some(number));
}

/// Shows a part of the lap, with a place in it under the cursor, metres from the line, and a corner closely if that is one.
fn show(analyse: Analyse, shown: &Shown, metres: [f64; 3], corner: Option<u16>) {
    analyse.view_by(Some(Gesture::next()), &|view, whole| {
        view.open_corner(corner.or(view.corner));
        let places =
            metres.map(|metres| shown.on_axis(view.axis, metres.clamp(0.0, shown.comparison().length_m)));
        if let [Some(from), Some(to), Some(at)] = places {
            view.show(Some(Part { from, to }), whole);
            view.point(at, whole);
        }
    });
}
