//! Merging two people's copies of one recording over HTTP.

use std::fs;
use std::net::SocketAddr;
use std::path::Path;

use serde_json::json;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use trailbrake_shared::feed::Feed;
use trailbrake_shared::library::{Details, Entry, ImportedRecording};
use trailbrake_shared::recording::authored::count;
use trailbrake_shared::recording::notes::notes;
use trailbrake_shared::recording::{Authored, AuthoredKind, RecordingId, Writer};
use trailbrake_shared::wire::Datagram;

use crate::library::{info, list, path, put, recording};
use crate::noise::Noise;
use crate::recorded::{BEGAN, recorded};
use crate::recording::{open, packets, recording_into, whole};
use crate::running::{Answer, Running, ask, send, soon, until};
use crate::tasks::new_task;

const ID: u128 = 7;

/// A person whose library has one copy.
struct Person {
    folder: tempfile::TempDir,
    relay: Running,
}

impl Person {
    fn with(copy: &[u8]) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        put(folder.path(), "copy", copy);
        let relay = recording_into(folder.path(), &[]);
        Self { folder, relay }
    }

    fn address(&self) -> SocketAddr {
        self.relay.report.http
    }

    async fn notes(&self, seconds: f64, author: &str, text: &str) {
        let at = BEGAN.plus_seconds(seconds);
        let note = json!({ "at": at, "author": author, "text": text }).to_string();
        let answer = send(self.address(), "POST", &path(ID, "/notes"), note.as_bytes()).await;
        assert_eq!(answer.status, 200, "{}", answer.text());
    }

    async fn calls_it(&self, name: &str, tag: &str) {
        let wish = json!({ "name": name, "tags": ["both", tag] }).to_string();
        assert_eq!(send(self.address(), "PATCH", &path(ID, ""), wish.as_bytes()).await.status, 200);
    }

    async fn copy(&self) -> Vec<u8> {
        ask(self.address(), "GET", &path(ID, "/file"), &[]).await.body
    }

    async fn is_brought(&self, copy: &[u8]) -> Answer {
        send(self.address(), "POST", "/library?name=brought", copy).await
    }
}

/// The texts of a copy's notes, each with its other versions.
fn texts(copy: &[u8]) -> Vec<(String, Vec<String>)> {
    notes(open(copy).facts()).into_iter().map(|note| (note.text, note.others)).collect()
}

fn files(folder: &Path) -> Vec<String> {
    whole(folder).into_iter().map(|(name, _)| name).collect()
}

#[tokio::test]
async fn two_peoples_notes_are_put_together_and_no_wording_is_lost() {
    let bytes = recording(ID, 8.0);
    let (driver, coach) = (Person::with(&bytes), Person::with(&bytes));
    driver.notes(9.0, "Ann", "lost it here").await;
    driver.notes(10.0, "Ann", "kerb").await;
    driver.calls_it("Friday", "mine").await;
    coach.notes(9.0, "Bob", "too early on the throttle").await;
    coach.notes(10.0, "Ann", "the inner kerb").await;
    coach.calls_it("Ann at Spa", "pupils").await;

    let answer = driver.is_brought(&coach.copy().await).await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    let ImportedRecording { entry, merged } = ImportedRecording::read(&answer.text()).expect("an import");
    assert_eq!((entry.file.as_str(), entry.name.as_deref()), ("copy.trailbrake.mcap", Some("Friday")));
    // The answer says what changed among the driver's notes.
    assert_eq!(
        merged.expect("a merge").sentences(),
        ["1 note by Bob added: “too early on the throttle”.", "1 note by Ann changed: “the inner kerb”."]
    );
    assert_eq!(entry.tags, ["both", "mine", "pupils"]);
    let merged = driver.copy().await;
    let expected = [
        ("lost it here".to_owned(), vec![]),
        ("too early on the throttle".to_owned(), vec![]),
        ("the inner kerb".to_owned(), vec!["kerb".to_owned()]),
    ];
    assert_eq!(texts(&merged), expected);
    assert_eq!(packets(&merged), packets(&bytes));

    // Merged the other way round, both have the same notes, and each keeps their own name.
    let answer = coach.is_brought(&merged).await;
    assert_eq!(answer.status, 200);
    let gained = ImportedRecording::read(&answer.text()).expect("an import").merged.expect("a merge");
    assert_eq!(
        gained.sentences(),
        ["1 note by Ann added: “lost it here”.", "1 note by Ann changed: “the inner kerb”."]
    );
    assert_eq!(texts(&coach.copy().await), expected);
    let again = coach.is_brought(&merged).await;
    let nothing = ImportedRecording::read(&again.text()).expect("an import").merged;
    assert_eq!(nothing.map(|merged| merged.is_empty()), Some(true), "the second time nothing changes");
    let details: Details = ask(coach.address(), "GET", &path(ID, ""), &[]).await.json();
    assert_eq!(details.entry.name.as_deref(), Some("Ann at Spa"));
    for person in [driver, coach] {
        assert_eq!(files(person.folder.path()), ["copy.trailbrake.mcap"]);
        assert_eq!(list(person.address()).await.recordings.len(), 1);
        person.relay.stop().await;
    }
}

