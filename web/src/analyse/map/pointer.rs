//! Mouse and touch on the map: the cursor, panning, zooming.

use leptos::html::Div;
use leptos::prelude::*;
use web_sys::{MouseEvent, PointerEvent, WheelEvent};

use super::window::go;
use crate::analyse::canvases::Canvases;
use crate::analyse::{ComparisonStore, MapStore, ViewStore};
use crate::browser;

/// A pointer that moved less than this is a press rather than a drag, CSS pixels.
const PRESS: f32 = 5.0;
/// Zoom factor of one notch of a mouse wheel.
const NOTCH: f64 = 1.2;

/// A finger, or the mouse with its button down.
#[derive(Clone, Copy, Debug)]
struct HeldPointer {
    id: i32,
    /// CSS pixels from the map's upper left corner.
    position: [f32; 2],
}

/// The pointers on the map.
#[derive(Default)]
struct Hold {
    held: Vec<HeldPointer>,
    /// How far they have moved in total since the first one was pressed, CSS pixels.
    moved: f32,
}

/// Handles pointer events on the map. A copy is a handle to the same state.
#[derive(Clone, Copy)]
pub(super) struct MapHand {
    comparison: ComparisonStore,
    view: ViewStore,
    map: MapStore,
    canvases: Canvases,
    host: NodeRef<Div>,
    hold: StoredValue<Hold, LocalStorage>,
}

impl MapHand {
    pub(super) fn new(canvases: Canvases, host: NodeRef<Div>) -> Self {
        Self {
            comparison: expect_context(),
            view: expect_context(),
            map: expect_context(),
            canvases,
            host,
            hold: StoredValue::new_local(Hold::default()),
        }
    }

    pub(super) fn press(self, event: &PointerEvent) {
        if event.button() != 0 {
            return;
        }
        if let Some(host) = self.host.get_untracked() {
            let _ = host.set_pointer_capture(event.pointer_id());
        }
        let position = self.place(event);
        self.hold.update_value(|hold| {
            if hold.held.is_empty() {
                hold.moved = 0.0;
            }
            hold.held.retain(|held| held.id != event.pointer_id());
            hold.held.push(HeldPointer { id: event.pointer_id(), position });
        });
    }

    pub(super) fn move_to(self, event: &PointerEvent) {
        let position = self.place(event);
        let moved = self.hold.try_update_value(|hold| {
            let other = hold.held.iter().find(|held| held.id != event.pointer_id()).map(|held| held.position);
            let held = hold.held.iter_mut().find(|held| held.id == event.pointer_id())?;
            let before = std::mem::replace(&mut held.position, position);
            hold.moved += apart(before, position);
            Some((before, other, hold.moved))
        });
        let Some((before, other, moved)) = moved.flatten() else { return };
        let (Some(from), Some(to)) = (self.place_at(before), self.place_at(position)) else { return };
        match other {
            // With two fingers, the map zooms about the one that does not move. It never turns.
            Some(other) => {
                let Some(still) = self.place_at(other) else { return };
                let factor = apart(before, other) / apart(position, other).max(1.0);
                go(self.map, self.canvases, |window| window.zoomed(factor.into(), still));
            }
            None if moved > PRESS => go(self.map, self.canvases, |window| window.moved(from, to)),
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
            go(self.map, self.canvases, |window| window.zoomed(factor, place));
        }
    }

    /// Releases a pointer. Returns whether it was the only one and a press rather than a drag.
    fn let_go(self, event: &PointerEvent) -> bool {
        let pressed = self.hold.try_update_value(|hold| {
            let held = hold.held.len();
            hold.held.retain(|held| held.id != event.pointer_id());
            held == 1 && hold.held.is_empty() && hold.moved <= PRESS
        });
        pressed == Some(true)
    }

    /// Moves the cursor to where the main lap came nearest to a point of the map.
    fn point(self, css: [f32; 2]) {
        let at = self.place_at(css).and_then(|place| {
            let shown = self.comparison.shown()?;
            let lap = shown.laps.first()?;
            let (row, _) = lap.way.nearest(place)?;
            shown.on_axis(self.view.state.with(|view| view.axis), *lap.distance_m.get(row)?)
        });
        if let Some(at) = at {
            self.view.change(&|view, whole| view.point(at, whole));
        }
    }

    /// The x and z in metres at a point of the map, which is in CSS pixels from its upper left corner.
    fn place_at(self, css: [f32; 2]) -> Option<[f32; 2]> {
        self.canvases.with_map(|map| map.place_at(css))
    }

    /// Where an event happened, in CSS pixels from the map's upper left corner.
    fn place(self, event: &MouseEvent) -> [f32; 2] {
        self.host.get_untracked().map_or([0.0; 2], |host| browser::place_in(&host, event))
    }
}

fn apart([x, y]: [f32; 2], [other_x, other_y]: [f32; 2]) -> f32 {
    (x - other_x).hypot(y - other_y)
}
