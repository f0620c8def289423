//! A captured race is listed, exported and imported, and comes back unchanged.

use std::path::Path;

use serde_json::Value;
use trailbrake_shared::feed::Feed;

use crate::race::{CARS, Folder, json_lines, race, run};
use crate::recorded::recorded;
use crate::recording::{open, packets};

/// Checks a file's timed laps against the simulator's truth.
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
    let (words, _) = run(&folder, "laps", "race.pcapng", &["--car=all"]).expect("laps");
    insta::assert_snapshot!(words);
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
    // And from bare packets: the game's own clock gives the lap times.
    let options = ["--feed=f1-2018", "--stream", "-o", "again.trailbrake.mcap"];
    run(&folder, "import", "race.bin", &options).expect("a recording");
    check_laps(&folder, "again.trailbrake.mcap");
    let (decoded, _) = run(&folder, "decode", "race.trailbrake.mcap", &[]).expect("lines");
    let first: Value = serde_json::from_str(decoded.lines().next().expect("a line")).expect("JSON");
    assert_eq!((&first["sender"], &first["feed"]), (&"192.0.2.7:5000".into(), &"f1".into()));
    let error = run(&folder, "import", "race.pcapng", &["-o", "race.trailbrake.mcap"]).expect_err("an error");
    assert!(error.to_string().contains("cannot be written"), "{error}");
}

#[test]
fn each_format_is_written_and_its_files_are_named() {
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
    let error = run(&folder, "export", "race.pcapng", &["--format=csv", "--laps=9", "more.mcap"]);
    let error = error.expect_err("an error").to_string();
    assert!(error.contains("one file at a time") && error.contains("more.mcap"), "{error}");
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
    assert_eq!((&feed["feed"], &feed["sender"]), (&"f1".into(), &"192.0.2.7:5000".into()));
    assert_eq!(feed["rejected"]["packets"], 0);
    let session = &feed["sessions"][0];
    assert_eq!(session["participants"].as_array().map(Vec::len), Some(CARS));
    assert_eq!(session["player"], 1);
    let timed =
        session["laps"].as_array().expect("laps").iter().filter(|lap| lap["time_ms"].is_u64()).count();
    assert_eq!(timed, 2 * CARS);
}

#[test]
fn looking_into_a_file_prints_a_summary_for_people() {
    let folder = Folder::new("inspect-words");
    let (words, _) = run(&folder, "inspect", "race.pcapng", &[]).expect("a report");
    let above = folder.path("").display().to_string();
    insta::assert_snapshot!(words.replace(&above, "[folder]/"));
}

#[test]
fn missing_packets_and_notes_of_a_recording_are_reported() {
    use trailbrake_shared::recording::{Authored, Note, NoteColour, Tail, facts::Labels};
    let folder = Folder::new("inspect-recording");
    let mut bytes = recorded(Feed::F1, 7, 60.0);
    let whole = packets(&bytes);
    let recording = open(&bytes);
    let info = recording.info().clone();
    let note = Note {
        recording: info.id,
        at: whole[whole.len() / 2].at,
        author: "Lapidary".to_owned(),
        text: "brake later".to_owned(),
        car: None,
        distance_m: Some(812.5),
        colour: NoteColour::Amber,
        rank_mm: None,
        ranked: None,
        written: None,
        felt: None,
        others: Vec::new(),
    };
    let mut facts = recording.facts().clone();
    facts.store(&note.name(), note.stored(note.at));
    facts.put(note.at, &Labels { name: Some("Mine".into()), tags: vec!["wet".into()] });
    let tail = Tail::with(&recording, &facts);
    bytes.truncate(tail.from as usize);
    bytes.extend(&tail.bytes);
    // Damage one block: its packets are missing.
    bytes[tail.from as usize / 2] ^= 0x20;
    std::fs::write(folder.path("one.mcap"), &bytes).expect("a file");
    let (printed, notes) = run(&folder, "inspect", "one.mcap", &["--json"]).expect("a report");
    let report: Value = serde_json::from_str(&printed).expect("JSON");
    assert_eq!(report["bytes"], bytes.len());
    assert_eq!(report["notes"], serde_json::json!([note]));
    assert_eq!(
        (&report["facts"]["labels"]["name"], &report["facts"]["info"]["id"]),
        (&"Mine".into(), &info.id.to_string().into())
    );
    let gaps = report["gaps"].as_array().expect("gaps");
    let lost: u64 = gaps.iter().filter_map(|gap| gap["lost"].as_u64()).sum();
    let feed = &report["feeds"][0];
    assert!(lost > 0);
    assert_eq!(feed["packets"].as_u64().expect("a number") + lost, whole.len() as u64);
    for gap in gaps {
        let time = |name: &str| gap[name].as_u64().expect("a time");
        assert!(
            time("from") <= time("to") && (whole[0].at.0..=whole[whole.len() - 1].at.0).contains(&time("to"))
        );
    }
    assert!(notes.contains(&format!("{lost} packets are missing")), "{notes}");
    let session = &feed["sessions"][0];
    assert_eq!(
        (&session["game"], session["participants"].as_array().map(Vec::len)),
        (&"F1 2018".into(), Some(20))
    );
    assert_eq!(session["laps"].as_array().map(Vec::len), Some(20), "the lap under way of each car");
}

