//! The page: a Leptos app that decodes the live stream in the browser and draws it.
#![forbid(unsafe_code)]

use leptos::prelude::*;
use wasm_bindgen::prelude::wasm_bindgen;

/// Starts the app in the page's body.
#[wasm_bindgen(start)]
pub fn start() {
    mount_to_body(|| view! { <p>"trailbrake"</p> });
}
