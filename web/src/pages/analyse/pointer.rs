//! Mouse and fingers on the lanes: the cursor, zooming into a stretch, going on.

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::time::Duration;

use leptos::prelude::{document, set_timeout};
use wasm_bindgen::JsCast;
use web_sys::{Element, Event, MouseEvent, PointerEvent, WheelEvent};

use super::grip::Grip;
use super::lanes;
use crate::analyse::{Analyse, Gesture, Part};
use crate::browser;
use crate::dom::Listening;

/// A drag over fewer CSS pixels than this is a click.
const CLICK: f32 = 5.0;
/// A finger that rests so long on the lanes drops a note.
const LONG: Duration = Duration::from_millis(550);
/// What one notch of a wheel makes of what is shown.
const NOTCH: f64 = 1.2;
/// A notch that follows so soon goes on with what the last one did.
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

#[derive(Default)]
struct Hand {
    held: Vec<Held>,
    /// Rises with everything that fingers do but resting.
    stirred: Rc<Cell<u32>>,
    /// What the first of them has taken hold of.
    grip: Option<Grip>,
    /// What they do together since nothing was held.
    gesture: Option<Gesture>,
}

/// The wheel: notches that follow one another are one gesture.
#[derive(Default)]
struct Burst(Cell<Option<(Gesture, f64)>>);

impl Burst {
    fn turned(&self, now_ms: f64) -> Gesture {
        let going_on = self.0.get().filter(|(_, last_ms)| now_ms - last_ms < BURST_MS);
        let gesture = going_on.map_or_else(Gesture::next, |(gesture, _)| gesture);
        self.0.set(Some((gesture, now_ms)));
        gesture
    }
}

/// What a hand makes of an event.
type Does = fn(&mut Hand, Analyse, &Element, &PointerEvent);

