//! Which laps are compared: excluded laps, other cars, other tracks, and the all-time best.

use trailbrake_shared::feed::Feed;
use trailbrake_shared::model::Track;
use trailbrake_shared::recording::facts::DECODER;
use trailbrake_shared::recording::{LapTable, SessionSummary};
use trailbrake_shared::sim::Options;

use crate::analyse::{number, recorded};
use crate::chromium::{Chromium, Window};
use crate::program::Program;
use crate::recorded::{BEGAN, RecordedRace, with_facts};
use crate::recording_links::{address, serving, until};
use crate::replay::{drop_file, press};

/// Clicks a button in a lap's row.
async fn press_in_row(chromium: &Chromium, lap: u64, action: &str) {
    let selector = format!("[data-lap='{lap}'] [data-testid={action}]");
    chromium.ask(&format!("document.querySelector(\"{selector}\").click()")).await;
}

/// The elements of a list with the numbers of the compared laps.
const CHIPS: &str =
    "...[...document.querySelectorAll('.chip')].map(chip => Number(chip.innerText.match(/Lap (\\d+)/)[1]))";

/// The bytes of a recording with changed summaries of its sessions, as this version of the decoders wrote it.
fn with_summaries(
    file: &std::path::Path,
    decoder: u32,
    mut change: impl FnMut(&mut SessionSummary),
) -> Vec<u8> {
    with_facts(file, |facts| {
        let mut session: SessionSummary = facts.get().expect("a session").expect("a session");
        let mut laps: LapTable = facts.get().expect("laps").expect("laps");
        change(&mut session);
        laps.sessions.iter_mut().for_each(&mut change);
        facts.put(BEGAN, &session);
        facts.put(BEGAN, &LapTable { decoder, ..laps });
    })
}

/// Writes a track name into a recording, as a game does that sends it.
fn name_track(file: &std::path::Path) {
    let track = Track { id: "mill".to_owned(), name: Some("Old mill".to_owned()), recognised: None };
    let bytes = with_summaries(file, DECODER, |summary| {
        summary.info.as_mut().expect("a session").track = Some(track.clone());
    });
    std::fs::write(file, bytes).expect("room on the disk");
}

/// The best time in the list's header.
async fn best(chromium: &Chromium) -> String {
    chromium.text("#lap-list [data-figure=best]").await
}

/// A lap time as the page prints it.
fn printed(millis: u64) -> String {
    trailbrake_shared::time::LapTime(millis as u32).to_string()
}

