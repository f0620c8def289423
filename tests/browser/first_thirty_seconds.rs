//! The first thirty seconds, with each feed's demo as the game: the page waits, switches to Live by itself, lists laps,
//! compares the latest with the best, and has recorded everything without a button.

use trailbrake_shared::feed::{FEEDS, Feed};
use trailbrake_shared::sim::SPOKEN;

use crate::chromium::{Chromium, Window};
use crate::library::Folder;
use crate::program::Program;
use crate::recording_links::until;
use crate::simulated_game::GameSocket;

/// Times as fast as real: a lap takes some four seconds.
const SPEED: f64 = 20.0;
/// The same for the Telemetry Tool, which sends a packet for each value.
const SPEED_OF_MANY_PACKETS: f64 = 8.0;
const TIMED_LAPS: &str = "[...document.querySelectorAll('.laps [data-lap][data-time]')]";

/// A row for each feed, and buttons for the demo and for a recording.
async fn waits_for_a_game(chromium: &Chromium) {
    chromium.until("main h1", |text| text.starts_with("Waiting for a game")).await;
    for row in FEEDS.iter().filter(|row| SPOKEN.contains(&row.feed)) {
        until(chromium, &format!("document.querySelector('[data-feed=\"{}\"]')", row.id)).await;
    }
    until(chromium, "document.querySelector('[data-testid=demo]')").await;
    until(chromium, "document.querySelector('[data-testid=open]')").await;
    assert_eq!(
        chromium.ask("return document.querySelector('[data-testid=recording]')").await,
        serde_json::Value::Null
    );
}

/// The latest lap is compared with the best one, without a click.
async fn compares_latest_with_best(chromium: &Chromium) {
    chromium.ask("location.hash = '#/analyse'").await;
    // One expression, since further laps end meanwhile. A flag marks a lap that does not count.
    let compared = "(() => {
        const laps = [...document.querySelectorAll('#lap-list tr[data-time]')].filter(row => row.dataset.time > 0);
        const [main, reference] = ['main', 'reference'].map(role => laps.find(row => row.classList.contains(role)));
        const counted = laps.filter(row => row != main && !row.querySelector('td.flag'));
        const best = Math.min(...counted.map(row => Number(row.dataset.time)));
        return main && reference && main == laps[0] && reference.dataset.time == best;
    })()";
    until(chromium, compared).await;
    until(chromium, "/aligned by/.test(document.querySelector('main').innerText)").await;
}

async fn walk(feed: Feed) {
    let id = feed.info().id;
    let folder = Folder::new(&format!("first-{id}"));
    let recordings = folder.0.to_string_lossy().into_owned();
    let game = GameSocket::open();
    let asked = game.address().to_string();
    let options = match feed {
        Feed::AcRemote => vec!["--recordings", &recordings, "--ac-game", &asked],
        _ => vec!["--recordings", &recordings],
    };
    let program = Program::recording(&options);
    let chromium = Chromium::open(Window::ALL[2]).await;
    chromium.client.goto(&program.url).await.expect("the page");
    waits_for_a_game(&chromium).await;

    let speed = if feed == Feed::AcTelemetryTool { SPEED_OF_MANY_PACKETS } else { SPEED };
    let game = game.start(feed, program.port(id), speed);
    until(&chromium, "location.hash == '#/live'").await;
    chromium.until("[data-testid='recording']", |text| text.starts_with("Recording ")).await;
    until(&chromium, &format!("{TIMED_LAPS}.length >= 1")).await;
    until(&chromium, &format!("{TIMED_LAPS}.length >= 2")).await;
    // Nobody drives at a server.
    if feed != Feed::AcServer {
        chromium.until("[data-figure='delta']", |text| text.starts_with(['+', '\u{2212}', '0'])).await;
    }
    chromium.picture(&format!("first-{id}")).await;
    compares_latest_with_best(&chromium).await;
    chromium.check_clean().await;

    // Nobody pressed a button: the recording is in the library, and finished once the driver ends Trailbrake.
    until(&chromium, "document.querySelector('[data-testid=recording]')").await;
    chromium.ask("location.hash = '#/library'").await;
    until(&chromium, "document.querySelector('#seen .row.underway')").await;
    drop(game);
    chromium.until("[data-testid='link']", |text| text.contains("no game")).await;
    chromium.until("[data-testid='recording']", |text| text.starts_with("Recorded ")).await;
    assert!(program.interrupt(), "Trailbrake ends well");
    let program = Program::start(&["--recordings", &recordings]);
    chromium.client.goto(&format!("{}/#/library", program.url)).await.expect("the library");
    until(&chromium, "document.querySelector('#seen .row:not(.underway)')").await;
    let laps = "return fetch('/library').then(answer => answer.json())
        .then(list => Math.max(...list.recordings.map(recording => recording.laps)))";
    assert!(chromium.ask(laps).await.as_u64() >= Some(2), "both laps are in the file");
    chromium.close().await;
}

#[tokio::test]
#[ignore = "needs a browser: run cargo xtask test"]
async fn f1() {
    walk(Feed::F1).await;
}

#[tokio::test]
#[ignore = "needs a browser: run cargo xtask test"]
async fn gran_turismo() {
    walk(Feed::GranTurismo).await;
}

#[tokio::test]
#[ignore = "needs a browser: run cargo xtask test"]
async fn assetto_corsa_remote() {
    walk(Feed::AcRemote).await;
}

#[tokio::test]
#[ignore = "needs a browser: run cargo xtask test"]
async fn assetto_corsa_telemetry_tool() {
    walk(Feed::AcTelemetryTool).await;
}

#[tokio::test]
#[ignore = "needs a browser: run cargo xtask test"]
async fn assetto_corsa_lua_app() {
    walk(Feed::AcLua).await;
}

#[tokio::test]
#[ignore = "needs a browser: run cargo xtask test"]
async fn dirt_rally() {
    walk(Feed::DirtRally).await;
}

#[tokio::test]
#[ignore = "needs a browser: run cargo xtask test"]
async fn assetto_corsa_server() {
    walk(Feed::AcServer).await;
}
