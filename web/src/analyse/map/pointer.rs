//! Mouse and fingers on the map: the cursor, panning, zooming.

use leptos::html::Div;
use leptos::prelude::*;
use web_sys::{MouseEvent, PointerEvent, WheelEvent};

use super::window::go;
use crate::analyse::Analyse;
use crate::analyse::canvases::Canvases;
use crate::browser;

/// A drag over fewer CSS pixels than this is a press.
const PRESS: f32 = 5.0;
/// One notch of a wheel zooms by so much.
const NOTCH: f64 = 1.2;

/// A finger, or the mouse with its button down.
#[derive(Clone, Copy, Debug)]
struct Held {
    id: i32,
    now: [f32; 2],
}

/// What is held, and how far it has moved since nothing was.
#[derive(Default)]
struct Hold {
    held: Vec<Held>,
    moved: f32,
}

/// The hand on the map. Copies are handles to the same.
#[derive(Clone, Copy)]
pub(super) struct MapHand {
    analyse: Analyse,
    canvases: Canvases,
    host: NodeRef<Div>,
    hold: StoredValue<Hold, LocalStorage>,
}

impl MapHand {
    pub(super) fn new(analyse: Analyse, canvases: Canvases, host: NodeRef<Div>) -> Self {
        Self { analyse, canvases, host, hold: StoredValue::new_local(Hold::default()) }
    }

    pub(super) fn press(self, event: &PointerEvent) {
        if event.button() != 0 {
            return;
        }
        if let Some(host) = self.host.get_untracked() {
            let _ = host.set_pointer_capture(event.pointer_id());
        }
        let now = self.place(event);
        self.hold.update_value(|hold| {
            if hold.held.is_empty() {
                hold.moved = 0.0;
            }
            hold.held.retain(|held| held.id != event.pointer_id());
            hold.held.push(Held { id: event.pointer_id(), now });
        });
    }

    pub(super) fn move_to(self, event: &PointerEvent) {
        let now = self.place(event);
        let moved = self.hold.try_update_value(|hold| {
            let other = hold.held.iter().find(|held| held.id != event.pointer_id()).map(|held| held.now);
            let held = hold.held.iter_mut().find(|held| held.id == event.pointer_id())?;
            let before = std::mem::replace(&mut held.now, now);
            hold.moved += apart(before, now);
            Some((before, other, hold.moved))
        });
        let Some((before, other, moved)) = moved.flatten() else { return };
        let (Some(from), Some(to)) = (self.place_at(before), self.place_at(now)) else { return };
        match other {
            // What was under both fingers stays under them, as far as a map that doesn't turn allows.
            Some(other) => {
                let Some(still) = self.place_at(other) else { return };
                let factor = apart(before, other) / apart(now, other).max(1.0);
                go(self.analyse, self.canvases, |window| window.zoomed(factor.into(), still));
            }
            None if moved > PRESS => go(self.analyse, self.canvases, |window| window.moved(from, to)),
            None => {}
        }
    }

    pub(super) fn lift(self, event: &PointerEvent) {
        let pressed = self.let_go(event);
        if pressed {
            self.point(self.place(event));
        }
    }

    pub(super) fn cancel(self, event: &PointerEvent) {
        self.let_go(event);
    }

    pub(super) fn turn_wheel(self, event: &WheelEvent) {
        event.prevent_default();
        if let Some(place) = self.place_at(self.place(event)) {
            let factor = if event.delta_y() < 0.0 { 1.0 / NOTCH } else { NOTCH };
            go(self.analyse, self.canvases, |window| window.zoomed(factor, place));
        }
    }

    /// One finger, or the mouse, is no longer held; whether that was a press on a place.
    fn let_go(self, event: &PointerEvent) -> bool {
        let pressed = self.hold.try_update_value(|hold| {
            let held = hold.held.len();
            hold.held.retain(|held| held.id != event.pointer_id());
            held == 1 && hold.held.is_empty() && hold.moved <= PRESS
        });
        pressed == Some(true)
    }

    /// The cursor goes to where the main lap came nearest to what was pressed.
    fn point(self, css: [f32; 2]) {
        let at = self.place_at(css).and_then(|place| {
            let shown = self.analyse.shown()?;
            let lap = shown.laps.first()?;
            let (row, _) = lap.way.nearest(place)?;
            shown.on_axis(self.analyse.view.with(|view| view.axis), *lap.distance_m.get(row)?)
        });
        if let Some(at) = at {
            self.analyse.change_view(&|view, whole| view.point(at, whole));
        }
    }

    /// The place of the world at a point of the map, in CSS pixels from its upper left corner.
    fn place_at(self, css: [f32; 2]) -> Option<[f32; 2]> {
        self.canvases.with_map(|map| map.place_at(css))
    }

    /// CSS pixels from the map's left and upper edges.
    fn place(self, event: &MouseEvent) -> [f32; 2] {
        self.host.get_untracked().map_or([0.0; 2], |host| browser::place_in(&host, event))
    }
}

fn apart([x, y]: [f32; 2], [other_x, other_y]: [f32; 2]) -> f32 {
    (x - other_x).hypot(y - other_y)
}
