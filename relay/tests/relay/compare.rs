//! Two laps of a file, compared by the `compare` command.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use crate::race;
use clap::Parser as _;
use serde_json::Value;
use trailbrake_relay::commands::compare;
use trailbrake_relay::commands::{Command, CommandLine};
use trailbrake_shared::export::pcapng;
use trailbrake_shared::feed::Feed;
use trailbrake_shared::sim::truth::LapTruth;
use trailbrake_shared::sim::{Demo, Options, Request, Start};
use trailbrake_shared::time::Micros;
use trailbrake_shared::wire::Datagram;

const PLAYER: usize = 0;

/// A capture of several practice laps, with the simulator's truth about the player's laps.
struct Practice {
    file: PathBuf,
    laps: Vec<LapTruth>,
}

fn practice() -> &'static Practice {
    static PRACTICE: OnceLock<Practice> = OnceLock::new();
    PRACTICE.get_or_init(|| {
        let options = Options { cars: 2, player: PLAYER, again: false, ..Options::default() };
        let (file, laps) = captured_with_laps("practice", options, 270.0);
        Practice { file, laps }
    })
}

fn captured(name: &str, options: Options, seconds: f64) -> PathBuf {
    captured_with_laps(name, options, seconds).0
}

/// Writes a capture of a session. Returns its path and the simulator's truth about the player's laps.
fn captured_with_laps(name: &str, options: Options, seconds: f64) -> (PathBuf, Vec<LapTruth>) {
    let mut demo = Demo::new(Feed::F1, options, Micros(1_700_000_000_000_000)).expect("a demo");
    let mut capture = pcapng::beginning();
    let sender = SocketAddr::from(([192, 0, 2, 7], 5000));
    demo.drive(seconds, &mut |at, bytes| {
        let datagram = Datagram { at, sender, port: 20777, feed: None, bytes };
        capture.extend(pcapng::packet(&datagram).expect("a packet"));
    });
    let file = std::env::temp_dir().join(format!("trailbrake-compare-{name}-{}.pcapng", std::process::id()));
    std::fs::write(&file, capture).expect("a file");
    let laps = demo.truth().sessions[0].finished.iter().filter(|lap| lap.car == PLAYER).cloned().collect();
    (file, laps)
}

fn run(options: &[&str]) -> anyhow::Result<String> {
    compare_in(&practice().file, options)
}

fn compare_in(file: &Path, options: &[&str]) -> anyhow::Result<String> {
    let mut arguments = vec!["trailbrake".into(), "compare".into(), file.as_os_str().to_owned()];
    arguments.extend(options.iter().map(Into::into));
    let line = CommandLine::try_parse_from(arguments)?;
    let Some(Command::Compare(request)) = line.command else { panic!("to compare") };
    let (mut out, mut notes) = (Vec::new(), Vec::new());
    compare::run(&request, &mut out, &mut notes)?;
    Ok(String::from_utf8(out)?)
}

fn json(options: &[&str]) -> Value {
    serde_json::from_str(&run(&[options, &["--json"]].concat()).expect("a comparison")).expect("JSON")
}

#[test]
fn a_lap_beside_another_ends_with_the_difference_and_names_its_corners() {
    let [first, second] = [0, 1].map(|place| &practice().laps[place]);
    let numbers = [second.number.to_string(), first.number.to_string()];
    let report = json(&["--lap", &numbers[0], "--reference", &numbers[1]]);
    let behind = i64::from(second.time_ms) - i64::from(first.time_ms);
    assert_eq!(report["behind_ms"], behind);
    assert_eq!(report["method"], "position");
    let delta = report["delta"].as_array().expect("a delta");
    assert!(delta.len() > 900, "{}", delta.len());
    assert_eq!(delta[0][1].as_f64().map(|delta| delta.abs() < 1e-3), Some(true), "{}", delta[0]);
    assert_eq!(delta.last().and_then(|last| last[1].as_f64()), Some(behind as f64 / 1e3));
    let corners = report["corners"].as_array().expect("corners");
    assert_eq!(corners.len(), first.corners.len());
    for (known, corner) in second.corners.iter().zip(corners) {
        let kmh = corner["min_kmh"].as_f64().expect("a speed");
        // Without braking before the apex, the simulator's minimum speed belongs to the exit of the previous corner.
        let braked = known.braking.is_some_and(|braking| braking.on_m <= known.min_speed_m);
        assert!(!braked || (kmh - known.min_speed_ms * 3.6).abs() < 2.0, "{corner} {known:?}");
    }
    let rows = report["ledger"]["rows"].as_array().expect("rows");
    let whole: f64 = rows.iter().map(|row| row["loss_s"].as_f64().expect("a loss")).sum();
    assert!((whole - behind as f64 / 1e3).abs() < 1e-6, "{whole}");
    for corner in corners {
        let row = rows.iter().find(|row| row["corner"] == corner["number"]);
        assert_eq!(row.expect("its row")["loss_s"], corner["loss_s"]);
    }
    // The parts add up to the same.
    let parts = rows.iter().flat_map(|row| row["parts"].as_array().expect("parts"));
    let seconds = |part: &Value, name: &str| part[name].as_f64().expect("seconds");
    let whole: f64 = parts.map(|part| seconds(part, "loss_s") + seconds(part, "after_s")).sum();
    assert!((whole - behind as f64 / 1e3).abs() < 1e-6, "{whole}");
}

