//! The screen of a device stays on while a game is shown.

use serde_json::json;

use crate::chromium::{Chromium, Window};
use crate::program::Program;
use crate::recording_links::until;

/// Whether the video that keeps a tablet's screen on plays.
pub(crate) const VIDEO_PLAYS: &str =
    "(video => video && !video.paused && video.readyState >= 2 && video.muted)
    (document.querySelector('.screen-on'))";

/// Keeps every lock that the page takes.
const KEEP_LOCKS: &str = "
    const take = navigator.wakeLock.request.bind(navigator.wakeLock);
    window.locks = [];
    navigator.wakeLock.request = async kind => { const lock = await take(kind); window.locks.push(lock); return lock; };";
/// How many locks are held.
const HELD: &str = "locks.filter(lock => !lock.released).length";

#[tokio::test]
#[ignore = "needs a browser: run cargo xtask test"]
async fn the_browser_s_own_lock_is_held_while_a_game_is_shown() {
    let program = Program::start(&["--demo", "--demo-speed", "5"]);
    let chromium = Chromium::open_alone(Window::ALL[2]).await;
    chromium.devtools("Page.addScriptToEvaluateOnNewDocument", json!({ "source": KEEP_LOCKS })).await;
    chromium.client.goto(&format!("{}/#/settings", program.url)).await.expect("the page");
    chromium.until("[data-testid='link']", |text| text.contains("packets/s")).await;
    assert_eq!(chromium.ask("return locks.length").await, json!(0), "nothing to watch on this page");

    chromium.ask("location.hash = '#/live'").await;
    until(&chromium, &format!("{HELD} == 1")).await;
    chromium.ask("location.hash = '#/library'").await;
    until(&chromium, &format!("{HELD} == 0")).await;

    chromium.ask("location.hash = '#/live'").await;
    until(&chromium, &format!("{HELD} == 1")).await;
    let hide = |hidden: bool| {
        format!(
            "Object.defineProperty(document, 'hidden', {{ value: {hidden}, configurable: true }});
            document.dispatchEvent(new Event('visibilitychange', {{ bubbles: true }}))"
        )
    };
    chromium.ask(&hide(true)).await;
    until(&chromium, &format!("{HELD} == 0")).await;
    chromium.ask(&hide(false)).await;
    until(&chromium, &format!("{HELD} == 1")).await;
    assert_eq!(chromium.ask("return document.querySelector('.screen-on')").await, json!(null));
    chromium.check_clean().await;

    drop(program);
    until(&chromium, &format!("{HELD} == 0")).await;
    chromium.close().await;
}

#[tokio::test]
#[ignore = "needs a browser: run cargo xtask test"]
async fn a_browser_that_refuses_its_lock_plays_a_video_instead() {
    let program = Program::start(&["--demo", "--demo-speed", "5"]);
    let chromium = Chromium::open_alone(Window::ALL[2]).await;
    let refuse = "navigator.wakeLock.request = async () => { throw new DOMException('', 'NotAllowedError') }";
    chromium.devtools("Page.addScriptToEvaluateOnNewDocument", json!({ "source": refuse })).await;
    chromium.client.goto(&format!("{}/#/live", program.url)).await.expect("the page");
    until(&chromium, VIDEO_PLAYS).await;
    chromium.check_clean().await;
    drop(program);
    until(&chromium, "!document.querySelector('.screen-on')").await;
    chromium.close().await;
}
