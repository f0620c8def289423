//! What a long race costs in the page: it opens through its index, two laps decode only their own blocks, and memory
//! stays small.
//!
//! Twenty minutes by default, with budgets in proportion; `cargo xtask long` runs the three hours that the budgets are
//! for.

use std::time::{Duration, Instant};

use fantoccini::Locator;
use trailbrake_shared::sim::Options;

use crate::PATIENCE;
use crate::chromium::{Chromium, Window};
use crate::program::Program;
use crate::recorded::RecordedRace;
use crate::recording_links::{cost, until};
use crate::replay::{place, press};

/// The race's length in minutes, unless `TRAILBRAKE_LONG` names another.
const MINUTES: f64 = 20.0;
/// The race length that the budgets are for.
const WHOLE_MINUTES: f64 = 180.0;
/// The budget for reading the lap list.
const OPENING_BYTES: f64 = (2 << 20) as f64;
/// The end of a file is read in one piece, however short the file.
const END_BYTES: u64 = 64 << 10;
/// The budget for the page's memory.
const MEMORY: u64 = 300_000_000;
/// Decoding begins this long before a lap.
const LEAD_S: f64 = 8.0;
/// At eight times the speed, two seconds of wall-clock time are fetched ahead, and playback stops some seconds late.
const AHEAD_S: f64 = 24.0;
/// Packets are fetched together with those after them, up to this many bytes.
const AT_ONCE: f64 = (1 << 20) as f64;

/// Plays a lap to its end, and waits until its decoded time matches the lap table.
async fn play_lap(chromium: &Chromium, recorded: &RecordedRace, lap: usize) {
    let number = recorded.laps[lap].lap.number;
    let row = format!(".laps tr[data-lap='{number}']");
    until(chromium, &format!("document.querySelector(\"{row}[aria-current]\")")).await;
    let seen = "(list => (row => row.top >= list.top && row.bottom <= list.bottom)
        (document.querySelector('.laps [aria-current]').getBoundingClientRect()))
        (document.querySelector('.laps .scroll').getBoundingClientRect())";
    until(chromium, seen).await;
    let faster = "const speed = document.querySelector('[data-testid=speed]'); speed.value = '8';
        speed.dispatchEvent(new Event('change', { bubbles: true }))";
    chromium.ask(faster).await;
    let playing = "document.querySelector('[data-testid=play]').getAttribute('aria-label') == 'Pause'";
    if chromium.ask(&format!("return {playing}")).await.as_bool() == Some(false) {
        press(chromium, " ").await;
    }
    let began = Instant::now();
    while (place(chromium).await as f64) < recorded.begins_s(lap + 1) + 1.0 {
        assert!(began.elapsed() < PATIENCE, "lap {number} takes long");
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    press(chromium, " ").await;
    // The button appears once the lap was decoded to the millisecond that the lap table has.
    until(chromium, &format!("document.querySelector(\"{row} [data-testid=compare]\")")).await;
}

