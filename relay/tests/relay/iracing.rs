//! Files of iRacing and laps of Garage 61 on the command line: imported, listed, compared, analysed and exported like a recording.

use serde_json::{Value, json};

use crate::race::{Folder, json_lines, run};

/// The variables of the file's samples: name, number of the type, bytes.
const VARIABLES: [(&str, i32, usize); 7] = [
    ("SessionTime", 5, 8),
    ("Lap", 2, 4),
    ("LapDist", 4, 4),
    ("LapDistPct", 4, 4),
    ("LapLastLapTime", 4, 4),
    ("Speed", 4, 4),
    ("IsOnTrack", 1, 1),
];
const TEXT: &str = "---\nWeekendInfo:\n TrackDisplayName: Oval\n\nDriverInfo:\n DriverCarIdx: 3\n Drivers:\n - CarIdx: 3\n   \
                    UserName: Ann\n   CarScreenName: Stock Car\n...\n";
const LAP_M: f64 = 1000.0;

/// Laps of a kilometre: 500 m of the first, two at 50 and 40 m/s, and 300 m of the last.
fn telemetry() -> Vec<u8> {
    let size: usize = VARIABLES.iter().map(|(.., bytes)| bytes).sum();
    let text_at = 144 + 144 * VARIABLES.len();
    let mut file = Vec::new();
    let numbers = |file: &mut Vec<u8>, numbers: &[usize]| {
        numbers.iter().for_each(|number| file.extend((*number as i32).to_le_bytes()));
    };
    numbers(&mut file, &[2, 1, 60, 0, TEXT.len(), text_at, VARIABLES.len(), 144, 1, size, 0, 0, 0]);
    numbers(&mut file, &[text_at + TEXT.len()]);
    file.resize(144, 0);
    let mut at = 0;
    for (name, kind, bytes) in VARIABLES {
        let begin = file.len();
        numbers(&mut file, &[kind as usize, at, 1]);
        file.resize(begin + 16, 0);
        file.extend(name.bytes());
        file.resize(begin + 144, 0);
        at += bytes;
    }
    file.extend(TEXT.bytes());
    let (mut metres, mut time_s) = (500.0, 60.0);
    while metres < 3300.0 {
        let lap = (metres / LAP_M) as i32;
        let speed: f64 = if lap == 2 { 40.0 } else { 50.0 };
        let within = metres % LAP_M;
        let last_s = [-1.0, -1.0, 20.01, 25.02][lap as usize];
        file.extend(f64::to_le_bytes(time_s));
        file.extend((lap + 1).to_le_bytes());
        for value in [within, within / LAP_M, last_s, speed] {
            file.extend((value as f32).to_le_bytes());
        }
        file.push(1);
        metres += speed / 60.0;
        time_s += 1.0 / 60.0;
    }
    file
}

fn timed(folder: &Folder, file: &str) -> Vec<Value> {
    let (printed, _) = run(folder, "laps", file, &["--json"]).expect("laps");
    let kept = |line: Value| json!([line["driver"], line["lap"], line["time_ms"]]);
    let lines = json_lines(&printed).into_iter().filter(|line| line["time_ms"].is_u64());
    lines.map(kept).collect()
}

#[test]
fn telemetry_of_iracing_is_a_recording_like_any_other() {
    let folder = Folder::new("iracing");
    std::fs::write(folder.path("oval.ibt"), telemetry()).expect("a file");
    let expected = [json!(["Ann", 2, 20_010]), json!(["Ann", 3, 25_020])];
    assert_eq!(timed(&folder, "oval.ibt"), expected);

    let (printed, _) =
        run(&folder, "compare", "oval.ibt", &["--lap=3", "--reference=2", "--json"]).expect("a delta");
    let report: Value = serde_json::from_str(&printed).expect("JSON");
    assert_eq!(report["behind_ms"], 5_010);
    let (printed, _) = run(&folder, "analyse", "oval.ibt", &["--lap=3", "--json"]).expect("an analysis");
    let report: Value = serde_json::from_str(&printed).expect("JSON");
    let figures = ["driver", "game", "track"].map(|name| report[name].clone());
    assert_eq!(figures, ["Ann", "iRacing", "Oval"]);

    run(&folder, "export", "oval.ibt", &["--format=csv", "-o", "oval.csv"]).expect("a table");
    assert_eq!(timed(&folder, "oval.csv"), expected);
    let (_, printed) = run(&folder, "import", "oval.ibt", &["-o", "oval.mcap"]).expect("a recording");
    assert!(printed.contains("written: "), "{printed}");
    assert_eq!(timed(&folder, "oval.mcap"), expected);
    let (printed, _) = run(&folder, "inspect", "oval.mcap", &["--json"]).expect("a report");
    let report: Value = serde_json::from_str(&printed).expect("JSON");
    assert_eq!(report["feeds"][0]["sessions"][0]["game"], "iRacing");
}

#[test]
fn files_of_iracing_that_are_no_laps_are_refused_in_words() {
    let folder = Folder::new("iracing-refused");
    let mut live = telemetry();
    live[32] = 3;
    let write = |name: &str, bytes: &[u8]| std::fs::write(folder.path(name), bytes).expect("a file");
    write("live.ibt", &live);
    write("cut.ibt", &live[..100]);
    write("none.ibt", b"something else");
    for (file, words) in [
        ("live.ibt", "live memory and not a recording: press Alt+L"),
        ("cut.ibt", "it ends before its first sample"),
        ("none.ibt", "it is no telemetry file of iRacing"),
    ] {
        let error = run(&folder, "import", file, &["-o", "never.mcap"]).expect_err(file);
        let reason = format!("{error:#}");
        assert!(reason.contains(file) && reason.contains(words), "{reason}");
        assert!(!folder.path("never.mcap").exists(), "{file}");
    }
}

#[test]
fn a_lap_of_garage_61_is_compared_with_one_of_iracing() {
    let folder = Folder::new("garage61");
    std::fs::write(folder.path("oval.ibt"), telemetry()).expect("a file");
    let mut table = "Speed,LapDistPct,Brake,Throttle,Gear\n".to_owned();
    for row in 0..1199 {
        table += &format!("50,{},0,1,4\n", (f64::from(row) + 0.5) / 1200.0);
    }
    std::fs::write(folder.path("lap.csv"), &table).expect("a file");
    let (printed, notes) = run(&folder, "laps", "lap.csv", &["--car=all", "--json"]).expect("a lap");
    let [lap] = json_lines(&printed).try_into().expect("one lap");
    assert_eq!((&lap["time_ms"], &lap["flags"]), (&json!(20_000), &json!(["inferred"])));
    assert!(notes.contains("the lap time is ± 0.02 s"), "{notes}");
    let reference = folder.path("lap.csv").display().to_string();
    let options = ["--lap=3", "--reference=1", "--reference-file", &reference, "--anyway", "--json"];
    let (printed, _) = run(&folder, "compare", "oval.ibt", &options).expect("a delta");
    let report: Value = serde_json::from_str(&printed).expect("JSON");
    assert_eq!(report["behind_ms"], 5_020);
    std::fs::write(folder.path("cut.csv"), &table[..400]).expect("a file");
    let error = run(&folder, "import", "cut.csv", &["-o", "never.mcap"]).expect_err("a reason");
    assert!(format!("{error:#}").contains("cut off"), "{error:#}");
}
