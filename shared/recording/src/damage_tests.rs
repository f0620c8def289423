//! Changes every byte of a recording in several ways, and cuts it to every length: what is read is what was recorded,
//! or nothing.

use std::collections::BTreeMap;
use std::net::SocketAddr;

use trailbrake_model::Car;
use trailbrake_model::time::Micros;

use super::authored::Authored;
use super::facts::{Labels, LapTable, Timeline};
use super::streams_tests::BEGAN;
use super::tail::recover;
use super::*;

/// The changes of a byte: lowest bit, highest bit, all bits, and plus one.
const CHANGES: [fn(u8) -> u8; 4] =
    [|byte| byte ^ 1, |byte| byte ^ 0x80, |byte| !byte, |byte| byte.wrapping_add(1)];

pub(super) fn info() -> Info {
    Info {
        id: RecordingId(7),
        parent: None,
        created: BEGAN,
        feed: "dirt-rally".to_owned(),
        program: "the tests".to_owned(),
        others_left_out: false,
    }
}

fn note(text: &str) -> Note {
    let (at, author) = (BEGAN.plus_seconds(1.0), "anna".to_owned());
    Note {
        recording: RecordingId(7),
        at,
        author,
        text: text.to_owned(),
        car: Some(Car(0)),
        distance_m: None,
        colour: NoteColour::Amber,
        rank_mm: None,
        ranked: None,
        written: None,
        felt: None,
        others: Vec::new(),
    }
}

/// A lap that takes all of the recording.
fn lap() -> LapRow {
    let lap = serde_json::json!({
        "serial": 0, "number": 1, "run": 0, "stint": 1, "time": 2900, "sectors": [null, null, null],
        "flags": [], "began_s": 0.0, "ended_s": 2.9,
    });
    let lap = serde_json::from_value(lap).expect("a lap");
    LapRow {
        session: 0,
        car: Car(0),
        driver: None,
        model: None,
        player: None,
        from: BEGAN,
        to: BEGAN.plus_seconds(3.0),
        lap,
    }
}

/// Three seconds of two senders: packets of one size, packets of several sizes, and some that no feed recognises.
fn packets() -> Vec<Packet> {
    let packet = |number: u64| {
        let several = number % 7 == 3;
        let unclaimed = number % 11 == 5;
        let mut bytes = (1.5 + number as f32 * 0.25).to_le_bytes().to_vec();
        bytes.extend((70_000 + number as u32).to_le_bytes());
        bytes.extend(vec![number as u8; if several { number as usize } else { 1 }]);
        Packet {
            number,
            at: Micros(BEGAN.0 + number * 83_333 + number * 7919 % 400),
            sender: SocketAddr::from(([192, 168, 1, 20], 33_739 + u16::from(number.is_multiple_of(5)))),
            port: 20_777,
            feed: if unclaimed { UNCLAIMED } else { "dirt-rally" }.into(),
            bytes,
        }
    };
    (0..36).map(packet).collect()
}

/// The bytes a writer hands out for these packets, and the end of the file. A note is among the packets.
fn recorded(packets: &[Packet]) -> (Vec<u8>, Vec<u8>) {
    let mut writer = Writer::new(&info());
    for packet in packets {
        writer.take(&packet.datagram());
        if packet.number == 20 {
            writer.end_second();
            writer.write_now(&note("").name(), note("late on the brakes").stored(BEGAN));
        }
    }
    writer.end_second();
    writer.write_last(BEGAN, &LapTable { decoder: facts::DECODER, laps: vec![lap()], ..LapTable::default() });
    writer.write_last(BEGAN, &Labels { name: Some("one".to_owned()), tags: vec!["wet".to_owned()] });
    writer.write_last(BEGAN, &Timeline::default());
    (writer.bytes(), writer.finish())
}

fn open(bytes: &[u8]) -> Option<Recording> {
    let mut opening = Opening::new(bytes.len() as u64);
    read_whole(&mut opening, bytes);
    opening.finish().ok()
}

fn scan(bytes: &[u8]) -> Option<ScannedRecording> {
    let mut scan = Scan::new(bytes.len() as u64);
    read_whole(&mut scan, bytes);
    scan.finish().ok()
}

/// What was recorded, to compare with.
struct Truth {
    packets: Vec<Packet>,
    facts: BTreeMap<String, StoredFact>,
}

impl Truth {
    fn of(packets: Vec<Packet>, whole: &[u8]) -> Self {
        let recording = open(whole).expect("a recording");
        let facts = recording.facts().iter().map(|(name, stored)| (name.to_owned(), stored.clone()));
        Self { packets, facts: facts.collect() }
    }

    /// Checks that all packets read were recorded, in this order; that missing ones are reported; and that every fact
    /// is unchanged or absent. Returns the number of packets read.
    fn check(&self, recording: &Recording, damaged: u64, bytes: &[u8], what: &str) -> usize {
        let mut reading = recording.all_packets();
        read_whole(&mut reading, bytes);
        let read = reading.take();
        assert!(read.is_sorted_by_key(|packet| packet.number), "{what}");
        for packet in &read {
            assert_eq!(Some(packet), self.packets.get(packet.number as usize), "{what}");
        }
        let missed = damaged > 0 || reading.damaged() > 0 || !reading.gaps().is_empty();
        assert!(
            read.len() == self.packets.len() || missed,
            "{what}: packets are missing and nothing says so"
        );
        for (name, stored) in recording.facts().iter() {
            // A damaged info is replaced by a substitute.
            let substitute = name == "info" && recording.info().program.is_empty();
            assert!(substitute || self.facts.get(name) == Some(stored), "{what}: another {name}");
        }
        self.check_trim(recording, bytes, what);
        self.check_merge(recording, what);
        read.len()
    }

