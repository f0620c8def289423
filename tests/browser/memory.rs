//! What the page takes of the device's memory while a race goes on: WebAssembly, script, and the whole process with its
//! canvases.
//!
//! Some minutes by default, against a limit that no machine's speed can exceed; `cargo xtask memory` drives two hours, at
//! whose end it must not grow any more.

use std::time::{Duration, Instant};

use serde_json::Value;

use crate::chromium::{Chromium, Window};
use crate::program::Program;

/// The race time in minutes, unless `TRAILBRAKE_MEMORY` names another.
const MINUTES: f64 = 5.0;
/// Times as fast as real.
const SPEED: f64 = 20.0;
/// How many measurements are printed.
const ROWS: u32 = 12;
/// The limit for the module's memory, however long the race.
const WASM_BYTES: u64 = 200_000_000;
/// What the module and the process may take more at the end than after three quarters.
const MORE: f64 = 1.05;

/// One measurement, in bytes.
#[derive(Clone, Copy, Debug)]
struct Figures {
    minutes: f64,
    wasm: u64,
    script: u64,
    process: u64,
}

async fn measure(chromium: &Chromium, minutes: f64) -> Figures {
    // The same module that runs: loading it again returns what it exports.
    const ASK: &str = "return import('/trailbrake_web.js').then(module => module.default())
        .then(own => [own.memory.buffer.byteLength, performance.memory.usedJSHeapSize])";
    let sizes: Value = chromium.ask(ASK).await;
    let number = |place: usize| sizes[place].as_u64().unwrap_or_else(|| panic!("{sizes}"));
    Figures { minutes, wasm: number(0), script: number(1), process: chromium.page_bytes() }
}

#[tokio::test]
#[ignore = "needs a browser: run cargo xtask test"]
async fn a_long_race_takes_no_more_memory_than_a_short_one() {
    let asked = std::env::var("TRAILBRAKE_MEMORY").ok().and_then(|minutes| minutes.parse().ok());
    let minutes: f64 = asked.unwrap_or(MINUTES);
    let speed = SPEED.to_string();
    let program = Program::start(&["--demo=f1-2018", "--demo-speed", &speed]);
    let chromium = Chromium::open_alone(Window::ALL[0]).await;
    chromium.client.goto(&format!("{}/#/live", program.url)).await.expect("the page");
    chromium.until("[data-figure='speed']", |text| text.parse::<u32>().is_ok_and(|speed| speed > 50)).await;
    let began = Instant::now();
    let mut rows = Vec::new();
    println!("| race, minutes | module | script | process |");
    for row in 1..=ROWS {
        let driven = minutes * f64::from(row) / f64::from(ROWS);
        let due = Duration::from_secs_f64(driven * 60.0 / SPEED);
        tokio::time::sleep(due.saturating_sub(began.elapsed())).await;
        let figures = measure(&chromium, driven).await;
        let megabytes = |bytes: u64| bytes as f64 / 1e6;
        let Figures { minutes, wasm, script, process } = figures;
        println!(
            "| {minutes:.0} | {:.1} | {:.1} | {:.0} |",
            megabytes(wasm),
            megabytes(script),
            megabytes(process)
        );
        rows.push(figures);
    }
    let (before, end) = (rows[rows.len() * 3 / 4 - 1], rows[rows.len() - 1]);
    assert!(end.wasm <= WASM_BYTES, "{end:?}");
    if asked.is_some() {
        // Only Linux reports what a process takes.
        let is_flat = |before: u64, end: u64| before > 0 && end as f64 <= before as f64 * MORE;
        assert!(
            is_flat(before.wasm, end.wasm) && is_flat(before.process, end.process),
            "{before:?}, then {end:?}"
        );
    }
    let lost = chromium.ask("return document.querySelector('.faults')?.innerText ?? null").await;
    assert!(asked.is_none() || lost == Value::Null, "not every packet was decoded: {lost}");
    chromium.close().await;
}
