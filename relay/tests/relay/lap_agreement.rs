//! Every command and the library report the same laps for random sessions.

use std::collections::BTreeSet;
use std::net::SocketAddr;

use proptest::prelude::*;
use serde_json::Value;
use trailbrake_shared::export::pcapng;
use trailbrake_shared::feed::Feed;
use trailbrake_shared::lap_catalogue::LapCatalogue;
use trailbrake_shared::library::{Listing, RecordingDetails};
use trailbrake_shared::recording::track_title;
use trailbrake_shared::sim::{Demo, Options, Start};
use trailbrake_shared::wire::Datagram;

use crate::race::{Folder, json_lines, run};
use crate::recorded::BEGAN;
use crate::recording::recording_into;
use crate::running::ask;

/// A capture of a random session of a game of this year, without its first seconds.
fn capture((feed, year): (Feed, u16), late_s: f64, seed: u64, seconds: f64) -> Vec<u8> {
    let start = if seed.is_multiple_of(2) { Start::Grid } else { Start::Flying };
    let options = Options { seed, year, cars: 3, player: 1, start, laps: 2, ..Options::default() };
    let mut demo = Demo::new(feed, options, BEGAN).expect("a feed that is spoken");
    let (sender, mut now) = (SocketAddr::from(([192, 0, 2, 7], 5000)), BEGAN);
    let port = feed.info().ports.first().copied().unwrap_or(9996);
    let mut capture = pcapng::beginning();
    while now.seconds_since(BEGAN) < seconds {
        now = now.plus_seconds(0.5);
        demo.advance(now, &mut |at, bytes| {
            if at.seconds_since(BEGAN) >= late_s {
                let datagram = Datagram { at, sender, port, feed: Some(feed), bytes };
                capture.extend(pcapng::packet(&datagram).expect("a packet"));
            }
        });
    }
    capture
}

/// The cells of a CSV line. A cell with a comma is quoted.
fn cells(line: &str) -> Vec<String> {
    let (mut cells, mut quoted) = (vec![String::new()], false);
    for letter in line.chars() {
        match letter {
            '"' => quoted = !quoted,
            ',' if !quoted => cells.push(String::new()),
            _ => cells.last_mut().expect("a cell").push(letter),
        }
    }
    cells
}

/// The laps of an exported table: driver, number, time and flags.
fn exported(text: &str) -> BTreeSet<[String; 4]> {
    let mut lines = text.lines();
    let heads = cells(lines.next().expect("a heading"));
    let place = |name: &str| heads.iter().position(|head| head == name).unwrap_or_else(|| panic!("{name}"));
    let places = ["driver", "lap", "official_time [s]", "flags"].map(place);
    lines
        .map(|line| {
            let cells = cells(line);
            places.map(|place| cells[place].clone())
        })
        .collect()
}

/// The same fields of the lines that `laps` prints.
fn listed(laps: &[Value]) -> BTreeSet<[String; 4]> {
    let words = |lap: &Value| {
        let time = lap["time_ms"].as_u64().map_or_else(String::new, |ms| format!("{:.3}", ms as f64 / 1e3));
        let flags = lap["flags"].as_array().expect("flags");
        let flags: Vec<&str> = flags.iter().filter_map(Value::as_str).collect();
        [lap["driver"].as_str().expect("a name").to_owned(), lap["lap"].to_string(), time, flags.join(" ")]
    };
    laps.iter().map(words).collect()
}

