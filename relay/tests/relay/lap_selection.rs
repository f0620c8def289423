//! Which laps are compared: the selected ones, and laps of other tracks or cars never without a warning.

use std::path::Path;

use serde_json::Value;
use trailbrake_shared::feed::Feed;

use crate::race::{Folder, json_lines, run};
use crate::recorded::recorded;

/// Writes the race as a table of laps on the given track and in the given car, without the columns that begin with one
/// of `without`.
fn table(folder: &Folder, name: &str, [track, car]: [&str; 2], without: &[&str]) {
    if !Path::new(&folder.path("whole.csv")).exists() {
        run(folder, "export", "race.pcapng", &["--format=csv", "-o", "whole.csv"]).expect("a table");
    }
    let whole = String::from_utf8(folder.read("whole.csv")).expect("text");
    let heads: Vec<&str> = whole.lines().next().expect("a heading").split(',').collect();
    let row = |(nth, line): (usize, &str)| {
        let columns = heads.iter().zip(line.split(','));
        let kept = columns.filter(|(head, _)| !without.iter().any(|begin| head.starts_with(begin)));
        let cells = kept.map(|(head, cell)| match *head {
            "track" if nth > 0 => track,
            "vehicle" if nth > 0 => car,
            _ => cell,
        });
        cells.collect::<Vec<_>>().join(",")
    };
    let rows: Vec<String> = whole.lines().enumerate().map(row).collect();
    std::fs::write(folder.path(name), rows.join("\n")).expect("a file");
}

const POSITIONS: &[&str] = &["position_"];

/// Compares the second lap of one table with the first lap of another. Returns what is printed.
fn compared(folder: &Folder, lap: &str, reference: &str, more: &[&str]) -> anyhow::Result<String> {
    let reference = folder.path(reference).display().to_string();
    let options = ["--lap=2", "--reference=1", "--reference-file", reference.as_str()];
    run(folder, "compare", lap, &[&options, more].concat()).map(|(printed, _)| printed)
}

#[test]
fn laps_that_their_game_says_are_of_other_tracks_are_refused() {
    let folder = Folder::new("other-tracks");
    table(&folder, "spa.csv", ["Spa", "Ferrari"], POSITIONS);
    table(&folder, "monza.csv", ["Monza", "Ferrari"], POSITIONS);
    compared(&folder, "spa.csv", "spa.csv", &[]).expect("laps of one track");
    let why = compared(&folder, "spa.csv", "monza.csv", &[]).expect_err("a reason").to_string();
    assert!(why.contains("different tracks, by the names") && why.contains("--anyway"), "{why}");
    let file = folder.path("monza.csv").display().to_string();
    let options = ["--lap=2", "--reference=1", "--reference-file", file.as_str(), "-o", "lap.svg"];
    let why = run(&folder, "report", "spa.csv", &options).expect_err("a reason").to_string();
    assert!(why.contains("different tracks, by the names"), "{why}");

    let words = compared(&folder, "spa.csv", "monza.csv", &["--anyway"]).expect("a table");
    assert!(words.contains("can't be compared place by place") && !words.contains("Turn 1"), "{words}");
    let report = compared(&folder, "spa.csv", "monza.csv", &["--anyway", "--json"]).expect("an object");
    let report: Value = serde_json::from_str(&report).expect("JSON");
    assert!(report["warnings"][0].as_str().expect("a warning").contains("different tracks"), "{report}");
    assert_eq!(
        (&report["corners"], &report["ledger"]["rows"]),
        (&serde_json::json!([]), &serde_json::json!([]))
    );
    run(&folder, "report", "spa.csv", &[&options[..], &["--anyway"]].concat()).expect("a report");
    let drawn = String::from_utf8(folder.read("lap.svg")).expect("text");
    assert!(
        drawn.contains("compared place by place: they are of different tracks"),
        "no warning on the report"
    );
}

#[test]
fn laps_in_other_cars_are_laid_side_by_side_under_a_warning() {
    let folder = Folder::new("other-cars");
    table(&folder, "ferrari.csv", ["Spa", "Ferrari"], &[]);
    table(&folder, "williams.csv", ["Spa", "Williams"], &[]);
    let warned = |reference: &str| {
        let report = compared(&folder, "ferrari.csv", reference, &["--json"]).expect("an object");
        serde_json::from_str::<Value>(&report).expect("JSON")["warnings"].clone()
    };
    let words = "These laps were driven in different cars: the lap in Ferrari, the reference in Williams.";
    assert_eq!(warned("williams.csv"), serde_json::json!([words]));
    assert_eq!(warned("ferrari.csv"), serde_json::json!([]));
    let printed = compared(&folder, "ferrari.csv", "williams.csv", &[]).expect("a table");
    assert!(printed.contains(words) && printed.contains("Turn 1 "), "{printed}");
    let file = folder.path("williams.csv").display().to_string();
    let options = ["--lap=2", "--reference=1", "--reference-file", file.as_str(), "-o", "lap.svg"];
    run(&folder, "report", "ferrari.csv", &options).expect("a report");
    let drawn = String::from_utf8(folder.read("lap.svg")).expect("text");
    assert!(drawn.contains("These laps were driven in different cars"), "no warning on the report");
    // Two laps of one drive have the same car, so there is no warning.
    let (own, _) =
        run(&folder, "compare", "race.pcapng", &["--lap=2", "--reference=1", "--json"]).expect("laps");
    assert_eq!(serde_json::from_str::<Value>(&own).expect("JSON")["warnings"], serde_json::json!([]));
}

