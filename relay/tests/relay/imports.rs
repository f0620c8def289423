//! Laps from other programs' files on the command line: imported, listed, inspected, exported and compared like any
//! other. Also what people wrote into recordings that are merged.

use serde_json::{Value, json};
use trailbrake_shared::feed::Feed;
use trailbrake_shared::recording::facts::Labels;
use trailbrake_shared::recording::{Authored, Note, NoteColour, RecordingId, Tail, notes};

use crate::race::{Folder, json_lines, race, run};
use crate::recorded::recorded;
use crate::recording::{open, packets};

/// What `laps` prints about a file's timed laps.
fn timed(folder: &Folder, file: &str) -> Vec<Value> {
    let (printed, _) = run(folder, "laps", file, &["--json"]).expect("laps");
    let kept = |line: Value| {
        let of = |name: &str| line[name].clone();
        json!([of("driver"), of("car"), of("lap"), of("time_ms"), of("sectors_ms"), of("flags")])
    };
    let lines = json_lines(&printed).into_iter().filter(|line| line["time_ms"].is_u64());
    lines.map(kept).collect()
}

#[test]
fn laps_of_every_format_are_a_recording_like_any_other() {
    let folder = Folder::new("imports");
    let driven = timed(&folder, "race.pcapng");
    assert_eq!(driven.len(), 2);
    for (file, options) in [
        ("race.ld", &["--format=motec"][..]),
        ("race.csv", &["--format=csv"]),
        ("by-place.csv", &["--format=csv", "--every-m=1"]),
    ] {
        run(&folder, "export", "race.pcapng", &[options, &["-o", file]].concat()).expect(file);
        let recording = &format!("{file}.trailbrake.mcap");
        let (_, printed) = run(&folder, "import", file, &["-o", recording]).expect(file);
        assert!(printed.contains("written: "), "{printed}");
        // A log has only one car.
        let own = |laps: Vec<Value>| {
            let without = |mut lap: Value| {
                lap[1] = Value::Null;
                lap
            };
            laps.into_iter().map(without).collect::<Vec<_>>()
        };
        assert_eq!(own(timed(&folder, recording)), own(driven.clone()), "{file}");
        assert_eq!(own(timed(&folder, file)), own(driven.clone()), "{file} without a recording of it");
        let (printed, _) = run(&folder, "inspect", recording, &["--json"]).expect(file);
        let report: Value = serde_json::from_str(&printed).expect("JSON");
        let source = &report["feeds"][0];
        assert_eq!((&source["feed"], &source["rejected"]["packets"]), (&json!("imported-laps"), &json!(0)));
        assert_eq!(source["sessions"][0]["game"], "F1 2018");
        // Compared with the original lap, no time is lost anywhere.
        let reference = folder.path(recording).display().to_string();
        let options = ["--lap=2", "--reference=2", "--reference-file", &reference, "--json"];
        let (printed, _) = run(&folder, "compare", "race.pcapng", &options).expect(file);
        let report: Value = serde_json::from_str(&printed).expect("JSON");
        assert_eq!(report["behind_ms"], 0);
        let delta = report["delta"].as_array().expect("a delta");
        assert!(delta.iter().all(|point| point[1].as_f64().expect("seconds").abs() < 0.01), "{file}");
        // And once more, from the recording.
        run(&folder, "export", recording, &["--format=csv", "-o", "again.csv"]).expect(file);
        assert_eq!(own(timed(&folder, "again.csv")), own(driven.clone()), "{file}");
        let (lines, _) = run(&folder, "decode", recording, &[]).expect(file);
        let first: Value = serde_json::from_str(lines.lines().next().expect("a line")).expect("JSON");
        assert_eq!((&first["feed"], &first["packet"]), (&json!("imported-laps"), &json!("head")));
        let whole = packets(&folder.read(recording));
        assert!(whole.iter().all(|packet| &*packet.feed == Feed::ImportedLaps.id()));
    }
    assert!(race().laps.len() >= 2);
}

#[test]
fn each_file_of_laps_is_a_recording_of_its_own() {
    let folder = Folder::new("imports-two");
    for file in ["a.csv", "b.csv"] {
        run(&folder, "export", "race.pcapng", &["--format=csv", "--laps=1", "-o", file]).expect(file);
    }
    let both = folder.path("b.csv").display().to_string();
    let error = run(&folder, "import", "a.csv", &[&both, "-o", "both.mcap"]).expect_err("a reason");
    assert!(error.to_string().contains("leave out -o"), "{error}");
}

