//! What a game reports of a race stands on Live: forecast and tyre sets in the engineer's view, rules and positions as
//! panels of one's choice, and at the end the result in the room of the timing table.

use std::collections::BTreeSet;
use std::time::Instant;

use serde_json::Value;
use trailbrake_shared::feed::Feed;
use trailbrake_shared::sim::{Demo, Options, Start};
use trailbrake_shared::time::{LapTime, Micros};
use trailbrake_tests::PATIENCE;

use crate::chromium::{Chromium, Window};
use crate::program::Program;
use crate::simulated_game::GameSocket;

/// The cars of the race, and its laps.
const CARS: usize = 4;
const LAPS: u8 = 3;
/// The rows of each table, cell by cell, by the panel's name.
const TABLES: &str =
    "return Object.fromEntries([...document.querySelectorAll('.dashboard .panel')].map((panel) => [
    panel.classList[1],
    [...panel.querySelectorAll('tr')].map((row) => [...row.children].map((cell) => cell.textContent)),
]))";

fn race() -> Options {
    Options {
        seed: 11,
        start: Start::Grid,
        cars: CARS,
        laps: LAPS,
        player: 1,
        again: false,
        year: 2025,
        ..Options::default()
    }
}

/// The best lap of each car, as the race is truly driven.
fn best_laps() -> BTreeSet<String> {
    let mut demo = Demo::new(Feed::F1, race(), Micros(0)).expect("a demo");
    demo.drive(420.0, &mut |_, _| {});
    let finished = &demo.truth().sessions[0].finished;
    let best = |car| finished.iter().filter(|lap| lap.car == car).map(|lap| lap.time_ms).min();
    (0..CARS).map(|car| LapTime(best(car).expect("a lap")).to_string()).collect()
}

/// Asks the page until the answer is as wanted, and returns it.
async fn until(chromium: &Chromium, script: &str, is_wanted: impl Fn(&Value) -> bool) -> Value {
    let began = Instant::now();
    loop {
        let answer = chromium.ask(script).await;
        if is_wanted(&answer) {
            return answer;
        }
        assert!(began.elapsed() < PATIENCE, "still {answer}");
        chromium.settled().await;
    }
}

#[tokio::test]
#[ignore = "needs a browser: run cargo xtask test"]
async fn what_the_game_reports_of_a_race_stands_on_live() {
    let program = Program::start(&[]);
    let chromium = Chromium::open(Window::ALL[0]).await;
    chromium.client.goto(&format!("{}/#/live", program.url)).await.expect("the page");
    // Quicker, a page that stands still for a moment on a busy machine loses batches, and with them the result.
    let _game = GameSocket::open().drive(Feed::F1, program.port(Feed::F1.id()), 4.0, race());
    chromium.text(".dashboard").await;
    let press = |testid: &str| format!("document.querySelector('[data-testid={testid}]').click()");
    chromium.ask(&press("view-engineer")).await;

    let seen = until(&chromium, TABLES, |seen| {
        let rows = |panel: &str| seen[panel].as_array().map_or(0, Vec::len);
        rows("forecast") > 1 && rows("tyre-sets") > 1
    })
    .await;
    assert_eq!(seen["forecast"][0], serde_json::json!(["In", "Weather", "Rain", "Track", "Air"]));
    assert_eq!(seen["forecast"].as_array().map(Vec::len), Some(6), "{}", seen["forecast"]);
    let sets = seen["tyre-sets"].as_array().expect("rows");
    let last_cells =
        |row: &Value| row.as_array().is_some_and(|cells| cells.iter().any(|cell| cell == "fitted"));
    assert!(last_cells(&sets[1]) && !sets[2..].iter().any(last_cells), "{sets:?}");

    chromium.ask(&press("panels")).await;
    for panel in ["rules", "positions"] {
        let button = format!("[data-panel={panel}] [data-testid=panel]");
        chromium.text(&button).await;
        chromium.ask(&format!("document.querySelector('{button}').click()")).await;
    }
    chromium.ask(&press("close-dialog")).await;
    let seen =
        until(&chromium, TABLES, |seen| seen["rules"].as_array().is_some_and(|rows| rows.len() > 5)).await;
    let has = |rule: &str| seen["rules"].as_array().is_some_and(|rows| rows.iter().any(|row| row[0] == rule));
    assert!(has("Game mode") && has("Gearbox"), "{}", seen["rules"]);

    chromium.until(".timing h2", |title| title.to_lowercase() == "result").await;
    let chart = "return document.querySelector('.positions [role=img]')?.getAttribute('aria-label') ?? ''";
    let end = format!("after lap {LAPS}");
    let words =
        until(&chromium, chart, |words| words.as_str().is_some_and(|words| words.ends_with(&end))).await;
    let words = words.as_str().expect("words");
    let seen =
        until(&chromium, TABLES, |seen| seen["timing"].as_array().map_or(0, Vec::len) == CARS + 1).await;
    let rows = seen["timing"].as_array().expect("rows");
    let column = |head: &str| rows[0].as_array().and_then(|heads| heads.iter().position(|one| one == head));
    let [best, laps] = ["Best", "Laps"].map(|head| column(head).expect(head));
    let driven: BTreeSet<String> = rows[1..]
        .iter()
        .map(|row| row[best].as_str().expect("a time").trim_end_matches(" (fastest)").to_owned())
        .collect();
    assert_eq!(driven, best_laps());
    let driven = LAPS.to_string();
    assert!(rows[1..].iter().all(|row| row[laps] == driven), "{rows:?}");
    // The chart and the result agree on where the driver ended.
    let own = "return document.querySelector('.timing tr.own th').textContent";
    let place = chromium.ask(own).await;
    let place = place.as_str().expect("a place");
    assert!(words.contains(&format!(", {place} after lap")), "{words}: {place}");
    for (name, window) in [("live-report-dark", Window::ALL[0]), ("live-report-light", Window::ALL[3])] {
        chromium.look(window).await;
        chromium.settled().await;
        chromium.picture(name).await;
    }
    chromium.check_clean().await;
    chromium.close().await;
}
