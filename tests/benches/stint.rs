//! How long the page takes to weigh a stint: to place its laps on one line, and to say where each lost time and why.
#![forbid(unsafe_code)]
#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    reason = "a tool for the bench: it says what it expects by panicking"
)]

use trailbrake_tests::bench_page::BenchPage;
use trailbrake_tests::figures::{figure, median};

/// How long is driven: twelve laps, and some.
const SECONDS: f64 = 12.5 * 77.0;
/// How often everything is measured; the median counts.
const ROUNDS: usize = 9;

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let page = BenchPage::open().await;
    let (mut placing, mut weighing) = (Vec::new(), Vec::new());
    for round in 0..=ROUNDS {
        let measured = page.call(&format!("stint({SECONDS})")).await;
        assert_eq!(measured[0].as_u64(), Some(12), "laps");
        // The browser compiles what runs often, which is not what is measured.
        if round > 0 {
            placing.push(measured[1].as_f64().expect("milliseconds"));
            weighing.push(measured[2].as_f64().expect("milliseconds"));
        }
    }
    figure("stint", "twelve laps of F1 placed in the page", median(placing), "ms");
    figure("stint", "their corners, losses and ledgers in the page", median(weighing), "ms");
    page.close().await;
}