#[test]
fn files_of_laps_that_are_not_usable_are_refused_in_words() {
    let folder = Folder::new("imports-refused");
    run(&folder, "export", "race.pcapng", &["--format=motec", "-o", "race.ld"]).expect("a log");
    let log = folder.read("race.ld");
    let write = |name: &str, bytes: &[u8]| std::fs::write(folder.path(name), bytes).expect("a file");
    write("alone.ld", &log);
    write("cut.ld", &log[..log.len() / 2]);
    write("cut.ldx", &folder.read("race.ldx"));
    write("no-log.ld", b"something else");
    write("no-log.ldx", b"");
    write("unlined.ld", &log);
    write("unlined.ldx", b"<?xml version=\"1.0\"?><LDXFile/>");
    write("foreign.csv", b"Time,Ground Speed,Throttle\n0,50,100\n");
    write("empty.csv", b"");
    for (file, words) in [
        ("alone.ld", "the .ldx file that belongs beside the log is missing"),
        ("cut.ld", "the .ld file ends before"),
        ("no-log.ld", ".ld file"),
        ("unlined.ld", "no complete lap"),
        ("foreign.csv", "a table of a program that is not known"),
        ("empty.csv", "it is no table"),
    ] {
        let error = run(&folder, "import", file, &["-o", "never.mcap"]).expect_err(file);
        let reason = format!("{error:#}");
        assert!(reason.contains(file) && reason.contains(words), "{reason}");
        assert!(!folder.path("never.mcap").exists(), "{file}");
    }
}

#[test]
fn what_people_wrote_into_recordings_goes_with_them() {
    let folder = Folder::new("imports-labels");
    let written = |id: u128, name: Option<&str>, tag: &str, text: &str| {
        let mut bytes = recorded(Feed::F1, id, 30.0);
        let recording = open(&bytes);
        let whole = packets(&bytes);
        let note = Note {
            recording: RecordingId(id),
            at: whole[whole.len() / 2].at,
            author: "Ann".to_owned(),
            text: text.to_owned(),
            car: None,
            distance_m: None,
            colour: NoteColour::Amber,
            rank_mm: None,
            ranked: None,
            written: None,
            felt: None,
            others: Vec::new(),
        };
        let mut facts = recording.facts().clone();
        facts.store(&note.name(), note.stored(note.at));
        let labels = Labels { name: name.map(str::to_owned), tags: vec!["wet".to_owned(), tag.to_owned()] };
        facts.put(note.at, &labels);
        let tail = Tail::with(&recording, &facts);
        bytes.truncate(tail.from as usize);
        bytes.extend(&tail.bytes);
        std::fs::write(folder.path(&format!("{id}.mcap")), &bytes).expect("a file");
        note
    };
    let (one, other) = (written(7, None, "spa", "brakes late"), written(8, Some("Mine"), "race", "too wide"));

    run(&folder, "import", "7.mcap", &["-o", "again.mcap"]).expect("a recording");
    let again = open(&folder.read("again.mcap"));
    assert_eq!(notes::notes(again.facts()), std::slice::from_ref(&one));
    assert_eq!(
        again.info().parent,
        Some(RecordingId(7)),
        "so that notes can be put together with the other's"
    );

    let second = folder.path("8.mcap").display().to_string();
    let (_, printed) = run(&folder, "import", "7.mcap", &[&second, "-o", "both.mcap"]).expect("a recording");
    let merged: Vec<&str> =
        printed.lines().filter_map(|line| line.split_once(".mcap: ")).map(|(_, what)| what).collect();
    assert_eq!(
        merged,
        ["1 note by Ann added: “brakes late”.", "1 note by Ann added: “too wide”."],
        "{printed}"
    );
    let both = open(&folder.read("both.mcap"));
    let mut texts: Vec<String> = notes::notes(both.facts()).into_iter().map(|note| note.text).collect();
    texts.sort();
    assert_eq!(texts, [one.text, other.text]);
    let labels: Option<Labels> = both.facts().get().expect("labels");
    let tags = ["wet", "spa", "race"].map(str::to_owned).to_vec();
    assert_eq!(labels, Some(Labels { name: Some("Mine".into()), tags }));
    assert_eq!(both.info().parent, None);
}
