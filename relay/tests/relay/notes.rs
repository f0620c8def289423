//! What people add to recordings over HTTP: notes and clips.

use std::net::SocketAddr;
use std::time::Duration;

use serde_json::json;
use trailbrake_shared::feed::Feed;
use trailbrake_shared::library::{Details, Entry, Excerpt, Listing};
use trailbrake_shared::recording::authored::{LONGEST_AUTHOR, LONGEST_TEXT};
use trailbrake_shared::recording::notes::notes;
use trailbrake_shared::recording::{
    Authored, LapId, LapReading, LapRow, LapTable, Note, OtherCars, SessionSummary, read_whole,
};
use trailbrake_shared::sim::{Demo, Options};
use trailbrake_shared::time::Micros;

use crate::library::{list, path, put, recording};
use crate::recorded::{BEGAN, recorded};
use crate::recording::{open, packets, recording_into, whole};
use crate::running::{Answer, Game, ask, send, until};

/// A note about a moment, `seconds` after the recordings' beginning.
fn note(seconds: f64, author: &str, text: &str) -> Vec<u8> {
    let at = BEGAN.plus_seconds(seconds);
    json!({ "at": at, "author": author, "text": text, "car": 3, "distance_m": 812.5 })
        .to_string()
        .into_bytes()
}

async fn write(address: SocketAddr, id: u128, body: &[u8]) -> Answer {
    send(address, "POST", &path(id, "/notes"), body).await
}

/// The notes in a response, by name.
fn noted(answer: &Answer) -> Vec<(String, Note)> {
    assert_eq!(answer.status, 200, "{}", answer.text());
    let facts = answer.json::<Details>().facts.into_iter().filter(|(name, _)| name.starts_with("note/"));
    facts.map(|(name, fact)| (name, serde_json::from_value(fact).expect("a note"))).collect()
}

#[tokio::test]
async fn notes_are_written_reworded_and_taken_away() {
    let folder = tempfile::tempdir().expect("a folder");
    put(folder.path(), "one", &recording(1, 3.0));
    let relay = recording_into(folder.path(), &[]);
    let address = relay.report.http;
    write(address, 1, &note(2.0, " Ann ", "brakes late\nand hard")).await;
    write(address, 1, &note(2.0, "Bob/Eve", "no")).await;
    let both = noted(&write(address, 1, &note(2.0, "Bob/Eve", "off line")).await);
    let [(ann, first), (bob, second)] = &both[..] else { panic!("{both:?}") };
    assert_eq!((first.author.as_str(), first.text.as_str()), ("Ann", "brakes late\nand hard"));
    assert_eq!((first.at, first.distance_m), (BEGAN.plus_seconds(2.0), Some(812.5)));
    assert_eq!((second.text.as_str(), second.others.len()), ("off line", 0), "one note, reworded");
    assert_eq!(ann, &first.name());

    // Colour and place in the plan stay where a new wording names none, and a colour of a later version is kept.
    let place = json!({
        "at": BEGAN.plus_seconds(2.0), "author": "Ann", "text": "brakes late", "colour": "teal", "rank_mm": 900_000,
    });
    let moved = noted(&write(address, 1, place.to_string().as_bytes()).await);
    let reworded = noted(&write(address, 1, &note(2.0, "Ann", "brakes late\nand hard")).await);
    for notes in [moved, reworded] {
        let (_, ann) = notes.iter().find(|(_, note)| note.author == "Ann").expect("Ann's");
        assert_eq!((ann.colour.word(), ann.rank_mm), ("teal", Some(900_000)));
    }

    for name in [ann.replace('/', "%2F"), bob.clone()] {
        let gone = send(address, "DELETE", &path(1, &format!("/notes/{name}")), b"").await;
        assert!(noted(&gone).iter().all(|(left, _)| *left != name.replace("%2F", "/")));
    }
    let twice = send(address, "DELETE", &path(1, &format!("/notes/{ann}")), b"").await;
    assert_eq!(twice.status, 404, "{}", twice.text());
    assert_eq!(send(address, "DELETE", &path(1, "/notes/labels"), b"").await.status, 404);
    let [(_, bytes)] = &whole(folder.path())[..] else { panic!("one file") };
    assert_eq!(packets(bytes), packets(&recording(1, 3.0)), "the packets are untouched");
    relay.stop().await;
}

