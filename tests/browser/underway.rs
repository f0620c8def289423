//! A recording under way, opened late: earlier laps show at once, and at its end playback continues with the game.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use fantoccini::Locator;
use serde_json::Value;

use crate::PATIENCE;
use crate::chromium::{Chromium, Window};
use crate::demo::{TruthFile, shown_laps};
use crate::program::Program;
use crate::recording_links::until;
use crate::replay::{place, press};

/// A folder that is deleted with the test.
struct Folder(PathBuf);

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// The recording under way, once the library lists at least `laps` laps of the player.
async fn underway(chromium: &Chromium, laps: u64) -> String {
    const LIST: &str =
        "const asked = new XMLHttpRequest(); asked.open('GET', '/library', false); asked.send();
        return JSON.parse(asked.responseText).recordings";
    let began = Instant::now();
    loop {
        let list = chromium.ask(LIST).await;
        let recordings = list.as_array().expect("a list").iter();
        let mut under_way = recordings.filter(|entry| entry["underway"] == Value::Bool(true));
        if let Some(entry) = under_way.find(|entry| entry["laps"].as_u64() >= Some(laps)) {
            return entry["id"].as_str().expect("an id").to_owned();
        }
        assert!(began.elapsed() < PATIENCE, "{list}");
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
}

#[tokio::test]
#[ignore = "needs a browser: run cargo xtask test"]
async fn who_joins_late_sees_the_earlier_laps_and_goes_on_with_the_game() {
    let folder = Folder(std::env::temp_dir().join(format!("trailbrake-underway-{}", std::process::id())));
    let truth = TruthFile::new("underway");
    let (path, file) = (folder.0.to_string_lossy(), truth.path());
    let demo = [
        "--demo=f1-2018",
        "--demo-seed",
        "3",
        "--demo-speed",
        "8",
        "--demo-from",
        "160",
        "--demo-truth",
        &file,
    ];
    let recorded = ["--record-demo", "--recordings", &path];
    let program = Program::recording(&[&demo[..], &recorded].concat());
    let chromium = Chromium::open(Window::ALL[2]).await;
    chromium.client.goto(&format!("{}/#/connections", program.url)).await.expect("the page");
    let id = underway(&chromium, 2).await;
    // On a busy machine the recorder of a demo at eight times the speed may be seconds behind.
    chromium.until("[data-testid='recording']", |text| text.starts_with("Recording 0:")).await;

    chromium.ask(&format!("location.hash = '#/live?recording={id}'")).await;
    chromium.text("[data-figure='transport']").await;
    until(&chromium, "document.querySelectorAll('[data-lap][data-time]').length >= 2").await;
    // Only the beginning has been played.
    assert!(place(&chromium).await < 20);
    let shown = shown_laps(&chromium).await;
    let known = truth.laps();
    for (number, millis) in &shown {
        assert_eq!(known.get(number), Some(millis), "lap {number}");
    }
    chromium.picture("underway").await;

    // At the end playback waits, and continues with what is driven meanwhile.
    press(&chromium, "End").await;
    let end = place(&chromium).await;
    let began = Instant::now();
    while place(&chromium).await < end + 8 {
        assert!(began.elapsed() < PATIENCE, "it stands at {end}");
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    chromium.until("[data-figure='replay-state']", |text| text.contains("behind the game")).await;
    chromium.until("[data-testid='close-recording']", |text| text == "Game is live: switch").await;
    chromium.picture("underway-end").await;
    let close =
        chromium.client.find(Locator::Css("[data-testid='close-recording']")).await.expect("a button");
    close.click().await.expect("a click");
    chromium.until("[data-testid='link']", |text| text.contains("packets/s")).await;
    chromium.until("[data-figure='speed']", |text| text.parse::<u32>().is_ok_and(|speed| speed > 50)).await;
    until(&chromium, "!document.querySelector('[data-figure=transport]')").await;
    chromium.check_clean().await;
    chromium.close().await;
}
