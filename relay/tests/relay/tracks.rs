//! Track names: on the command line, over HTTP, and in recordings.

use std::path::Path;

use clap::Parser as _;
use serde_json::{Value, json};
use trailbrake_relay::commands::{Command, CommandLine};
use trailbrake_relay::commands::{analyse, bests, compare, tracks};
use trailbrake_shared::analysis::{Fingerprint, KnownTrack, ReferenceLine, Stretch, TrackBook, TrackShape};
use trailbrake_shared::feed::Feed;
use trailbrake_shared::library::{Details, Entry};
use trailbrake_shared::recording::{LapId, Recording};
use trailbrake_shared::session::{Receiver, Session, sketch};
use trailbrake_shared::sim::{Demo, Options};
use trailbrake_shared::time::Micros;
use trailbrake_shared::wire::Datagram;

use crate::library::{list, path, put};
use crate::recorded::recorded;
use crate::recording::{open, recording_into, whole};
use crate::running::{Running, ask, send, settings, until};

/// Runs `trailbrake tracks`. Returns its output and its notes.
fn run(folder: &Path, arguments: &[&str]) -> anyhow::Result<(String, String)> {
    let folder = folder.display().to_string();
    let all = [&["trailbrake", "tracks"], arguments, &["--recordings", folder.as_str()]].concat();
    let Some(Command::Tracks(request)) = CommandLine::try_parse_from(all)?.command else {
        panic!("about tracks")
    };
    let (mut out, mut notes) = (Vec::new(), Vec::new());
    tracks::run(&request, &mut out, &mut notes)?;
    Ok((String::from_utf8(out)?, String::from_utf8(notes)?))
}

fn file(folder: &Path, name: &str) -> String {
    folder.join(format!("{name}.trailbrake.mcap")).display().to_string()
}

fn stored(folder: &Path, name: &str) -> Recording {
    open(&std::fs::read(file(folder, name)).expect("the file"))
}

fn known(folder: &Path, name: &str) -> Option<KnownTrack> {
    stored(folder, name).facts().get().expect("a fact")
}

/// The shape of the first 40 s of a lap of Gran Turismo on one of the demos' circuits.
fn driven_part(circuit: usize) -> TrackShape {
    let (feed, began) = (Feed::GranTurismo, Micros(1_795_000_000_000_000));
    let packets = Demo::packets(feed, Options { seed: 3, circuit, ..Options::default() }, began, 40.0);
    let mut receiver = Receiver::default();
    for (at, bytes) in &packets.expect("a demo") {
        let sender = ([127, 0, 0, 1], 5000).into();
        let datagram = Datagram { at: *at, sender, port: 20777, feed: Some(feed), bytes };
        receiver.receive(&datagram).expect("a packet");
    }
    let driven = sketch(receiver.session().expect("a session"));
    let path: Vec<[f64; 3]> = driven.points.iter().map(|point| point.position.map(f64::from)).collect();
    let line = ReferenceLine::through(&path, 0.0).expect("a line");
    let game = receiver.session().and_then(Session::game).expect("a game").to_owned();
    TrackShape::Part { game, part: Stretch::of(&line).expect("enough") }
}

/// Runs `trailbrake bests`. Returns the best laps and its notes.
fn best_laps(folder: &Path) -> (Vec<Value>, String) {
    let folder = folder.display().to_string();
    let line = CommandLine::try_parse_from(["trailbrake", "bests", "--json", "--recordings", &folder]);
    let Some(Command::Bests(request)) = line.expect("options").command else { panic!("the bests") };
    let (mut out, mut notes) = (Vec::new(), Vec::new());
    bests::run(&request, &mut out, &mut notes).expect("bests");
    let [out, notes] = [out, notes].map(|text| String::from_utf8(text).expect("text"));
    (out.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect(), notes)
}

#[test]
fn best_laps_on_an_unnamed_track_are_listed_by_its_length() {
    let folder = tempfile::tempdir().expect("a folder");
    let (lines, notes) = best_laps(folder.path());
    assert!(lines.is_empty() && notes.starts_with("no best laps: in 0 recordings"), "{notes}");
    for (name, id, seconds) in [("monday", 1, 200.0), ("tuesday", 2, 290.0)] {
        put(folder.path(), name, &recorded(Feed::GranTurismo, id, seconds));
    }
    let (lines, notes) = best_laps(folder.path());
    let [line] = &lines[..] else { panic!("{lines:?} {notes}") };
    let track = line["track"].as_str().expect("a track");
    assert!(track.starts_with("Unnamed circuit of 50") && track.ends_with(" m"), "{track}");
    assert!(line["progress"][0]["laps"].as_u64().expect("laps") > 2, "of both recordings: {line}");
    assert_eq!(known(folder.path(), "monday"), None, "listing writes nothing");
}

