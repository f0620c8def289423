//! Files in and out: what a capture of a race holds is listed, exported, recorded, and the same again.

use std::path::Path;

use serde_json::Value;

use crate::race::{CARS, Folder, json_lines, race, run};

/// The laps of a file that have a time, held against what the simulator knows.
fn check_laps(folder: &Folder, file: &str) {
    let (printed, _) = run(folder, "laps", file, &["--car=all", "--json"]).expect("laps");
    let lines = json_lines(&printed);
    assert_eq!(race().laps.len(), 2 * CARS);
    for lap in &race().laps {
        let is_it = |line: &&Value| line["car"] == lap.car && line["lap"] == lap.number;
        let line = lines.iter().find(is_it).expect("the lap");
        let time = line["time_ms"].as_i64().expect("a time");
        assert!((time - i64::from(lap.time_ms)).abs() <= 1, "{line} of {} ms", lap.time_ms);
        assert_eq!(line["player"], lap.car == 1);
    }
}

#[test]
fn a_capture_s_laps_are_those_that_were_driven() {
    let folder = Folder::new("laps");
    check_laps(&folder, "race.pcapng");
    let (own, _) = run(&folder, "laps", "race.pcapng", &["--json"]).expect("laps");
    assert!(json_lines(&own).iter().all(|line| line["car"] == 1));
    let (words, _) = run(&folder, "laps", "race.pcapng", &[]).expect("laps");
    assert!(words.contains("lap 1") && words.contains("valid"), "{words}");
}

#[test]
fn an_imported_capture_is_a_recording_of_the_same_packets_and_laps() {
    let folder = Folder::new("import");
    let (_, notes) =
        run(&folder, "import", "race.pcapng", &["-o", "race.trailbrake.mcap"]).expect("a recording");
    assert!(notes.contains("written: "), "{notes}");
    check_laps(&folder, "race.trailbrake.mcap");
    run(&folder, "export", "race.trailbrake.mcap", &["--format=raw", "-o", "race.bin"]).expect("packets");
    assert!(folder.read("race.bin") == race().sent, "other bytes than were sent");
    // And from bare packets again: the game's own clock tells the laps.
    let options = ["--feed=f1-2018", "--stream", "-o", "again.trailbrake.mcap"];
    run(&folder, "import", "race.bin", &options).expect("a recording");
    check_laps(&folder, "again.trailbrake.mcap");
    let (decoded, _) = run(&folder, "decode", "race.trailbrake.mcap", &[]).expect("lines");
    let first: Value = serde_json::from_str(decoded.lines().next().expect("a line")).expect("JSON");
    assert_eq!((&first["sender"], &first["feed"]), (&"192.0.2.7:5000".into(), &"f1-2018".into()));
    let error = run(&folder, "import", "race.pcapng", &["-o", "race.trailbrake.mcap"]).expect_err("an error");
    assert!(error.to_string().contains("cannot be written"), "{error}");
}

#[test]
fn each_format_is_written_and_tells_where() {
    let folder = Folder::new("formats");
    for (format, options, files) in [
        ("csv", &["--laps=2"][..], &["out.csv"][..]),
        ("motec", &["--car=all"], &["out-car0.ld", "out-car0.ldx", "out-car1.ld", "out-car1.ldx"]),
        ("mcap", &["--car=0"], &["out.mcap"]),
        ("pcap", &["--laps=1"], &["out.pcapng"]),
    ] {
        let format_option = format!("--format={format}");
        let out = files[0].replace("-car0", "");
        let options = [&[format_option.as_str(), "-o", out.as_str()], options].concat();
        let (_, notes) = run(&folder, "export", "race.pcapng", &options).expect("a file");
        for file in files {
            assert!(!folder.read(file).is_empty() && notes.contains(file), "{format}: {notes}");
        }
    }
    let table = String::from_utf8(folder.read("out.csv")).expect("text");
    let mut rows = table.lines().skip(1).map(|row| row.split(',').nth(2).expect("a lap"));
    assert!(rows.next().is_some() && rows.all(|lap| lap == "2"));
    let error = run(&folder, "export", "race.pcapng", &["--format=csv", "--laps=9"]).expect_err("an error");
    assert!(error.to_string().contains("no such laps"), "{error}");
}