#[test]
fn a_lap_beside_itself_is_level_and_there_is_nothing_to_fix() {
    let report = json(&["--lap", "2", "--reference", "2"]);
    assert!(report["delta"].as_array().expect("a delta").iter().all(|point| point[1].as_f64() == Some(0.0)));
    assert_eq!((&report["advice"], &report["reference"]["chosen"]), (&serde_json::json!([]), &Value::Null));
    let rows = report["ledger"]["rows"].as_array().expect("rows");
    assert!(rows.len() > 10 && rows.iter().all(|row| row["parts"] == serde_json::json!([])), "{rows:?}");
}

#[test]
fn what_is_lost_in_an_area_is_what_the_delta_rises_by_there() {
    let report = json(&["--lap", "2", "--reference", "1", "--between", "500..1500"]);
    let area = &report["between"];
    let number = |value: &Value| value.as_f64().expect("a number");
    let delta = |metres: f64| {
        let points = report["delta"].as_array().expect("a delta").iter();
        let at = points.map(|point| (number(&point[0]), number(&point[1]))).find(|(at, _)| *at == metres);
        at.expect("a point").1
    };
    let lost = number(&area["lost_s"]);
    assert!((lost - (delta(1500.0) - delta(500.0))).abs() < 1e-9, "{area}");
    assert!((lost - (number(&area["seconds"][0]) - number(&area["seconds"][1]))).abs() < 1e-9, "{area}");
    // Speed integrates to distance, except for partial steps at the ends.
    for lap in ["lap", "reference"] {
        let speed = &area["channels"]["speed"][lap];
        assert!((number(&speed["sum"][0]) - 1000.0).abs() < 4.0, "{speed}");
        assert!(
            number(&speed["low"]) < number(&speed["mean"]) && number(&speed["mean"]) < number(&speed["high"])
        );
    }
    let words = run(&["--lap", "2", "--reference", "1", "--between", "500..1500"]).expect("a comparison");
    assert!(words.contains("\nFrom 500.0 to 1500.0 m: ") && words.contains("\nspeed m/s"), "{words}");
    let beyond = run(&["--lap", "2", "--between", "90000..90010"]).expect_err("nothing is there");
    assert!(beyond.to_string().contains("no data of the laps"), "{beyond}");
}

#[test]
fn the_best_lap_is_laid_beside_the_second_best_and_every_other_one_beside_the_best() {
    let mut laps: Vec<(u32, u32)> = practice().laps.iter().map(|lap| (lap.time_ms, lap.number)).collect();
    laps.sort_unstable();
    let [(_, best), (_, second), ..] = laps[..] else { panic!("{laps:?}") };
    for (lap, beside) in [("best".to_owned(), second), (best.to_string(), second), (second.to_string(), best)]
    {
        for reference in [&[][..], &["--reference", "best"]] {
            let report = json(&[&["--lap", &lap], reference].concat());
            assert_eq!(report["reference"]["lap"], beside, "lap {lap}");
            assert_eq!(report["reference"]["chosen"], "the best other lap of the same car");
            // The reference does not count among the laps that lose time again.
            let advice = report["advice"].as_array().expect("advice");
            assert!(
                advice.iter().all(|thing| thing["usual"]["of"].as_u64() <= Some(laps.len() as u64 - 1)),
                "{advice:?}"
            );
        }
    }
    let words = run(&["--lap", "best"]).expect("a table");
    assert!(words.contains("(the best other lap of the same car)"), "{words}");
    let other_car = json(&["--lap", "best", "--reference-car", "1"]);
    assert_eq!(other_car["reference"]["chosen"], "the best lap of another car in this session");
    assert_ne!(other_car["reference"]["driver"], other_car["lap"]["driver"]);
}

