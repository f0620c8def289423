//! What is taken along: on the clipboard, or else as a file. A page has a clipboard only where its address is secure, and
//! then the browser may still refuse.

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

/// Where something went.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Handed {
    /// It is on the clipboard.
    Copied,
    /// It is a file, since this address has no clipboard.
    SavedWithout,
    /// It is a file, since the browser kept the clipboard to itself.
    SavedRefused,
    /// The browser neither copies nor saves.
    Nowhere,
}

/// Hands out text, under this name if it becomes a file.
pub(crate) async fn hand_out_text(text: &str, name: &str) -> Handed {
    if has_clipboard() && write_text(text).await.is_ok() {
        return Handed::Copied;
    }
    saved(name, Blob::new_with_str_sequence(&Array::of1(&text.into())))
}

/// Hands out a picture, under this name if it becomes a file.
pub(crate) async fn hand_out_picture(canvas: &HtmlCanvasElement, name: &str) -> Handed {
    // Browsers that ask whether somebody pressed something want to be asked at once: the picture is promised to them.
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
    // What can't be made into a picture is no blob.
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

/// To ask one that is not there would throw at once, which no promise catches.
fn has_clipboard() -> bool {
    let clipboard = Reflect::get(&window(), &"navigator".into())
        .and_then(|navigator| Reflect::get(&navigator, &"clipboard".into()));
    clipboard.is_ok_and(|clipboard| clipboard.is_truthy())
}
