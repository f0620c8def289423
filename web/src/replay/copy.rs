//! Saves a copy of an opened file with changed facts, such as notes and names.

use js_sys::{Array, Uint8Array};
use trailbrake_shared::recording::{Facts, Tail};
use wasm_bindgen::JsValue;
use web_sys::{Blob, File};

use super::Opened;
use crate::browser;

impl Opened {
    /// Saves a copy of the opened file with these facts. Returns the reason as a sentence if that fails.
    pub(crate) fn save_with(&self, facts: &Facts) -> Result<(), String> {
        let file = self.source.file().ok_or("The recording is not a file that was opened here.")?;
        // Facts are at the end of a file, so only its end differs.
        let tail = Tail::with(&self.recording, facts);
        let saved = copy(file, &tail).and_then(|copy| browser::save_file(&file.name(), &copy));
        saved.map_err(|_| "The browser does not save the file.".to_owned())
    }
}

fn copy(file: &File, tail: &Tail) -> Result<Blob, JsValue> {
    let front = file.slice_with_f64_and_f64(0.0, tail.from as f64)?;
    Blob::new_with_blob_sequence(&Array::of2(&front, &Uint8Array::from(tail.bytes.as_slice())))
}
