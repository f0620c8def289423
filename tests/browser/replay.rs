//! Playback in the page: a recording opened with the file dialog or by dropping, played, sought, or rejected as no
//! recording.

use std::time::{Duration, Instant};

use fantoccini::Locator;
use serde_json::{Value, json};

use crate::PATIENCE;
use crate::chromium::{Chromium, Window};
use crate::demo::shown_laps;
use crate::program::Program;
use crate::recorded::RecordedRace;
use crate::recording_links::{cost, until};

/// Long enough for two laps.
const SECONDS: f64 = 240.0;

pub(crate) async fn press(chromium: &Chromium, key: &str) {
    let press =
        format!("window.dispatchEvent(new KeyboardEvent('keydown', {{ key: '{key}', bubbles: true }}))");
    chromium.ask(&press).await;
}

/// The playback position, in whole seconds.
pub(crate) async fn place(chromium: &Chromium) -> u64 {
    let text = chromium.text("[data-figure='replay-time'] b").await;
    // Hours are shown only when there are any.
    text.split(':').fold(0, |whole, part| whole * 60 + part.parse::<u64>().expect("a number"))
}

/// Waits until the decoded laps, those that can be compared with, are as wanted.
async fn laps_become(chromium: &Chromium, wanted: &[(u64, u64)]) {
    const LIST: &str = "return [...document.querySelectorAll('[data-lap][data-time]')]
        .filter(row => row.querySelector('[data-testid=compare]'))
        .map(row => [Number(row.dataset.lap), Number(row.dataset.time)]).reverse()";
    let began = Instant::now();
    loop {
        let shown: Vec<(u64, u64)> = serde_json::from_value(chromium.ask(LIST).await).expect("pairs");
        if shown == wanted {
            return;
        }
        assert!(began.elapsed() < PATIENCE, "shown {shown:?}, driven {wanted:?}");
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
}

#[tokio::test]
#[ignore = "needs a browser: run cargo xtask test"]
async fn a_recording_plays_like_a_game_and_can_be_jumped_in() {
    let program = Program::start(&[]);
    let chromium = Chromium::open(Window::ALL[0]).await;
    let recorded = RecordedRace::new("played", SECONDS);
    let laps = recorded.lap_times();
    assert!(laps.len() >= 2, "{laps:?}");
    chromium.client.goto(&program.url).await.expect("the page");
    let field =
        chromium.client.wait().for_element(Locator::Css("[data-testid='open']")).await.expect("a button");
    field.send_keys(&recorded.file.to_string_lossy()).await.expect("a file chosen");

    // Playback starts automatically, with only part of the file read.
    chromium.until("[data-figure='speed']", |text| text.parse::<u32>().is_ok_and(|speed| speed > 50)).await;
    let read = cost(&chromium, "read").await;
    assert!(read > 0 && read < recorded.bytes / 2, "{read} of {}", recorded.bytes);

    // All laps are listed at once, and none has been decoded yet.
    let listed: Vec<(u64, u64)> = shown_laps(&chromium).await.into_iter().collect();
    assert_eq!(listed, laps);
    laps_become(&chromium, &[]).await;

    // At the end every lap is decoded, with its driven time.
    press(&chromium, "End").await;
    laps_become(&chromium, &laps).await;
    let cars = chromium.ask("return document.querySelector('[data-figure=map]').dataset.cars").await;
    assert_eq!(cars.as_str(), Some("6"));
    assert!(place(&chromium).await >= SECONDS as u64 - 1);

    for window in Window::ALL {
        chromium.look(window).await;
        chromium.picture(&format!("replay-{}-{}", window.width, window.theme)).await;
        chromium.check_clean().await;
    }
    chromium.look(Window::ALL[0]).await;

    // Back at the beginning, later laps are no longer known.
    press(&chromium, "Home").await;
    laps_become(&chromium, &[]).await;
    // Playback paused at the end, and stays paused.
    assert!(place(&chromium).await <= 1);
    press(&chromium, " ").await;
    chromium.until("[data-figure='replay-time'] b", |text| text == "0:02" || text == "0:03").await;
    press(&chromium, " ").await;
    let rests = place(&chromium).await;
    tokio::time::sleep(Duration::from_millis(1500)).await;
    assert_eq!(place(&chromium).await, rests, "it rests");
    press(&chromium, "ArrowRight").await;
    chromium.until("[data-figure='replay-time'] b", |text| text == format!("0:{:02}", rests + 5)).await;

    // Eight times as fast.
    let faster = "const speed = document.querySelector('[data-testid=speed]'); speed.value = '8';
        speed.dispatchEvent(new Event('change', { bubbles: true }))";
    chromium.ask(faster).await;
    press(&chromium, " ").await;
    chromium.until("[data-figure='replay-time'] b", |text| text.len() == 4 && text >= "0:35").await;
    press(&chromium, " ").await;

    // Dragging the slider into the second lap: the first lap is known then.
    let at = recorded.begins_s(1) + 60.0;
    let scrub = format!(
        "const line = document.querySelector('[data-testid=scrub]'); line.value = '{at}';
        line.dispatchEvent(new Event('input', {{ bubbles: true }})); line.dispatchEvent(new Event('change', {{ bubbles: true }}))"
    );
    chromium.ask(&scrub).await;
    laps_become(&chromium, &laps[..1]).await;

    let close =
        chromium.client.find(Locator::Css("[data-testid='close-recording']")).await.expect("a button");
    close.click().await.expect("a click");
    chromium.until("h1", |text| text == "Waiting for a game").await;
    chromium.check_clean().await;
    chromium.close().await;
}

/// Drops a file on the page.
pub(crate) async fn drop_file(chromium: &Chromium, name: &str, bytes: &[u8]) {
    let script = "const bytes = new Uint8Array(arguments[1]);
        const dropped = new DataTransfer();
        dropped.items.add(new File([bytes], arguments[0]));
        const on = document.querySelector('main');
        on.dispatchEvent(new DragEvent('dragover', { dataTransfer: dropped, bubbles: true, cancelable: true }));
        on.dispatchEvent(new DragEvent('drop', { dataTransfer: dropped, bubbles: true, cancelable: true }));";
    let arguments: Vec<Value> = vec![json!(name), json!(bytes)];
    chromium.client.execute(script, arguments).await.expect("a drop");
}

#[tokio::test]
#[ignore = "needs a browser: run cargo xtask test"]
async fn a_dropped_file_opens_or_says_why_not() {
    let program = Program::start(&[]);
    let chromium = Chromium::open(Window::ALL[2]).await;
    let recorded = RecordedRace::new("dropped", 40.0);
    chromium.client.goto(&program.url).await.expect("the page");
    chromium.text("h1").await;
    drop_file(&chromium, "holiday.jpg", &[0xff; 4000]).await;
    let words = chromium.until("[data-testid='faults']", |text| text.contains("holiday.jpg")).await;
    assert!(words.contains("recording"), "{words}");
    chromium.picture("replay-refused").await;

    // A recording whose relay was killed while writing.
    let whole = std::fs::read(&recorded.file).expect("a file");
    drop_file(&chromium, "killed.mcap", &whole[..whole.len() / 4]).await;
    chromium.until("[data-figure='speed']", |text| text.parse::<u32>().is_ok_and(|speed| speed > 50)).await;
    chromium.until("[data-testid='faults']", |text| text.contains("killed.mcap was not finished")).await;
    chromium.check_clean().await;
    chromium.close().await;
}

#[tokio::test]
#[ignore = "needs a browser: run cargo xtask test"]
async fn a_file_without_an_index_is_searched_and_that_can_be_cancelled() {
    let program = Program::start(&[]);
    let chromium = Chromium::open(Window::ALL[0]).await;
    let recorded = RecordedRace::new("searched", SECONDS);
    let whole = std::fs::read(&recorded.file).expect("a file");
    let cut = recorded.folder().join("cut.mcap");
    std::fs::write(&cut, &whole[..whole.len() / 10 * 9]).expect("a file");
    chromium.client.goto(&program.url).await.expect("the page");
    let field =
        chromium.client.wait().for_element(Locator::Css("[data-testid='open']")).await.expect("a button");
    // Collects every progress value, and cancels at the first.
    let watch = "window.shares = []; window.cancel = true;
        new MutationObserver(() => {
            const opening = document.querySelector('[data-testid=opening]');
            if (!opening) return;
            shares.push(opening.querySelector('progress').value);
            if (cancel) opening.querySelector('button').click();
        }).observe(document.body, { subtree: true, childList: true, characterData: true })";
    chromium.ask(watch).await;
    field.send_keys(&cut.to_string_lossy()).await.expect("a file chosen");
    until(&chromium, "shares.length > 0 && !document.querySelector('[data-testid=opening]')").await;
    chromium.settled().await;
    assert_eq!(chromium.text("h1").await, "Waiting for a game");

    chromium.ask("cancel = false; shares.length = 0").await;
    field.send_keys(&cut.to_string_lossy()).await.expect("a file chosen");
    chromium.text("[data-figure='transport']").await;
    let shares: Vec<f64> = serde_json::from_value(chromium.ask("return shares").await).expect("numbers");
    assert!(shares.is_sorted() && shares.len() >= 4, "{shares:?}");
    let (first, last) = (shares[0], shares[shares.len() - 1]);
    assert!(first == 0.0 && (0.5..1.0).contains(&last), "{shares:?}");
    chromium.until("[data-testid='faults']", |text| text.contains("cut.mcap was not finished")).await;
    chromium.check_clean().await;
    chromium.close().await;
}
