//! For every feed, the page lists the laps of a recording as the lap catalogue does.

use serde_json::Value;
use trailbrake_shared::feed::Feed;
use trailbrake_shared::lap_catalogue::{LapCatalogue, LapEntry, Seat};
use trailbrake_shared::recording::{LapRow, LapTable, ReportedLap};
use trailbrake_shared::sim::Options;

use crate::chromium::{Chromium, Window};
use crate::recorded::{BEGAN, RecordedRace, open, with_facts};
use crate::recording_links::{serving, until};

/// The driver list and the lap list: number and milliseconds of each lap.
const CHOICES: &str = "return [...document.querySelectorAll('[aria-label=\"Whose laps\"] option')]\
    .map(option => option.textContent)";
const LAPS: &str = "return [...document.querySelectorAll('#lap-list tr[data-lap]')]\
    .map(row => [Number(row.dataset.lap), Number(row.dataset.time)])";

/// How many laps have no buttons.
const CLOSED: &str = "return [...document.querySelectorAll('#lap-list tr[data-lap]')]\
    .filter(row => !row.querySelector('button')).length";

/// A driver's finished laps as the page should list them, latest first.
fn finished(catalogue: &LapCatalogue, seat: &LapEntry) -> Vec<(u64, u64)> {
    let stage = seat.session.summary.is_stage();
    let laps = catalogue.listed(catalogue.seat_laps(seat)).into_iter();
    let laps = laps.filter(|entry| entry.lap.ended_s.is_some());
    let number = |entry: &LapEntry| if stage { entry.lap.run + 1 } else { entry.lap.number };
    let time = |entry: &LapEntry| entry.lap.time.map_or(0, |time| u64::from(time.0));
    laps.rev().map(|entry| (number(entry).into(), time(entry))).collect()
}

async fn listed(chromium: &Chromium) -> Vec<(u64, u64)> {
    serde_json::from_value(chromium.ask(LAPS).await).expect("laps")
}

/// A recording as if its first laps had been driven before it began, and the game had reported them.
fn joined_late(mut recorded: RecordedRace) -> RecordedRace {
    let bytes = with_facts(&recorded.file, |facts| {
        let table: LapTable = facts.get().expect("a fact").expect("laps");
        let (first, laps): (Vec<LapRow>, Vec<LapRow>) =
            table.laps.into_iter().partition(|row| row.lap.number == 1);
        let report = |row: LapRow| ReportedLap {
            session: row.session,
            car: row.car,
            run: row.lap.run,
            number: row.lap.number,
            time: row.lap.time.expect("a time"),
            sectors: row.lap.sectors,
            valid: true,
        };
        let reported = first.into_iter().map(report).collect();
        facts.put(BEGAN, &LapTable { laps, reported, ..table });
    });
    std::fs::write(&recorded.file, &bytes).expect("a file");
    recorded.bytes = bytes.len() as u64;
    recorded
}

async fn check(feed: Feed, seconds: f64) {
    let options =
        Options { seed: 11, cars: 3, player: 1, again: false, keep_truth: false, ..Options::default() };
    check_lists(RecordedRace::show(&format!("agreement-{}", feed.id()), feed, seconds, options)).await;
}

async fn check_lists(recorded: RecordedRace) {
    let catalogue = LapCatalogue::of_recording(&open(&recorded.file, recorded.bytes));
    let has_laps = |seat: &Seat<'_>| !finished(&catalogue, seat.first).is_empty();
    let seats: Vec<Seat<'_>> = catalogue.seats().into_iter().filter(has_laps).collect();
    let program = serving(&recorded);
    let chromium = Chromium::open(Window::ALL[0]).await;

    chromium.client.goto(&format!("{}/#/analyse?recording={}", program.url, recorded.id)).await.expect("it");
    until(&chromium, "document.querySelector('#lap-list tr[data-lap]')").await;
    assert_eq!(listed(&chromium).await, finished(&catalogue, seats[0].first), "the first driver's");
    // A lap that only the game reports can't be opened.
    let closed = chromium.ask(CLOSED).await;
    let reported = catalogue.listed(catalogue.seat_laps(seats[0].first)).into_iter();
    assert_eq!(closed, reported.filter(|entry| entry.is_reported()).count());
    let choices: Vec<String> = serde_json::from_value(chromium.ask(CHOICES).await).expect("words");
    if seats.len() > 1 {
        let names = |choice: &String| choice.split(" · ").next().map(str::to_owned);
        let names: Vec<String> = choices.iter().filter_map(names).collect();
        let expected: Vec<String> = seats.iter().map(|seat| seat.first.driver_words()).collect();
        assert_eq!(names, expected);
    } else {
        assert_eq!(choices, [""; 0]);
    }
    for (place, seat) in seats.iter().enumerate().skip(1) {
        let choose = format!(
            "const choice = document.querySelector('[aria-label=\"Whose laps\"]'); choice.value = '{place}'; \
             choice.dispatchEvent(new Event('change', {{ bubbles: true }}));"
        );
        chromium.ask(&choose).await;
        let expected = finished(&catalogue, seat.first);
        let shown = format!(
            "JSON.stringify((() => {{ {LAPS} }})()) == '{}'",
            Value::from_iter(expected.iter().map(|(number, time)| Value::from(vec![*number, *time])),)
        );
        until(&chromium, &shown).await;
    }

    // The library lists the same drivers, with the same names for those without one.
    chromium.client.goto(&format!("{}/#/library?open={}", program.url, recorded.id)).await.expect("it");
    until(&chromium, "document.querySelector('[data-figure=laps] tr[data-lap]')").await;
    let rows =
        chromium.ask("return document.querySelectorAll('[data-figure=laps] tr[data-lap]').length").await;
    let listed = catalogue.listed(catalogue.seat_laps(seats[0].first)).len();
    assert_eq!(rows, listed, "the first driver's in the library");
    // Only laps that were received can be exported.
    let ticks = "return document.querySelectorAll('[data-figure=laps] [data-testid=tick]').length";
    assert_eq!(chromium.ask(ticks).await, catalogue.seat_laps(seats[0].first).count());
    let choices = chromium.ask(CHOICES).await.to_string();
    for seat in &seats {
        assert!(seats.len() == 1 || choices.contains(&seat.first.driver_words()), "{choices}");
    }
    chromium.check_clean().await;
}

macro_rules! feeds {
    ($($test:ident $feed:ident $seconds:literal;)*) => { $(
        #[tokio::test]
        #[ignore = "needs a browser: run cargo xtask test"]
        async fn $test() {
            check(Feed::$feed, $seconds).await;
        }
    )* };
}

feeds! {
    the_page_lists_the_laps_of_f1_2018 F1 220.0;
    the_page_lists_the_laps_of_gran_turismo GranTurismo 220.0;
    the_page_lists_the_laps_of_ac_remote AcRemote 220.0;
    the_page_lists_the_laps_of_ac_telemetry_tool AcTelemetryTool 220.0;
    the_page_lists_the_laps_of_ac_lua AcLua 220.0;
    the_page_lists_the_laps_of_dirt_rally DirtRally 400.0;
    the_page_lists_the_laps_of_ac_server AcServer 260.0;
}

#[tokio::test]
#[ignore = "needs a browser: run cargo xtask test"]
async fn the_page_lists_the_laps_that_a_game_reports() {
    let options =
        Options { seed: 11, cars: 3, player: 1, again: false, keep_truth: false, ..Options::default() };
    check_lists(joined_late(RecordedRace::race("agreement-late", 320.0, options))).await;
}