    /// A clip has the same packets, renumbered.
    fn check_trim(&self, recording: &Recording, bytes: &[u8], what: &str) {
        let mut trim = Trim::new(recording, &[lap()], OtherCars::Kept, RecordingId(8));
        read_whole(&mut trim, bytes);
        let mut small = trim.bytes();
        small.extend(trim.finish());
        let trimmed = open(&small).unwrap_or_else(|| panic!("{what}: what was trimmed does not open"));
        let mut reading = trimmed.all_packets();
        read_whole(&mut reading, &small);
        let mut recorded = self.packets.iter();
        for packet in reading.take() {
            let same =
                |one: &&Packet| (one.at, one.sender, &one.bytes) == (packet.at, packet.sender, &packet.bytes);
            assert!(recorded.any(|one| same(&one)), "{what}: a packet that nobody sent");
        }
    }

    /// The notes of a copy are merged with those of a damaged recording; both are unchanged.
    fn check_merge(&self, recording: &Recording, what: &str) {
        let mut other = Facts::default();
        let (theirs, ours) = (Note { author: "ben".to_owned(), ..note("early") }, note("late on the brakes"));
        other.store(&theirs.name(), theirs.stored(BEGAN));
        let merged = authored::merge((RecordingId(7), recording.facts()), (RecordingId(7), &other));
        let merged = notes::notes(&merged.expect("copies"));
        assert!(merged.contains(&theirs), "{what}");
        assert!(merged.iter().all(|note| *note == ours || *note == theirs), "{what}: another note");
    }
}

/// Changes every byte of a file in every way, and checks the result.
fn change_every_byte(whole: &[u8], mut check: impl FnMut(&[u8], &str)) {
    for place in 0..whole.len() {
        for (way, change) in CHANGES.iter().enumerate() {
            let mut damaged = whole.to_vec();
            damaged[place] = change(whole[place]);
            check(&damaged, &format!("byte {place} of {} changed in way {way}", whole.len()));
        }
    }
}

#[test]
fn no_changed_byte_of_a_finished_recording_gives_what_was_not_recorded() {
    let packets = packets();
    let (mut whole, end) = recorded(&packets);
    whole.extend(end);
    let truth = Truth::of(packets, &whole);
    let (mut opened, mut searched) = (0, 0);
    change_every_byte(&whole, |damaged, what| {
        // No single byte hides everything: where the index does not open, a scan finds the data.
        let scanned = scan(damaged).unwrap_or_else(|| panic!("{what}: nothing is found"));
        truth.check(&scanned.recording, scanned.damaged, damaged, what);
        searched += 1;
        if let Some(recording) = open(damaged) {
            truth.check(&recording, 0, damaged, what);
            opened += 1;
        }
    });
    assert!(opened > 0 && searched > opened, "{opened} opened of {searched}");
}

#[test]
fn no_changed_byte_of_a_recording_under_way_gives_what_was_not_recorded() {
    let packets = packets();
    let (unfinished, end) = recorded(&packets);
    let truth = Truth::of(packets, &[&unfinished[..], &end].concat());
    change_every_byte(&unfinished, |damaged, what| {
        assert!(open(damaged).is_none(), "{what}");
        let scanned = scan(damaged).unwrap_or_else(|| panic!("{what}: nothing is found"));
        truth.check(&scanned.recording, scanned.damaged, damaged, what);
    });
}

#[test]
fn a_recording_cut_to_any_length_keeps_the_seconds_that_are_whole() {
    let packets = packets();
    let (mut whole, end) = recorded(&packets);
    whole.extend(end);
    let truth = Truth::of(packets, &whole);
    let mut most = 0;
    for len in 0..whole.len() {
        let (cut, what) = (&whole[..len], format!("{len} of {} bytes", whole.len()));
        assert!(open(cut).is_none(), "{what} are taken for all");
        let Some(scanned) = scan(cut) else {
            assert_eq!(most, 0, "{what}: nothing is found any more");
            continue;
        };
        // Bytes that are cut off do not count as damaged: nothing shows that they existed.
        let read = truth.check(&scanned.recording, 1, cut, &what);
        assert!(read >= most, "{what}");
        most = read;
        let mut repaired = cut[..usize::try_from(scanned.recording.end_of_data()).expect("a place")].to_vec();
        repaired.extend(Tail::with(&scanned.recording, scanned.recording.facts()).bytes);
        let again = open(&repaired).unwrap_or_else(|| panic!("{what}: what was repaired does not open"));
        assert_eq!(truth.check(&again, 1, &repaired, &what), read);
    }
    assert_eq!(most, truth.packets.len());
}

#[test]
fn no_changed_byte_of_a_journal_and_none_missing_changes_a_recording() {
    let packets = packets();
    let (mut whole, end) = recorded(&packets);
    whole.extend(end);
    let recording = open(&whole).expect("a recording");
    let tail = Tail::with(&recording, recording.facts());
    let journal = tail.journal();
    assert_eq!(recover(&journal, whole.len() as u64), Ok(tail));
    for len in 0..journal.len() {
        assert!(recover(&journal[..len], whole.len() as u64).is_err(), "{len} bytes of a journal");
    }
    change_every_byte(&journal, |damaged, what| {
        assert!(recover(damaged, whole.len() as u64).is_err(), "{what}");
    });
}
