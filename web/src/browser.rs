//! What the page needs of the browser: clock, random numbers, storage, address, timers.

mod clipboard;
mod enclosed;
mod home;
pub(crate) mod keys;
mod place;
mod screen;
mod speaker;

use std::time::Duration;

use leptos::prelude::{document, set_interval, set_timeout, window, window_event_listener_untyped};
use trailbrake_shared::recording::RecordingId;
use trailbrake_shared::time::Micros;
use wasm_bindgen::prelude::*;

pub(crate) use clipboard::{Handed, copy_text, hand_out_picture, hand_out_text};
pub(crate) use enclosed::{enclosed_recordings, enclosed_view, is_single_file};
pub(crate) use home::{Home, all_rigs_address, home, rig_address, socket_address};
pub(crate) use place::{is_named, name_place};
pub(crate) use screen::ScreenLock;
pub(crate) use speaker::{Speaker, say};

/// The name of this program in recordings that the page writes.
pub(crate) const PROGRAM: &str = concat!("trailbrake ", env!("CARGO_PKG_VERSION"));
/// This program's version.
pub(crate) const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Milliseconds since the page was opened. This clock never goes backwards.
pub(crate) fn now_ms() -> f64 {
    window().performance().map_or(0.0, |clock| clock.now())
}

/// The time of day, which may jump when the device's clock is set.
pub(crate) fn now() -> Micros {
    Micros((js_sys::Date::now() * 1e3) as u64)
}

/// Saves a blob as a file.
pub(crate) fn save_file(name: &str, content: &web_sys::Blob) -> Result<(), JsValue> {
    let address = web_sys::Url::create_object_url_with_blob(content)?;
    let link = document().create_element("a")?;
    link.set_attribute("href", &address)?;
    link.set_attribute("download", name)?;
    link.unchecked_into::<web_sys::HtmlElement>().click();
    // The browser still reads the blob after the click, so its address is revoked later.
    set_timeout(move || drop(web_sys::Url::revoke_object_url(&address)), Duration::from_secs(60));
    Ok(())
}

/// A random number from 0 to less than 1.
pub(crate) fn chance() -> f64 {
    js_sys::Math::random()
}

/// A new id for a recording.
pub(crate) fn new_id() -> RecordingId {
    let mut bytes = [0; 16];
    // Every browser that runs WebAssembly has `crypto`, so the id is never all zeros.
    if let Ok(crypto) = window().crypto() {
        let _ = crypto.get_random_values_with_u8_array(&mut bytes);
    }
    RecordingId(u128::from_le_bytes(bytes))
}

/// The value stored under a key; `None` also where the browser stores nothing.
pub(crate) fn kept(key: &str) -> Option<String> {
    window().local_storage().ok()??.get_item(key).ok()?
}

/// Stores a value under a key. Does nothing where the browser stores nothing, as in some private windows: then a
/// setting lasts only as long as the page is open.
pub(crate) fn keep(key: &str, value: &str) {
    if let Ok(Some(storage)) = window().local_storage() {
        let _ = storage.set_item(key, value);
    }
}

/// Removes the value stored under a key.
pub(crate) fn forget(key: &str) {
    if let Ok(Some(storage)) = window().local_storage() {
        let _ = storage.remove_item(key);
    }
}

/// The value stored under a key for this tab. It survives a reload.
pub(crate) fn kept_in_tab(key: &str) -> Option<String> {
    window().session_storage().ok()??.get_item(key).ok()?
}

/// Stores a value under a key for this tab; `None` removes it.
pub(crate) fn keep_in_tab(key: &str, value: Option<&str>) {
    if let Ok(Some(storage)) = window().session_storage() {
        let _ = match value {
            Some(value) => storage.set_item(key, value),
            None => storage.remove_item(key),
        };
    }
}

/// Whether the page is hidden.
pub(crate) fn is_hidden() -> bool {
    document().hidden()
}