/// Checks what is said of a session. Returns how many laps only the game reports.
fn check((feed, year): (Feed, u16), late_s: f64, seed: u64, seconds: f64) -> Result<usize, TestCaseError> {
    let folder = Folder::new(&format!("agreement-{}-{year}-{seed}", feed.id()));
    std::fs::write(folder.path("one.pcapng"), capture((feed, year), late_s, seed, seconds)).expect("a file");
    let file = "one.trailbrake.mcap";
    run(&folder, "import", "one.pcapng", &["-o", file]).expect("a recording");
    let laps = |file: &str, car: &str| {
        let (printed, _) = run(&folder, "laps", file, &["--json", car]).expect("laps");
        json_lines(&printed)
    };
    let all = laps(file, "--car=all");
    prop_assert_eq!(&laps("one.pcapng", "--car=all"), &all, "capture and recording");
    let own = laps(file, "--car=player");
    prop_assert_eq!(&laps("one.pcapng", "--car=player"), &own, "capture and recording, the player's");

    let has = |lap: &Value, flag: &str| {
        lap["flags"].as_array().is_some_and(|flags| flags.contains(&Value::from(flag)))
    };
    let reported = all.iter().filter(|lap| has(lap, "reported")).count();
    let received: Vec<&Value> = own.iter().filter(|lap| !has(lap, "reported")).collect();

    let mut tables = Vec::new();
    for file in ["one.pcapng", file] {
        let (printed, _) = run(&folder, "inspect", file, &["--json"]).expect("a report");
        let report: Value = serde_json::from_str(&printed).expect("JSON");
        let sessions = report["feeds"][0]["sessions"].as_array().expect("sessions").clone();
        let mut inspected: Vec<Value> = Vec::new();
        for session in &sessions {
            inspected.extend(session["laps"].as_array().expect("laps").iter().cloned());
        }
        prop_assert_eq!(&inspected, &all, "inspect {}", file);
        // Only the last session, since a table holds one.
        let last = all.iter().filter_map(|lap| lap["session"].as_u64()).max().unwrap_or_default();
        let of_last: Vec<Value> = all.iter().filter(|lap| lap["session"] == last).cloned().collect();
        run(&folder, "export", file, &["--format=csv", "--car=all", "-o", "out.csv"]).expect("a table");
        let table = exported(&String::from_utf8(folder.read("out.csv")).expect("text"));
        // A subset: of other cars, some games send only lap times.
        prop_assert!(!table.is_empty() && table.is_subset(&listed(&of_last)), "export {}: {:?}", file, table);
        tables.push(table);
    }
    prop_assert_eq!(&tables[0], &tables[1], "exports of capture and recording");

    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    runtime.block_on(async {
        std::fs::remove_file(folder.path("race.pcapng")).expect("removed");
        let relay = recording_into(&folder.path(""), &[]);
        let listing: Listing = ask(relay.report.http, "GET", "/library", &[]).await.json();
        let [entry] = &listing.recordings[..] else { panic!("{listing:?}") };
        let counted = received.iter().filter(|lap| has(lap, "valid"));
        let best = counted.filter_map(|lap| lap["time_ms"].as_u64()).min();
        prop_assert_eq!(entry.laps as usize, received.len(), "the library's count");
        prop_assert!(entry.best.map(|time| u64::from(time.0)) >= best, "the library's best");
        let id = entry.id.expect("an id");
        let details = ask(relay.report.http, "GET", &format!("/library/{id}"), &[]).await;
        let known = RecordingDetails::read(&details.body).expect("details").facts;
        let catalogue = LapCatalogue::of_table(Some(feed), &known.session, &known.laps, &|session| {
            track_title(&Default::default(), session)
        });
        let served: Vec<(String, bool, u16, Option<u64>)> = catalogue
            .listed(catalogue.laps())
            .into_iter()
            .map(|entry| {
                let time = entry.lap.time.map(|time| u64::from(time.0));
                (entry.driver_words(), entry.is_player(), entry.lap.number, time)
            })
            .collect();
        let printed: Vec<(String, bool, u16, Option<u64>)> = all
            .iter()
            .map(|lap| {
                let number = lap["lap"].as_u64().and_then(|number| u16::try_from(number).ok());
                let driver = lap["driver"].as_str().expect("a name").to_owned();
                (driver, lap["player"] == true, number.expect("a number"), lap["time_ms"].as_u64())
            })
            .collect();
        prop_assert_eq!(served, printed, "the library's lap table");
        let bests: Value = ask(relay.report.http, "GET", "/library/bests", &[]).await.json();
        for row in bests["bests"].as_array().expect("rows") {
            let own = all.iter().filter(|lap| lap["player"] == true);
            let own: Vec<u64> = own.filter_map(|lap| lap["time_ms"].as_u64()).collect();
            prop_assert!(own.contains(&row["best"]["time"].as_u64().expect("a time")), "a stranger's best");
        }
        Ok(reported)
    })
}

macro_rules! feeds {
    ($($test:ident $feed:ident;)*) => { $(
        #[test]
        fn $test() {
            let cases = ProptestConfig { cases: 2, failure_persistence: None, ..ProptestConfig::default() };
            let config = ProptestConfig { max_shrink_iters: 4, ..cases };
            proptest!(config, |(seed in 0..1_000_000_u64, seconds in 150.0..290.0_f64)| {
                let reported = check((Feed::$feed, 2018), 0.0, seed, seconds)?;
                prop_assert_eq!(reported, 0);
            });
        }
    )* };
}

feeds! {
    f1_2018_has_the_same_laps_everywhere F1;
    gran_turismo_has_the_same_laps_everywhere GranTurismo;
    ac_remote_has_the_same_laps_everywhere AcRemote;
    ac_telemetry_tool_has_the_same_laps_everywhere AcTelemetryTool;
    ac_lua_has_the_same_laps_everywhere AcLua;
    dirt_rally_has_the_same_laps_everywhere DirtRally;
    ac_server_has_the_same_laps_everywhere AcServer;
}

#[test]
fn f1_24_has_the_same_laps_everywhere_after_a_late_join() {
    // Each of three cars has driven one lap before.
    for seed in [2, 7] {
        assert_eq!(check((Feed::F1, 2024), 130.0, seed, 260.0).expect("agreement"), 3, "{seed}");
    }
}
