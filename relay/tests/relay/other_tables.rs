//! Tables of any program on the command line: a mapping is written, corrected and used by every command.

use serde_json::{Value, json};

use crate::race::{Folder, json_lines, run};

/// Laps of 40 s, as a program wrote them that nobody knows. Nothing says that the first one begins at the line.
fn table() -> String {
    let mut table = "Elapsed;Runde;Tempo;Strecke;Gas\n".to_owned();
    for row in 0..6500 {
        let time_s = f64::from(row) / 50.0 + 0.01;
        let lap = (time_s / 40.0) as u32 + 1;
        table +=
            &format!("{time_s:.2};{lap};{:.1};{:.1};{}\n", 180.0, time_s * 50.0, row % 101).replace('.', ",");
    }
    table
}

fn written(test: &str) -> Folder {
    let folder = Folder::new(test);
    std::fs::write(folder.path("drive.csv"), table()).expect("a file");
    folder
}

fn times(folder: &Folder, options: &[&str]) -> Vec<Value> {
    let all = [options, &["--json"]].concat();
    let (printed, _) = run(folder, "laps", "drive.csv", &all).expect("laps");
    json_lines(&printed).iter().map(|line| json!([line["lap"], line["time_ms"]])).collect()
}

#[test]
fn a_mapping_is_written_corrected_and_used() {
    let folder = written("other-tables");
    let error = run(&folder, "laps", "drive.csv", &[]).expect_err("an unknown table");
    assert!(format!("{error:#}").contains("--map-out MAP.json"), "{error:#}");

    let map = folder.path("map.json").display().to_string();
    let (_, notes) = run(&folder, "import", "drive.csv", &["--map-out", &map]).expect("a mapping");
    assert!(notes.contains("Elapsed: Time of the file, 0.010 s, 0.030 s, 0.050 s"), "{notes}");
    assert!(
        notes.contains("not read: Tempo") && notes.contains("4 laps: incomplete, 40.000, 40.000, incomplete"),
        "{notes}"
    );
    // It overwrites nothing.
    assert!(run(&folder, "import", "drive.csv", &["--map-out", &map]).is_err());

    let json = String::from_utf8(folder.read("map.json")).expect("text");
    let mut mapping: Value = serde_json::from_str(&json).expect("JSON");
    let columns = mapping["columns"].as_array_mut().expect("columns");
    columns.push(json!({ "column": "Tempo", "is": "speed", "unit": "km/h" }));
    std::fs::write(folder.path("map.json"), mapping.to_string()).expect("a file");
    let laps = times(&folder, &["--map", &map]);
    assert!(laps.contains(&json!([2, 40_000])) && laps.contains(&json!([3, 40_000])), "{laps:?}");

    let options = ["--lap=2", "--reference=3", "--json", "--map", &map];
    let (printed, _) = run(&folder, "compare", "drive.csv", &options).expect("a delta");
    let report: Value = serde_json::from_str(&printed).expect("JSON");
    assert_eq!(report["behind_ms"], 0);
    run(&folder, "import", "drive.csv", &["--map", &map, "-o", "drive.mcap"]).expect("a recording");
    run(&folder, "export", "drive.csv", &["--map", &map, "--format=csv", "-o", "ours.csv"]).expect("a table");
    let ours = String::from_utf8(folder.read("ours.csv")).expect("text");
    assert!(ours.contains("speed [m/s]") && ours.contains(",50,"), "{}", ours.get(..400).unwrap_or(&ours));
}

#[test]
fn what_is_wrong_is_said_with_line_and_column() {
    let folder = written("other-tables-wrong");
    let map = folder.path("map.json").display().to_string();
    run(&folder, "import", "drive.csv", &["--map-out", &map]).expect("a mapping");
    let table = table();
    let lines: Vec<&str> = table.lines().collect();
    let back = [&lines[..60], &lines[20..]].concat().join("\n");
    std::fs::write(folder.path("back.csv"), back).expect("a file");
    let error = run(&folder, "laps", "back.csv", &["--map", &map]).expect_err("a reason");
    let reason = format!("{error:#}");
    assert!(reason.contains("back.csv") && reason.contains("line 61, column \"Elapsed\""), "{reason}");
    std::fs::write(folder.path("map.json"), "{}").expect("a file");
    let error = run(&folder, "laps", "drive.csv", &["--map", &map]).expect_err("a reason");
    assert!(format!("{error:#}").contains("map.json"), "{error:#}");
    std::fs::write(folder.path("text.csv"), "only a text\n").expect("a file");
    let error = run(&folder, "laps", "text.csv", &[]).expect_err("a reason");
    assert!(format!("{error:#}").contains("it is no table"), "{error:#}");
}

#[test]
fn a_lap_without_official_time_takes_that_of_the_driver() {
    let folder = Folder::new("lap-time");
    let mut table = "Speed,LapDistPct,Brake,Throttle,Gear\n".to_owned();
    for row in 0..1199 {
        table += &format!("50,{},0,1,4\n", (f64::from(row) + 0.5) / 1200.0);
    }
    std::fs::write(folder.path("drive.csv"), &table).expect("a file");
    let listed = |options: &[&str]| {
        let (printed, notes) =
            run(&folder, "laps", "drive.csv", &[&["--json"], options].concat()).expect("a lap");
        let [lap] = json_lines(&printed).try_into().expect("one lap");
        (lap["time_ms"].clone(), lap["flags"].clone(), notes)
    };
    let (time, flags, notes) = listed(&[]);
    assert_eq!((time, flags), (json!(20_000), json!(["inferred"])));
    assert!(notes.contains("± 0.02 s"), "{notes}");
    let (time, flags, notes) = listed(&["--lap-time=0:20.014"]);
    assert_eq!(time, json!(20_014));
    assert!(!flags.to_string().contains("inferred") && !notes.contains("± 0.02 s"), "{flags} {notes}");
    let error = run(&folder, "laps", "drive.csv", &["--lap-time=21.000"]).expect_err("another lap");
    assert!(
        format!("{error:#}").contains("21.000 is not the time of this lap: its rows give 20.000"),
        "{error:#}"
    );
}