/// Calls back whenever the page is shown or hidden.
pub(crate) fn on_visibility(call: impl Fn() + 'static) {
    // The listener stays as long as the page is open.
    let _ = window_event_listener_untyped("visibilitychange", move |_| call());
}

/// Calls back when the page may reach the relay again: it is shown, the browser resumes it, or the network is back.
pub(crate) fn on_waking(call: impl Fn() + Clone + 'static) {
    for event in ["online", "pageshow", "resume"] {
        let call = call.clone();
        let _ = window_event_listener_untyped(event, move |_| call());
    }
    on_visibility(move || {
        if !is_hidden() {
            call();
        }
    });
}

/// Calls back when the user leaves the page. The browser may keep the page frozen and show it again later.
pub(crate) fn on_leaving(call: impl Fn() + 'static) {
    let _ = window_event_listener_untyped("pagehide", move |_| call());
}

/// The address's fragment, with its hash sign.
pub(crate) fn fragment() -> String {
    window().location().hash().unwrap_or_default()
}

/// The address's query, with its question mark.
pub(crate) fn search() -> String {
    window().location().search().unwrap_or_default()
}

/// Whether the address is the overlay's.
pub(crate) fn is_overlay() -> bool {
    window().location().pathname().is_ok_and(|path| path.ends_with("/overlay"))
}

/// Makes the page's background transparent, for a broadcast picture behind the overlay.
pub(crate) fn clear_ground() {
    if let Some(root) = document().document_element() {
        let _ = root.set_attribute("data-ground", "none");
    }
}

/// Navigates to a fragment, with a step in the history.
pub(crate) fn go_to(fragment: &str) {
    let _ = window().location().set_hash(fragment);
}

/// The local clock's offset at a moment, in minutes west of Greenwich.
pub(crate) fn minutes_west(at: Micros) -> i64 {
    let date = js_sys::Date::new(&JsValue::from_f64((at.0 / 1000) as f64));
    date.get_timezone_offset() as i64
}

/// Prints the page.
pub(crate) fn print() {
    // If this fails, the browser's own menu still prints.
    let _ = window().print();
}

/// The memory of the WebAssembly module, in bytes.
pub(crate) fn memory() -> f64 {
    let memory: js_sys::WebAssembly::Memory = wasm_bindgen::memory().unchecked_into();
    memory.buffer().unchecked_into::<js_sys::ArrayBuffer>().byte_length().into()
}

/// Scrolls a column as little as possible to show one of its parts and `more` pixels below it. If both ends do not fit,
/// the upper end shows.
pub(crate) fn scroll_to_show(column: &web_sys::Element, part: &web_sys::Element, more: f64) {
    let (seen, own) = (column.get_bounding_client_rect(), part.get_bounding_client_rect());
    let (above, below) = (own.top() - seen.top(), own.bottom() + more - seen.bottom());
    let by = if above < 0.0 { above } else { below.min(above).max(0.0) };
    column.set_scroll_top(column.scroll_top() + by as i32);
}

/// The element whose listener handles the event.
pub(crate) fn target(event: &web_sys::Event) -> Option<web_sys::HtmlElement> {
    event.current_target()?.dyn_into().ok()
}

/// The width of the window, in CSS pixels.
pub(crate) fn window_width() -> f64 {
    window().inner_width().ok().and_then(|width| width.as_f64()).unwrap_or_default()
}

/// Whether the browser can show the page in full screen. Phones often can't.
pub(crate) fn can_be_full_screen() -> bool {
    document().fullscreen_enabled()
}

/// Enters or leaves full screen.
pub(crate) fn switch_full_screen() {
    let document = document();
    if document.fullscreen_element().is_some() {
        document.exit_fullscreen();
    } else if let Some(root) = document.document_element() {
        // If the browser refuses, the page stays as it is.
        let _ = root.request_fullscreen();
    }
}

