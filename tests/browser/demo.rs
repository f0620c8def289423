//! The demo against the simulator's truth file: lap times match to the millisecond, and all cars are on the map.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::PATIENCE;
use crate::chromium::{Chromium, Window};
use crate::program::Program;

/// How many of the player's laps are compared.
const LAPS: usize = 3;

/// A truth file that is deleted with the test.
pub(crate) struct TruthFile(PathBuf);

impl TruthFile {
    pub(crate) fn new(name: &str) -> Self {
        Self(std::env::temp_dir().join(format!("trailbrake-truth-{name}-{}.json", std::process::id())))
    }

    /// The path, as an option's value.
    pub(crate) fn path(&self) -> String {
        self.0.to_string_lossy().into_owned()
    }

    /// The player's finished laps: number and milliseconds.
    pub(crate) fn laps(&self) -> BTreeMap<u64, u64> {
        let Ok(text) = std::fs::read(&self.0) else { return BTreeMap::new() };
        let truth: Value = serde_json::from_slice(&text).expect("JSON");
        let finished =
            truth["sessions"].as_array().and_then(|sessions| sessions.last()).map(|last| &last["finished"]);
        let laps = finished.and_then(Value::as_array).expect("laps");
        let own = laps.iter().filter(|lap| lap["car"] == truth["player"]);
        own.map(|lap| (lap["number"].as_u64().expect("a number"), lap["time_ms"].as_u64().expect("a time")))
            .collect()
    }
}

impl Drop for TruthFile {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

/// The laps in the page's list that have a time: number and milliseconds. None while earlier laps are loading: until then
/// the laps of a game that sends no numbers count from one.
pub(crate) async fn shown_laps(chromium: &Chromium) -> BTreeMap<u64, u64> {
    const LIST: &str =
        "if (document.querySelector('[data-testid=link]')?.textContent.includes('Loading')) return [];
        return [...document.querySelectorAll('[data-lap][data-time]')]
        .map(row => [Number(row.dataset.lap), Number(row.dataset.time)]).filter(([, time]) => time > 0)";
    let list = chromium.ask(LIST).await;
    let pairs = list.as_array().expect("a list").iter();
    pairs.map(|pair| (pair[0].as_u64().expect("a lap"), pair[1].as_u64().expect("a time"))).collect()
}

#[tokio::test]
#[ignore = "needs a browser: run cargo xtask test"]
async fn the_demo_s_laps_are_those_the_simulator_drove() {
    let truth = TruthFile::new("f1-2018");
    let file = truth.path();
    let options = [
        "--demo=f1-2018",
        "--demo-seed",
        "3",
        "--demo-speed",
        "8",
        "--demo-from",
        "220",
        "--demo-truth",
        &file,
    ];
    let program = Program::start(&options);
    let chromium = Chromium::open(Window::ALL[0]).await;
    chromium.client.goto(&program.url).await.expect("the page");

    // The first packet switches to the live page. All cars are on the map.
    chromium.until("[data-figure='speed']", |text| text.parse::<u32>().is_ok_and(|speed| speed > 50)).await;
    let began = Instant::now();
    let (shown, known) = loop {
        let shown = shown_laps(&chromium).await;
        // Read after the page, so that every shown lap is in it.
        let known = truth.laps();
        if shown.len() >= LAPS && known.len() >= shown.len() {
            break (shown, known);
        }
        assert!(began.elapsed() < PATIENCE, "shown {shown:?}, driven {known:?}");
        tokio::time::sleep(Duration::from_millis(200)).await;
    };
    for (number, millis) in &shown {
        assert_eq!(known.get(number), Some(millis), "lap {number}; driven were {known:?}");
    }
    let cars = chromium.ask("return document.querySelector('[data-figure=map]').dataset.cars").await;
    assert_eq!(cars.as_str(), Some("20"));
    chromium.until("[data-figure='delta']", |text| text.starts_with(['+', '−', '0'])).await;

    for window in Window::ALL {
        chromium.look(window).await;
        chromium.picture(&format!("live-{}-{}", window.width, window.theme)).await;
        chromium.check_clean().await;
    }
    chromium.close().await;
}

#[tokio::test]
#[ignore = "needs a browser: run cargo xtask test"]
async fn the_demo_runs_in_the_page_at_one_click() {
    let program = Program::start(&[]);
    let chromium = Chromium::open(Window::ALL[2]).await;
    chromium.client.goto(&program.url).await.expect("the page");
    let button = fantoccini::Locator::Css("[data-testid='demo']");
    let button = chromium.client.wait().for_element(button).await.expect("the demo's button");
    button.click().await.expect("a click");
    chromium.until("[data-figure='speed']", |text| text.parse::<u32>().is_ok_and(|speed| speed > 50)).await;
    chromium.until("[data-testid='link']", |text| text.contains("Demo") || text.contains("demo")).await;
    let cars = chromium.ask("return document.querySelector('[data-figure=map]').dataset.cars").await;
    assert_eq!(cars.as_str(), Some("20"));
    // The demo runs: the speed changes.
    let speed = chromium.text("[data-figure='speed']").await;
    chromium.until("[data-figure='speed']", |text| text != speed).await;
    chromium.check_clean().await;
    chromium.close().await;
}
