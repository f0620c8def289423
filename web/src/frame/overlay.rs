//! What frames take, shown in a corner of the page for whoever works on it.

use std::cell::Cell;
use std::fmt::Write;

use leptos::prelude::{document, window_event_listener};
use web_sys::Element;

use super::{Meter, Phase, Times, request};
use crate::browser;

/// The overlay's text changes this often; more could not be read.
const PERIOD_MS: f64 = 250.0;

thread_local! {
    static WANTED: Cell<bool> = const { Cell::new(false) };
}

/// The overlay, while it is wanted.
#[derive(Default)]
pub(super) struct Overlay {
    shown: Option<Element>,
    written_ms: f64,
    text: String,
}

/// Shows the overlay when the address asks for it, and shows or hides it by the key left of 1.
pub(super) fn listen() {
    WANTED.set(browser::fragment().contains("debug"));
    let listening = window_event_listener(leptos::ev::keydown, |event| {
        let typing = document()
            .active_element()
            .is_some_and(|element| matches!(element.tag_name().as_str(), "INPUT" | "TEXTAREA" | "SELECT"));
        let plain = !(event.ctrl_key() || event.alt_key() || event.meta_key());
        if event.code() == "Backquote" && plain && !typing {
            WANTED.set(!WANTED.get());
            request();
        }
    });
    // It listens as long as the page is open.
    std::mem::forget(listening);
    request();
}

impl Overlay {
    /// Brings the overlay up to date, at most a few times a second.
    pub(super) fn refresh(&mut self, now_ms: f64, meter: &Meter) {
        if !WANTED.get() {
            if let Some(shown) = self.shown.take() {
                shown.remove();
            }
            return;
        }
        if self.shown.is_some() && now_ms - self.written_ms < PERIOD_MS {
            return;
        }
        self.written_ms = now_ms;
        if self.shown.is_none() {
            self.shown = element();
        }
        self.write(meter);
        if let Some(shown) = &self.shown {
            shown.set_text_content(Some(&self.text));
        }
    }

    fn write(&mut self, meter: &Meter) {
        let statistics = meter.statistics();
        self.text.clear();
        let mut row = |name: &str, times: &Times| {
            let _ = writeln!(self.text, "{name:<7}{:>7.2}{:>7.2}", times.mean_ms, times.max_ms);
        };
        row("script", &statistics.script);
        for (phase, times) in Phase::ALL.iter().zip(&statistics.phases) {
            row(phase.name(), times);
        }
        let _ = write!(self.text, "{:.0} frames/s, mean and longest ms", statistics.per_second);
    }
}

fn element() -> Option<Element> {
    let element = document().create_element("pre").ok()?;
    element.set_class_name("frame-overlay");
    element.set_attribute("aria-hidden", "true").ok()?;
    element.set_attribute("data-figure", "frame").ok()?;
    document().body()?.append_child(&element).ok()?;
    Some(element)
}
