//! Mouse and fingers on the lanes: the cursor, zooming into a part, panning.

use std::time::Duration;

use leptos::html::Div;
use leptos::leptos_dom::helpers::TimeoutHandle;
use leptos::prelude::*;
use web_sys::{MouseEvent, PointerEvent, WheelEvent};

use super::canvas::LaneCanvas;
use super::grip::Grip;
use crate::analyse::canvases::Canvases;
use crate::analyse::{Analyse, Gesture, Part};
use crate::browser;

/// A drag over fewer CSS pixels than this is a click.
const CLICK: f32 = 5.0;
/// A finger that rests so long on the lanes drops a note.
const LONG: Duration = Duration::from_millis(550);
/// One notch of a wheel zooms and pans by so much.
const NOTCH: f64 = 1.2;
const NOTCH_PAN: f64 = 0.1;
/// A notch that follows so soon belongs to the same gesture.
const BURST_MS: f64 = 600.0;

/// A finger, or the mouse with its button down.
#[derive(Clone, Copy, Debug)]
struct Held {
    id: i32,
    began: f32,
    now: f32,
    /// Whether it moves what is shown and chooses nothing.
    pans: bool,
}

/// What fingers and the mouse do at the moment.
#[derive(Default)]
struct Hold {
    held: Vec<Held>,
    /// Waits for a finger to rest.
    rest: Option<TimeoutHandle>,
    /// What the first of them has grabbed.
    grip: Option<Grip>,
    /// What they do together since nothing was held.
    gesture: Option<Gesture>,
    /// The wheel's gesture, and when its last notch was.
    burst: Option<(Gesture, f64)>,
}

/// The hand on the lanes. Copies are handles to the same.
#[derive(Clone, Copy)]
pub(super) struct LaneHand {
    analyse: Analyse,
    canvases: Canvases,
    host: NodeRef<Div>,
    hold: StoredValue<Hold, LocalStorage>,
    /// What could be grabbed under the mouse, for its pointer.
    grip: RwSignal<&'static str>,
}

impl LaneHand {
    pub(super) fn new(analyse: Analyse, canvases: Canvases, host: NodeRef<Div>) -> Self {
        Self {
            analyse,
            canvases,
            host,
            hold: StoredValue::new_local(Hold::default()),
            grip: RwSignal::new(""),
        }
    }

