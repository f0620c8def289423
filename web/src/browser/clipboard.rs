//! Copies to the clipboard, or else saves a file. Browsers offer the clipboard only at a secure address, and may refuse
//! even there.

use js_sys::{Array, Object, Promise, Reflect};
use leptos::prelude::window;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;
use web_sys::{Blob, HtmlCanvasElement};

use super::save_file;

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(js_namespace = ["navigator", "clipboard"], js_name = writeText, catch)]
    async fn write_text(text: &str) -> Result<JsValue, JsValue>;

    #[wasm_bindgen(js_namespace = ["navigator", "clipboard"], js_name = write, catch)]
    async fn write_items(items: Array) -> Result<JsValue, JsValue>;

    type ClipboardItem;

    #[wasm_bindgen(constructor, catch)]
    fn new(kinds: &Object) -> Result<ClipboardItem, JsValue>;
}

/// The outcome of a copy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Handed {
    /// Copied to the clipboard.
    Copied,
    /// Saved as a file: this address has no clipboard.
    SavedWithout,
    /// Saved as a file: the browser refused the clipboard.
    SavedRefused,
    /// The browser can neither copy nor save.
    Nowhere,
}

/// Copies text, or else saves it as a file called `name`.
pub(crate) async fn hand_out_text(text: &str, name: &str) -> Handed {
    if copy_text(text).await {
        return Handed::Copied;
    }
    saved(name, Blob::new_with_str_sequence(&Array::of1(&text.into())))
}

/// Copies text to the clipboard. Returns false if there is no clipboard or the browser refuses.
pub(crate) async fn copy_text(text: &str) -> bool {
    has_clipboard() && write_text(text).await.is_ok()
}

/// Copies a canvas as a PNG picture, or else saves it as a file called `name`.
pub(crate) async fn hand_out_picture(canvas: &HtmlCanvasElement, name: &str) -> Handed {
    // Some browsers allow copying only during the user's gesture, so pass them a promise instead of waiting for the
    // picture.
    let picture = Promise::new(&mut |done, failed| {
        if canvas.to_blob(&done).is_err() {
            let _ = failed.call0(&JsValue::NULL);
        }
    });
    let kinds = Object::new();
    let item = Reflect::set(&kinds, &"image/png".into(), &picture).and_then(|_| ClipboardItem::new(&kinds));
    if has_clipboard()
        && let Ok(item) = item
        && write_items(Array::of1(&item)).await.is_ok()
    {
        return Handed::Copied;
    }
    // If the canvas can't be encoded, the promise has no blob.
    let made = JsFuture::from(picture).await;
    saved(name, made.and_then(|made| made.dyn_into::<Blob>()))
}

fn saved(name: &str, content: Result<Blob, JsValue>) -> Handed {
    match content.and_then(|content| save_file(name, &content)) {
        Ok(()) if has_clipboard() => Handed::SavedRefused,
        Ok(()) => Handed::SavedWithout,
        Err(_) => Handed::Nowhere,
    }
}

/// Whether the browser has a clipboard at this address. Calling a missing one would throw outside of the promise.
fn has_clipboard() -> bool {
    let clipboard = Reflect::get(&window(), &"navigator".into())
        .and_then(|navigator| Reflect::get(&navigator, &"clipboard".into()));
    clipboard.is_ok_and(|clipboard| clipboard.is_truthy())
}