#[tokio::test]
#[ignore = "needs a browser: run cargo xtask test"]
async fn a_lap_that_is_left_out_counts_nowhere_until_it_is_taken_in() {
    let recorded = recorded("left-out");
    let mut laps = recorded.lap_times();
    laps.sort_by_key(|(_, time)| *time);
    let [(quickest, quickest_ms), (next, next_ms), ..] = laps.as_slice() else { panic!("{laps:?}") };
    let (quickest, next) = (*quickest, *next);
    let latest = recorded.lap_times().last().expect("a lap").0;
    let program = serving(&recorded);
    let chromium = Chromium::open(Window::ALL[0]).await;
    let link = format!("{}/#/analyse?recording={}", program.url, recorded.id);
    chromium.client.goto(&link).await.expect("the page");
    until(&chromium, "document.querySelector('[data-figure=apart]')").await;
    assert_eq!(best(&chromium).await, format!("best {}", printed(*quickest_ms)));
    let purple =
        |lap: u64| format!("document.querySelectorAll(\"[data-lap='{lap}'] [data-rank=best]\").length");
    let purple_of_quickest = chromium.ask(&format!("return {}", purple(quickest))).await.as_u64();
    assert!(purple_of_quickest > Some(0), "{purple_of_quickest:?}");

    // The row is struck through, and its best sectors pass to other laps.
    press_in_row(&chromium, quickest, "exclude-lap").await;
    until(&chromium, &format!("document.querySelector(\"[data-lap='{quickest}']\").dataset.out == ''")).await;
    let struck = format!(
        "return getComputedStyle(document.querySelector(\"[data-lap='{quickest}'] th button\")).textDecorationLine"
    );
    assert_eq!(chromium.ask(&struck).await, "line-through");
    assert_eq!(best(&chromium).await, format!("best {}", printed(*next_ms)));
    assert_eq!(chromium.ask(&format!("return {}", purple(quickest))).await, 0);
    assert_eq!(
        chromium.ask("return document.querySelectorAll('#lap-list [data-rank=best]').length").await,
        3,
        "each sector has one best"
    );
    // By default the latest and the best counted laps are compared.
    let counting: Vec<u64> =
        recorded.lap_times().iter().map(|(lap, _)| *lap).filter(|lap| *lap != quickest).collect();
    let last = *counting.last().expect("a lap");
    let reference = if last == next { laps[2].0 } else { next };
    let compared = |laps: &str| format!("[{CHIPS}].join().startsWith('{laps}')");
    until(&chromium, &compared(&format!("{last},{reference}"))).await;
    press(&chromium, "f").await;
    until(&chromium, &compared(&format!("{next},"))).await;

    // The exclusion is in the address, and the browser remembers it without the address.
    let serial = recorded.laps.iter().find(|row| u64::from(row.lap.number) == quickest).expect("the lap");
    let parameter = format!("without=0.{}.{}", serial.car.0, serial.lap.serial);
    let seen = address(&chromium).await;
    assert!(seen.contains(&parameter), "{seen}");
    for again in [format!("{}/{seen}", program.url), link] {
        chromium.client.goto("about:blank").await.expect("nothing");
        chromium.client.goto(&again).await.expect("the page");
        until(&chromium, &format!("document.querySelector(\"[data-lap='{quickest}']\")?.dataset.out == ''"))
            .await;
        assert_eq!(best(&chromium).await, format!("best {}", printed(*next_ms)));
    }
    chromium.picture("analyse-left-out").await;

    // The key excludes the main lap; pressed again, it includes it.
    press_in_row(&chromium, quickest, "exclude-lap").await;
    until(&chromium, "!document.querySelector('#lap-list [data-out]')").await;
    assert_eq!(best(&chromium).await, format!("best {}", printed(*quickest_ms)));
    press_in_row(&chromium, latest, "lap").await;
    press(&chromium, "e").await;
    until(&chromium, &format!("document.querySelector(\"[data-lap='{latest}']\").dataset.out == ''")).await;
    press(&chromium, "e").await;
    until(&chromium, "!document.querySelector('#lap-list [data-out]')").await;
    assert!(!address(&chromium).await.contains("without="));
    chromium.check_clean().await;

    // The button is large enough for a finger.
    for window in [Window::ALL[2], Window { width: 390, height: 844, theme: "dark" }] {
        chromium.look(window).await;
        chromium.add_touch_screen().await;
        const SMALL: &str = "return [...document.querySelectorAll('#lap-list button')]
            .filter(button => button.dataset.testid != 'lap')
            .map(button => button.getBoundingClientRect()).filter(box => box.width < 44 || box.height < 44).length";
        until(&chromium, "matchMedia('(pointer: coarse)').matches").await;
        assert_eq!(chromium.ask(SMALL).await, 0);
        let beyond = "return document.querySelector('#lap-list').scrollWidth - document.querySelector('#lap-list').clientWidth";
        assert_eq!(chromium.ask(beyond).await, 0);
        chromium.picture(&format!("analyse-touched-{}", window.width)).await;
        chromium.check_clean().await;
    }
    chromium.close().await;
}

#[tokio::test]
#[ignore = "needs a browser: run cargo xtask test"]
async fn a_file_of_an_older_version_gains_what_this_one_reads_in_its_packets() {
    let race = RecordedRace::show("older", Feed::AcServer, 200.0, Options { seed: 3, ..Options::default() });
    let bytes = std::fs::metadata(&race.file).expect("the file").len();
    let summary: SessionSummary =
        crate::recorded::open(&race.file, bytes).facts().get().expect("a fact").expect("a session");
    let track = summary.track().and_then(|track| track.name.clone()).expect("a name");
    let older = with_summaries(&race.file, DECODER - 1, |summary| {
        summary.info.as_mut().expect("a session").track = None;
    });
    let program = Program::start(&[]);
    let chromium = Chromium::open(Window::ALL[0]).await;
    chromium.client.goto(&format!("{}/#/analyse", program.url)).await.expect("the page");
    chromium.until("#nothing b", |text| text == "No laps yet").await;
    drop_file(&chromium, "older.trailbrake.mcap", &older).await;
    chromium.until("#session [data-figure=track]", |text| text == track).await;
    until(&chromium, "document.querySelector('#lap-list [data-lap][data-time]')").await;
    chromium.check_clean().await;
    chromium.close().await;
}