#[test]
fn each_run_of_a_stage_can_be_named_and_finished_ones_go_first() {
    let folder = Folder::new("runs");
    std::fs::write(folder.path("stage.mcap"), recorded(Feed::DirtRally, 5, 400.0)).expect("a file");
    let (printed, _) = run(&folder, "laps", "stage.mcap", &["--json"]).expect("laps");
    let laps = json_lines(&printed);
    let runs: Vec<(u64, bool)> =
        laps.iter().map(|lap| (lap["run"].as_u64().expect("a run"), lap["time_ms"].is_u64())).collect();
    assert_eq!(runs, [(1, true), (2, true), (3, false)], "{printed}");
    assert!(laps.iter().all(|lap| lap["lap"] == 1), "{printed}");
    let (words, _) = run(&folder, "laps", "stage.mcap", &[]).expect("laps");
    let lines: Vec<&str> = words.lines().collect();
    assert!((1..=3).all(|nth| lines[nth].contains(&format!("run {nth}  lap 1 "))), "{words}");
    // Each sector has its heading.
    let sectors = laps[0]["sectors_ms"].as_array().expect("times").len();
    assert_eq!(lines[0].matches(" S").count(), sectors, "{words}");
    let flags = lines[0].find("flags").expect("a heading");
    assert!(lines[1..].iter().all(|line| line[..flags].ends_with("  ")), "{words}");
    assert!(lines[1..].iter().all(|line| !line[flags..].starts_with(' ')), "{words}");

    let laid = |options: &[&str]| {
        let (printed, notes) = run(&folder, "compare", "stage.mcap", &[options, &["--json"]].concat())?;
        let report: Value = serde_json::from_str(&printed)?;
        let run_of = |side: &str| report[side]["run"].as_u64();
        anyhow::Ok(((run_of("lap"), run_of("reference")), report["behind_ms"].clone(), notes))
    };
    let behind = |lap: usize, reference: usize| {
        let ms = |nth: usize| laps[nth]["time_ms"].as_i64().expect("a time");
        serde_json::json!(ms(lap) - ms(reference))
    };
    let (runs, lost, notes) = laid(&["--lap=1", "--reference=1"]).expect("two runs");
    assert_eq!((runs, lost), ((Some(2), Some(1)), behind(1, 0)));
    assert!(notes.contains("3 runs have a lap 1: this is run 2; --run chooses another"), "{notes}");
    let (runs, lost, notes) =
        laid(&["--lap=1", "--run=1", "--reference=1", "--reference-run=2"]).expect("two runs");
    assert_eq!((runs, lost, notes.as_str()), ((Some(1), Some(2)), behind(0, 1), ""));
    assert_eq!(laid(&["--lap=1", "--run=1"]).expect("two runs").0, (Some(1), Some(2)), "the best other one");
    let itself = laid(&["--lap=1", "--run=1", "--reference=1", "--reference-run=1"]).expect("itself");
    assert_eq!((itself.0, itself.1), ((Some(1), Some(1)), 0.into()));
    let why = laid(&["--lap=1", "--run=4"]).expect_err("a reason").to_string();
    assert!(why.contains("the player has no lap in run 4"), "{why}");
    let analysed = |options: &[&str]| {
        let (printed, _) =
            run(&folder, "analyse", "stage.mcap", &[options, &["--json"]].concat()).expect("a report");
        serde_json::from_str::<Value>(&printed).expect("JSON")["lap"]["time_ms"].clone()
    };
    for (options, lap) in [(&["--run=1"][..], 0), (&["--lap=1", "--run=1"], 0), (&["--lap=1"], 1)] {
        assert_eq!(analysed(options), laps[lap]["time_ms"], "{options:?}");
    }
    let best = laps.iter().filter_map(|lap| lap["time_ms"].as_u64()).min();
    assert_eq!(analysed(&["--lap=best"]).as_u64(), best);
    run(&folder, "export", "stage.mcap", &["--format=csv", "--laps=1", "--run=1", "-o", "one.csv"])
        .expect("a table");
    let table = String::from_utf8(folder.read("one.csv")).expect("text");
    let heads: Vec<&str> = table.lines().next().expect("a heading").split(',').collect();
    let official = heads.iter().position(|head| head.starts_with("official_time")).expect("a time");
    let time = table.lines().nth(1).and_then(|row| row.split(',').nth(official)).expect("a time");
    let ms = (time.parse::<f64>().expect("seconds") * 1e3).round() as u64;
    assert_eq!(Some(ms), laps[0]["time_ms"].as_u64());
}
