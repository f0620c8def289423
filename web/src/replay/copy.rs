//! Saves a copy of a file with changed facts, such as notes and names.

use js_sys::{Array, Uint8Array};
use trailbrake_shared::recording::Tail;
use wasm_bindgen::JsValue;
use web_sys::{Blob, File};

use crate::browser;

/// Saves a copy of a file with another tail: facts are at the end of a file, so only its end differs. Returns the reason
/// as a sentence if that fails.
pub(super) fn save_copy(file: &File, tail: &Tail) -> Result<(), String> {
    let saved = copy(file, tail).and_then(|copy| browser::save_file(&file.name(), &copy));
    saved.map_err(|_| "The browser does not save the file.".to_owned())
}

fn copy(file: &File, tail: &Tail) -> Result<Blob, JsValue> {
    let front = file.slice_with_f64_and_f64(0.0, tail.from as f64)?;
    Blob::new_with_blob_sequence(&Array::of2(&front, &Uint8Array::from(tail.bytes.as_slice())))
}
