//! Keeps the device's screen on.
//!
//! At an address that the browser trusts it has a lock for that. A tablet opens the page over plain HTTP, where there is
//! none; but no browser turns the screen off while a video plays in sight. The video here is the picture of a canvas of
//! two pixels: unlike a file it needs no decoder, no sound and no loop, and browsers ask less of the size of a stream.

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

/// How often the video gets a picture. Without any it is no video that plays.
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

/// Keeps the screen on until it is dropped. A browser ends it by itself when the page is hidden.
pub(crate) struct ScreenLock(Rc<RefCell<State>>);

enum State {
    /// The browser has not answered yet.
    Requested,
    /// The browser's own lock.
    Locked(Sentinel),
    /// A video plays instead.
    Plays { _video: SilentVideo },
    /// It is dropped, or the browser lets nothing keep the screen on.
    Released,
}

impl ScreenLock {
    /// Keeps the screen on from now on.
    pub(crate) fn take() -> Self {
        let state = Rc::new(RefCell::new(State::Requested));
        let asked = state.clone();
        spawn_local(async move {
            // There is no such lock here, or the browser refuses it, such as to save its battery.
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

/// Whether the browser has such a lock at this address.
fn has_lock() -> bool {
    let navigator = Reflect::get(&js_sys::global(), &"navigator".into());
    navigator.is_ok_and(|navigator| Reflect::has(&navigator, &"wakeLock".into()).unwrap_or(false))
}

fn release(lock: Sentinel) {
    // A lock that the browser has ended is released again without harm.
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
        // Only a muted video inside of the page may play without a touch.
        video.set_attribute("playsinline", "")?;
        video.set_muted(true);
        video.set_src_object(Some(&canvas.capture_stream()?));
        document().body().ok_or(JsValue::NULL)?.append_child(&video)?;
        let paint = {
            let video = video.clone();
            move || {
                context.fill_rect(0.0, 0.0, 2.0, 2.0);
                // A browser that pauses it, for example for a call, lets it play on later.
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
        // What pauses a video is that it leaves the page.
        self.video.set_src_object(None);
        self.video.remove();
    }
}