#[tokio::test]
async fn recordings_that_come_after_the_naming_are_recognised_and_a_new_name_shows_at_once() {
    let folder = tempfile::tempdir().expect("a folder");
    put(folder.path(), "monday", &recorded(Feed::GranTurismo, 1, 260.0));
    run(folder.path(), &["name", &file(folder.path(), "monday"), "Old mill"]).expect("named");
    let relay = recording_into(folder.path(), &[]);
    let address = relay.report.http;
    put(folder.path(), "tuesday", &recorded(Feed::GranTurismo, 2, 230.0));
    let tracks = async || -> Vec<Option<String>> {
        list(address).await.recordings.into_iter().map(|entry| entry.track).collect()
    };
    let both = |name: &str| vec![Some(name.to_owned()); 2];
    until(async || (tracks().await == both("Old mill")).then_some(())).await;
    assert_eq!(known(folder.path(), "tuesday").map(|known| known.name).as_deref(), Some("Old mill"));
    assert_eq!(list(address).await.looked.bytes, 0, "no file is opened for it again");

    let shape = known(folder.path(), "monday").expect("known").fingerprint;
    let name = json!({ "fingerprint": shape, "name": "The mill" }).to_string();
    assert_eq!(send(address, "POST", "/tracks/name", name.as_bytes()).await.status, 200);
    assert_eq!(tracks().await, both("The mill"));
    let bests: Value = ask(address, "GET", "/library/bests", &[]).await.json();
    assert_eq!(bests["bests"][0]["track"], "The mill");
    // Half a minute of a lap is enough to know it again, and no other track.
    let named = async |circuit: usize| -> Value {
        let part = serde_json::to_vec(&driven_part(circuit)).expect("JSON");
        let answer: Value = send(address, "POST", "/library/bests", &part).await.json();
        answer["track"].clone()
    };
    assert_eq!(named(0).await, "The mill");
    assert_eq!(named(1).await, Value::Null);
    // The recordings' files contain the new name, too.
    until(async || {
        let details: Details = ask(address, "GET", &path(2, ""), &[]).await.json();
        details.facts.get("track").is_some_and(|track| track["name"] == "The mill").then_some(())
    })
    .await;
    relay.stop().await;
}

#[tokio::test]
async fn a_recording_knows_its_track_when_it_is_made() {
    let folder = tempfile::tempdir().expect("a folder");
    put(folder.path(), "monday", &recorded(Feed::GranTurismo, 1, 260.0));
    run(folder.path(), &["name", &file(folder.path(), "monday"), "Old mill"]).expect("named");
    let recordings = format!("--recordings={}", folder.path().display());
    let mut settings = settings(&[
        &recordings,
        "--port=gran-turismo=0",
        "--demo=gran-turismo",
        "--demo-speed=10",
        "--record-demo",
    ]);
    // No browser has to keep up with this demo, so it runs even faster.
    settings.demo.iter_mut().for_each(|wish| wish.speed = 30.0);
    let relay = Running::start(settings);
    // Sixty packets a second, for more than a lap.
    let mut browser = relay.browser().await;
    browser.datagrams(240 * 60).await;
    relay.stop().await;
    let files = whole(folder.path());
    let made = files.iter().find(|(name, _)| !name.starts_with("monday")).expect("a recording");
    let made = open(&made.1);
    let laps = made.laps().laps.iter().filter(|row| row.lap.counts().is_some()).count();
    let known: KnownTrack = made.facts().get().expect("a fact").expect("a track");
    assert_eq!(known.name, "Old mill", "{laps} laps");
    assert_eq!(Entry::of_recording("made", 0, &made).track.as_deref(), Some("Old mill"));
}

