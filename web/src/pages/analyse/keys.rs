//! The page by keyboard.

use leptos::prelude::window;
use wasm_bindgen::JsCast;
use web_sys::{Event, HtmlElement, KeyboardEvent};

use super::presses;
use crate::analyse::{Analyse, Axis, Key, State};
use crate::cockpit::Cockpit;
use crate::dom::Listening;

/// What one press of a key makes of what is shown, and how far it goes on.
const ZOOM: f64 = 1.5;
const PAN: f64 = 0.2;
/// The cursor goes so far by an arrow: a share of what is shown.
const STEP: f64 = 1.0 / 200.0;

/// Listens for as long as the page is shown.
pub(super) fn listen(cockpit: Cockpit, analyse: &Analyse) -> Listening {
    let analyse = analyse.clone();
    let pressed = move |event: Event| {
        let Some(event) = event.dyn_ref::<KeyboardEvent>() else { return };
        let target = event.target().and_then(|target| target.dyn_into::<HtmlElement>().ok());
        let field = target
            .is_some_and(|element| matches!(element.tag_name().as_str(), "INPUT" | "TEXTAREA" | "SELECT"));
        if !field && does(cockpit, &analyse, event) {
            event.prevent_default();
        }
    };
    Listening::begin(&window(), "keydown", Box::new(pressed))
}

/// Does what a key is for; whether it is for anything.
fn does(cockpit: Cockpit, analyse: &Analyse, event: &KeyboardEvent) -> bool {
    let far = if event.shift_key() { 10.0 } else { 1.0 };
    let key = event.key();
    if event.ctrl_key() || event.meta_key() {
        return key == "z" && {
            analyse.view(|view, _| view.undo());
            true
        };
    }
    if event.alt_key() {
        return false;
    }
    match key.to_ascii_lowercase().as_str() {
        "arrowleft" => step(analyse, -STEP * far),
        "arrowright" => step(analyse, STEP * far),
        "," => sample(analyse, false),
        "." => sample(analyse, true),
        "+" | "=" | "w" => zoom(analyse, 1.0 / ZOOM),
        "-" | "s" => zoom(analyse, ZOOM),
        "a" => analyse.view(|view, whole| view.pan(-PAN, whole)),
        "d" => analyse.view(|view, whole| view.pan(PAN, whole)),
        "home" => analyse.view(|view, whole| view.point(0.0, whole)),
        "end" => analyse.view(|view, whole| view.point(whole, whole)),
        "0" | "z" | "l" => analyse.view(|view, whole| view.show(None, whole)),
        "x" => analyse.turn_axis(),
        "[" => corner(analyse, false),
        "]" => corner(analyse, true),
        "c" => {
            let here = analyse.read(|state| nearest_corner(state));
            here.into_iter().for_each(|number| presses::to_corner(analyse, number));
        }
        "n" => lap(cockpit, analyse, 1),
        "p" => lap(cockpit, analyse, -1),
        "f" => {
            let fastest = analyse.read(fastest);
            fastest.into_iter().for_each(|key| presses::look_at(cockpit, analyse, key));
        }
        "r" => {
            let main = analyse.read(|state| state.chosen.main);
            main.into_iter().for_each(|key| presses::refer_to(cockpit, analyse, key));
        }
        _ => return false,
    }
    true
}

fn step(analyse: &Analyse, share: f64) {
    analyse.view(|view, whole| {
        let part = view.shown(whole);
        let from = view.cursor.unwrap_or(part.from);
        view.point(from + part.length() * share, whole);
    });
}

/// The cursor goes to the next sample of the main lap, or to the one before.
fn sample(analyse: &Analyse, onward: bool) {
    let next = analyse.read(|state| {
        let lap = state.shown.as_ref()?.laps.first()?;
        let rows = match state.view.axis {
            Axis::Distance => &lap.distance_m,
            Axis::Time => &lap.clock_s,
        };
        let at = state.view.cursor.unwrap_or_default();
        match onward {
            true => rows.get(rows.partition_point(|row| *row <= at)).copied(),
            false => rows.get(rows.partition_point(|row| *row < at).checked_sub(1)?).copied(),
        }
    });
    if let Some(next) = next {
        analyse.view(|view, whole| view.point(next, whole));
    }
}

fn zoom(analyse: &Analyse, factor: f64) {
    analyse.view(|view, whole| {
        let part = view.shown(whole);
        let about = view.cursor.filter(|at| (part.from..=part.to).contains(at));
        view.zoom(factor, about.unwrap_or((part.from + part.to) / 2.0), whole);
    });
}

/// Goes to the next corner behind the cursor, or to the one before.
fn corner(analyse: &Analyse, onward: bool) {
    let next = analyse.read(|state| {
        let corners = &state.shown.as_ref()?.comparison.corners;
        let at = state.cursor_m().unwrap_or(if onward { f64::NEG_INFINITY } else { f64::INFINITY });
        // The cursor stands on an apex once it was sent there.
        let found = match onward {
            true => corners.iter().find(|corner| corner.apex_m > at + 1.0),
            false => corners.iter().rev().find(|corner| corner.apex_m < at - 1.0),
        };
        found.map(|corner| corner.number)
    });
    next.into_iter().for_each(|number| presses::to_corner(analyse, number));
}

fn nearest_corner(state: &State) -> Option<u16> {
    let at = state.cursor_m()?;
    let corners = state.shown.as_ref()?.comparison.corners.iter();
    let off = |apex_m: f64| (apex_m - at).abs();
    corners.min_by(|one, other| off(one.apex_m).total_cmp(&off(other.apex_m))).map(|corner| corner.number)
}

/// Looks at the lap that was driven before or behind the one that is looked at.
fn lap(cockpit: Cockpit, analyse: &Analyse, by: isize) {
    let next = analyse.read(|state| {
        let laps = &state.origin()?.laps;
        let here = laps.iter().position(|known| Some(known.key) == state.chosen.main)?;
        laps.get(here.checked_add_signed(by)?).map(|known| known.key)
    });
    next.into_iter().for_each(|key| presses::look_at(cockpit, analyse, key));
}

fn fastest(state: &State) -> Option<Key> {
    let laps = state.origin()?.laps.iter();
    laps.filter_map(|known| Some((known.lap.counts()?, known.key)))
        .min_by_key(|(time, _)| *time)
        .map(|(_, key)| key)
}
