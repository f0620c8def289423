//! A button that opens a recording: what a drop anywhere on the page does too.

use leptos::prelude::*;

use crate::cockpit::Cockpit;

/// The button.
pub(crate) fn opener(label: &'static str) -> impl IntoView {
    let cockpit = Cockpit::here();
    let opened = move |event: leptos::ev::Event| {
        let input: web_sys::HtmlInputElement = event_target(&event);
        if let Some(file) = input.files().and_then(|files| files.get(0)) {
            cockpit.open_recording(file);
        }
        // The same file can be chosen again.
        input.set_value("");
    };
    view! {
        <label class="button plain">
            {label}
            <input class="unseen" type="file" accept=".mcap" data-action="open" on:change=opened />
        </label>
    }
}
