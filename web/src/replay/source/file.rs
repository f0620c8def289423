//! A file opened in the browser.

use std::ops::Range;

use js_sys::Uint8Array;
use wasm_bindgen::JsCast;
use wasm_bindgen_futures::JsFuture;

use super::Trouble;

/// The bytes of a range; fewer if the file ends within it.
pub(super) async fn bytes(file: &web_sys::File, range: Range<u64>) -> Result<Vec<u8>, Trouble> {
    let slice = file.slice_with_f64_and_f64(range.start as f64, range.end as f64);
    let buffer = match slice {
        Ok(slice) => JsFuture::from(slice.array_buffer()).await,
        Err(error) => Err(error),
    };
    let buffer = buffer.map_err(|error| {
        let why = error.dyn_ref::<js_sys::Error>().map(|error| String::from(error.message()));
        let why = why.unwrap_or_else(|| "the browser gives no reason".to_owned());
        Trouble::Gone(format!("{} can no longer be read: {why}", file.name()))
    })?;
    Ok(Uint8Array::new(&buffer).to_vec())
}
