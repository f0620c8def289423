//! A page opened or reloaded in the middle of a session shows the earlier laps and events.

use serde_json::Value;

use crate::chromium::{Chromium, Window};
use crate::library::Folder;
use crate::program::Program;
use crate::recording_links::until;

/// How many laps are finished before the second browser joins. The last of them stays the driver's best, to which the
/// others are compared in the list, however late that browser comes.
const LAPS: usize = 3;
/// How fast the demo drives. At ten times its speed twenty cars send 2 MB a second, and a page on a busy machine that
/// stands still for two seconds misses batches, which a page that joins later does not miss.
const SPEED: &str = "4";
/// Where the demo begins: in the driver's third lap.
const FROM: &str = "190";

/// The finished laps and the events on the page, earliest first.
const SHOWN: &str =
    "const texts = rows => [...document.querySelectorAll(rows)].map(row => row.innerText).reverse();
    return { laps: texts('.laps [data-lap][data-time]'), events: texts('.events [data-event]') }";

const FIRST_LAP: &str = "document.querySelector('.laps [data-lap=\"1\"][data-time]')";

async fn shown(chromium: &Chromium) -> [Vec<String>; 2] {
    let shown = chromium.ask(SHOWN).await;
    ["laps", "events"].map(|what| {
        let texts = shown[what].as_array().expect("a list").iter();
        texts.map(|text| text.as_str().expect("text").to_owned()).collect()
    })
}

async fn wait_for_laps(chromium: &Chromium, count: usize) {
    until(chromium, &format!("document.querySelectorAll('.laps [data-lap][data-time]').length >= {count}"))
        .await;
}

/// The engineer's view has the events.
async fn show_events(chromium: &Chromium) {
    until(chromium, "document.querySelector('[data-testid=view-engineer]')").await;
    chromium.ask("document.querySelector('[data-testid=view-engineer]').click()").await;
    until(chromium, "document.querySelector('.events')").await;
}

/// Checks that the page shows the same from the start, after a reload and in another browser.
async fn check(options: &[&str]) {
    let program = Program::recording(options);
    let first = Chromium::open(Window::ALL[0]).await;
    let live = format!("{}/#/live", program.url);
    first.client.goto(&live).await.expect("the page");
    show_events(&first).await;
    wait_for_laps(&first, LAPS).await;
    let [laps, events] = shown(&first).await;
    assert!(!events.is_empty(), "no events");
    first.client.refresh().await.expect("the page");
    // New events show at once, earlier laps as soon as they are loaded.
    until(&first, FIRST_LAP).await;
    let [laps_again, events_again] = shown(&first).await;
    assert_eq!(laps_again[..laps.len()], laps);
    assert_eq!(events_again[..events.len().min(20)], events[..events.len().min(20)]);
    first.picture("late-join").await;

    let tablet = Chromium::open(Window::ALL[1]).await;
    tablet.client.goto(&live).await.expect("the page");
    show_events(&tablet).await;
    until(&tablet, FIRST_LAP).await;
    let [laps_there, events_there] = shown(&tablet).await;
    assert_eq!(laps_there[..laps.len()], laps);
    assert_eq!(events_there[..events.len().min(20)], events[..events.len().min(20)]);
    assert_ne!(
        tablet.ask("return document.querySelector('[data-figure=delta]')?.textContent").await,
        Value::Null
    );
    tablet.check_clean().await;
    tablet.close().await;
    first.check_clean().await;
    first.close().await;
}

#[tokio::test]
#[ignore = "needs a browser: run cargo xtask test"]
async fn a_session_that_is_kept_in_memory_is_there_after_a_reload() {
    check(&["--demo=f1-2018", "--demo-speed", SPEED, "--demo-from", FROM]).await;
}

#[tokio::test]
#[ignore = "needs a browser: run cargo xtask test"]
async fn a_session_that_is_recorded_is_there_after_a_reload() {
    let folder = Folder::new("late-join");
    check(&[
        "--demo=f1-2018",
        "--demo-speed",
        SPEED,
        "--demo-from",
        FROM,
        "--record-demo",
        "--recordings",
        &folder.0.to_string_lossy(),
    ])
    .await;
}
