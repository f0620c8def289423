//! The one animation loop of the app.
//!
//! A frame goes through its phases in order: read the link, update the stores, lay out figures, draw them. Each phase
//! is timed. The loop rests until a frame is requested.

mod meter;
mod schedule;

use std::cell::{Cell, RefCell};

use leptos::prelude::window;
use wasm_bindgen::prelude::*;

use crate::browser;

pub use meter::{Meter, Statistics, Times};
pub use schedule::{Phase, Tick};

use schedule::{Schedule, SubscriberId};

/// The page counts as hidden if a requested frame has not come for this long.
const HIDDEN_MS: f64 = 500.0;

thread_local! {
    static LOOP: Loop = Loop::new();
}

struct Loop {
    schedule: Schedule,
    meter: RefCell<Meter>,
    /// Whether a frame is requested from the browser.
    is_requested: Cell<bool>,
    /// When the last frame began, in milliseconds of the page.
    last_ms: Cell<f64>,
    callback: Closure<dyn FnMut(f64)>,
}

/// A subscription to a phase. It ends when it is dropped.
#[must_use = "dropping it takes the subscriber out of the loop"]
pub struct Subscription(SubscriberId);

impl Drop for Subscription {
    fn drop(&mut self) {
        // While the browser unloads the page, the loop may already be destroyed.
        let _ = LOOP.try_with(|frames| frames.schedule.remove(self.0));
    }
}

/// Provides `trailbrakeFrame()` for tests and the browser's console.
pub fn start() {
    meter::publish(statistics);
}

/// The times of the latest frames.
pub fn statistics() -> Statistics {
    LOOP.with(|frames| frames.meter.borrow().statistics())
}

/// Calls `call` in a phase of every frame, as long as the subscription is kept.
pub fn on(phase: Phase, call: impl FnMut(&Tick) + 'static) -> Subscription {
    Subscription(LOOP.with(|frames| frames.schedule.add(phase, call)))
}

/// Requests a frame. Further requests before that frame change nothing.
pub fn request() {
    LOOP.with(|frames| {
        if !frames.is_requested.replace(true) {
            let callback = frames.callback.as_ref().unchecked_ref();
            let _ = window().request_animation_frame(callback);
        }
    });
}

/// Reads the link and updates the stores if the browser draws no frames, so that a hidden page does not fall behind. A
/// timer calls it, and so does a link with much to read.
pub fn catch_up() {
    LOOP.with(|frames| {
        let now_ms = browser::now_ms();
        if frames.is_requested.get() && now_ms - frames.last_ms.get() > HIDDEN_MS {
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
            is_requested: Cell::new(false),
            last_ms: Cell::new(0.0),
            callback: Closure::new(|now_ms| LOOP.with(|frames| frames.frame(now_ms))),
        }
    }

    fn frame(&self, now_ms: f64) {
        // Requests from now on are for the next frame.
        self.is_requested.set(false);
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