#[tokio::test]
async fn a_coachs_order_and_colours_are_merged_with_the_drivers_words() {
    let bytes = recording(ID, 8.0);
    let driver = Person::with(&bytes);
    driver.notes(9.0, "Ann", "first").await;
    driver.notes(10.0, "Ann", "second").await;
    let coach = Person::with(&driver.copy().await);
    let (early, late) = (BEGAN.plus_seconds(9.0), BEGAN.plus_seconds(10.0));
    let first = json!({ "at": early, "author": "Ann", "text": "first", "colour": "red", "rank_mm": 5000 });
    let answer = send(coach.address(), "POST", &path(ID, "/notes"), first.to_string().as_bytes()).await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    let second = json!({ "at": late, "author": "Ann", "text": "second, earlier" }).to_string();
    let answer = send(driver.address(), "POST", &path(ID, "/notes"), second.as_bytes()).await;
    assert_eq!(answer.status, 200, "{}", answer.text());

    let plan = |copy: &[u8]| -> Vec<(String, String, Option<i64>)> {
        let notes = notes(open(copy).facts()).into_iter();
        notes.map(|note| (note.text, note.colour.word().to_owned(), note.rank_mm)).collect()
    };
    let expected = [
        ("second, earlier".to_owned(), "amber".to_owned(), None),
        ("first".to_owned(), "red".to_owned(), Some(5000)),
    ];
    let coachs = coach.copy().await;
    assert_eq!(coach.is_brought(&driver.copy().await).await.status, 200);
    assert_eq!(driver.is_brought(&coachs).await.status, 200);
    for person in [driver, coach] {
        assert_eq!(plan(&person.copy().await), expected);
        person.relay.stop().await;
    }
}

#[tokio::test]
async fn a_lesson_in_a_clip_joins_the_recording_that_it_was_cut_out_of() {
    let race = recorded(Feed::F1, ID, 220.0);
    let driver = Person::with(&race);
    let laps = open(&race).laps().laps.clone();
    let row = laps.iter().find(|row| row.lap.ended_s.is_some()).expect("a lap");
    let wish = json!({ "laps": [row.id()] }).to_string();
    let cut: Entry = send(driver.address(), "POST", &path(ID, "/trim"), wish.as_bytes()).await.json();
    let clip = fs::read(driver.folder.path().join(&cut.file)).expect("the clip");
    let clip_id = cut.id.expect("an id").0;
    assert_eq!(send(driver.address(), "DELETE", &path(clip_id, ""), b"").await.status, 200);
    // A clip without notes is a recording like any other.
    assert_eq!(driver.is_brought(&clip).await.status, 201);
    assert_eq!(send(driver.address(), "DELETE", &path(clip_id, ""), b"").await.status, 200);

    let coach = Person::with(&clip);
    let at = row.from.plus_seconds(1.0);
    let note = json!({ "at": at, "author": "Ann", "text": "wait for it" }).to_string();
    let answer = send(coach.address(), "POST", &path(clip_id, "/notes"), note.as_bytes()).await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    let answer = send(coach.address(), "POST", &path(clip_id, "/tasks"), &new_task(12)).await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    let lesson = ask(coach.address(), "GET", &path(clip_id, "/file"), &[]).await.body;

    let answer = driver.is_brought(&lesson).await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    let ImportedRecording { entry, merged } = ImportedRecording::read(&answer.text()).expect("an import");
    assert_eq!((entry.id, entry.notes), (Some(RecordingId(ID)), 1));
    assert_eq!(
        merged.expect("a merge").sentences(),
        ["1 note by Ann added: “wait for it”.", "Task by Ann: “Brake at the 100 board”."]
    );
    let own = driver.copy().await;
    assert_eq!(
        (texts(&own), count(open(&own).facts(), AuthoredKind::Task)),
        (vec![("wait for it".into(), vec![])], 1)
    );
    assert_eq!(packets(&own), packets(&race));
    assert_eq!(list(driver.address()).await.recordings.len(), 1);
    let again = driver.is_brought(&lesson).await;
    let nothing = ImportedRecording::read(&again.text()).expect("an import").merged;
    assert_eq!(nothing.map(|merged| merged.is_empty()), Some(true), "the second time nothing changes");

    // Where the recording is not, the clip is a recording of its own.
    let other = Person::with(&recording(8, 3.0));
    assert_eq!(other.is_brought(&lesson).await.status, 201);
    for person in [driver, coach, other] {
        person.relay.stop().await;
    }
}

#[tokio::test]
async fn a_note_that_was_taken_away_does_not_come_back_with_an_old_copy() {
    let person = Person::with(&recording(ID, 4.0));
    person.notes(8.0, "Ann", "wrong").await;
    let old = person.copy().await;
    let [note] = &notes(open(&old).facts())[..] else { panic!("one note") };
    let gone = send(person.address(), "DELETE", &path(ID, &format!("/notes/{}", note.name())), b"").await;
    assert_eq!(gone.status, 200);
    assert_eq!(person.is_brought(&old).await.status, 200);
    assert_eq!(texts(&person.copy().await), []);
    person.relay.stop().await;
}

