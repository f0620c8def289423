//! Gran Turismo in the page: one car, a track without a name, and a console that sends only on request.

use std::time::{Duration, Instant};

use fantoccini::Locator;

use crate::PATIENCE;
use crate::chromium::{Chromium, Window};
use crate::demo::{TruthFile, shown_laps};
use crate::library::Folder;
use crate::program::Program;
use crate::recording_links::until;

#[tokio::test]
#[ignore = "needs a browser: run cargo xtask test"]
async fn its_laps_are_those_the_simulator_drove_and_its_track_can_be_named() {
    let truth = TruthFile::new("gran-turismo");
    let file = truth.path();
    // Keeps the tests away from the user's own track names.
    let folder = Folder::new("track-names");
    let recordings = format!("--recordings={}", folder.0.display());
    let demo = [
        "--demo=gran-turismo",
        "--demo-seed",
        "4",
        "--demo-speed",
        "8",
        "--demo-from",
        "75",
        "--demo-truth",
        &file,
    ];
    let options = [&demo[..], &[recordings.as_str()]].concat();
    let program = Program::start(&options);
    let chromium = Chromium::open(Window::ALL[0]).await;
    chromium.client.goto(&program.url).await.expect("the page");
    chromium.until("[data-figure='speed']", |text| text.parse::<u32>().is_ok_and(|speed| speed > 50)).await;
    let began = Instant::now();
    let shown = loop {
        let shown = shown_laps(&chromium).await;
        if shown.len() >= 2 {
            break shown;
        }
        assert!(began.elapsed() < PATIENCE, "{shown:?}");
        tokio::time::sleep(Duration::from_millis(200)).await;
    };
    let known = truth.laps();
    for (number, millis) in &shown {
        assert_eq!(known.get(number), Some(millis), "lap {number}; driven were {known:?}");
    }
    let cars = chromium.ask("return document.querySelector('[data-figure=map]').dataset.cars").await;
    assert_eq!(cars.as_str(), Some("1"), "the game sends one car");

    for window in Window::ALL {
        chromium.look(window).await;
        chromium.picture(&format!("gran-turismo-{}-{}", window.width, window.theme)).await;
        chromium.check_clean().await;
    }
    // Each size of window has a place of its own for it.
    let field = Locator::Css("[data-testid='track-name']");
    let field = chromium.client.wait().for_element(field).await.expect("a place for the track's name");
    field.send_keys("The old mill\n").await.expect("typed");
    // The name applies from the next lap on.
    // At a glance the heading is there for screen readers only.
    const NAMED: &str = "document.querySelector(\"[data-figure='map'] h2\").textContent.toLowerCase().includes('the old mill')";
    until(&chromium, NAMED).await;
    let asked = chromium.ask("return document.querySelectorAll('[data-testid=track-name]').length").await;
    assert_eq!(asked.as_u64(), Some(0), "it has a name");
    // The relay's track names have it too, by the track's shape.
    let book = chromium
        .ask(
            "const request = new XMLHttpRequest(); request.open('GET', '/tracks', false); request.send(); \
             return JSON.parse(request.responseText).tracks.map(({ name, fingerprint }) => [name, fingerprint.turns.length])",
        )
        .await;
    assert_eq!(book, serde_json::json!([["The old mill", 256]]));
    chromium.check_clean().await;
    chromium.close().await;
}

#[tokio::test]
#[ignore = "needs a browser: run cargo xtask test"]
async fn the_console_s_answer_stands_in_its_row() {
    let program = Program::start(&[]);
    let chromium = Chromium::open(Window::ALL[2]).await;
    chromium.client.goto(&program.url).await.expect("the page");
    // No console sends to the test's ports, so none is contacted.
    let row =
        chromium.until("[data-feed='gran-turismo']", |text| text.contains("only replies to ports")).await;
    assert!(row.contains("33740"), "{row}");
    chromium.picture("gran-turismo-asked").await;
    chromium.check_clean().await;
    chromium.close().await;
}
