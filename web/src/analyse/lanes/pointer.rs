//! Mouse and touch on the lanes: they move the cursor, select a part to zoom into, pan, pinch and drag borders.

use std::time::Duration;

use leptos::html::Div;
use leptos::leptos_dom::helpers::TimeoutHandle;
use leptos::prelude::*;
use web_sys::{MouseEvent, PointerEvent, WheelEvent};

use super::canvas::LaneCanvas;
use super::grip::{Grip, GripStores};
use crate::analyse::canvases::Canvases;
use crate::analyse::{Gesture, NoteEditor, Part, ViewStore};
use crate::browser;

/// A drag over fewer CSS pixels than this is a click.
const CLICK: f32 = 5.0;
/// The length of a long press, which begins a note.
const LONG: Duration = Duration::from_millis(550);
/// The zoom factor of one notch of the wheel, and how far it pans as a fraction of the visible part.
const NOTCH: f64 = 1.2;
const NOTCH_PAN: f64 = 0.1;
/// Notches closer together than this are one gesture, milliseconds.
const BURST_MS: f64 = 600.0;

/// A pressed pointer: a finger, or the mouse with its button down. Positions are CSS pixels from the left edge.
#[derive(Clone, Copy, Debug)]
struct Held {
    id: i32,
    began: f32,
    now: f32,
    /// Whether a drag selects no part: fingers move the cursor, and the mouse pans with Shift.
    pans: bool,
}

/// What the pressed pointers are doing.
#[derive(Default)]
struct Hold {
    held: Vec<Held>,
    /// The timer of a long press.
    long_press: Option<TimeoutHandle>,
    /// What the first pointer grabbed.
    grip: Option<Grip>,
    /// The gesture since the first pointer was pressed, which is undone as one step.
    gesture: Option<Gesture>,
    /// The wheel's gesture, and the time of its last notch, milliseconds.
    burst: Option<(Gesture, f64)>,
}

/// Handles the pointer events of the lanes. Copies are handles to the same.
#[derive(Clone, Copy)]
pub(super) struct LaneHand {
    view: ViewStore,
    editor: NoteEditor,
    grips: GripStores,
    canvases: Canvases,
    host: NodeRef<Div>,
    hold: StoredValue<Hold, LocalStorage>,
    /// What the mouse could grab where it is, for the style of its pointer.
    grip: RwSignal<&'static str>,
}

impl LaneHand {
    pub(super) fn new(canvases: Canvases, host: NodeRef<Div>) -> Self {
        Self {
            view: expect_context(),
            editor: expect_context(),
            grips: GripStores::here(),
            canvases,
            host,
            hold: StoredValue::new_local(Hold::default()),
            grip: RwSignal::new(""),
        }
    }