#[test]
fn a_track_without_a_name_is_named_once_and_known_in_all_recordings() {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, id) in [("monday", 1), ("tuesday", 2)] {
        put(folder.path(), name, &recorded(Feed::GranTurismo, id, 260.0));
    }
    put(folder.path(), "other", &recorded(Feed::F1, 3, 30.0));
    let monday = file(folder.path(), "monday");
    let (out, notes) = run(folder.path(), &["name", &monday, "  Old mill "]).expect("named");
    assert!(out.starts_with("Old mill  50"), "{out}");
    assert_eq!(notes, "updated: 2 recordings of the track\n");
    let names = ["monday", "tuesday", "other"].map(|name| known(folder.path(), name).map(|known| known.name));
    assert_eq!(names, [Some("Old mill".into()), Some("Old mill".into()), None]);
    let entry = Entry::of_recording("monday", 0, &stored(folder.path(), "monday"));
    assert_eq!(entry.track.as_deref(), Some("Old mill"));

    let (lines, _) = best_laps(folder.path());
    assert!(lines.iter().any(|line| line["track"] == "Old mill"), "{lines:?}");

    // Recordings outside the folder get the name from the folder's track names.
    let elsewhere = tempfile::tempdir().expect("a folder");
    put(elsewhere.path(), "laps", &recorded(Feed::GranTurismo, 9, 320.0));
    let laps = file(elsewhere.path(), "laps");
    let book = folder.path().display().to_string();
    let report_of = |command: &str, of_laps: &[&str]| -> Value {
        let all = [&["trailbrake", command, laps.as_str(), "--json", "--recordings", book.as_str()], of_laps]
            .concat();
        let mut out = Vec::new();
        match CommandLine::try_parse_from(all).expect("options").command {
            Some(Command::Compare(request)) => {
                compare::run(&request, &mut out, Vec::new()).expect("a comparison")
            }
            Some(Command::Analyse(request)) => {
                analyse::run(&request, &mut out, Vec::new()).expect("a report")
            }
            other => panic!("{other:?}"),
        }
        serde_json::from_slice(&out).expect("JSON")
    };
    assert_eq!(report_of("compare", &["--lap", "best"])["lap"]["track"], "Old mill");
    assert_eq!(report_of("analyse", &[])["track"], "Old mill");

    // Corner names apply to all of these recordings, too.
    let (before, _) = run(folder.path(), &["corner", &monday, "--at", "1", "--name", "x"])
        .unwrap_or_else(|why| (why.to_string(), String::new()));
    assert!(before.contains("nothing is to be changed at 1 m"), "{before}");
    let places = |out: &str| -> Vec<(String, f64)> {
        let row =
            |line: &str| Some((line.get(..20)?.trim().to_owned(), line.get(28..35)?.trim().parse().ok()?));
        out.lines().filter_map(row).collect()
    };
    let shape = known(folder.path(), "monday").expect("known").fingerprint.length_m;
    let mut at = 0.0;
    let (out, _) = loop {
        at += 50.0;
        assert!(at < shape, "there is a corner somewhere");
        let place = at.to_string();
        if let Ok(done) = run(folder.path(), &["corner", &monday, "--at", &place, "--name", "The mill"]) {
            break done;
        }
    };
    let named = places(&out);
    assert!(named.iter().any(|(name, _)| name == "The mill") && named.len() > 5, "{out}");
    let (merged, _) =
        run(folder.path(), &["corner", &monday, "--at", &at.to_string(), "--merge"]).expect("merged");
    assert_eq!(places(&merged).len() + 1, named.len(), "{merged}");
    assert_eq!(known(folder.path(), "tuesday").map(|known| known.edits.len()), Some(2));
    let (listed, _) = run(folder.path(), &[]).expect("a list");
    assert!(listed.starts_with("Old mill ") && listed.contains("2 changes to its corners"), "{listed}");
    let (listed, _) = run(folder.path(), &["--json"]).expect("a list");
    let line: Value = serde_json::from_str(&listed).expect("JSON");
    assert_eq!((&line["name"], line["edits"].as_array().map(Vec::len)), (&json!("Old mill"), Some(2)));
}

fn fingerprint() -> Fingerprint {
    let point = |step: u32| {
        let angle = std::f64::consts::TAU * f64::from(step) / 900.0;
        let radius = 400.0 * (1.0 + 0.2 * (3.0 * angle).sin());
        [radius * angle.sin(), 0.0, radius * angle.cos()]
    };
    let points: Vec<[f64; 3]> = (0..=900).map(point).collect();
    Fingerprint::of(&ReferenceLine::through(&points, 0.0).expect("a line"))
}