    /// What could be grabbed under the mouse, as the style sheet calls it.
    pub(super) fn grip(self) -> RwSignal<&'static str> {
        self.grip
    }

    pub(super) fn press(self, event: &PointerEvent) {
        let at = self.place(event);
        let touch = is_touch(event);
        let grip = self.grip_at(at, touch).filter(|_| self.hold.with_value(|hold| hold.held.is_empty()));
        if event.button() != 0 || (at[0] < self.gutter() && grip.is_none()) {
            return;
        }
        if let Some(host) = self.host.get_untracked() {
            let _ = host.set_pointer_capture(event.pointer_id());
        }
        let grabbed = grip.is_some();
        let gesture = self.analyse.next_gesture();
        let first = self.hold.try_update_value(|hold| {
            hold.stir();
            if hold.held.is_empty() {
                hold.gesture = Some(gesture);
            }
            hold.held.retain(|held| held.id != event.pointer_id());
            // A finger moves the cursor; only the mouse chooses a part.
            let pans = event.shift_key() || touch;
            hold.held.push(Held { id: event.pointer_id(), began: at[0], now: at[0], pans });
            hold.grip = hold.grip.take().or(grip);
            hold.held.len() == 1
        });
        if touch && !grabbed && first == Some(true) {
            self.point(at[0]);
            self.wait();
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
            return grip.drag(self.analyse, self.canvases, at);
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
                self.analyse.change_view(&|view, whole| view.show(Some(Part { from, to }), whole));
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
        let next = self.analyse.next_gesture();
        let gesture = self.hold.try_update_value(|hold| hold.turn(next, browser::now_ms()));
        let nearer = event.delta_y() < 0.0;
        let (pan, factor) = if nearer { (-NOTCH_PAN, 1.0 / NOTCH) } else { (NOTCH_PAN, NOTCH) };
        self.analyse.change_view_by(gesture, &|view, whole| match event.shift_key() {
            true => view.pan(pan, whole),
            false => view.zoom(factor, at, whole),
        });
    }

    /// Lanes get their default heights at a border; elsewhere the whole lap is shown.
    pub(super) fn press_twice(self, event: &MouseEvent) {
        let grip = self.grip_at(self.place(event), true);
        if !grip.is_some_and(|grip| grip.reset(self.analyse)) {
            self.analyse.change_view(&|view, whole| view.show(None, whole));
        }
    }

    /// The mouse over the lanes: the cursor follows it.
    fn hover(self, at: [f32; 2], touch: bool) {
        let grip = self.grip_at(at, touch).map_or("", |grip| grip.word());
        if self.grip.get_untracked() != grip {
            self.grip.set(grip);
        }
        if at[0] >= self.gutter() {
            self.point(at[0]);
        }
    }

    /// Two fingers: what is under them stays under them.
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
        self.analyse.change_view_by(gesture, &|view, whole| {
            let part = view.shown(whole);
            let start = from - (left - part.from) * factor;
            view.show(Some(Part { from: start, to: start + part.length() * factor }), whole);
        });
    }

    fn pan(self, step: f32) {
        let Some(host) = self.host.get_untracked() else { return };
        let width = host.client_width() as f32 - self.gutter();
        if width > 1.0 {
            let gesture = self.hold.with_value(|hold| hold.gesture);
            self.analyse.change_view_by(gesture, &|view, whole| view.pan(f64::from(step / width), whole));
        }
    }

    /// Drops a note if the finger rests.
    fn wait(self) {
        let begin = move || {
            self.analyse.begin_note();
        };
        let rest = set_timeout_with_handle(begin, LONG).ok();
        self.hold.update_value(|hold| hold.rest = rest);
    }

    /// One finger, or the mouse, is no longer held.
    fn let_go(self, event: &PointerEvent) -> Option<Held> {
        let held = self.hold.try_update_value(|hold| {
            let place = hold.held.iter().position(|held| held.id == event.pointer_id())?;
            hold.stir();
            Some(hold.held.remove(place))
        });
        self.choose(None);
        held.flatten()
    }

    /// What was grabbed is released with the last finger.
    fn release(self) {
        let grip = self.hold.try_update_value(|hold| match hold.held.is_empty() {
            true => hold.grip.take(),
            false => None,
        });
        grip.flatten().into_iter().for_each(|grip| grip.release(self.analyse));
    }

    fn point(self, at: f32) {
        if let Some(place) = self.place_at(at) {
            self.analyse.change_view(&|view, whole| {
                let part = view.shown(whole);
                view.point(place.clamp(part.from, part.to), whole);
            });
        }
    }

    fn choose(self, band: Option<(f64, f64)>) {
        self.canvases.change_lanes(|lanes| lanes.choose(band));
    }

    fn grip_at(self, at: [f32; 2], touch: bool) -> Option<Grip> {
        Grip::at(self.analyse, self.canvases, at, touch)
    }

    fn gutter(self) -> f32 {
        self.canvases.with_lanes(LaneCanvas::gutter).unwrap_or_default()
    }

    fn place_at(self, css: f32) -> Option<f64> {
        self.canvases.with_lanes(|lanes| lanes.place_at(css))
    }

    /// CSS pixels from the canvas's left and upper edges.
    fn place(self, event: &MouseEvent) -> [f32; 2] {
        self.host.get_untracked().map_or([0.0; 2], |host| browser::place_in(&host, event))
    }
}

impl Hold {
    /// Somebody does something other than resting.
    fn stir(&mut self) {
        self.rest.take().into_iter().for_each(|rest| rest.clear());
    }

    /// A finger, or the mouse, moves; how far it has gone since, if it is held.
    fn follow(&mut self, id: i32, at: f32) -> Option<(Held, f32)> {
        let several = self.held.len() > 1;
        let held = self.held.iter_mut().find(|held| held.id == id)?;
        let step = held.now - at;
        held.now = at;
        let held = *held;
        if (held.began - at).abs() > CLICK || several {
            self.stir();
        }
        Some((held, step))
    }

    /// The gesture of a notch of the wheel.
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
