//! Frame times in a corner of the page. The key left of 1 shows and hides them.

use std::fmt::Write;
use std::time::Duration;

use leptos::prelude::*;

use crate::browser;
use crate::frame::{self, Phase, Statistics, Times};
use crate::ui::is_for_field;

/// How often the numbers change: faster ones can't be read.
const PERIOD: Duration = Duration::from_millis(250);

/// The frame times, shown at first if the address contains `debug`.
#[component]
pub(super) fn FrameMeter() -> impl IntoView {
    let shown = RwSignal::new(browser::fragment().contains("debug"));
    let listener = window_event_listener(leptos::ev::keydown, move |event| {
        let plain = !(event.ctrl_key() || event.alt_key() || event.meta_key());
        if event.code() == "Backquote" && plain && !is_for_field(&event) {
            shown.update(|shown| *shown = !*shown);
        }
    });
    on_cleanup(move || listener.remove());
    view! {
        <Show when=move || shown.get()>
            <Numbers/>
        </Show>
    }
}

#[component]
fn Numbers() -> impl IntoView {
    let text = RwSignal::new(words(&frame::statistics()));
    let reading = set_interval_with_handle(move || text.set(words(&frame::statistics())), PERIOD);
    on_cleanup(move || drop(reading.map(|reading| reading.clear())));
    view! { <pre class="frame-overlay" aria-hidden="true" data-figure="frame">{move || text.get()}</pre> }
}

fn words(statistics: &Statistics) -> String {
    let mut text = String::new();
    let mut row = |name: &str, times: &Times| {
        // Writing to a string never fails.
        let _ = writeln!(text, "{name:<7}{:>7.2}{:>7.2}", times.mean_ms, times.max_ms);
    };
    row("script", &statistics.script);
    for (phase, times) in Phase::ALL.iter().zip(&statistics.phases) {
        row(phase.name(), times);
    }
    let _ = write!(text, "{:.0} frames/s, mean and longest ms", statistics.per_second);
    text
}
