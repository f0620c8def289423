//! Measures what a frame of the live page costs with all eight lanes: at the start, and after an hour of driving.
//!
//! Times depend on the machine and its load; what counts is their ratio within one run. With `TRAILBRAKE_BEFORE`, which
//! names the program of another build, the pages of both take turns.
#![forbid(unsafe_code)]
#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a tool for the bench: it says what it expects by panicking"
)]

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::process::Command;
use std::time::{Duration, Instant};

use serde_json::Value;
use trailbrake_tests::chromium::{Chromium, Window};
use trailbrake_tests::figures::{self, median};
use trailbrake_tests::named_file;
use trailbrake_tests::program::Program;

/// How much driving is simulated, in race time.
const HOUR_MS: u64 = 3_600_000;
/// How long to wait before measuring: the page averages its frames over two seconds.
const SETTLING: Duration = Duration::from_secs(5);
/// How many two-second measurements are taken; their median counts.
const FIGURES: usize = 7;
/// How long the fast race may take before the benchmark gives up on a slow machine.
const PATIENCE: Duration = Duration::from_secs(900);

/// How often each of two builds is measured.
const TURNS: usize = 3;

#[tokio::main(flavor = "current_thread")]
async fn main() {
    if let Some(before) = std::env::var_os("TRAILBRAKE_BEFORE") {
        return compare(PathBuf::from(before)).await;
    }
    let program = Program::start(&[]);
    let chromium = Chromium::open_alone(Window::ALL[0]).await;
    let page = |speed: u32| format!("{}/#/live?demo=f1-2018&seed=3&speed={speed}", program.url);
    chromium.client.goto(&program.url).await.expect("the page");
    chromium.ask("localStorage.setItem('trailbrake-trace', 'lanes')").await;

    chromium.client.goto(&page(1)).await.expect("the demo");
    let fresh = figure(&chromium).await;
    println!("at the start:   {fresh}");

    chromium.client.goto(&page(50)).await.expect("the demo, faster");
    let driven_ms = drive(&chromium).await;
    println!("driven on:      {:.0} minutes of laps", driven_ms as f64 / 60e3);

    chromium.client.goto(&page(1)).await.expect("the demo, at real speed");
    let later = figure(&chromium).await;
    println!("after the hour: {later}");
    figures::figure("frames", "script in a frame at the start", fresh.script_ms, "ms");
    figures::figure("frames", "script in a frame after the hour", later.script_ms, "ms");
    figures::figure("frames", "after the hour, beside the start", later.script_ms / fresh.script_ms, "times");
    chromium.close().await;

    let program = Program::start(&["--demo=f1-2018", "--demo-seed", "3"]);
    println!("from the relay: {}", relayed(&program).await);
}

/// Compares the script of both builds' frames, of the same race from a relay.
async fn compare(before: PathBuf) {
    let now = named_file("TRAILBRAKE_BIN");
    let (mut olds, mut news) = (Vec::new(), Vec::new());
    for _ in 0..TURNS {
        for (of, scripts) in [(&before, &mut olds), (&now, &mut news)] {
            let options = ["--no-record", "--demo=f1-2018", "--demo-seed", "3"];
            let program = Program::run_command(Command::new(of), "127.0.0.1:0", &options);
            scripts.push(relayed(&program).await.script_ms);
        }
    }
    let [old, new] = [olds, news].map(median);
    println!("script in a frame: {old:.3} ms before, {new:.3} ms now, {:.3} times", new / old);
}

/// Measures the same lanes with packets from a relay, so that the page does not simulate the race too.
async fn relayed(program: &Program) -> Figure {
    let chromium = Chromium::open_alone(Window::ALL[0]).await;
    chromium.client.goto(&program.url).await.expect("the page");
    chromium.ask("localStorage.setItem('trailbrake-trace', 'lanes')").await;
    chromium.client.goto(&format!("{}/#/live", program.url)).await.expect("the live page");
    chromium.client.refresh().await.expect("the live page again");
    let figure = figure(&chromium).await;
    chromium.close().await;
    figure
}

/// Waits until an hour of laps has been driven. Returns the driven time in milliseconds.
async fn drive(chromium: &Chromium) -> u64 {
    const LAPS: &str = "return [...document.querySelectorAll('[data-lap][data-time]')]
        .map(row => [Number(row.dataset.lap), Number(row.dataset.time)])";
    let began = Instant::now();
    let mut laps = BTreeSet::new();
    loop {
        for lap in chromium.ask(LAPS).await.as_array().expect("a list") {
            laps.insert((lap[0].as_u64(), lap[1].as_u64().unwrap_or(0)));
        }
        let driven_ms = laps.iter().map(|(_, time)| time).sum();
        if driven_ms >= HOUR_MS {
            return driven_ms;
        }
        assert!(began.elapsed() < PATIENCE, "only {} minutes were driven", driven_ms / 60_000);
        tokio::time::sleep(Duration::from_millis(500)).await;
    }
}

/// What a frame costs at one moment.
struct Figure {
    script_ms: f64,
    link_ms: f64,
    per_second: f64,
}

impl std::fmt::Display for Figure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { script_ms, link_ms, per_second } = self;
        write!(f, "{script_ms:.2} ms of script a frame ({link_ms:.2} decoding), {per_second:.0} frames/s")
    }
}

async fn figure(chromium: &Chromium) -> Figure {
    chromium.until("[data-figure='speed']", |text| text.parse::<u32>().is_ok_and(|speed| speed > 0)).await;
    tokio::time::sleep(SETTLING).await;
    let mut figures = Vec::new();
    for _ in 0..FIGURES {
        tokio::time::sleep(Duration::from_millis(2_100)).await;
        let report = chromium.ask("return window.trailbrakeFrame()").await;
        let number = |value: &Value| value.as_f64().expect("a number");
        figures.push(Figure {
            script_ms: number(&report["script"]["meanMs"]),
            link_ms: number(&report["phases"]["link"]["meanMs"]),
            per_second: number(&report["perSecond"]),
        });
    }
    figures.sort_by(|one, other| one.script_ms.total_cmp(&other.script_ms));
    figures.swap_remove(FIGURES / 2)
}
