//! Measures how long a driver waits for the page on a slow machine: processor slowed down four times, 20 Mbit/s, an empty
//! cache. Budgets: the first paint within half a second, usable within one and a half; two laps of a race of seventeen
//! minutes with twenty cars compared within two and a half of the click, and within four and a half with an empty cache.
#![forbid(unsafe_code)]
#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a tool for the bench: it says what it expects by panicking"
)]

use std::time::{Duration, Instant};

use serde_json::{Value, json};
use trailbrake_shared::sim::Options;
use trailbrake_tests::chromium::{Chromium, Window};
use trailbrake_tests::figures::{figure, median};
use trailbrake_tests::program::Program;
use trailbrake_tests::recorded::RecordedRace;

/// How often each is done; the median counts.
const STARTS: usize = 5;
/// Bytes per second of the network.
const BYTES_PER_S: f64 = 20e6 / 8.0;
/// How much slower the processor is.
const SLOWER: f64 = 4.0;
/// How long one of them may take.
const PATIENCE: Duration = Duration::from_secs(60);
/// Seconds of the race.
const RACE_S: f64 = 17.0 * 60.0;
/// Notes when the table of games is there: then everything on the page can be pressed. Notes when the answer is there
/// that the two laps on screen give, and when the stint has refined it.
const WATCH: &str = "const wanted = {
        usable: '[data-feed]', answer: '#things .thing', refined: '#corners[data-stint]:not([data-stint=\"1\"])',
    };
    window.seen = {};
    new MutationObserver(() => {
        for (const name in wanted) {
            if (!(name in seen) && document.querySelector(wanted[name])) seen[name] = performance.now();
        }
    }).observe(document, { childList: true, subtree: true, attributes: true });";

/// When the last part of the page has arrived, which are fetched while the browser is idle.
const LOADED: &str =
    "performance.getEntriesByType('resource').find(one => one.name.includes('/library-'))?.responseEnd";

#[tokio::main(flavor = "current_thread")]
async fn main() {
    start().await;
    analyse().await;
}

/// The page itself.
async fn start() {
    let program = Program::start(&[]);
    let mut starts = Vec::new();
    for _ in 0..STARTS {
        let chromium = slow_browser().await;
        chromium.client.goto(&program.url).await.expect("the page");
        let paint = "performance.getEntriesByName('first-contentful-paint')[0]?.startTime";
        starts.push(until(&chromium, &[paint, "seen.usable"]).await);
        chromium.close().await;
    }
    let median = |place: usize| median(starts.iter().map(|start| start[place]).collect());
    figure("page start", "first paint", median(0), "ms");
    figure("page start", "usable", median(1), "ms");
}

/// Two laps of a long race: from the click on a page that is loaded, and from a link that is opened cold.
async fn analyse() {
    let options = Options { seed: 5, cars: 20, player: 3, keep_truth: false, ..Options::default() };
    let race = RecordedRace::race("slow", RACE_S, options);
    let program = Program::start(&["--recordings", &race.folder().to_string_lossy()]);
    let link = format!("#/analyse?recording={}", race.id);
    let (mut clicks, mut links) = (Vec::new(), Vec::new());
    for _ in 0..STARTS {
        let chromium = slow_browser().await;
        chromium.client.goto(&program.url).await.expect("the page");
        until(&chromium, &["seen.usable", LOADED]).await;
        chromium
            .ask(&format!("window.clicked = performance.now(); location.hash = '{link}'; return 0"))
            .await;
        clicks.push(until(&chromium, &["seen.answer - clicked", "seen.refined - clicked"]).await);
        chromium.close().await;
        let chromium = slow_browser().await;
        chromium.client.goto(&format!("{}/{link}", program.url)).await.expect("the page");
        links.push(until(&chromium, &["seen.answer", "seen.refined"]).await);
        chromium.close().await;
    }
    for (how, waits) in [("from the click", clicks), ("from a cold start", links)] {
        let median = |place: usize| median(waits.iter().map(|waited| waited[place]).collect());
        figure("analyse over a slow link", &format!("two laps, {how}"), median(0), "ms");
        figure("analyse over a slow link", &format!("whole stint, {how}"), median(1), "ms");
    }
}

/// A browser that has never seen the page, on a slow machine and a slow link.
async fn slow_browser() -> Chromium {
    let chromium = Chromium::open_alone(Window::ALL[2]).await;
    chromium.devtools("Page.addScriptToEvaluateOnNewDocument", json!({ "source": WATCH })).await;
    chromium.devtools("Emulation.setCPUThrottlingRate", json!({ "rate": SLOWER })).await;
    chromium.devtools("Network.enable", json!({})).await;
    let network = json!({
        "offline": false, "latency": 20, "downloadThroughput": BYTES_PER_S, "uploadThroughput": BYTES_PER_S,
    });
    chromium.devtools("Network.emulateNetworkConditions", network).await;
    chromium
}

/// Waits until each of some expressions has a value, milliseconds.
async fn until(chromium: &Chromium, values: &[&str]) -> Vec<f64> {
    let began = Instant::now();
    loop {
        let measured = chromium.ask(&format!("return [{}]", values.join(", "))).await;
        let all: Option<Vec<f64>> = measured.as_array().expect("values").iter().map(Value::as_f64).collect();
        match all {
            Some(all) => return all,
            None => assert!(began.elapsed() < PATIENCE, "the page does not get there: {measured}"),
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
}
