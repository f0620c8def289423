//! Where a recording's bytes are: in a file that the user opened, of which only slices are ever read.

use std::cell::Cell;
use std::ops::Range;

use js_sys::Uint8Array;
use wasm_bindgen::JsCast;
use wasm_bindgen_futures::JsFuture;

/// A recording's bytes.
pub(crate) struct Source {
    file: web_sys::File,
    read: Cell<u64>,
}

impl Source {
    /// A file that the user opened.
    pub(crate) fn of_file(file: web_sys::File) -> Self {
        Self { file, read: Cell::new(0) }
    }

    /// The file's name.
    pub(crate) fn name(&self) -> String {
        self.file.name()
    }

    /// How many bytes there are.
    pub(crate) fn len(&self) -> u64 {
        self.file.size() as u64
    }

    /// How many bytes have been read.
    pub(crate) fn read(&self) -> u64 {
        self.read.get()
    }

    /// The bytes of a range, or the reason why they can't be had.
    pub(crate) async fn bytes(&self, range: Range<u64>) -> Result<Vec<u8>, String> {
        let slice = self.file.slice_with_f64_and_f64(range.start as f64, range.end as f64);
        let buffer = match slice {
            Ok(slice) => JsFuture::from(slice.array_buffer()).await,
            Err(error) => Err(error),
        };
        let buffer = buffer.map_err(|error| {
            let why = error.dyn_ref::<js_sys::Error>().map(|error| String::from(error.message()));
            format!(
                "{} can no longer be read: {}",
                self.name(),
                why.unwrap_or_else(|| "the browser gives no reason".to_owned())
            )
        })?;
        let bytes = Uint8Array::new(&buffer).to_vec();
        self.read.set(self.read.get() + bytes.len() as u64);
        Ok(bytes)
    }
}
