//! Opening a recording from a file: what a drop anywhere on the page does too.

use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlInputElement};

use crate::cockpit::Cockpit;
use crate::dom::forget;
use crate::ui::list;

/// A file has been chosen in a field.
pub(crate) fn opened(cockpit: Cockpit, field: &Element) {
    let files = field.dyn_ref().and_then(HtmlInputElement::files);
    if let Some(files) = files {
        cockpit.open_recording(list(&files));
    }
    // The same file can be chosen again.
    forget(field);
}