#[test]
fn a_file_without_packets_is_reported() {
    let folder = Folder::new("nothing");
    std::fs::write(folder.path("noise.bin"), [7; 99]).expect("a file");
    let error = run(&folder, "import", "noise.bin", &[]).expect_err("an error");
    assert!(error.to_string().contains("noise.bin is not a recording. Open .mcap, .pcap"), "{error}");
    let error = run(&folder, "laps", "noise.bin", &[]).expect_err("an error");
    assert!(
        error.to_string().contains("nothing in it is a packet of a known game (unknown packet (99 bytes"),
        "{error}"
    );
    assert!(run(&folder, "laps", "missing.pcap", &[]).is_err());
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

/// The lap numbers in a table, without repeats.
fn laps_in(table: &[u8]) -> Vec<String> {
    let table = String::from_utf8(table.to_vec()).expect("text");
    let mut laps: Vec<String> =
        table.lines().skip(1).map(|row| row.split(',').nth(2).expect("a lap").to_owned()).collect();
    laps.dedup();
    laps
}

#[test]
fn laps_are_named_by_number_by_range_and_as_the_best() {
    let folder = Folder::new("named-laps");
    run(&folder, "import", "race.pcapng", &["-o", "race.trailbrake.mcap"]).expect("a recording");
    let own = |number: u32| race().laps.iter().find(|lap| lap.car == 1 && lap.number == number);
    let time = |number: u32| own(number).expect("the lap").time_ms;
    let best = if time(1) <= time(2) { "1" } else { "2" };
    for file in ["race.pcapng", "race.trailbrake.mcap"] {
        for (nth, (named, laps)) in [
            ("--laps=1-2", &["1", "2"][..]),
            ("--laps=2", &["2"]),
            ("--laps=best", &[best]),
            ("--laps=1,2", &["1", "2"]),
        ]
        .into_iter()
        .enumerate()
        {
            let out = format!("{nth}-{file}.csv");
            run(&folder, "export", file, &["--format=csv", named, "-o", &out]).expect("a table");
            assert_eq!(laps_in(&folder.read(&out)), laps, "{named} of {file}");
        }
    }
    let table = |file: &str| String::from_utf8(folder.read(&format!("1-{file}.csv"))).expect("text");
    assert_eq!(
        table("race.pcapng"),
        table("race.trailbrake.mcap"),
        "a lap that is decoded by itself is the same as in the whole race"
    );
}

#[test]
fn of_a_recording_only_the_chosen_laps_are_decoded() {
    let folder = Folder::new("few-blocks");
    run(&folder, "import", "race.pcapng", &["-o", "race.trailbrake.mcap"]).expect("a recording");
    let options = ["--format=csv", "--laps=2", "-o", "lap.csv"];
    let (_, notes) = run(&folder, "export", "race.trailbrake.mcap", &options).expect("a table");
    let (_, counts) = notes.split_once("laps decoded: 1, by ").expect("a count");
    let mut numbers = counts.split_whitespace().filter_map(|word| word.parse::<f64>().ok());
    let (decoded, all) = (numbers.next().expect("a number"), numbers.next().expect("a number"));
    let lap = race().laps.iter().find(|lap| lap.car == 1 && lap.number == 2).expect("the lap");
    // A lap is decoded with three seconds before it, two after it, and the whole blocks at both ends.
    let most = (f64::from(lap.time_ms) / 1e3 + 7.0) / 260.0 * all * 1.1;
    assert!(decoded > 0.0 && decoded <= most.max(0.5 * all), "{decoded} of {all}, {most} at most");
    assert!(decoded < 0.6 * all, "{decoded} of {all}");
}

#[test]
fn a_recording_of_some_laps_leaves_other_people_out_by_default() {
    let folder = Folder::new("others");
    let (report, _) = run(&folder, "inspect", "race.pcapng", &["--json"]).expect("a report");
    let report: Value = serde_json::from_str(&report).expect("JSON");
    let people = report["feeds"][0]["sessions"][0]["participants"].as_array().expect("participants").clone();
    // The player is the only human driver. For laps of another car, the player is somebody else.
    let person = people.iter().find(|person| person["car"] == 1).expect("the player");
    let name = person["name"].as_str().expect("a name").to_owned();
    assert!(person["ai"] == false && !name.is_empty(), "{person}");
    let is_named = |file: &str| {
        run(&folder, "export", file, &["--format=raw", "-o", &format!("{file}.bin")]).expect("packets");
        folder.read(&format!("{file}.bin")).windows(name.len()).any(|at| at == name.as_bytes())
    };
    run(&folder, "import", "race.pcapng", &["-o", "race.trailbrake.mcap"]).expect("a recording");
    for from in ["race.pcapng", "race.trailbrake.mcap"] {
        let export = |out: &str, more: &[&str]| {
            let options = [&["--format=trailbrake", "--laps=2", "-o", out], more].concat();
            run(&folder, "export", from, &options).expect("a recording").1
        };
        let files = ["own", "alone", "together"].map(|name| format!("{name}-{from}.mcap"));
        let [own, alone, together] = &files;
        export(own, &[]);
        let notes = export(alone, &["--car=0"]);
        assert!(
            notes.contains("left out: cars, names, ids and chat of all other drivers, AI drivers included"),
            "{notes}"
        );
        let notes = export(together, &["--car=0", "--other-cars=kept"]);
        assert!(!notes.contains("left out"), "{notes}");
        assert_eq!((is_named(own), is_named(alone), is_named(together)), (true, false, true), "{from}");
        for file in &files {
            assert!(
                !folder.path(&format!("{file}.whole")).exists(),
                "nothing is left of what was made on the way"
            );
        }
    }
}
