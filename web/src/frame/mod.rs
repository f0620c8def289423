//! The one animation loop of the app.
//!
//! A frame goes through its phases in order: what the link brought is read, the stores take it in, figures find
//! their places, figures are drawn. Each phase is timed. The loop rests until a frame is requested.

mod meter;
mod schedule;

use std::cell::{Cell, RefCell};

use leptos::prelude::window;
use wasm_bindgen::prelude::*;

use crate::browser;

pub use meter::{Meter, Statistics, Times};
pub use schedule::{Phase, Tick};

use schedule::{Schedule, SubscriberId};

/// A frame this late means that the browser draws none, because the page is hidden.
const HIDDEN_MS: f64 = 500.0;

thread_local! {
    static LOOP: Loop = Loop::new();
}

struct Loop {
    schedule: Schedule,
    meter: RefCell<Meter>,
    /// Whether the browser has been asked for a frame that has not come yet.
    asked: Cell<bool>,
    last_ms: Cell<f64>,
    callback: Closure<dyn FnMut(f64)>,
}

/// Keeps a subscriber in the loop; dropping it takes the subscriber out.
#[must_use = "dropping it takes the subscriber out of the loop"]
pub struct Subscription(SubscriberId);

impl Drop for Subscription {
    fn drop(&mut self) {
        // When the page is torn down there may be no loop left to leave.
        let _ = LOOP.try_with(|frames| frames.schedule.remove(self.0));
    }
}

/// Prepares the measuring of frames: `trailbrakeFrame()` for tests and consoles.
pub fn start() {
    meter::publish(statistics);
}

/// What the latest frames took.
pub fn statistics() -> Statistics {
    LOOP.with(|frames| frames.meter.borrow().statistics())
}

/// Calls `call` in a phase of every frame from now on, as long as the subscription is kept.
pub fn on(phase: Phase, call: impl FnMut(&Tick) + 'static) -> Subscription {
    Subscription(LOOP.with(|frames| frames.schedule.add(phase, call)))
}

/// Asks for a frame: something has changed, or goes on changing. Asking twice is asking once.
pub fn request() {
    LOOP.with(|frames| {
        if !frames.asked.replace(true) {
            let callback = frames.callback.as_ref().unchecked_ref();
            let _ = window().request_animation_frame(callback);
        }
    });
}

/// Reads the link and fills the stores when the browser draws no frames, so that a hidden page does not fall behind
/// and what arrives does not pile up. To be called by a timer.
pub fn catch_up() {
    LOOP.with(|frames| {
        let now_ms = browser::now_ms();
        if frames.asked.get() && now_ms - frames.last_ms.get() > HIDDEN_MS {
            let tick = Tick { now_ms };
            frames.schedule.run(Phase::Link, &tick);
            frames.schedule.run(Phase::Stores, &tick);
        }
    });
}

impl Loop {
    fn new() -> Self {
        Self {
            schedule: Schedule::default(),
            meter: RefCell::new(Meter::default()),
            asked: Cell::new(false),
            last_ms: Cell::new(0.0),
            callback: Closure::new(|now_ms| LOOP.with(|frames| frames.frame(now_ms))),
        }
    }

    fn frame(&self, now_ms: f64) {
        // Whoever asks from now on asks for the next frame.
        self.asked.set(false);
        self.last_ms.set(now_ms);
        let tick = Tick { now_ms };
        let mut before = browser::now_ms();
        let spent = Phase::ALL.map(|phase| {
            self.schedule.run(phase, &tick);
            let after = browser::now_ms();
            after - std::mem::replace(&mut before, after)
        });
        self.meter.borrow_mut().record(now_ms, spent);
    }
}
