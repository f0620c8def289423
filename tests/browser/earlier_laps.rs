//! Earlier laps: of the recording under way, of previous sessions, and of a recording of which only a clip is here.

use std::time::{Duration, Instant};

use serde_json::Value;
use trailbrake_shared::feed::Feed;
use trailbrake_shared::recording::{LapRow, Reading, RecordingId, Trim};
use trailbrake_shared::sim::Options;

use crate::PATIENCE;
use crate::chromium::{Chromium, Window};
use crate::library::{Folder, click};
use crate::program::Program;
use crate::recorded::{self, RecordedRace};
use crate::recording_links::{address, until};
use crate::replay::drop_file;

const LIST: &str = "const asked = new XMLHttpRequest(); asked.open('GET', '/library', false); asked.send();
    return JSON.parse(asked.responseText).recordings";

/// The id of the recording under way, once it has `laps` laps.
async fn underway(chromium: &Chromium, laps: u64) -> String {
    let began = Instant::now();
    loop {
        let list = chromium.ask(LIST).await;
        let mut entries = list.as_array().expect("a list").iter();
        let is_there = |entry: &&Value| entry["underway"] == true && entry["laps"].as_u64() >= Some(laps);
        if let Some(entry) = entries.find(is_there) {
            return entry["id"].as_str().expect("an id").to_owned();
        }
        assert!(began.elapsed() < PATIENCE, "{list}");
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
}

/// Runs two sessions of a game in a row, from these seconds of their races on: in the second one, the laps of both are
/// found. A game that is asked sends nothing of what it drove before.
async fn check(feed: &str, names_track: bool, from: [&str; 2]) {
    let folder = Folder::new(&format!("earlier-{feed}"));
    let recordings = folder.0.to_string_lossy().into_owned();
    let demo = format!("--demo={feed}");
    let record = ["--record-demo", "--recordings", &recordings];
    let first = [&[&demo, "--demo-speed", "20", "--demo-from", from[0]], &record[..]].concat();
    let first = Program::recording(&first);
    let chromium = Chromium::open(Window::ALL[0]).await;
    chromium.client.goto(&format!("{}/#/library", first.url)).await.expect("the page");
    underway(&chromium, 3).await;
    chromium.client.goto("about:blank").await.expect("nothing");
    drop(first);

    let slowly = [&[&demo, "--demo-speed", "4", "--demo-from", from[1]], &record[..]].concat();
    let second = Program::recording(&slowly);
    chromium.client.goto(&format!("{}/#/live", second.url)).await.expect("the page");
    if names_track {
        // From the first lap on, the best lap of the previous session is the reference, and the map shows the whole
        // track.
        chromium.until(".delta", |text| text.contains("all-time best 1:")).await;
        chromium.until("[data-figure=delta]", |text| text.contains('.')).await;
        chromium.picture(&format!("earlier-best-{feed}")).await;
    }
    until(&chromium, "document.querySelectorAll('.laps [data-lap][data-time]').length >= 2").await;
    // The laps driven now are compared with all recordings, and the track has the same name on both pages.
    let live = chromium.text("[data-figure=map] h2").await;
    chromium.ask("location.hash = '#/analyse'").await;
    chromium.until("[data-figure=all-time-best]", |text| text.contains("1:")).await;
    if let Some((_, name)) = live.split_once(" · ") {
        let session = chromium.text("#session").await;
        assert!(session.to_lowercase().contains(&name.to_lowercase()), "{feed}: {session}, {live}");
    }

    // In the library, one button opens the laps of the recording under way.
    let id = underway(&chromium, 2).await;
    chromium.ask("location.hash = '#/library'").await;
    until(&chromium, "document.querySelector('#seen .underway')").await;
    chromium.ask("document.querySelector('#seen .underway').click()").await;
    until(&chromium, "document.querySelector('[data-testid=analyse-recording]')").await;
    chromium.ask("document.querySelector('[data-testid=analyse-recording]').click()").await;
    until(&chromium, &format!("location.hash.includes('recording={id}&')")).await;
    until(&chromium, "document.querySelectorAll('#lap-list [data-testid=lap]').length >= 2").await;
    chromium.check_clean().await;
    chromium.close().await;
}

#[tokio::test]
#[ignore = "needs a browser: run cargo xtask test"]
async fn a_race_is_found_beside_those_before_it() {
    check("f1-2018", false, ["230", "130"]).await;
}

#[tokio::test]
#[ignore = "needs a browser: run cargo xtask test"]
async fn laps_of_a_track_without_a_title_are_found_beside_those_before_them() {
    check("ac-remote", true, ["0", "0"]).await;
}

#[tokio::test]
#[ignore = "needs a browser: run cargo xtask test"]
async fn a_clip_answers_to_links_that_name_the_recording_it_was_cut_out_of() {
    let whole = RecordedRace::new("cut", 420.0);
    let recording = recorded::open(&whole.file, whole.bytes);
    let bytes = std::fs::read(&whole.file).expect("the file");
    let own: Vec<_> =
        whole.laps.iter().filter(|row| row.lap.time.is_some() && row.lap.number >= 2).cloned().collect();
    let [main, reference, ..] = own.as_slice() else { panic!("too few laps") };
    let laps = [main.clone(), reference.clone()];
    let mut trim = Trim::new(&recording, &laps, Default::default(), RecordingId(0xc11b));
    while let Some(range) = trim.needs() {
        trim.give(&bytes[range.start as usize..range.end as usize]);
    }
    let clip = trim.finish();

    let program = Program::start(&[]);
    let chromium = Chromium::open(Window::ALL[0]).await;
    let name = |row: &trailbrake_shared::recording::LapRow| {
        format!("{}.{}.{}", row.session, row.car.0, row.lap.serial)
    };
    let link = format!(
        "#/analyse?recording={}&lap={}&reference={}&corner=2&cursor=500.000",
        whole.id,
        name(main),
        name(reference)
    );
    chromium.client.goto(&format!("{}/{link}", program.url)).await.expect("the page");
    chromium.until("#nothing", |text| text.contains("isn't in the library")).await;
    drop_file(&chromium, "clip.trailbrake.mcap", &clip).await;
    until(&chromium, "document.querySelector('[data-figure=apart]')").await;
    let shown = address(&chromium).await;
    assert!(shown.contains(&format!("&lap={}&reference={}", name(main), name(reference))), "{shown}");
    assert!(shown.contains("&corner=2") && shown.contains("cursor=500.000"), "{shown}");

    // A pasted link opens here, whatever host it names.
    chromium.ask("location.hash = '#/connections'").await;
    let paste = format!(
        "const pasted = new DataTransfer(); pasted.setData('text', 'http://10.1.2.3:8777/{link}');
        document.body.dispatchEvent(new ClipboardEvent('paste', {{ clipboardData: pasted, bubbles: true }}))"
    );
    chromium.ask(&paste).await;
    until(
        &chromium,
        "location.hash.startsWith('#/analyse') && document.querySelector('[data-figure=apart]')",
    )
    .await;
    chromium.close().await;
}

#[tokio::test]
#[ignore = "needs a browser: run cargo xtask test"]
async fn anybodys_lap_is_the_reference_on_live_in_two_clicks() {
    let friend = RecordedRace::new("rival", 300.0);
    let lap = friend.laps.iter().find(|row| row.lap.counts().is_some()).expect("a lap");
    let (time, driver) = (lap.lap.time.expect("a time").to_string(), lap.driver.clone().expect("a name"));
    let folder = Folder::new("rival");
    let options = Options { seed: 7, cars: 1, player: 0, ..Options::default() };
    let stage = RecordedRace::show("rival-stage", Feed::DirtRally, 200.0, options);
    for (name, race) in [("friend", &friend), ("stage", &stage)] {
        folder.put(name, &std::fs::read(&race.file).expect("the file"));
    }
    let recordings = folder.0.to_string_lossy().into_owned();
    let demo = ["--demo=f1-2018", "--demo-from", "100", "--recordings", &recordings];
    let program = Program::recording(&demo);
    let chromium = Chromium::open(Window::ALL[0]).await;
    chromium.client.goto(&format!("{}/#/live", program.url)).await.expect("the page");
    chromium.until("[data-figure=delta-to]", |text| text.contains("to")).await;

    let open = |race: &RecordedRace, row: &LapRow| {
        let lap = format!("{}.{}.{}", row.session, row.car.0, row.lap.serial);
        format!("location.hash = '#/analyse?recording={}&lap={lap}'", race.id)
    };
    chromium.ask(&open(&friend, lap)).await;
    until(&chromium, "document.querySelector('[data-figure=apart], #lap-list [data-testid=lap]')").await;
    click(&chromium, ".lap-tools [data-testid=race]").await;
    chromium.until("[data-figure=delta-to]", |text| text.contains(&driver) && text.contains(&time)).await;
    chromium.until("[data-figure=delta]", |text| text.contains('.')).await;
    for window in Window::ALL {
        chromium.look(window).await;
        chromium.picture(&format!("live-rival-{}-{}", window.width, window.theme)).await;
    }
    chromium.look(Window::ALL[0]).await;

    // Back to the own laps, and to the rival's again.
    let choose = |value: &str| {
        format!(
            "const chooser = document.querySelector('[data-testid=delta-target]'); chooser.value = '{value}';
            chooser.dispatchEvent(new Event('change', {{ bubbles: true }}))"
        )
    };
    chromium.ask(&choose("session")).await;
    chromium.until("[data-figure=delta-to]", |text| !text.contains(&driver)).await;
    chromium.ask(&choose("rival")).await;
    chromium.until("[data-figure=delta-to]", |text| text.contains(&driver)).await;

    // A stage of another game is as long as no lap here.
    let row = stage.laps.first().expect("a run");
    chromium.ask(&open(&stage, row)).await;
    until(
        &chromium,
        &format!("location.hash.includes('{}') && document.querySelector('.lap-tools')", stage.id),
    )
    .await;
    click(&chromium, ".lap-tools [data-testid=race]").await;
    chromium.until("[role=alert]", |text| text.contains("longer or shorter track")).await;
    chromium.check_clean().await;
    chromium.close().await;
}