/// An event's position, in CSS pixels from an element's left and upper edges.
pub(crate) fn place_in(element: &web_sys::Element, event: &web_sys::MouseEvent) -> [f32; 2] {
    let edges = element.get_bounding_client_rect();
    let (x, y) = (f64::from(event.client_x()), f64::from(event.client_y()));
    [(x - edges.left()) as f32, (y - edges.top()) as f32]
}

/// Reloads the page.
pub(crate) fn reload() {
    let _ = window().location().reload();
}

/// The commit that the page was built from; empty if it is unknown.
pub(crate) fn commit() -> String {
    let named = document().query_selector(r#"meta[name="trailbrake-commit"]"#).ok().flatten();
    named.and_then(|meta| meta.get_attribute("content")).unwrap_or_default()
}

/// Whether a dialog is open. Then keys belong to the dialog, not to the page.
pub(crate) fn has_open_dialog() -> bool {
    matches!(document().query_selector("dialog[open]"), Ok(Some(_)))
}

/// Sets the theme for the style sheet.
pub(crate) fn show_theme(theme: &str) {
    if let Some(root) = document().document_element() {
        let _ = root.set_attribute("data-theme", theme);
    }
}

/// Whether the system prefers a light theme; calls back when that changes.
pub(crate) fn watch_light(mut changed: impl FnMut(bool) + 'static) -> bool {
    let Ok(Some(query)) = window().match_media("(prefers-color-scheme: light)") else {
        return false;
    };
    let light = query.matches();
    let asked = query.clone();
    let callback = Closure::<dyn FnMut()>::new(move || changed(asked.matches()));
    let _ = query.add_event_listener_with_callback("change", callback.as_ref().unchecked_ref());
    // The listener stays as long as the page is open.
    callback.forget();
    light
}

/// Yields to the browser for at least this many milliseconds.
pub(crate) async fn pause(milliseconds: i32) {
    let waited = js_sys::Promise::new(&mut |done, _| {
        let _ = window().set_timeout_with_callback_and_timeout_and_arguments_0(&done, milliseconds);
    });
    // The promise is never rejected.
    let _ = wasm_bindgen_futures::JsFuture::from(waited).await;
}

/// Waits until the browser has nothing else to do, or for some milliseconds: a page that draws all the time on a slow
/// machine is never idle. Safari does not say when it is, and goes on at once.
pub(crate) async fn idle(at_most_ms: u32) {
    let options = web_sys::IdleRequestOptions::new();
    options.set_timeout(at_most_ms);
    let waited = js_sys::Promise::new(&mut |done, _| {
        if window().request_idle_callback_with_options(&done, &options).is_err() {
            let _ = done.call0(&JsValue::UNDEFINED);
        }
    });
    // The promise is never rejected.
    let _ = wasm_bindgen_futures::JsFuture::from(waited).await;
}

/// How long a slice of long work may last before it yields to the browser, in milliseconds.
const SLICE_MS: f64 = 8.0;

/// Divides long work into slices, so that the page stays responsive.
pub(crate) struct Slices {
    began_ms: f64,
}

impl Slices {
    /// Begins the first slice.
    pub(crate) fn begin() -> Self {
        Self { began_ms: now_ms() }
    }

    /// Yields to the browser if the slice is used up.
    pub(crate) async fn breathe(&mut self) {
        if now_ms() - self.began_ms > SLICE_MS {
            pause(0).await;
            self.began_ms = now_ms();
        }
    }
}

/// Calls back at intervals as long as the page is open.
pub(crate) fn every(period: Duration, call: impl Fn() + 'static) {
    set_interval(call, period);
}

/// Writes a panic's location and message to the console: the trap itself says only "unreachable".
pub(crate) fn explain_panics() {
    #[wasm_bindgen]
    extern "C" {
        #[wasm_bindgen(js_namespace = console)]
        fn error(message: &str);
    }
    std::panic::set_hook(Box::new(|info| error(&info.to_string())));
}