    /// What the mouse could grab where it is, as a word of the style sheet; empty for nothing.
    pub(super) fn grip(self) -> RwSignal<&'static str> {
        self.grip
    }

    pub(super) fn press(self, event: &PointerEvent) {
        let at = self.place(event);
        let touch = is_touch(event);
        let grip = self.grip_at(at, touch).filter(|_| self.hold.with_value(|hold| hold.held.is_empty()));
        if event.button() != 0 || (at[0] < self.left() && grip.is_none()) {
            return;
        }
        if let Some(host) = self.host.get_untracked() {
            let _ = host.set_pointer_capture(event.pointer_id());
        }
        let grabbed = grip.is_some();
        let gesture = self.view.next_gesture();
        let first = self.hold.try_update_value(|hold| {
            hold.cancel_long_press();
            if hold.held.is_empty() {
                hold.gesture = Some(gesture);
            }
            hold.held.retain(|held| held.id != event.pointer_id());
            // A finger moves the cursor; only the mouse selects a part.
            let pans = event.shift_key() || touch;
            hold.held.push(Held { id: event.pointer_id(), began: at[0], now: at[0], pans });
            hold.grip = hold.grip.take().or(grip);
            hold.held.len() == 1
        });
        if touch && !grabbed && first == Some(true) {
            self.point(at[0]);
            self.start_long_press();
        }
    }

    pub(super) fn move_to(self, event: &PointerEvent) {
        let at = self.place(event);
        let touch = is_touch(event);
        let before = self.hold.with_value(|hold| hold.held.clone());
        let moved = self.hold.try_update_value(|hold| hold.follow(event.pointer_id(), at[0])).flatten();
        let Some((held, step)) = moved else {
            if before.is_empty() {
                self.hover(at, touch);
            }
            return;
        };
        if let Some(grip) = self.hold.with_value(|hold| hold.grip.clone()) {
            return grip.drag(self.grips, at);
        }
        match (before.as_slice(), touch) {
            ([_, _], true) => self.pinch(&before),
            (_, true) => self.point(at[0]),
            (_, false) if held.pans => self.pan(step),
            (_, false) => self.choose(self.place_at(held.began).zip(self.place_at(at[0]))),
        }
    }

    pub(super) fn lift(self, event: &PointerEvent) {
        let at = self.place(event);
        let Some(held) = self.let_go(event) else { return };
        if self.hold.with_value(|hold| hold.grip.is_some()) {
            return self.release();
        }
        if held.pans {
            return;
        }
        match self.place_at(held.began).zip(self.place_at(at[0])) {
            Some((from, to)) if (held.began - at[0]).abs() > CLICK => {
                self.view.change(&|view, whole| view.show(Some(Part { from, to }), whole));
            }
            _ => self.point(at[0]),
        }
    }

    pub(super) fn cancel(self, event: &PointerEvent) {
        self.let_go(event);
        self.release();
    }

    pub(super) fn turn_wheel(self, event: &WheelEvent) {
        event.prevent_default();
        let [x, _] = self.place(event);
        let Some(at) = self.place_at(x) else { return };
        let next = self.view.next_gesture();
        let gesture = self.hold.try_update_value(|hold| hold.turn(next, browser::now_ms()));
        let nearer = event.delta_y() < 0.0;
        let (pan, factor) = if nearer { (-NOTCH_PAN, 1.0 / NOTCH) } else { (NOTCH_PAN, NOTCH) };
        self.view.change_by(gesture, &|view, whole| match event.shift_key() {
            true => view.pan(pan, whole),
            false => view.zoom(factor, at, whole),
        });
    }

    /// Handles a double click. On a border it resets the heights of both lanes, elsewhere it shows the whole lap.
    pub(super) fn press_twice(self, event: &MouseEvent) {
        let grip = self.grip_at(self.place(event), true);
        if !grip.is_some_and(|grip| grip.reset(self.grips)) {
            self.view.change(&|view, whole| view.show(None, whole));
        }
    }

    /// The mouse moves over the lanes with no button down: the cursor follows it.
    fn hover(self, at: [f32; 2], touch: bool) {
        let grip = self.grip_at(at, touch).map_or("", |grip| grip.word());
        if self.grip.get_untracked() != grip {
            self.grip.set(grip);
        }
        if at[0] >= self.left() {
            self.point(at[0]);
        }
    }

    /// Zooms and pans with two fingers, so that the points under them stay there. `before` is where they were.
    fn pinch(self, before: &[Held]) {
        let (held, gesture) = self.hold.with_value(|hold| (hold.held.clone(), hold.gesture));
        let ([one, other], [before_one, before_other]) = (held.as_slice(), before) else { return };
        let places = |one: f32, other: f32| self.place_at(one).zip(self.place_at(other));
        let (Some((from, to)), Some((left, right))) =
            (places(before_one.now, before_other.now), places(one.now, other.now))
        else {
            return;
        };
        let factor = (to - from) / (right - left);
        if !factor.is_finite() || factor <= 0.0 {
            return;
        }
        self.view.change_by(gesture, &|view, whole| {
            let part = view.shown(whole);
            let start = from - (left - part.from) * factor;
            view.show(Some(Part { from: start, to: start + part.length() * factor }), whole);
        });
    }

    /// Moves the visible part by a drag to the left, CSS pixels.
    fn pan(self, step: f32) {
        let Some(host) = self.host.get_untracked() else { return };
        let width = host.client_width() as f32 - self.left();
        if width > 1.0 {
            let gesture = self.hold.with_value(|hold| hold.gesture);
            self.view.change_by(gesture, &|view, whole| view.pan(f64::from(step / width), whole));
        }
    }

    /// Begins a note at the cursor unless the long press is cancelled in time.
    fn start_long_press(self) {
        let begin = move || {
            self.editor.begin();
        };
        let long_press = set_timeout_with_handle(begin, LONG).ok();
        self.hold.update_value(|hold| hold.long_press = long_press);
    }

    /// Removes a pointer that is no longer pressed; `None` if it was not.
    fn let_go(self, event: &PointerEvent) -> Option<Held> {
        let held = self.hold.try_update_value(|hold| {
            let place = hold.held.iter().position(|held| held.id == event.pointer_id())?;
            hold.cancel_long_press();
            Some(hold.held.remove(place))
        });
        self.choose(None);
        held.flatten()
    }

    /// Releases what was grabbed, once no pointer is pressed.
    fn release(self) {
        let grip = self.hold.try_update_value(|hold| match hold.held.is_empty() {
            true => hold.grip.take(),
            false => None,
        });
        grip.flatten().into_iter().for_each(|grip| grip.release(self.grips));
    }

    /// Moves the cursor to a distance from the left edge, CSS pixels, within the visible part.
    fn point(self, at: f32) {
        if let Some(place) = self.place_at(at) {
            self.view.change(&|view, whole| {
                let part = view.shown(whole);
                view.point(place.clamp(part.from, part.to), whole);
            });
        }
    }

    fn choose(self, band: Option<(f64, f64)>) {
        self.canvases.change_lanes(|lanes| lanes.choose(band));
    }

    fn grip_at(self, at: [f32; 2], touch: bool) -> Option<Grip> {
        Grip::at(self.grips, at, touch)
    }

    fn left(self) -> f32 {
        self.canvases.with_lanes(LaneCanvas::left).unwrap_or_default()
    }

    fn place_at(self, css: f32) -> Option<f64> {
        self.canvases.with_lanes(|lanes| lanes.place_at(css))
    }

    /// The event's distance from the canvas's left and upper edges, CSS pixels.
    fn place(self, event: &MouseEvent) -> [f32; 2] {
        self.host.get_untracked().map_or([0.0; 2], |host| browser::place_in(&host, event))
    }
}

impl Hold {
    /// Cancels the long press: the finger moved or lifted, or another one came.
    fn cancel_long_press(&mut self) {
        self.long_press.take().into_iter().for_each(|timer| timer.clear());
    }

    /// Moves a pressed pointer. Returns it, and how far it moved to the left, CSS pixels; `None` if it is not pressed.
    fn follow(&mut self, id: i32, at: f32) -> Option<(Held, f32)> {
        let several = self.held.len() > 1;
        let held = self.held.iter_mut().find(|held| held.id == id)?;
        let step = held.now - at;
        held.now = at;
        let held = *held;
        if (held.began - at).abs() > CLICK || several {
            self.cancel_long_press();
        }
        Some((held, step))
    }

    /// The gesture of a notch of the wheel: the last notch's if it is recent, otherwise `next`.
    fn turn(&mut self, next: Gesture, now_ms: f64) -> Gesture {
        let going_on = self.burst.filter(|(_, last_ms)| now_ms - last_ms < BURST_MS);
        let gesture = going_on.map_or(next, |(gesture, _)| gesture);
        self.burst = Some((gesture, now_ms));
        gesture
    }
}

fn is_touch(event: &PointerEvent) -> bool {
    event.pointer_type() == "touch"
}