#[tokio::test]
#[ignore = "needs a browser: run cargo xtask test"]
async fn laps_of_other_cars_and_tracks_stand_side_by_side_under_a_warning() {
    let race = |name: &str, seconds: f64, circuit: usize| {
        let options = Options { cars: 3, player: 0, circuit, seed: 8, again: false, ..Options::default() };
        RecordedRace::race(name, seconds, options)
    };
    let (here, elsewhere) = (race("here", 240.0, 0), race("elsewhere", 241.0, 2));
    let program = Program::start(&[]);
    let chromium = Chromium::open(Window::ALL[0]).await;
    chromium.client.goto(&format!("{}/#/analyse", program.url)).await.expect("the page");
    chromium.until("#nothing b", |text| text == "No laps yet").await;
    drop_file(&chromium, "here.trailbrake.mcap", &std::fs::read(&here.file).expect("the file")).await;
    until(&chromium, "document.querySelector('[data-figure=apart]')").await;
    assert_eq!(chromium.ask("return document.querySelectorAll('#note p').length").await, 0);

    // Every driver with laps can be selected, the player first. Their laps have their own times.
    const SEATS: &str =
        "return [...document.querySelectorAll('[data-testid=seat] option')].map(one => one.innerText)";
    let seats: Vec<String> = serde_json::from_value(chromium.ask(SEATS).await).expect("names");
    assert_eq!(seats.len(), 3, "{seats:?}");
    const CHOOSE: &str = "const field = document.querySelector('[data-testid=seat]'); field.value = '1';
        field.dispatchEvent(new Event('change', { bubbles: true }))";
    chromium.ask(CHOOSE).await;
    const TIME: &str = "return Number(document.querySelector('#lap-list [data-lap]').dataset.time)";
    let time = chromium.ask(TIME).await.as_u64().expect("a time");
    assert!(!here.lap_times().iter().any(|(_, own)| *own == time), "{time}");
    let name = seats[1].split(" · ").next().expect("a name").to_owned();

    // Another car is compared at once, and the page names the difference while it is shown.
    chromium.ask("document.querySelector('#lap-list [data-testid=reference]').click()").await;
    let cars = chromium.until("#note [data-figure=cars]", |text| text.contains("different cars")).await;
    assert!(
        cars.starts_with("These laps were driven in different cars: Lap ") && cars.contains(&name),
        "{cars}"
    );
    let apart = number(&chromium, "[data-figure=apart]").await;
    let latest = here.lap_times().last().expect("a lap").1;
    assert!((apart - (latest as f64 - time as f64) / 1e3).abs() < 1e-6, "{apart}");
    assert!(chromium.text("[data-figure=method]").await.starts_with("aligned by position"));
    chromium.picture("analyse-other-car").await;

    // Another track is not compared automatically.
    drop_file(&chromium, "elsewhere.trailbrake.mcap", &std::fs::read(&elsewhere.file).expect("the file"))
        .await;
    until(&chromium, "document.querySelector('#session .others button')").await;
    chromium.ask("document.querySelector('#lap-list [data-testid=lap]').click()").await;
    until(&chromium, "document.querySelector('#note [data-figure=refused]')").await;
    chromium.ask("document.querySelector('#session .others button').click()").await;
    chromium.ask("document.querySelector('#lap-list [data-testid=reference]').click()").await;
    let refused =
        chromium.until("#note [data-figure=refused]", |text| text.contains("different tracks")).await;
    assert!(
        refused.starts_with("These laps can't be compared: they are of different tracks: one is "),
        "{refused}"
    );
    assert!(chromium.ask("return document.querySelector('[data-figure=apart]')").await.is_null());
    chromium.picture("analyse-other-track-refused").await;

    // On request it is: by lap fraction, without corners, and with a warning that stays.
    chromium.ask("document.querySelector('#note [data-testid=anyway]').click()").await;
    chromium.until("#note [data-figure=strangers]", |text| text.contains("by its own lap fraction")).await;
    assert_eq!(chromium.text("[data-figure=method]").await, "aligned by lap fraction");
    let times = [elsewhere.lap_times().last().expect("a lap").1, here.lap_times().last().expect("a lap").1];
    let apart = number(&chromium, "[data-figure=apart]").await;
    let expected = if apart < 0.0 { times } else { [times[0], times[1]] };
    assert!((apart - (expected[0] as f64 - expected[1] as f64) / 1e3).abs() < 1.0, "{apart}");
    for claim in ["#corners tr", "#things .thing"] {
        assert!(
            chromium.ask(&format!("return document.querySelector('{claim}')")).await.is_null(),
            "{claim}"
        );
    }
    let why = chromium.text("[data-testid=panel] .missing").await;
    assert!(why.starts_with("No corners: the laps are of different tracks"), "{why}");
    assert!(address(&chromium).await.contains("anyway=1"));
    press(&chromium, "d").await;
    assert!(chromium.ask("return document.querySelector('#note [data-figure=strangers]')").await.is_object());
    for window in Window::ALL {
        chromium.look(window).await;
        chromium.picture(&format!("analyse-other-track-{}-{}", window.width, window.theme)).await;
        chromium.check_clean().await;
    }
    chromium.look(Window { width: 390, height: 844, theme: "dark" }).await;
    chromium.picture("analyse-other-track-390").await;
    chromium.check_clean().await;

    // Back to laps of one track: the request ends.
    press(&chromium, "f").await;
    chromium.ask("document.querySelector('#lap-list [data-testid=lap]').click()").await;
    chromium.ask("document.querySelectorAll('#lap-list [data-testid=reference]')[1].click()").await;
    until(&chromium, "!document.querySelector('#note [data-figure=strangers]')").await;
    press(&chromium, "Home").await;
    assert!(!address(&chromium).await.contains("anyway"));
    chromium.close().await;
}

