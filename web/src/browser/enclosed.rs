//! Recordings inside the page itself, as in a viewer that was sent as one file.

use js_sys::{Array, Uint8Array};
use leptos::prelude::document;
use trailbrake_shared::export::single_file::{RECORDING, VIEW, bytes};
use web_sys::{Element, File};

/// The enclosed recordings. The first one is the one to open.
pub(crate) fn enclosed_recordings() -> Vec<File> {
    let Ok(found) = document().query_selector_all(&format!("script[{RECORDING}]")) else { return Vec::new() };
    let element = |index| wasm_bindgen::JsCast::dyn_into::<Element>(found.item(index)?).ok();
    (0..found.length()).filter_map(|index| file(&element(index)?)).collect()
}

/// The fragment of the enclosed view, if there is one.
pub(crate) fn enclosed_view() -> Option<String> {
    document().get_element_by_id(VIEW)?.get_attribute("data-view")
}

/// Whether the page is a viewer that was sent as one file.
pub(crate) fn is_single_file() -> bool {
    document().get_element_by_id("module").is_some()
}

/// The recording in an element, as a file; `None` if it is damaged. Then the page reports it as missing.
fn file(element: &Element) -> Option<File> {
    let content = bytes(&element.text_content()?)?;
    let parts = Array::of1(&Uint8Array::from(content.as_slice()));
    File::new_with_u8_array_sequence(&parts, &element.get_attribute(RECORDING)?).ok()
}
