//! Assetto Corsa's remote telemetry in the page: a game that sends on request, and one car with its tyres' slip and
//! load.

use std::time::{Duration, Instant};

use trailbrake_shared::feed::Feed;
use trailbrake_shared::sim::{Demo, Options};
use trailbrake_shared::time::Micros;

use crate::PATIENCE;
use crate::chromium::{Chromium, Window};
use crate::demo::shown_laps;
use crate::program::Program;
use crate::tasks::press;

/// Counts elements for channels that the game never sends.
const NEVER_SENT: &str = "return [...document.querySelectorAll('[data-figure=compound]:not(:empty), .shift-lights:not(.absent)')].length";

#[tokio::test]
#[ignore = "needs a browser: run cargo xtask test"]
async fn the_demo_shows_what_the_game_sends_and_nothing_else() {
    // The page runs its own demo; the same seed drives the same laps here.
    let options = Options { seed: 3, ..Options::default() };
    let player = options.player;
    let mut demo = Demo::new(Feed::AcRemote, options, Micros(0)).expect("a demo");
    demo.drive(260.0, &mut |_, _| {});
    let known = demo.truth().sessions[0].finished.iter().filter(|lap| lap.car == player);
    let known: Vec<(u64, u64)> = known.map(|lap| (lap.number.into(), lap.time_ms.into())).collect();
    assert!(known.len() >= 2, "{known:?}");

    let program = Program::start(&[]);
    let chromium = Chromium::open(Window::ALL[0]).await;
    let url = format!("{}/#/live?demo=ac-remote&seed=3&speed=8&from=150", program.url);
    chromium.client.goto(&url).await.expect("the page");
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
    for (number, millis) in known.iter().take(2) {
        assert_eq!(shown.get(number), Some(millis), "lap {number}");
    }
    // Only one car has a position. Of the others only names and laps are sent.
    let cars = chromium.ask("return document.querySelector('[data-figure=map]').dataset.cars").await;
    assert_eq!(cars.as_str(), Some("1"));
    let timing = chromium.until(".timing", |text| text.lines().count() >= 20).await;
    assert!(timing.contains("VÄI") && timing.contains("1:1"), "{timing}");
    // Slip and load of each tyre are sent, temperatures are not.
    chromium.until(".tyres", |text| text.to_lowercase().contains("slip") && !text.contains("inner")).await;
    // The engineer sees more than one number.
    press(&chromium, "view-engineer").await;
    for wheel in ["FL", "FR", "RL", "RR"] {
        let load = format!("[data-wheel={wheel}] [data-figure='tyre_load'] b");
        let newtons = |text: &str| text.strip_suffix(" N").and_then(|load| load.parse::<u32>().ok());
        chromium.until(&load, |text| newtons(text).is_some_and(|load| (100..20_000).contains(&load))).await;
        let slip = format!("[data-wheel={wheel}] [data-figure='tyre-large']");
        chromium.until(&slip, |text| text.parse::<f32>().is_ok_and(|slip| (0.0..10.0).contains(&slip))).await;
    }
    press(&chromium, "view-driver").await;
    // The game names the track by its folder, and sends no race positions.
    chromium.until(".track h2", |text| text.eq_ignore_ascii_case("track · karvala_ring")).await;
    assert!(!timing.contains("leader"), "{timing}");
    chromium.until("[data-figure='steering']", |text| text.ends_with('°')).await;
    chromium.until("[data-figure='delta']", |text| text.starts_with(['+', '−', '0'])).await;
    assert_eq!(chromium.ask(NEVER_SENT).await.as_u64(), Some(0), "nothing is made up");
    for window in Window::ALL {
        chromium.look(window).await;
        chromium.picture(&format!("ac-remote-{}-{}", window.width, window.theme)).await;
        chromium.check_clean().await;
    }
    chromium.close().await;
}

#[tokio::test]
#[ignore = "needs a browser: run cargo xtask test"]
async fn its_row_names_the_game_that_is_asked_and_is_no_trouble() {
    let program = Program::start(&[]);
    let chromium = Chromium::open(Window::ALL[2]).await;
    chromium.client.goto(&program.url).await.expect("the page");
    let row = chromium.until("[data-feed='ac-remote']", |text| text.contains("Asks the game at")).await;
    assert!(row.contains("asks 127.0.0.1:9996"), "{row}");
    let outlook = chromium
        .ask("return document.querySelector('[data-feed=ac-remote] [data-testid=talk]').dataset.outlook");
    assert_eq!(outlook.await.as_str(), Some("waiting"));
    chromium.picture("ac-remote-asked").await;
    chromium.check_clean().await;
    chromium.close().await;
}

#[tokio::test]
#[ignore = "needs a browser: run cargo xtask test"]
async fn a_game_that_is_asked_leads_to_the_live_page() {
    let program = Program::start(&["--demo=ac-remote"]);
    let chromium = Chromium::open(Window::ALL[2]).await;
    chromium.client.goto(&program.url).await.expect("the page");
    chromium.until("[data-figure='speed']", |text| text.parse::<u32>().is_ok_and(|speed| speed > 50)).await;
    chromium.client.goto(&format!("{}/#/connections", program.url)).await.expect("the page");
    chromium
        .until("[data-feed='ac-remote']", |text| {
            text.contains("The game at 127.0.0.1:") && text.contains("sends.")
        })
        .await;
    chromium.check_clean().await;
    chromium.close().await;
}