#[tokio::test]
#[ignore = "needs a browser: run cargo xtask test"]
async fn one_press_lays_the_shelf_s_lap_beside_those_of_today() {
    let race = |name: &str, seconds: f64, seed: u64| {
        let options = Options { cars: 1, player: 0, seed, again: false, ..Options::default() };
        RecordedRace::race(name, seconds, options)
    };
    let quickest = |recorded: &RecordedRace| {
        recorded.lap_times().into_iter().min_by_key(|(_, time)| *time).expect("a lap")
    };
    let (one, other) = (race("shelf-one", 240.0, 11), race("shelf-other", 241.0, 12));
    let (today, before) = if quickest(&one).1 > quickest(&other).1 { (one, other) } else { (other, one) };
    let (lap, best_ms) = quickest(&before);
    [&today, &before].into_iter().for_each(|recorded| name_track(&recorded.file));
    std::fs::copy(&before.file, today.folder().join("before.trailbrake.mcap")).expect("a copy");
    let program = serving(&today);
    let chromium = Chromium::open(Window::ALL[0]).await;
    let link = format!("{}/#/analyse?recording={}", program.url, today.id);
    chromium.client.goto(&link).await.expect("the page");
    until(&chromium, "document.querySelector('[data-figure=apart]')").await;

    let all_time_best =
        chromium.until("#lap-list [data-figure=all-time-best]", |text| text.contains(':')).await;
    assert!(
        all_time_best.contains(&printed(best_ms)) && all_time_best.contains("Nov 2026"),
        "{all_time_best}"
    );
    chromium.ask("document.querySelector('#lap-list [data-testid=all-time-best]').click()").await;
    const REFERENCE: &str = "document.querySelector(\".chip[data-place='1'] b\")?.innerText";
    until(&chromium, &format!("{REFERENCE} == '{}'", printed(best_ms))).await;
    let latest = today.lap_times().last().expect("a lap").1;
    let apart = number(&chromium, "[data-figure=apart]").await;
    assert!((apart - (latest as f64 - best_ms as f64) / 1e3).abs() < 1e-6, "{apart}");
    assert!(chromium.text("[data-figure=method]").await.starts_with("aligned by position"));
    assert_eq!(
        chromium.ask("return document.querySelectorAll('#note p').length").await,
        0,
        "it is the same car"
    );
    let row = before.laps.iter().find(|row| u64::from(row.lap.number) == lap).expect("the lap");
    let seen = address(&chromium).await;
    let named = format!("reference={}:0.{}.{}", before.id, row.car.0, row.lap.serial);
    assert!(seen.contains(&named), "{seen}");
    chromium.picture("analyse-shelf").await;

    // The address restores it, too, reading the lap from the other recording.
    chromium.client.goto("about:blank").await.expect("nothing");
    chromium.client.goto(&format!("{}/{seen}", program.url)).await.expect("the page");
    until(&chromium, &format!("{REFERENCE} == '{}'", printed(best_ms))).await;
    assert_eq!(address(&chromium).await, seen);

    // In its own recording the lap is in the list itself.
    chromium.client.goto("about:blank").await.expect("nothing");
    chromium
        .client
        .goto(&format!("{}/#/analyse?recording={}", program.url, before.id))
        .await
        .expect("the page");
    chromium
        .until("#lap-list [data-figure=all-time-best]", |text| text.contains(&format!("lap {lap} here")))
        .await;
    chromium.check_clean().await;
    chromium.close().await;
}