#[test]
fn a_single_lap_has_nothing_to_be_laid_beside() {
    // One car, which has just finished its first lap.
    let options = Options { cars: 1, player: PLAYER, again: false, ..Options::default() };
    let file = captured("single", options, 130.0);
    let error = compare_in(&file, &["--lap", "best"]).expect_err("an error").to_string();
    assert!(
        error.starts_with("no other lap counts, so there is none to compare lap 1 with: choose one"),
        "{error}"
    );
}

#[test]
fn a_recording_says_what_its_capture_does() {
    let folder = race::Folder::new("compare");
    race::run(&folder, "import", "race.pcapng", &["-o", "race.trailbrake.mcap"]).expect("a recording");
    let report = |file: &str| {
        let (printed, _) =
            race::run(&folder, "compare", file, &["--lap=2", "--reference=1", "--json"]).expect("two laps");
        serde_json::from_str::<Value>(&printed).expect("JSON")
    };
    let [captured, recorded] = ["race.pcapng", "race.trailbrake.mcap"].map(report);
    for part in ["behind_ms", "method", "lap", "reference"] {
        assert_eq!(captured[part], recorded[part], "{part}");
    }
    let brakes = |report: &Value| -> Vec<Option<i64>> {
        let corners = report["corners"].as_array().expect("corners").clone();
        corners.iter().map(|corner| corner["brake_on_m"].as_f64().map(|place| place.round() as i64)).collect()
    };
    assert_eq!(brakes(&captured), brakes(&recorded));
    assert!(brakes(&captured).iter().flatten().count() > 5);
}

#[test]
fn people_read_a_table() {
    insta::assert_snapshot!(run(&["--lap", "2", "--reference", "1"]).expect("a table"));
}

#[test]
fn the_losses_of_the_table_add_up_to_the_difference() {
    let words = run(&["--lap", "2", "--reference", "1"]).expect("a table");
    let rows = words.lines().skip_while(|line| !line.contains("brake on")).skip(2);
    let rows: Vec<&str> = rows.take_while(|line| !line.is_empty()).collect();
    let lost = |row: &&str| {
        let mut numbers = row.split_whitespace().filter_map(|word| word.parse::<f64>().ok());
        numbers.next_back().expect("a loss")
    };
    let (together, parts) = rows.split_last().expect("rows");
    assert!(together.starts_with("together "), "{words}");
    assert!(parts.iter().filter(|row| row.contains(" straight ")).count() > 5, "{words}");
    let sum: f64 = parts.iter().map(lost).sum();
    // Each part is rounded to a thousandth.
    assert!((sum - lost(together)).abs() <= 0.0005 * parts.len() as f64, "{sum}\n{words}");
    let report = json(&["--lap", "2", "--reference", "1"]);
    for thing in report["advice"].as_array().expect("advice") {
        let rows = report["ledger"]["rows"].as_array().expect("rows");
        let same =
            rows.iter().filter(|row| row["loss_s"] == thing["loss_s"] && row["corner"] == thing["corner"]);
        assert_eq!(same.count(), 1, "{thing}");
    }
}

#[test]
fn without_a_brake_pedal_the_source_of_brake_points_is_named() {
    let folder = race::Folder::new("no-pedal");
    race::run(&folder, "export", "race.pcapng", &["--format=csv", "-o", "race.csv"]).expect("a table");
    let table = String::from_utf8(folder.read("race.csv")).expect("text");
    let pedal =
        table.lines().next().expect("a heading").split(',').position(|head| head.starts_with("brake ["));
    let pedal = pedal.expect("a pedal");
    let row = |line: &str| {
        let cells = line.split(',').enumerate().filter(|(nth, _)| *nth != pedal).map(|(_, cell)| cell);
        cells.collect::<Vec<_>>().join(",")
    };
    let rows: Vec<String> = table.lines().map(row).collect();
    std::fs::write(folder.path("race.csv"), rows.join("\n")).expect("a file");
    let words =
        |file: &str| race::run(&folder, "compare", file, &["--lap=2", "--reference=1"]).expect("a table").0;
    let warning = "the game sends no brake pedal: brake points are taken from the deceleration";
    assert!(words("race.csv").contains(warning), "{}", words("race.csv"));
    assert!(!words("race.pcapng").contains(warning));
}

