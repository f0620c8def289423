//! A tablet that slept for an hour shows the session again at once, with the laps it missed.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::PATIENCE;
use crate::chromium::{Chromium, Window};
use crate::program::Program;
use crate::recording_links::until;

/// How long the browser lets nothing in the page run. The page's timer is due ten times a second.
const FROZEN: Duration = Duration::from_secs(12);

/// Counts connections to the games' packets, and lets the day's clock run on by an hour when it is asked to. The page's own clock stands still
/// while a device sleeps.
const PREPARE: &str = "
    window.connections = 0;
    window.WebSocket = class extends WebSocket {
        constructor(...address) { super(...address); window.connections += String(address[0]).endsWith('/live'); }
    };
    const now = Date.now;
    let asleep = Infinity;
    window.sleepSoon = () => asleep = now() + 2000;
    Date.now = () => now() + (now() > asleep ? 3600e3 : 0);";
const LAPS: &str = "[...document.querySelectorAll('.laps [data-lap][data-time]')]";

async fn laps(chromium: &Chromium) -> Vec<u64> {
    let laps = chromium.ask(&format!("return {LAPS}.map(row => Number(row.dataset.lap)).reverse()")).await;
    serde_json::from_value(laps).expect("numbers")
}

#[tokio::test]
#[ignore = "needs a browser: run cargo xtask test"]
async fn a_page_that_slept_for_an_hour_has_the_laps_it_missed() {
    // A lap takes seven seconds. One car a packet: a busy machine keeps up with it.
    let program = Program::start(&["--demo=dirt-rally", "--demo-speed", "12"]);
    let chromium = Chromium::open_alone(Window::ALL[2]).await;
    chromium.devtools("Page.addScriptToEvaluateOnNewDocument", json!({ "source": PREPARE })).await;
    chromium.client.goto(&format!("{}/#/live", program.url)).await.expect("the page");
    until(&chromium, &format!("{LAPS}.length >= 2")).await;
    chromium.until("[data-figure='delta']", |text| text.starts_with(['+', '\u{2212}', '0'])).await;
    assert_eq!(chromium.ask("return connections").await, json!(1));
    chromium.ask("sleepSoon()").await;
    let before = laps(&chromium).await;

    chromium.devtools("Page.setWebLifecycleState", json!({ "state": "frozen" })).await;
    tokio::time::sleep(FROZEN).await;
    chromium.devtools("Page.setWebLifecycleState", json!({ "state": "active" })).await;
    chromium.devtools("Page.bringToFront", json!({})).await;
    let woken = Instant::now();
    until(&chromium, "connections == 2").await;
    until(&chromium, "/packets\\/s/.test(document.querySelector('[data-testid=link]').textContent)").await;
    // Every lap since the first is there, those during the sleep with their times.
    let first = before[0];
    let after = loop {
        let after = laps(&chromium).await;
        let complete = after.iter().zip(first..).all(|(lap, expected)| *lap == expected);
        if complete && after.len() > before.len() {
            break after;
        }
        assert!(woken.elapsed() < PATIENCE, "{before:?} became {after:?}");
        tokio::time::sleep(Duration::from_millis(50)).await;
    };
    println!("{before:?} became {after:?} after {:.1} s", woken.elapsed().as_secs_f64());
    chromium.until("[data-figure='delta']", |text| text.starts_with(['+', '\u{2212}', '0'])).await;
    // The page reports no fault for what the device did not receive while it slept.
    let faults = chromium.ask("return document.querySelector('.faults')?.innerText ?? null").await;
    assert_eq!(faults, Value::Null);
    // The browser itself says that it froze the connection.
    chromium.check_clean_but(&["Page entered Back-Forward Cache"]).await;
    chromium.close().await;
}