/// Listens for as long as the page is shown.
pub(super) fn listen(analyse: Analyse) -> Vec<Listening> {
    let Some(host) = document().get_element_by_id("lanes") else { return Vec::new() };
    let hand = Rc::new(RefCell::new(Hand::default()));
    let does: [(&'static str, Does); 4] = [
        ("pointerdown", Hand::down),
        ("pointermove", Hand::moved),
        ("pointerup", Hand::up),
        ("pointercancel", Hand::cancelled),
    ];
    let mut listening: Vec<Listening> = does
        .into_iter()
        .map(|(what, does)| {
            let (hand, analyse, element) = (Rc::clone(&hand), analyse, host.clone());
            let heard = move |event: Event| {
                if let Some(event) = event.dyn_ref::<PointerEvent>() {
                    does(&mut hand.borrow_mut(), analyse, &element, event);
                }
            };
            Listening::begin(&host, what, Box::new(heard))
        })
        .collect();
    let (wheels, element, burst) = (analyse, host.clone(), Burst::default());
    let turned = move |event: Event| {
        if let Some(event) = event.dyn_ref::<WheelEvent>() {
            event.prevent_default();
            let Some(at) = lanes::place_at(across(&element, event.client_x())) else { return };
            let nearer = event.delta_y() < 0.0;
            let (pan, factor) = if nearer { (-0.1, 1.0 / NOTCH) } else { (0.1, NOTCH) };
            let gesture = Some(burst.turned(browser::now_ms()));
            wheels.view_by(gesture, &|view, whole| match event.shift_key() {
                true => view.pan(pan, whole),
                false => view.zoom(factor, at, whole),
            });
        }
    };
    listening.push(Listening::begin(&host, "wheel", Box::new(turned)));
    let (all, element) = (analyse, host.clone());
    let doubled = move |event: Event| {
        let grip = event.dyn_ref().and_then(|event| Grip::at(all, place(&element, event), true));
        if !grip.is_some_and(|grip| grip.reset(all)) {
            all.view(&|view, whole| view.show(None, whole));
        }
    };
    listening.push(Listening::begin(&host, "dblclick", Box::new(doubled)));
    listening
}

impl Hand {
    fn down(&mut self, analyse: Analyse, host: &Element, event: &PointerEvent) {
        let at = across(host, event.client_x());
        let touch = event.pointer_type() == "touch";
        let grip = Grip::at(analyse, place(host, event), touch).filter(|_| self.held.is_empty());
        if event.button() != 0 || (at < lanes::gutter() && grip.is_none()) {
            return;
        }
        let _ = host.set_pointer_capture(event.pointer_id());
        if self.held.is_empty() {
            self.gesture = Some(Gesture::next());
        }
        self.held.retain(|held| held.id != event.pointer_id());
        // A finger moves the cursor; only the mouse chooses a stretch.
        let pans = event.shift_key() || touch;
        self.held.push(Held { id: event.pointer_id(), began: at, now: at, pans });
        self.grip = self.grip.take().or(grip);
        self.stir();
        if touch && self.grip.is_none() && self.held.len() == 1 {
            point(analyse, at);
            self.wait(analyse);
        }
    }

    fn moved(&mut self, analyse: Analyse, host: &Element, event: &PointerEvent) {
        let at = across(host, event.client_x());
        let touch = event.pointer_type() == "touch";
        let before = self.held.clone();
        let Some(held) = self.held.iter_mut().find(|held| held.id == event.pointer_id()) else {
            if self.held.is_empty() {
                let grip = Grip::at(analyse, place(host, event), touch).map_or("", |grip| grip.word());
                let _ = host.set_attribute("data-grip", grip);
                if at >= lanes::gutter() {
                    point(analyse, at);
                }
            }
            return;
        };
        let step = held.now - at;
        held.now = at;
        let Held { began, pans, .. } = *held;
        if (began - at).abs() > CLICK || before.len() > 1 {
            self.stir();
        }
        if let Some(grip) = &self.grip {
            return grip.drag(analyse, place(host, event));
        }
        match (before.as_slice(), touch) {
            ([_, _], true) => self.pinched(analyse, &before),
            (_, true) => point(analyse, at),
            (_, false) if pans => self.pan(analyse, host, step),
            (_, false) => lanes::choose(lanes::place_at(began).zip(lanes::place_at(at))),
        }
    }

    /// Two fingers: what lies under them stays under them.
    fn pinched(&self, analyse: Analyse, before: &[Held]) {
        let ([one, other], [before_one, before_other]) = (self.held.as_slice(), before) else { return };
        let places = |one: f32, other: f32| lanes::place_at(one).zip(lanes::place_at(other));
        let (Some((from, to)), Some((left, right))) =
            (places(before_one.now, before_other.now), places(one.now, other.now))
        else {
            return;
        };
        let factor = (to - from) / (right - left);
        if !factor.is_finite() || factor <= 0.0 {
            return;
        }
        analyse.view_by(self.gesture, &|view, whole| {
            let part = view.shown(whole);
            let start = from - (left - part.from) * factor;
            view.show(Some(Part { from: start, to: start + part.length() * factor }), whole);
        });
    }

    fn pan(&self, analyse: Analyse, host: &Element, step: f32) {
        let width = host.client_width() as f32 - lanes::gutter();
        if width > 1.0 {
            analyse.view_by(self.gesture, &|view, whole| view.pan(f64::from(step / width), whole));
        }
    }

    fn up(&mut self, analyse: Analyse, host: &Element, event: &PointerEvent) {
        let at = across(host, event.client_x());
        let Some(place) = self.held.iter().position(|held| held.id == event.pointer_id()) else { return };
        let held = self.held.remove(place);
        self.stir();
        lanes::choose(None);
        if self.grip.is_some() {
            return self.release(analyse);
        }
        if held.pans {
            return;
        }
        match lanes::place_at(held.began).zip(lanes::place_at(at)) {
            Some((from, to)) if (held.began - at).abs() > CLICK => {
                analyse.view(&|view, whole| view.show(Some(Part { from, to }), whole));
            }
            _ => point(analyse, at),
        }
    }

    fn cancelled(&mut self, analyse: Analyse, _: &Element, event: &PointerEvent) {
        self.held.retain(|held| held.id != event.pointer_id());
        self.stir();
        lanes::choose(None);
        self.release(analyse);
    }

    fn stir(&self) {
        self.stirred.set(self.stirred.get().wrapping_add(1));
    }

    /// Drops a note unless something else happens for a while.
    fn wait(&self, analyse: Analyse) {
        let (stirred, before, analyse) = (Rc::clone(&self.stirred), self.stirred.get(), analyse);
        let waited = move || {
            if stirred.get() == before {
                analyse.begin_note();
            }
        };
        set_timeout(waited, LONG);
    }

    /// What was held is let go with the last finger.
    fn release(&mut self, analyse: Analyse) {
        if self.held.is_empty() {
            self.grip.take().into_iter().for_each(|grip| grip.release(analyse));
        }
    }
}

fn point(analyse: Analyse, at: f32) {
    if let Some(place) = lanes::place_at(at) {
        analyse.view(&|view, whole| {
            let part = view.shown(whole);
            view.point(place.clamp(part.from, part.to), whole);
        });
    }
}

/// CSS pixels from an element's left and upper edges.
fn place(host: &Element, event: &MouseEvent) -> [f32; 2] {
    let top = host.get_bounding_client_rect().top();
    [across(host, event.client_x()), (f64::from(event.client_y()) - top) as f32]
}

/// CSS pixels from an element's left edge.
fn across(host: &Element, client_x: i32) -> f32 {
    (f64::from(client_x) - host.get_bounding_client_rect().left()) as f32
}