#[tokio::test]
#[ignore = "needs a browser: run cargo xtask test"]
async fn the_best_run_of_a_stage_is_called_by_its_run() {
    let options = Options { seed: 11, ..Options::default() };
    let recorded = RecordedRace::show("best-run", Feed::DirtRally, 520.0, options);
    let runs = recorded.laps.iter().filter(|row| row.lap.counts().is_some());
    let best = runs.min_by_key(|row| row.lap.time).expect("a run");
    let program = serving(&recorded);
    let chromium = Chromium::open(Window::ALL[0]).await;
    let link = format!("{}/#/analyse?recording={}", program.url, recorded.id);
    chromium.client.goto(&link).await.expect("the page");
    let run = best.lap.run + 1;
    let words = chromium.until("#lap-list [data-figure=all-time-best]", |text| text.contains(" here")).await;
    assert!(words.contains(&format!("run {run} here")), "{words}");
    chromium.check_clean().await;
    chromium.close().await;
}

#[tokio::test]
#[ignore = "needs a browser: run cargo xtask test"]
async fn purple_is_the_best_of_everybody_and_green_one_s_own() {
    let options = Options { cars: 3, player: 1, seed: 21, again: false, ..Options::default() };
    let recorded = RecordedRace::race("ranks", 320.0, options);
    let program = serving(&recorded);
    let chromium = Chromium::open(Window::ALL[0]).await;
    chromium
        .client
        .goto(&format!("{}/#/analyse?recording={}", program.url, recorded.id))
        .await
        .expect("the page");
    until(&chromium, "document.querySelector('[data-figure=apart]')").await;
    // Of the file only its end is read. The laps come one by one, without the other cars.
    const READ: &str = "return performance.getEntriesByType('resource').map(read => [
        new URL(read.name).pathname.split('/').at(-1), read.encodedBodySize])";
    let read: Vec<(String, u64)> = serde_json::from_value(chromium.ask(READ).await).expect("requests");
    let of = |what: &str| -> Vec<u64> {
        read.iter().filter(|(name, _)| name == what).map(|(_, bytes)| *bytes).collect()
    };
    let (file, laps) = (of("file"), of("lap"));
    assert!(file.iter().sum::<u64>() <= 128 << 10, "{read:?}");
    // A page that has had time reads the laps beside the compared ones too: what counts is the size of each.
    let whole_lap = recorded.bytes / recorded.laps.len() as u64;
    assert!(laps.len() >= 2 && laps.iter().all(|bytes| *bytes < whole_lap * 3 / 4), "{whole_lap}: {read:?}");
    // What the list shows of each driver's laps: time, sector ranks, and the time behind the driver's best.
    const SHOWN: &str = "return [...document.querySelectorAll('#lap-list [data-lap]')].map(row => [
        Number(row.dataset.time), [...row.querySelectorAll('[data-rank]')].map(one => one.dataset.rank),
        row.querySelector('.comparison').innerText])";
    type Shown = Vec<(u64, Vec<String>, String)>;
    let mut shown: Vec<Shown> = Vec::new();
    for place in 0..3 {
        let choose = format!(
            "const field = document.querySelector('[data-testid=seat]'); field.value = '{place}';
            field.dispatchEvent(new Event('change', {{ bubbles: true }}))"
        );
        chromium.ask(&choose).await;
        until(&chromium, &format!("document.querySelector('[data-testid=seat]').value == '{place}'")).await;
        chromium.settled().await;
        shown.push(serde_json::from_value(chromium.ask(SHOWN).await).expect("laps"));
    }
    for sector in 0..3 {
        let of = |rank: &str, laps: &Shown| {
            laps.iter().filter(|(_, ranks, _)| ranks.get(sector).is_some_and(|own| own == rank)).count()
        };
        let best: Vec<usize> = shown.iter().map(|laps| of("best", laps)).collect();
        assert_eq!(best.iter().sum::<usize>(), 1, "sector {sector}: {best:?}");
        // Every other driver has a personal best there.
        for (laps, best) in shown.iter().zip(best) {
            assert_eq!(of("personal", laps) + best, 1, "sector {sector}: {laps:?}");
        }
    }
    for laps in &shown {
        let quickest = laps.iter().map(|(time, ..)| *time).min().expect("a lap");
        for (time, _, comparison) in laps {
            let behind = (time - quickest) as f64 / 1e3;
            let expected = if behind == 0.0 { "best".to_owned() } else { format!("+{behind:.3}") };
            assert_eq!(*comparison, expected, "{laps:?}");
        }
    }
    chromium.check_clean().await;
    chromium.close().await;
}
