//! Recordings inside the page itself: the viewer that somebody sent as one file.

use js_sys::{Array, Uint8Array};
use leptos::prelude::document;
use trailbrake_shared::export::single_file::{RECORDING, VIEW, bytes};
use web_sys::{Element, File};

/// The recordings, the one to open first.
pub(crate) fn enclosed_recordings() -> Vec<File> {
    let Ok(found) = document().query_selector_all(&format!("script[{RECORDING}]")) else { return Vec::new() };
    let element = |place| wasm_bindgen::JsCast::dyn_into::<Element>(found.item(place)?).ok();
    (0..found.length()).filter_map(|place| file(&element(place)?)).collect()
}

/// The fragment of the view to open.
pub(crate) fn enclosed_view() -> Option<String> {
    document().get_element_by_id(VIEW)?.get_attribute("data-view")
}

/// Whether the page is the viewer as one file.
pub(crate) fn is_single_file() -> bool {
    document().get_element_by_id("module").is_some()
}

/// A recording's element as a file. A damaged one is left out: then the page says that the view's recording is missing.
fn file(element: &Element) -> Option<File> {
    let content = bytes(&element.text_content()?)?;
    let parts = Array::of1(&Uint8Array::from(content.as_slice()));
    File::new_with_u8_array_sequence(&parts, &element.get_attribute(RECORDING)?).ok()
}