#[test]
fn a_file_is_looked_into_as_a_whole() {
    let folder = Folder::new("inspect");
    let (printed, notes) = run(&folder, "inspect", "race.pcapng", &["--json"]).expect("a report");
    let report: Value = serde_json::from_str(&printed).expect("JSON");
    assert_eq!((printed.lines().count(), notes.as_str()), (1, ""));
    let feed = &report["feeds"][0];
    assert_eq!((&feed["feed"], &feed["sender"]), (&"f1-2018".into(), &"192.0.2.7:5000".into()));
    assert_eq!(feed["rejected"]["packets"], 0);
    let session = &feed["sessions"][0];
    assert_eq!(session["participants"].as_array().map(Vec::len), Some(CARS));
    assert_eq!(session["player"], 1);
    let timed =
        session["laps"].as_array().expect("laps").iter().filter(|lap| lap["time_ms"].is_u64()).count();
    assert_eq!(timed, 2 * CARS);
}

#[test]
fn what_holds_no_packet_is_said_so() {
    let folder = Folder::new("nothing");
    std::fs::write(folder.path("noise.bin"), [7; 99]).expect("a file");
    let error = run(&folder, "import", "noise.bin", &[]).expect_err("an error");
    assert!(error.to_string().starts_with("nothing to record"), "{error}");
    let (printed, _) = run(&folder, "laps", "noise.bin", &[]).expect("nothing");
    assert_eq!(printed, "");
    assert!(run(&folder, "laps", "missing.pcap", &[]).is_err());
    run(&folder, "export", "race.pcapng", &["--format=motec", "-o", "race.ld"]).expect("a log");
    let error = run(&folder, "import", "race.ld", &[]).expect_err("an error");
    assert!(error.to_string().contains("is a MoTeC log"), "{error}");
    assert!(!Path::new("noise_f1-2018.trailbrake.mcap").exists());
}

#[test]
fn what_is_cut_out_holds_the_lap_whole_and_the_other_not() {
    let folder = Folder::new("cut");
    for (format, file) in [("pcap", "lap.pcapng"), ("trailbrake", "lap.trailbrake.mcap")] {
        let format = format!("--format={format}");
        run(&folder, "export", "race.pcapng", &[format.as_str(), "--laps=2", "-o", file]).expect("a file");
        let (printed, _) = run(&folder, "laps", file, &["--json"]).expect("laps");
        let lines = json_lines(&printed);
        let lap = race().laps.iter().find(|lap| lap.car == 1 && lap.number == 2).expect("the lap");
        let line = lines.iter().find(|line| line["lap"] == 2).expect("the lap");
        assert_eq!(line["time_ms"], lap.time_ms, "{printed}");
        assert!(line["flags"].to_string().contains("\"valid\""), "{printed}");
        let first = lines.iter().find(|line| line["lap"] == 1);
        assert!(first.is_none_or(|line| line["flags"].to_string().contains("incomplete")), "{printed}");
        assert!(folder.read(file).len() < race().capture.len() * 3 / 4);
    }
    run(&folder, "import", "race.pcapng", &["-o", "whole.trailbrake.mcap"]).expect("a recording");
    let options = ["--format=trailbrake", "--laps=1", "-o", "part.trailbrake.mcap"];
    run(&folder, "export", "whole.trailbrake.mcap", &options).expect("a recording");
    let id_of = |file: &str, name: &str| {
        let (report, _) = run(&folder, "inspect", file, &["--json"]).expect("a report");
        let report: Value = serde_json::from_str(&report).expect("JSON");
        let facts =
            report["facts"].as_object().expect("facts").values().find_map(|fact| fact.get(name).cloned());
        facts.unwrap_or_default()
    };
    assert_eq!(id_of("part.trailbrake.mcap", "parent"), id_of("whole.trailbrake.mcap", "id"));
    assert_ne!(id_of("whole.trailbrake.mcap", "id"), Value::Null);
}
