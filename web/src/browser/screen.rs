//! Keeps the device's screen on.
//!
//! At a secure address browsers have a wake lock for that. A tablet opens the page over plain HTTP, where there is
//! none; but no browser turns the screen off while a visible video plays. The video here is the stream of a tiny
//! canvas: unlike a file it needs no decoder, sound or loop, and browsers are less strict about a stream's size.

use std::cell::RefCell;
use std::rc::Rc;
use std::time::Duration;

use js_sys::Reflect;
use leptos::leptos_dom::helpers::IntervalHandle;
use leptos::prelude::{document, set_interval_with_handle};
use leptos::task::spawn_local;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;
use web_sys::{CanvasRenderingContext2d, HtmlCanvasElement, HtmlVideoElement};

/// How often the video gets a new picture. A stream without new pictures does not count as playing.
const PICTURE: Duration = Duration::from_secs(1);
/// The class of the video in the style sheet.
const CLASS: &str = "screen-on";

#[wasm_bindgen]
extern "C" {
    type Sentinel;

    #[wasm_bindgen(js_namespace = ["navigator", "wakeLock"], js_name = request, catch)]
    async fn request_lock(kind: &str) -> Result<JsValue, JsValue>;

    #[wasm_bindgen(method, catch)]
    async fn release(this: &Sentinel) -> Result<JsValue, JsValue>;
}

/// Keeps the screen on until it is dropped. The browser ends its own lock when the page is hidden.
pub(crate) struct ScreenLock(Rc<RefCell<State>>);

enum State {
    /// The browser has not answered yet.
    Requested,
    /// The browser's own lock.
    Locked(Sentinel),
    /// A video plays instead.
    Plays { _video: SilentVideo },
    /// The lock was dropped, or the browser allows neither lock nor video.
    Released,
}

impl ScreenLock {
    /// Keeps the screen on from now on.
    pub(crate) fn take() -> Self {
        let state = Rc::new(RefCell::new(State::Requested));
        let asked = state.clone();
        spawn_local(async move {
            // `None` if the browser has no wake lock at this address, or refuses it, as on a low battery.
            let lock = if has_lock() { request_lock("screen").await.ok() } else { None };
            let dropped = matches!(*asked.borrow(), State::Released);
            match lock {
                Some(lock) if dropped => release(lock.unchecked_into()),
                Some(lock) => *asked.borrow_mut() = State::Locked(lock.unchecked_into()),
                None if dropped => {}
                None => {
                    let video = SilentVideo::play();
                    *asked.borrow_mut() =
                        video.map_or(State::Released, |video| State::Plays { _video: video });
                }
            }
        });
        Self(state)
    }
}

impl Drop for ScreenLock {
    fn drop(&mut self) {
        if let State::Locked(lock) = self.0.replace(State::Released) {
            release(lock);
        }
    }
}

/// Whether the browser has a wake lock at this address.
fn has_lock() -> bool {
    let navigator = Reflect::get(&js_sys::global(), &"navigator".into());
    navigator.is_ok_and(|navigator| Reflect::has(&navigator, &"wakeLock".into()).unwrap_or(false))
}

fn release(lock: Sentinel) {
    // Releasing a lock that the browser has already ended does no harm.
    spawn_local(async move { drop(lock.release().await) });
}

/// A video without content that plays until it is dropped.
struct SilentVideo {
    video: HtmlVideoElement,
    pictures: IntervalHandle,
}

impl SilentVideo {
    fn play() -> Result<Self, JsValue> {
        let canvas: HtmlCanvasElement = document().create_element("canvas")?.unchecked_into();
        canvas.set_width(2);
        canvas.set_height(2);
        let context = canvas.get_context("2d")?.ok_or(JsValue::NULL)?;
        let context: CanvasRenderingContext2d = context.unchecked_into();
        let video: HtmlVideoElement = document().create_element("video")?.unchecked_into();
        video.set_class_name(CLASS);
        video.set_attribute("aria-hidden", "true")?;
        // Browsers play a video without a touch only if it is muted and inside the page.
        video.set_attribute("playsinline", "")?;
        video.set_muted(true);
        video.set_src_object(Some(&canvas.capture_stream()?));
        document().body().ok_or(JsValue::NULL)?.append_child(&video)?;
        let paint = {
            let video = video.clone();
            move || {
                context.fill_rect(0.0, 0.0, 2.0, 2.0);
                // The browser may have paused the video, as for a call: try to play it again.
                if let Some(playing) = video.paused().then(|| video.play().ok()).flatten() {
                    spawn_local(async move { drop(JsFuture::from(playing).await) });
                }
            }
        };
        paint();
        let pictures = set_interval_with_handle(paint, PICTURE)?;
        Ok(Self { video, pictures })
    }
}

impl Drop for SilentVideo {
    fn drop(&mut self) {
        self.pictures.clear();
        // Removing a video from the page also pauses it.
        self.video.set_src_object(None);
        self.video.remove();
    }
}
