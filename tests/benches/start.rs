//! Measures how long the page takes to start on a slow machine: processor slowed down four times, 20 Mbit/s, an empty
//! cache. Budgets: the first paint within a second, usable within two and a half.
#![forbid(unsafe_code)]
#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a tool for the bench: it says what it expects by panicking"
)]

use std::time::{Duration, Instant};

use serde_json::{Value, json};
use trailbrake_tests::chromium::{Chromium, Window};
use trailbrake_tests::figures::{figure, median};
use trailbrake_tests::program::Program;

/// How often the page is started; the median counts.
const STARTS: usize = 5;
/// Bytes per second of the network.
const BYTES_PER_S: f64 = 20e6 / 8.0;
/// How much slower the processor is.
const SLOWER: f64 = 4.0;
/// How long one start may take.
const PATIENCE: Duration = Duration::from_secs(60);
/// Notes when the table of games is there: then everything on the page can be pressed.
const WATCH: &str = "new MutationObserver((_, watch) => {
        if (document.querySelector('[data-feed]')) { window.usable = performance.now(); watch.disconnect(); }
    }).observe(document, { childList: true, subtree: true });";

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let program = Program::start(&[]);
    let mut starts = Vec::new();
    for _ in 0..STARTS {
        starts.push(start(&program.url).await);
    }
    let median = |place: usize| median(starts.iter().map(|start| start[place]).collect());
    figure("page start", "first paint", median(0), "ms");
    figure("page start", "usable", median(1), "ms");
}

/// Milliseconds until the first paint, and until the page is usable, in a browser that has never seen it.
async fn start(url: &str) -> [f64; 2] {
    let chromium = Chromium::open_alone(Window::ALL[2]).await;
    chromium.devtools("Page.addScriptToEvaluateOnNewDocument", json!({ "source": WATCH })).await;
    chromium.devtools("Emulation.setCPUThrottlingRate", json!({ "rate": SLOWER })).await;
    chromium.devtools("Network.enable", json!({})).await;
    let network = json!({
        "offline": false, "latency": 20, "downloadThroughput": BYTES_PER_S, "uploadThroughput": BYTES_PER_S,
    });
    chromium.devtools("Network.emulateNetworkConditions", network).await;
    chromium.client.goto(url).await.expect("the page");
    let began = Instant::now();
    let times =
        "return [performance.getEntriesByName('first-contentful-paint')[0]?.startTime, window.usable]";
    loop {
        let measured = chromium.ask(times).await;
        if let [Some(paint), Some(usable)] = [&measured[0], &measured[1]].map(Value::as_f64) {
            chromium.close().await;
            return [paint, usable];
        }
        assert!(began.elapsed() < PATIENCE, "the page does not start: {measured}");
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
}