#[tokio::test]
async fn of_two_copies_the_longer_one_stays_whichever_is_brought() {
    let (short, long) = (recorded(Feed::GranTurismo, ID, 10.0), recorded(Feed::GranTurismo, ID, 30.0));
    assert!(packets(&long).starts_with(&packets(&short)));
    for (here, brought) in [(&short, &long), (&long, &short)] {
        let (driver, coach) = (Person::with(here), Person::with(brought));
        driver.notes(5.0, "Ann", "here").await;
        driver.calls_it("Friday", "mine").await;
        coach.notes(6.0, "Bob", "brought").await;
        let answer = driver.is_brought(&coach.copy().await).await;
        assert_eq!(answer.status, 200, "{}", answer.text());
        assert_eq!(answer.json::<Entry>().name.as_deref(), Some("Friday"));
        let merged = driver.copy().await;
        assert_eq!(packets(&merged), packets(&long));
        assert_eq!(open(&merged).laps(), open(&long).laps());
        assert_eq!(texts(&merged).into_iter().map(|(text, _)| text).collect::<Vec<_>>(), ["here", "brought"]);
        assert_eq!(files(driver.folder.path()), ["copy.trailbrake.mcap"]);
        let left = fs::read_dir(driver.folder.path()).expect("the folder").count();
        assert_eq!(left, 2, "the recording, the lock, and nothing of what was brought");
        driver.relay.stop().await;
        coach.relay.stop().await;
    }
}

#[tokio::test]
async fn a_stranger_with_the_same_id_is_refused() {
    let person = Person::with(&recorded(Feed::GranTurismo, ID, 10.0));
    person.notes(5.0, "Ann", "here").await;
    let before = person.copy().await;
    for stranger in [recording(ID, 10.0), recorded(Feed::F1, ID, 10.0)] {
        assert_eq!(open(&stranger).info().id, RecordingId(ID));
        let refused = person.is_brought(&stranger).await;
        assert_eq!(refused.status, 409, "{}", refused.text());
        assert!(refused.text().contains("other packets"), "{}", refused.text());
    }
    assert_eq!(person.copy().await, before);
    person.relay.stop().await;
}

#[tokio::test]
async fn ten_copies_brought_at_once_are_all_taken() {
    for _ in 0..5 {
        let folder = tempfile::tempdir().expect("a folder");
        let relay = recording_into(folder.path(), &[]);
        let address = relay.report.http;
        let copy = recording(ID, 6.0);
        let bring = async || {
            // Some are asked to wait until others are through.
            until(async || {
                let answer = send(address, "POST", "/library?name=brought", &copy).await;
                (!answer.text().contains("try again in a moment")).then_some(answer.status)
            })
            .await
        };
        let statuses: Vec<u16> = futures_util::future::join_all((0..10).map(|_| bring())).await;
        assert_eq!(statuses.iter().filter(|status| **status == 201).count(), 1, "{statuses:?}");
        assert_eq!(statuses.iter().filter(|status| **status == 200).count(), 9, "{statuses:?}");
        assert_eq!(list(address).await.recordings.len(), 1);
        relay.stop().await;
    }
}

#[tokio::test]
async fn a_download_during_which_a_note_is_written_is_broken_off() {
    // More than the system keeps on the way to a receiver that does not read.
    let big = of_noise(24 << 20);
    let driver = Person::with(&big);
    let mut stream = TcpStream::connect(driver.address()).await.expect("a connection");
    let host = driver.address();
    let request = format!("GET {} HTTP/1.1\r\nhost: {host}\r\nconnection: close\r\n\r\n", path(ID, "/file"));
    stream.write_all(request.as_bytes()).await.expect("sent");
    let mut got = vec![0; 64 << 10];
    stream.read_exact(&mut got).await.expect("the beginning");
    assert!(String::from_utf8_lossy(&got).contains(&format!("content-length: {}", big.len())));
    driver.notes(9.0, "Ann", "lost it here").await;
    let _ = soon(stream.read_to_end(&mut got)).await;
    assert!(got.len() < big.len(), "{} bytes of {} arrived", got.len(), big.len());

    assert_eq!(texts(&driver.copy().await), [("lost it here".to_owned(), Vec::<String>::new())]);
    driver.relay.stop().await;
}

/// A recording of about so many bytes that can't be compressed.
fn of_noise(bytes: usize) -> Vec<u8> {
    let info = info(ID, BEGAN, "unclaimed");
    let (mut writer, mut noise) = (Writer::new(&info), Noise::seeded(7));
    let sender = ([192, 168, 1, 20], 33739).into();
    for number in 0..bytes / 1400 {
        let at = BEGAN.plus_seconds(number as f64 / 1000.0);
        writer.take(&Datagram { at, sender, port: 33740, feed: None, bytes: &noise.bytes(1400) });
    }
    let mut bytes = writer.bytes();
    bytes.extend(writer.finish());
    bytes
}
