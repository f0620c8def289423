//! Recordings opened by id from the relay: links, laps, the back button, and what the page says when one is missing.

use std::time::{Duration, Instant};

use fantoccini::Locator;
use serde_json::Value;

use crate::PATIENCE;
use crate::chromium::{Chromium, Window};
use crate::demo::shown_laps;
use crate::library::click;
use crate::program::Program;
use crate::recorded::RecordedRace;
use crate::replay::{place, press};

/// Long enough for two laps.
const SECONDS: f64 = 240.0;

/// A program that serves the recording's folder.
pub(crate) fn serving(recorded: &RecordedRace) -> Program {
    Program::start(&["--recordings", &recorded.folder().to_string_lossy()])
}

/// A playback cost so far: `opened`, `read` and `memory` in bytes, or `blocks`.
pub(crate) async fn cost(chromium: &Chromium, what: &str) -> u64 {
    let costs = chromium.ask("return document.querySelector('[data-figure=transport]').dataset.cost").await;
    let mut figures = costs.as_str().expect("figures").split(' ').filter_map(|figure| figure.split_once('='));
    let (_, figure) = figures.find(|(name, _)| *name == what).unwrap_or_else(|| panic!("{what}: {costs}"));
    figure.parse().expect("a number")
}

/// Waits until a JavaScript condition is true.
pub(crate) async fn until(chromium: &Chromium, question: &str) {
    let began = Instant::now();
    while chromium.ask(&format!("return Boolean({question})")).await != Value::Bool(true) {
        assert!(began.elapsed() < PATIENCE, "never: {question}");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

pub(crate) async fn address(chromium: &Chromium) -> String {
    chromium.ask("return location.hash").await.as_str().expect("an address").to_owned()
}

/// Waits until playback is at `seconds` from the recording's beginning, or up to 20 seconds later.
async fn plays_from(chromium: &Chromium, seconds: f64) {
    let began = Instant::now();
    loop {
        let at = place(chromium).await as f64;
        if (seconds.floor()..seconds + 20.0).contains(&at) {
            return;
        }
        assert!(began.elapsed() < PATIENCE, "it is at {at} s, and should be at {seconds} s");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

/// Waits until the list has exactly these laps, each with its time.
async fn lists(chromium: &Chromium, laps: &[(u64, u64)]) {
    let began = Instant::now();
    loop {
        let shown: Vec<(u64, u64)> = shown_laps(chromium).await.into_iter().collect();
        if shown == laps {
            return;
        }
        assert!(began.elapsed() < PATIENCE, "the list has {shown:?}, and should have {laps:?}");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

#[tokio::test]
#[ignore = "needs a browser: run cargo xtask test"]
async fn a_link_leads_to_a_lap_and_back_and_reload_come_back_to_it() {
    let recorded = RecordedRace::new("linked", SECONDS);
    assert!(recorded.laps.len() >= 2, "{:?}", recorded.laps);
    let program = serving(&recorded);
    let chromium = Chromium::open(Window::ALL[0]).await;
    let link = format!("#/live?recording={}", recorded.id);
    let lap = |place: usize| format!("&lap={}", recorded.laps[place].lap.serial);
    chromium.client.goto(&format!("{}/{link}{}", program.url, lap(1))).await.expect("the page");

    // Playback begins at the second lap. The list has every lap, and marks the current one.
    plays_from(&chromium, recorded.begins_s(1)).await;
    lists(&chromium, &recorded.lap_times()).await;
    let number = recorded.laps[1].lap.number;
    until(&chromium, &format!("document.querySelector('.laps tr[aria-current]')?.dataset.lap == '{number}'"))
        .await;
    until(&chromium, &format!("location.hash == '{link}&file=linked.trailbrake.mcap{}'", lap(1))).await;

    // The reported bytes match what came over the network.
    press(&chromium, " ").await;
    let fetched = "performance.getEntriesByType('resource').filter(entry => entry.name.includes('/library/'))
        .reduce((sum, entry) => sum + entry.encodedBodySize, 0)";
    let expected = "document.querySelector('[data-figure=transport]').dataset.cost";
    until(&chromium, &format!("{expected}.includes(` read=${{{fetched}}} `)")).await;
    assert!(cost(&chromium, "opened").await <= 64 << 10, "{}", cost(&chromium, "opened").await);

    // Paused, the address names the position, and a reload restores it.
    until(&chromium, "location.hash.includes('&at=') && !location.hash.includes('&lap=')").await;
    let rests = place(&chromium).await;
    chromium.client.refresh().await.expect("a reload");
    plays_from(&chromium, rests as f64).await;

    // A lap in the list is a link, and the back button undoes it.
    let first = format!(".laps tr[data-lap='{}'] a", recorded.laps[0].lap.number);
    click(&chromium, &first).await;
    plays_from(&chromium, recorded.begins_s(0)).await;
    until(&chromium, &format!("location.hash.endsWith('{}')", lap(0))).await;
    chromium.client.back().await.expect("a step back");
    plays_from(&chromium, rests as f64).await;

    // Playback continues while other pages are open; the link to the live page returns to the recording.
    let opened = cost(&chromium, "opened").await;
    let page = |name: &'static str| format!("nav a[href^='#/{name}']");
    click(&chromium, &page("connections")).await;
    chromium.until("h1", |text| text == "Waiting for a game").await;
    click(&chromium, &page("live")).await;
    chromium.text("[data-figure='transport']").await;
    assert!(address(&chromium).await.starts_with(&link));
    assert!(place(&chromium).await >= rests && cost(&chromium, "opened").await == opened);

    for window in Window::ALL {
        chromium.look(window).await;
        chromium.picture(&format!("by-id-{}-{}", window.width, window.theme)).await;
        chromium.check_clean().await;
    }

    // Without a query the page is live, and back reopens the recording.
    chromium.ask("location.hash = '#/live'").await;
    chromium.until("main", |text| text.contains("No game is sending yet")).await;
    chromium.client.back().await.expect("a step back");
    chromium.text("[data-figure='transport']").await;
    chromium.check_clean().await;
    chromium.close().await;
}

#[tokio::test]
#[ignore = "needs a browser: run cargo xtask test"]
async fn a_link_without_its_recording_asks_for_the_file_and_begins_where_it_says() {
    let recorded = RecordedRace::new("elsewhere", SECONDS);
    let other = RecordedRace::new("another", 20.0);
    // This relay only has the other recording.
    let program = serving(&other);
    let chromium = Chromium::open(Window::ALL[2]).await;
    let lap = recorded.laps[1].lap.serial;
    let link = format!("#/live?recording={}&file=elsewhere.trailbrake.mcap&lap={lap}", recorded.id);
    chromium.client.goto(&format!("{}/{link}", program.url)).await.expect("the page");
    let words = chromium.text("[data-figure='missing-recording']").await;
    for detail in ["not found", "elsewhere.trailbrake.mcap", &recorded.id.to_string(), "lap"] {
        assert!(words.contains(detail), "{detail}: {words}");
    }
    for window in Window::ALL {
        chromium.look(window).await;
        chromium.picture(&format!("missing-{}-{}", window.width, window.theme)).await;
        chromium.check_clean().await;
    }
    let field = chromium.client.find(Locator::Css("[data-testid='open']")).await.expect("a button");
    field.send_keys(&recorded.file.to_string_lossy()).await.expect("a file chosen");
    plays_from(&chromium, recorded.begins_s(1)).await;
    assert_eq!(address(&chromium).await, link);
    chromium.check_clean().await;

    // Another file is opened anyway, and the page says that it is another one.
    chromium.client.refresh().await.expect("a reload");
    chromium.text("[data-figure='missing-recording']").await;
    let field = chromium.client.find(Locator::Css("[data-testid='open']")).await.expect("a button");
    field.send_keys(&other.file.to_string_lossy()).await.expect("a file chosen");
    chromium.until("[data-testid='faults']", |text| text.contains("another recording than the one")).await;
    assert!(address(&chromium).await.contains(&other.id.to_string()));
    chromium.close().await;
}

#[tokio::test]
#[ignore = "needs a browser: run cargo xtask test"]
async fn a_relay_that_is_gone_is_waited_for_and_a_recording_that_is_gone_is_not() {
    let recorded = RecordedRace::new("fetched", SECONDS);
    let program = serving(&recorded);
    let chromium = Chromium::open(Window::ALL[0]).await;
    let link = format!("{}/#/live?recording={}", program.url, recorded.id);
    chromium.client.goto(&link).await.expect("the page");
    chromium.until("[data-figure='speed']", |text| text.parse::<u32>().is_ok_and(|speed| speed > 50)).await;
    press(&chromium, " ").await;
    let rests = place(&chromium).await;

    let host = program.url.trim_start_matches("http://").to_owned();
    drop(program);
    press(&chromium, "End").await;
    chromium.until("[data-figure='replay-state']", |text| text.contains("does not answer")).await;
    let folder = recorded.folder().to_string_lossy().into_owned();
    let again = Program::start_at(&host, &["--recordings", &folder]);
    assert_eq!(again.url, format!("http://{host}"));
    chromium.until("[data-figure='replay-state']", str::is_empty).await;
    until(&chromium, "document.querySelector('[data-figure=transport] .line').dataset.behind == 'false'")
        .await;
    assert!(place(&chromium).await > rests);

    // A change rewrites the file's end; playback continues.
    let changed = "const sent = new XMLHttpRequest(); sent.open('PATCH', `/library/${arguments[0]}`, false); sent.setRequestHeader('x-trailbrake', 'page');
        sent.send('{\"name\":\"Wet\"}'); return sent.status";
    let id = Value::String(recorded.id.to_string());
    let status = chromium.client.execute(changed, vec![id]).await.expect("an answer");
    assert_eq!(status.as_u64(), Some(200));
    press(&chromium, "Home").await;
    until(&chromium, "document.querySelector('[data-figure=transport] .line').dataset.behind == 'false'")
        .await;
    press(&chromium, " ").await;
    chromium.until("[data-figure='replay-time'] b", |text| text == "0:02" || text == "0:03").await;

    press(&chromium, " ").await;
    std::fs::remove_file(&recorded.file).expect("a file that is there");
    press(&chromium, "End").await;
    let words = chromium.text("[data-figure='missing-recording'] [data-figure='why']").await;
    assert!(words.contains("deleted"), "{words}");
    chromium.close().await;
}
