//! Follows a pasted link to laps or a recording, whichever host it was copied from.

use leptos::ev;
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::{Event, HtmlElement};

use crate::browser;
use crate::route;

/// Follows pasted links for as long as the page is open.
pub(super) fn follow_pasted_links() {
    window_event_listener(ev::paste, |event| {
        if is_in_field(&event) {
            return;
        }
        let text = event.clipboard_data().and_then(|pasted| pasted.get_data("text").ok());
        let text = text.unwrap_or_default();
        if let Some(fragment) = route::pasted(&text) {
            event.prevent_default();
            browser::go_to(fragment);
        }
    });
}

fn is_in_field(event: &Event) -> bool {
    let target = event.target().and_then(|target| target.dyn_into::<HtmlElement>().ok());
    target.is_some_and(|element| matches!(element.tag_name().as_str(), "INPUT" | "TEXTAREA"))
}