#[tokio::test]
async fn a_rating_needs_no_text_and_stays_with_another_wording() {
    let folder = tempfile::tempdir().expect("a folder");
    put(folder.path(), "one", &recording(1, 3.0));
    let relay = recording_into(folder.path(), &[]);
    let address = relay.report.http;
    let at = BEGAN.plus_seconds(2.0);
    let rated = json!({ "at": at, "author": "Ann", "text": "", "felt": 2 }).to_string();
    let words = |answer: &Answer| noted(answer).first().map(|(_, note)| note.words()).expect("a note");
    assert_eq!(words(&write(address, 1, rated.as_bytes()).await), "Felt 2 of 5");
    let worded = json!({ "at": at, "author": "Ann", "text": "slid wide" }).to_string();
    assert_eq!(words(&write(address, 1, worded.as_bytes()).await), "Felt 2 of 5: slid wide");
    relay.stop().await;
}

#[tokio::test]
async fn a_note_that_can_be_none_is_refused_with_words() {
    let folder = tempfile::tempdir().expect("a folder");
    put(folder.path(), "one", &recording(1, 3.0));
    let relay = recording_into(folder.path(), &[]);
    let address = relay.report.http;
    for (body, words) in [
        (note(1.0, "", "text"), "who writes it"),
        (note(1.0, "two\nlines", "text"), "who writes it"),
        (note(1.0, &"x".repeat(LONGEST_AUTHOR + 1), "text"), "who writes it"),
        (note(1.0, "Ann", " "), "a text of at most"),
        (note(1.0, "Ann", &"x".repeat(LONGEST_TEXT + 1)), "a text of at most"),
        (note(1.0, "Ann", "bell \u{7}"), "a text of at most"),
        (
            json!({ "at": BEGAN, "author": "Ann", "text": "text", "colour": "Two Words" }).to_string().into(),
            "no word of at most",
        ),
        (json!({ "at": BEGAN, "author": "Ann", "text": "", "felt": 0 }).to_string().into(), "from 1 to 5"),
        (json!({ "at": BEGAN, "author": "Ann", "text": "", "felt": 6 }).to_string().into(), "from 1 to 5"),
        (note(4000.0, "Ann", "text"), "not in the recording"),
        (note(-4000.0, "Ann", "text"), "not in the recording"),
        (br#"{"at":1,"author":"Ann"}"#.to_vec(), "not understood"),
    ] {
        let refused = write(address, 1, &body).await;
        assert_eq!(refused.status, 400, "{}", refused.text());
        assert!(refused.text().contains(words), "{}", refused.text());
    }
    assert_eq!(write(address, 9, &note(1.0, "Ann", "text")).await.status, 404);
    let details: Details = ask(address, "GET", &path(1, ""), &[]).await.json();
    assert!(details.facts.keys().all(|name| !name.starts_with("note/")));
    relay.stop().await;
}

#[tokio::test]
async fn notes_are_written_while_it_is_recorded() {
    let folder = tempfile::tempdir().expect("a folder");
    let relay = recording_into(folder.path(), &[]);
    let (address, to) = (relay.report.http, relay.address_of(Feed::F1));
    let driving = tokio::spawn(async move {
        let game = Game::start().await;
        let mut demo = Demo::new(Feed::F1, Options::default(), Micros(0)).expect("a feed");
        for tick in 0.. {
            let mut sent = Vec::new();
            demo.advance(Micros(tick * 20_000), &mut |_, bytes| sent.push(bytes.to_vec()));
            for bytes in sent {
                game.send(to, &bytes).await;
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    });
    let entry = until(async || {
        let listing: Listing = list(address).await;
        listing.recordings.into_iter().find(|entry| entry.underway && entry.seconds > 1.0)
    })
    .await;
    let id = entry.id.expect("an id").0;
    let at = entry.created.plus_seconds(entry.seconds);
    for text in ["first", "second"] {
        let body = json!({ "at": at, "author": "Ann", "text": text }).to_string();
        let written = noted(&write(address, id, body.as_bytes()).await);
        assert_eq!(written.iter().map(|(_, note)| note.text.as_str()).collect::<Vec<_>>(), [text]);
    }
    let body = json!({ "at": at, "author": "Bob", "text": "gone again" }).to_string();
    let both = noted(&write(address, id, body.as_bytes()).await);
    assert_eq!(both.len(), 2);
    let (bob, _) = both.iter().find(|(_, note)| note.author == "Bob").expect("Bob's");
    assert_eq!(noted(&send(address, "DELETE", &path(id, &format!("/notes/{bob}")), b"").await).len(), 1);
    // A copy can't be merged yet: the recording still grows.
    let tail = ask(address, "GET", &path(id, "/tail"), &[]).await;
    let place = tail.header("content-range").and_then(|range| range.strip_prefix("bytes ")?.split_once('-'));
    let begins: usize = place.and_then(|(begins, _)| begins.parse().ok()).expect("a place");
    let file = ask(address, "GET", &path(id, "/file"), &[]).await.body;
    let early = send(address, "POST", "/library", &[&file[..begins], &tail.body].concat()).await;
    assert_eq!(early.status, 409, "{}", early.text());
    assert!(early.text().contains("being recorded"), "{}", early.text());
    driving.abort();
    relay.stop().await;
    let [(_, bytes)] = &whole(folder.path())[..] else { panic!("one file") };
    let kept = notes(open(bytes).facts());
    assert_eq!(kept.iter().map(|note| note.text.as_str()).collect::<Vec<_>>(), ["second"]);
}

#[tokio::test]
async fn laps_are_taken_out_as_a_recording_of_their_own() {
    let folder = tempfile::tempdir().expect("a folder");
    let bytes = recorded(Feed::F1, 1, 220.0);
    put(folder.path(), "race", &bytes);
    let summary: SessionSummary = open(&bytes).facts().get().expect("a fact").expect("a summary");
    let player = summary.player.expect("a player");
    let rows: Vec<_> = open(&bytes).laps().laps.iter().filter(|row| row.car == player).cloned().collect();
    let row = rows.iter().find(|row| row.lap.ended_s.is_some()).expect("a lap that was finished");
    let key = LapId { car: row.car, session: row.session, serial: row.lap.serial };
    let relay = recording_into(folder.path(), &[]);
    let address = relay.report.http;
    write(address, 1, &note(row.from.seconds_since(BEGAN) + 1.0, "Ann", "brakes late")).await;
    write(address, 1, &note(0.0, "Ann", "still in the pits")).await;

    let wish = json!({ "laps": [key, key], "name": "The good one" }).to_string();
    let taken = send(address, "POST", &path(1, "/trim"), wish.as_bytes()).await;
    assert_eq!(taken.status, 201, "{}", taken.text());
    let entry: Entry = taken.json();
    assert_eq!(entry.file, "race-laps.trailbrake.mcap");
    assert_eq!((entry.name.as_deref(), entry.laps, entry.others_left_out), (Some("The good one"), 1, true));
    assert_eq!(entry.parent, Some(trailbrake_shared::recording::RecordingId(1)));
    let small = std::fs::read(folder.path().join(&entry.file)).expect("the file");
    let facts = open(&small).facts().clone();
    assert_eq!(notes(&facts).iter().map(|note| note.text.as_str()).collect::<Vec<_>>(), ["brakes late"]);
    assert_eq!(facts.get::<LapTable>().expect("a fact").expect("laps").laps.len(), 1);

    // A note on the clip is also about the whole recording, so that they can be merged again.
    let id = entry.id.expect("an id").0;
    let again = note(row.from.seconds_since(BEGAN) + 1.0, "Ann", "brakes far too late");
    assert_eq!(noted(&write(address, id, &again).await).len(), 1);

    let all = Excerpt { laps: vec![key], other_cars: OtherCars::Kept, name: None };
    let all = serde_json::to_vec(&all).expect("JSON");
    let entry: Entry = send(address, "POST", &path(1, "/trim"), &all).await.json();
    let lap = format!(", lap {}", row.lap.number);
    assert!(
        entry.name.as_ref().is_some_and(|name| name.ends_with(&lap) && name.len() > lap.len()),
        "{entry:?}"
    );
    assert!(!entry.others_left_out);
    let lap_s = row.to.seconds_since(row.from);
    assert!((lap_s..lap_s + 7.0).contains(&entry.seconds), "{} of {lap_s}", entry.seconds);
    assert_eq!(list(address).await.recordings.len(), 3);
    for (wish, status, words) in [
        (json!({ "laps": [] }), 400, "no laps are named"),
        (json!({ "laps": [LapId { serial: 99, ..key }] }), 400, "has no lap 99"),
        (json!({ "laps": [key], "name": "two\nlines" }), 400, "one line"),
        (json!({ "lap": key }), 400, "not understood"),
    ] {
        let refused = send(address, "POST", &path(1, "/trim"), wish.to_string().as_bytes()).await;
        assert_eq!(refused.status, status, "{}", refused.text());
        assert!(refused.text().contains(words), "{}", refused.text());
    }
    assert_eq!(send(address, "POST", &path(9, "/trim"), &all).await.status, 404);
    let left = std::fs::read_dir(folder.path()).expect("the folder").count();
    assert_eq!(left, 4, "three recordings, the lock, and nothing half made");
    relay.stop().await;
}

#[tokio::test]
async fn laps_with_nobody_else_and_nothing_left_are_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    // A server's packets each contain every driver.
    let bytes = recorded(Feed::AcServer, 1, 200.0);
    put(folder.path(), "server", &bytes);
    let row = open(&bytes).laps().laps.first().expect("a lap").clone();
    let key = LapId { car: row.car, session: row.session, serial: row.lap.serial };
    let relay = recording_into(folder.path(), &[]);
    let wish = json!({ "laps": [key] }).to_string();
    let refused = send(relay.report.http, "POST", &path(1, "/trim"), wish.as_bytes()).await;
    assert_eq!(refused.status, 409, "{}", refused.text());
    assert!(refused.text().contains("nothing is left"), "{}", refused.text());
    assert_eq!(list(relay.report.http).await.recordings.len(), 1);
    relay.stop().await;
}

/// All samples of a lap, with the lap and what is known around it in words.
fn decoded(bytes: &[u8], row: &LapRow) -> (Vec<Vec<(usize, f32)>>, String) {
    let mut reading = LapReading::new(&open(bytes), row);
    read_whole(&mut reading, bytes);
    let lap = reading.finish().expect("the lap");
    let lines = lap.columns.slots().filter_map(|slot| Some(lap.columns.line(slot)?.iter().collect()));
    (lines.collect(), format!("{:?} {:?} {:?}", lap.columns.seconds(), lap.lap, lap.context))
}

#[tokio::test]
async fn a_lap_to_look_at_is_sent_without_other_cars_and_reads_the_same() {
    let folder = tempfile::tempdir().expect("a folder");
    let feeds = [Feed::F1, Feed::AcTelemetryTool, Feed::AcServer];
    let relay = recording_into(folder.path(), &[]);
    let address = relay.report.http;
    let lap = async |id: u128, row: &LapRow| {
        let (session, car, serial) = (row.session, row.car.0, row.lap.serial);
        let asked = format!("/lap?session={session}&car={car}&serial={serial}");
        ask(address, "GET", &path(id, &asked), &[]).await
    };
    for (id, feed) in (1..).zip(feeds) {
        let bytes = recorded(feed, id, 200.0);
        put(folder.path(), feed.id(), &bytes);
        let rows = open(&bytes).laps().laps.clone();
        let whole = |row: &&LapRow| row.lap.counts().is_some();
        let own = rows.iter().rfind(whole).expect("a lap");
        let other = rows.iter().filter(whole).find(|row| row.car != own.car).expect("another car's lap");
        for row in [own, other] {
            let sent = lap(id, row).await;
            assert_eq!(sent.status, 200, "{}", sent.text());
            assert_eq!(decoded(&sent.body, row), decoded(&bytes, row), "{}", feed.id());
            let share = sent.body.len() as f64 / bytes.len() as f64;
            let expected = if feed == Feed::AcServer { 0.3..0.8 } else { 0.0..0.1 };
            assert!(expected.contains(&share), "{}: {share}", feed.id());
        }
        assert_eq!(lap(9, own).await.status, 404);
        let missing = LapRow { session: 7, ..own.clone() };
        let refused = lap(id, &missing).await;
        assert_eq!(refused.status, 400);
        assert!(refused.text().contains("has no lap"), "{}", refused.text());
    }
    for asked in ["/lap", "/lap?session=0&car=x&serial=1", "/lap?session=0&car=300&serial=1"] {
        assert_eq!(ask(address, "GET", &path(1, asked), &[]).await.status, 400, "{asked}");
    }
    assert_eq!(list(address).await.recordings.len(), feeds.len(), "nothing was written");
    relay.stop().await;
}
