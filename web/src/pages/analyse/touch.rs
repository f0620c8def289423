//! Mouse and fingers on the map: the cursor, moving about, going nearer.

use std::cell::RefCell;
use std::rc::Rc;

use leptos::prelude::document;
use wasm_bindgen::JsCast;
use web_sys::{Element, Event, PointerEvent, WheelEvent};

use super::map::{go, place_at};
use crate::analyse::{Analyse, Look};
use crate::dom::Listening;

/// A drag over fewer CSS pixels than this is a press.
const PRESS: f32 = 5.0;
/// What one notch of a wheel makes of what is shown.
const NOTCH: f64 = 1.2;

/// A finger, or the mouse with its button down.
#[derive(Clone, Copy, Debug)]
struct Held {
    id: i32,
    now: [f32; 2],
}

/// What is held, and whether it has moved since nothing was.
#[derive(Default)]
struct Hand {
    held: Vec<Held>,
    moved: f32,
}

/// Listens for as long as the page is shown.
pub(super) fn listen(analyse: Analyse) -> Vec<Listening> {
    let Some(host) = document().get_element_by_id("map") else { return Vec::new() };
    let hand = Rc::new(RefCell::new(Hand::default()));
    let hear = |what: &'static str| {
        let (hand, analyse, element) = (Rc::clone(&hand), analyse, host.clone());
        let heard = move |event: Event| hand.borrow_mut().hear(analyse, &element, &event);
        Listening::begin(&host, what, Box::new(heard))
    };
    ["pointerdown", "pointermove", "pointerup", "pointercancel", "wheel", "dblclick"].map(hear).into()
}

impl Hand {
    fn hear(&mut self, analyse: Analyse, host: &Element, event: &Event) {
        if let Some(event) = event.dyn_ref::<WheelEvent>() {
            event.prevent_default();
            if let Some(place) = place_at(within(host, event)) {
                let factor = if event.delta_y() < 0.0 { 1.0 / NOTCH } else { NOTCH };
                go(analyse, |window| window.zoomed(factor, place));
            }
            return;
        }
        match (event.type_().as_str(), event.dyn_ref::<PointerEvent>()) {
            ("pointerdown", Some(event)) if event.button() == 0 => self.down(host, event),
            ("pointermove", Some(event)) => self.moved(analyse, host, event),
            ("pointerup" | "pointercancel", Some(event)) => self.up(analyse, host, event),
            ("dblclick", _) => analyse.see(|seen| seen.look = Look::All),
            _ => {}
        }
    }

    fn down(&mut self, host: &Element, event: &PointerEvent) {
        let _ = host.set_pointer_capture(event.pointer_id());
        if self.held.is_empty() {
            self.moved = 0.0;
        }
        self.held.retain(|held| held.id != event.pointer_id());
        self.held.push(Held { id: event.pointer_id(), now: within(host, event) });
    }

    fn moved(&mut self, analyse: Analyse, host: &Element, event: &PointerEvent) {
        let now = within(host, event);
        let other = self.held.iter().find(|held| held.id != event.pointer_id()).map(|held| held.now);
        let Some(held) = self.held.iter_mut().find(|held| held.id == event.pointer_id()) else { return };
        let before = std::mem::replace(&mut held.now, now);
        self.moved += apart(before, now);
        let (Some(from), Some(to)) = (place_at(before), place_at(now)) else { return };
        match other {
            // What lay under both fingers stays under them, as far as a picture without turning lets it.
            Some(other) => {
                let Some(still) = place_at(other) else { return };
                let factor = apart(before, other) / apart(now, other).max(1.0);
                go(analyse, |window| window.zoomed(factor.into(), still));
            }
            None if self.moved > PRESS => go(analyse, |window| window.moved(from, to)),
            None => {}
        }
    }

    fn up(&mut self, analyse: Analyse, host: &Element, event: &PointerEvent) {
        let Some(at) = self.held.iter().position(|held| held.id == event.pointer_id()) else { return };
        self.held.remove(at);
        if self.held.is_empty() && self.moved <= PRESS && event.type_() == "pointerup" {
            point(analyse, within(host, event));
        }
    }
}

/// The cursor goes to where the main lap came nearest to what was pressed.
fn point(analyse: Analyse, css: [f32; 2]) {
    let at = place_at(css).and_then(|place| {
        analyse.read(|state| {
            let shown = state.shown.as_ref()?;
            let lap = shown.laps.first()?;
            let (row, _) = lap.way.nearest(place)?;
            shown.on_axis(state.view.axis, *lap.distance_m.get(row)?)
        })
    });
    if let Some(at) = at {
        analyse.view(&|view, whole| view.point(at, whole));
    }
}

fn apart([x, y]: [f32; 2], [other_x, other_y]: [f32; 2]) -> f32 {
    (x - other_x).hypot(y - other_y)
}

/// CSS pixels from an element's upper left corner.
fn within(host: &Element, event: &web_sys::MouseEvent) -> [f32; 2] {
    let edges = host.get_bounding_client_rect();
    let (x, y) = (f64::from(event.client_x()), f64::from(event.client_y()));
    [(x - edges.left()) as f32, (y - edges.top()) as f32]
}