#[test]
fn excursions_of_the_reference_are_reported_too() {
    let options = Options {
        cars: 1,
        player: PLAYER,
        again: false,
        requests: vec![(100.0, Request::Pit { car: PLAYER, tyres: Default::default() })],
        ..Options::default()
    };
    let (file, laps) = captured_with_laps("pits", options, 400.0);
    let pits = laps.iter().find(|lap| lap.marks.in_lap).expect("a lap").number.to_string();
    let other =
        laps.iter().find(|lap| !lap.marks.in_lap && !lap.marks.out_lap).expect("a lap").number.to_string();
    let compared = |lap: &str, reference: &str| {
        let options = ["--lap", lap, "--reference", reference];
        let words = compare_in(&file, &options).expect("a table");
        let report = compare_in(&file, &[&options[..], &["--json"]].concat()).expect("an object");
        let report: Value = serde_json::from_str(&report).expect("JSON");
        (words, report["excursions"].clone(), report["reference_excursions"].clone())
    };
    let (words, own, _) = compared(&pits, &other);
    assert!(words.contains("\nthe lap was in the pit lane from "), "{words}");
    let (words, _, of_reference) = compared(&other, &pits);
    assert!(words.contains("\nthe reference was in the pit lane from "), "{words}");
    assert_eq!(own.as_array().map(Vec::len), of_reference.as_array().map(Vec::len));
    std::fs::remove_file(file).expect("removed");
}

#[test]
fn figures_are_drawn_into_a_folder() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().to_str().expect("a path");
    // A braking figure needs at least three laps with braking data.
    let options = Options { cars: 1, player: PLAYER, again: false, seed: 77, ..Options::default() };
    let file = captured("stint", options, 480.0);
    compare_in(&file, &["--lap", "4", "--reference", "2", "--figures", path]).expect("a table");
    std::fs::remove_file(file).expect("removed");
    let made: Vec<String> = std::fs::read_dir(folder.path())
        .expect("a folder")
        .map(|entry| entry.expect("an entry").file_name().into_string().expect("a name"))
        .collect();
    let braked = made.iter().filter(|name| name.starts_with("braking-turn-")).count();
    assert!(braked >= 3, "{made:?}");
    for name in ["delta.svg", "corners.svg"] {
        assert!(made.iter().any(|other| other == name), "{made:?}");
    }
    for name in made.iter().filter_map(|name| name.strip_suffix(".svg")) {
        let svg = std::fs::read_to_string(folder.path().join(format!("{name}.svg"))).expect("a figure");
        assert!(svg.starts_with("<svg") && svg.trim_end().ends_with("</svg>"), "{name}");
    }
}

#[test]
fn a_race_s_first_lap_is_reported_as_a_grid_start() {
    let options =
        Options { cars: 16, player: 14, start: Start::Grid, laps: 3, again: false, ..Options::default() };
    let file = captured("grid", options, 300.0);
    let words = compare_in(&file, &["--lap", "1", "--reference", "2"]).expect("a table");
    let report = compare_in(&file, &["--lap", "1", "--reference", "2", "--json"]).expect("an object");
    std::fs::remove_file(file).expect("removed");
    let report: Value = serde_json::from_str(&report).expect("JSON");
    let began_m = report["lap"]["began_m"].as_f64().expect("a place");
    assert!((-300.0..-40.0).contains(&began_m), "{began_m}");
    assert_eq!(report["reference"]["began_m"], Value::Null);
    let line = format!("lap 1 begins on the grid, {:.0} m before the line", -began_m);
    assert!(words.contains(&line), "{words}");
}

#[test]
fn a_lap_that_is_not_there_is_named() {
    let error = run(&["--lap", "77"]).expect_err("an error").to_string();
    assert!(error.contains("the player has no lap 77; `trailbrake laps --car all"), "{error}");
}