#[tokio::test]
async fn the_book_is_read_and_written_over_http() {
    let folder = tempfile::tempdir().expect("a folder");
    let relay = recording_into(folder.path(), &[]);
    let address = relay.report.http;
    let book = ask(address, "GET", "/tracks", &[]).await;
    assert_eq!((book.status, book.json::<TrackBook>()), (200, TrackBook::default()));
    let name = json!({ "fingerprint": fingerprint(), "name": "Old mill" }).to_string();
    let edit =
        json!({ "fingerprint": fingerprint(), "edit": { "rename": { "at_m": 300.0, "name": "Esses" } } });
    let edit = edit.to_string();
    let early = send(address, "POST", "/tracks/corner", edit.as_bytes()).await;
    assert_eq!(early.status, 400, "{}", early.text());
    assert!(early.text().contains("no name yet"), "{}", early.text());
    let named = send(address, "POST", "/tracks/name", name.as_bytes()).await;
    assert_eq!(named.status, 200, "{}", named.text());
    let changed: TrackBook = send(address, "POST", "/tracks/corner", edit.as_bytes()).await.json();
    assert_eq!(changed.tracks().first().map(|track| track.edits.len()), Some(1));
    assert_eq!(ask(address, "GET", "/tracks", &[]).await.json::<TrackBook>(), changed);
    let undo = json!({ "fingerprint": fingerprint(), "edit": null }).to_string();
    let back: TrackBook = send(address, "POST", "/tracks/corner", undo.as_bytes()).await.json();
    assert_eq!(back.tracks().first().map(|track| track.edits.len()), Some(0));
    for (route, wish) in [
        ("/tracks/corner", json!({ "fingerprint": fingerprint(), "edit": null })),
        ("/tracks/corner", json!({ "fingerprint": fingerprint() })),
        ("/tracks/name", json!({ "fingerprint": fingerprint(), "name": " " })),
        ("/tracks/name", json!({ "fingerprint": fingerprint(), "name": "two\nlines" })),
        ("/tracks/name", json!({ "name": "Old mill" })),
        ("/tracks/corner", json!({ "fingerprint": fingerprint(), "edit": { "merge": { "at_m": -5.0 } } })),
    ] {
        let refused = send(address, "POST", route, wish.to_string().as_bytes()).await;
        assert_eq!(refused.status, 400, "{wish}: {}", refused.text());
    }
    // A broken file is set aside, and the next name starts a new one.
    std::fs::write(folder.path().join("tracks.json"), b"{").expect("a file");
    assert_eq!(ask(address, "GET", "/tracks", &[]).await.json::<TrackBook>(), TrackBook::default());
    assert_eq!(std::fs::read(folder.path().join("tracks.json.broken-1")).expect("kept"), b"{");
    relay.stop().await;
}

#[tokio::test]
async fn laps_taken_out_carry_the_names_with_them() {
    let folder = tempfile::tempdir().expect("a folder");
    put(folder.path(), "race", &recorded(Feed::GranTurismo, 1, 260.0));
    run(folder.path(), &["name", &file(folder.path(), "race"), "Old mill"]).expect("named");
    let relay = recording_into(folder.path(), &[]);
    let address = relay.report.http;
    assert_eq!(
        list(address).await.recordings.first().and_then(|entry| entry.track.clone()),
        Some("Old mill".into())
    );
    // Renamed while the relay runs: a clip made after that has the new name.
    let shape = known(folder.path(), "race").expect("known").fingerprint;
    let name = json!({ "fingerprint": shape, "name": "The mill" }).to_string();
    assert_eq!(send(address, "POST", "/tracks/name", name.as_bytes()).await.status, 200);
    let recording = stored(folder.path(), "race");
    let row = recording.laps().laps.iter().find(|row| row.lap.counts().is_some()).expect("a lap");
    let key = LapId { car: row.car, session: row.session, serial: row.lap.serial };
    let taken =
        send(address, "POST", &path(1, "/trim"), json!({ "laps": [key] }).to_string().as_bytes()).await;
    let entry: Entry = taken.json();
    let small = open(&std::fs::read(folder.path().join(&entry.file)).expect("the file"));
    let carried = small.facts().get::<KnownTrack>().expect("a fact").map(|known| known.name);
    assert_eq!((carried.as_deref(), entry.track.as_deref()), (Some("The mill"), Some("The mill")));
    relay.stop().await;
}

#[test]
fn an_empty_book_says_so_and_its_place_may_stand_before_what_is_done() {
    let folder = tempfile::tempdir().expect("a folder");
    let (printed, notes) = run(folder.path(), &[]).expect("a list");
    assert!(printed.is_empty() && notes.starts_with("no track has a name yet in "), "{notes}");
    put(folder.path(), "monday", &recorded(Feed::GranTurismo, 1, 200.0));
    let [place, file] = [folder.path().display().to_string(), file(folder.path(), "monday")];
    let named = ["trailbrake", "tracks", "--recordings", &place, "name", &file, "Old mill"];
    let Some(Command::Tracks(request)) = CommandLine::try_parse_from(named).expect("options").command else {
        panic!("about tracks")
    };
    tracks::run(&request, &mut Vec::new(), &mut Vec::new()).expect("named");
    assert!(run(folder.path(), &[]).expect("a list").0.starts_with("Old mill "), "in that folder's book");
    let why = run(folder.path(), &["--json", "name", &file, "Mill"]).expect_err("a reason").to_string();
    assert!(why.contains("--json is for the list"), "{why}");
}