#[tokio::test]
#[ignore = "needs a browser: run cargo xtask test"]
async fn a_long_race_opens_by_its_index_and_its_laps_by_their_own_blocks() {
    let minutes = std::env::var("TRAILBRAKE_LONG").ok().and_then(|minutes| minutes.parse().ok());
    let minutes: f64 = minutes.unwrap_or(MINUTES);
    let chromium = Chromium::open_alone(Window::ALL[0]).await;
    let options = Options { seed: 5, laps: 250, keep_truth: false, duration_s: 12_000, ..Options::default() };
    let began = Instant::now();
    let recorded = RecordedRace::race("long", minutes * 60.0, options);
    let made_s = began.elapsed().as_secs_f64();
    let program = Program::start(&["--recordings", &recorded.folder().to_string_lossy()]);
    let count = recorded.laps.len();
    let compared = [count * 6 / 10, count * 9 / 10];

    let began = Instant::now();
    let first = recorded.laps[compared[0]].lap.serial;
    let link = format!("{}/#/live?recording={}&lap={first}", program.url, recorded.id);
    chromium.client.goto(&link).await.expect("the page");
    until(&chromium, &format!("document.querySelectorAll('[data-lap][data-time]').length == {count}")).await;
    let opened_s = began.elapsed().as_secs_f64();
    let opened = cost(&chromium, "opened").await;
    let most = (OPENING_BYTES * minutes / WHOLE_MINUTES) as u64 + END_BYTES;
    assert!(opened <= most, "{opened} bytes to open, of {}; {most} are allowed", recorded.bytes);

    play_lap(&chromium, &recorded, compared[0]).await;
    // Earlier laps were not decoded, but their events are known. Just behind the line the delta may be zero, without a sign.
    until(&chromium, "/^[+\u{2212}]?\\d/.test(document.querySelector('[data-figure=delta]').textContent)")
        .await;
    // The engineer's view has them.
    chromium.ask("document.querySelector('[data-testid=view-engineer]').click()").await;
    until(&chromium, "document.querySelector('.events [data-event]')").await;
    let events = "return [...document.querySelectorAll('.events [data-event]')].map(one => one.textContent)";
    let events = chromium.ask(events).await;
    let has_event = |words: &str| {
        let mut texts = events.as_array().expect("events").iter();
        texts.any(|text| text.as_str().is_some_and(|text| text.contains(words)))
    };
    let before = recorded.laps[compared[0] - 1].lap.number;
    assert!(has_event("Lap 1,") && has_event(&format!("Lap {before},")), "{events}");
    assert!(!has_event("incomplete"), "{events}");
    let second = format!(".laps tr[data-lap='{}'] a", recorded.laps[compared[1]].lap.number);
    chromium.client.find(Locator::Css(&second)).await.expect("a lap").click().await.expect("a click");
    play_lap(&chromium, &recorded, compared[1]).await;
    let blocks = cost(&chromium, "blocks").await;
    let read = cost(&chromium, "read").await - opened;
    let laps_s = compared.map(|lap| recorded.begins_s(lap + 1) - recorded.begins_s(lap));
    // Blocks that are fetched together are unpacked together.
    let bytes_a_second = recorded.bytes as f64 / (minutes * 60.0);
    let beside_s = LEAD_S + AHEAD_S + AT_ONCE / bytes_a_second;
    // Each is compared with the best lap before it, which is read separately.
    let longest_s = (1..count).map(|lap| recorded.begins_s(lap) - recorded.begins_s(lap - 1));
    let reference_s = longest_s.fold(0.0, f64::max);
    let read_s = laps_s.iter().map(|lap_s| lap_s + reference_s + 2.0 * beside_s).sum::<f64>();
    let share = read_s / (minutes * 60.0);
    let of_all = |all: u64| (all as f64 * share) as u64;
    assert!(blocks > 0 && blocks <= of_all(recorded.blocks), "{blocks} of {}, for {share}", recorded.blocks);
    assert!(read <= of_all(recorded.bytes), "{read} bytes of {}, for {share}", recorded.bytes);

    let memory = cost(&chromium, "memory").await;
    let heap = chromium.ask("return performance.memory.usedJSHeapSize").await.as_u64().expect("bytes");
    assert!(memory + heap < MEMORY, "{memory} bytes and {heap} of the browser's own");
    println!("| raw bytes, bytes of the file | {}, {} |", recorded.raw, recorded.bytes);
    println!("| laps in the table, blocks of packets | {}, {} |", recorded.rows, recorded.blocks);
    println!("| bytes read to open it | {opened} |");
    println!("| seconds from nothing to the list of laps | {opened_s:.1} |");
    println!(
        "| two laps, {:.0} and {:.0} s, and their references: blocks unpacked, bytes read | {blocks}, {read} |",
        laps_s[0], laps_s[1]
    );
    println!("| the page's memory, and the browser's for it, bytes | {memory}, {heap} |");
    println!("it took {made_s:.0} s to make");
    chromium.picture("long").await;
    chromium.check_clean().await;
    chromium.close().await;
}
