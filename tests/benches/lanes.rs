//! What the page's lanes cost beside uPlot's, in the same browser and with the same samples.
//!
//! A figure is the time of script and drawing until all eight lanes are on their canvases.
#![forbid(unsafe_code)]
#![allow(clippy::expect_used, reason = "a tool for the bench: it says what it expects by panicking")]

use serde_json::Value;
use trailbrake_tests::bench_page::BenchPage;
use trailbrake_tests::figures::{figure, median};

/// How often everything is measured; the median counts.
const ROUNDS: usize = 9;
/// What is measured: the function of the page, its samples in each lane, and what they are called.
const CASES: [(&str, u32, &str); 4] = [
    ("recorded", 100_000, "100 000 samples"),
    ("recorded", 1_000_000, "1 000 000 samples"),
    ("rolling", 3_600, "live window of 3 600 samples"),
    ("rolling", 36_000, "live window of 36 000 samples"),
];

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let page = BenchPage::open().await;
    for (function, samples, title) in CASES {
        let call = format!("{function}({samples})");
        // The browser compiles what runs often, which is not what is measured.
        page.call(&call).await;
        let mut rounds = Vec::new();
        for _ in 0..ROUNDS {
            rounds.push(page.call(&call).await);
        }
        print(title, &rounds);
    }
    page.close().await;
}

/// Prints the figures of a case: for each step ours, uPlot's, and their ratio.
fn print(title: &str, rounds: &[Value]) {
    let times = |chart: &str, step: &str| {
        let times = rounds.iter().filter_map(|round| round.get(chart)?.get(step)?.as_f64());
        Some(times.collect::<Vec<_>>()).filter(|times| !times.is_empty()).map(median)
    };
    let steps = rounds.first().and_then(|round| round.get("trailbrake")?.as_object());
    for step in steps.expect("our times").keys() {
        let ours = times("trailbrake", step).expect("our time");
        figure("lanes", &format!("{title}: {step}"), ours, "ms");
        match times("uplot", step) {
            Some(uplot) => {
                figure("lanes", &format!("{title}: {step}, uPlot"), uplot, "ms");
                figure("lanes", &format!("{title}: {step}, beside uPlot"), ours / uplot, "times");
            }
            None => println!("{title}: {step} was not compared: uPlot is not here"),
        }
    }
}
