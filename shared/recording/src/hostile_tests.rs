//! Recordings made to harm: numbers in blocks and in the index that claim too much or point to the wrong place, all under
//! correct checksums.

use trailbrake_model::time::Micros;
use trailbrake_sim::{Demo, Options};

use super::authored::AuthoredKind;
use super::container::{self, FOOTER, Summary, summary_start};
use super::damage_tests::info;
use super::facts::{self, Labels, Timeline};
use super::records::MAGIC;
use super::streams_tests::BEGAN;
use super::*;

/// The most that a block may hold, whatever it claims.
const MOST_BYTES: usize = 4 << 20;
/// The bytes behind the index's CRC.
const BEHIND_CRC: usize = MAGIC.len();

/// What is written where a number stands, of a file of this length.
fn claims(len: u64, at: u64) -> [u64; 7] {
    [0, 1, at, len, u64::from(u32::MAX), u64::MAX / 2, u64::MAX]
}

/// Some seconds of a small race.
fn packets() -> Vec<Packet> {
    let feed = trailbrake_games::feed::Feed::DirtRally;
    let driven = Demo::packets(feed, Options::default(), BEGAN, 3.0).expect("a simulated game");
    let packet = |(number, (at, bytes))| Packet {
        number,
        at,
        sender: ([192, 168, 1, 20], 33_739).into(),
        port: 20_777,
        feed: feed.id().into(),
        bytes,
    };
    (0..).zip(driven).map(packet).collect()
}

#[test]
fn a_block_takes_no_more_memory_than_it_may_whatever_it_claims() {
    let second: Vec<Packet> = packets().into_iter().take(60).collect();
    let (mut refused, mut read) = (0, 0);
    for block in block::blocks(second) {
        let content = &block.bytes[..block.bytes.len() - 4];
        for at in 0..content.len().min(80) {
            for width in [1, 2, 4, 8] {
                for claim in claims(content.len() as u64, at as u64) {
                    let mut changed = content.to_vec();
                    let Some(place) = changed.get_mut(at..at + width) else { continue };
                    place.copy_from_slice(&claim.to_le_bytes()[..width]);
                    match block::decode(&block.feed, &block::with_checksum(&block.feed, &changed)) {
                        Ok(packets) => {
                            let held: usize = packets.iter().map(|packet| packet.bytes.len()).sum();
                            assert!(held <= MOST_BYTES, "{held} bytes with {claim} at {at}");
                            read += 1;
                        }
                        Err(_) => refused += 1,
                    }
                }
            }
        }
    }
    println!("blocks: {refused} refused, {read} read");
    assert!(refused > 0 && read > 0);
}

/// Opens a recording and reads all of it. Returns the number of packets, if it opens.
fn read(bytes: &[u8]) -> Option<usize> {
    let mut opening = Opening::new(bytes.len() as u64);
    read_whole(&mut opening, bytes);
    let recording = opening.finish().ok()?;
    let mut reading = recording.all_packets();
    read_whole(&mut reading, bytes);
    for row in recording.laps().laps.iter().take(2) {
        read_whole(&mut LapReading::new(&recording, row), bytes);
    }
    Some(reading.take().len())
}

#[test]
fn an_index_that_points_to_wrong_places_reads_no_packet_twice() {
    let packets = packets();
    let mut writer = Writer::new(&info());
    for (index, packet) in packets.iter().enumerate() {
        writer.take(&packet.datagram());
        if index % 60 == 59 {
            writer.end_second();
        }
    }
    let whole = [writer.bytes(), writer.finish()].concat();
    assert_eq!(read(&whole), Some(packets.len()));
    let start = summary_start(&whole[whole.len() - FOOTER..]).expect("an index") as usize;
    let crc = whole.len() - BEHIND_CRC - 4;
    let (mut opened, mut refused) = (0, 0);
    for at in start..crc - 8 {
        for claim in claims(whole.len() as u64, at as u64) {
            let mut changed = whole.clone();
            changed[at..at + 8].copy_from_slice(&claim.to_le_bytes());
            let correct = crc32fast::hash(&changed[start..crc]);
            changed[crc..crc + 4].copy_from_slice(&correct.to_le_bytes());
            match read(&changed) {
                Some(count) => {
                    assert!(count <= packets.len(), "{count} packets with {claim} at {at}");
                    opened += 1;
                }
                None => refused += 1,
            }
        }
    }
    println!("indexes: {opened} opened, {refused} refused");
    assert!(opened > 0 && refused > 0);
}

/// A recording with these attachments in its index, which lie in a hole of the file: a large one that takes no disk. Opens
/// it, and returns the bytes that were read for that.
fn read_with(attachments: &[(String, u64)]) -> u64 {
    let mut writer = Writer::new(&info());
    packets().iter().for_each(|packet| writer.take(&packet.datagram()));
    let data = writer.bytes();
    let mut hole = data.len() as u64;
    let mut summary = Summary::default();
    for (name, length) in attachments {
        summary.attachments.push(container::attachment_index(hole, *length, BEGAN, name, *length));
        hole += length;
    }
    let mut end = Vec::new();
    summary.put_end(&mut end, hole);
    let len = hole + end.len() as u64;
    let mut opening = Opening::new(len);
    let mut read = 0;
    while let Some(range) = opening.needs() {
        assert!(range.end <= len && range.end - range.start < 64 << 20, "{range:?}");
        read += range.end - range.start;
        let byte = |at: u64| match (usize::try_from(at).ok(), at.checked_sub(hole)) {
            (_, Some(behind)) => end[behind as usize],
            (Some(at), None) => data.get(at).copied().unwrap_or_default(),
            (None, None) => 0,
        };
        opening.give(&range.map(byte).collect::<Vec<u8>>());
    }
    read
}

#[test]
fn a_file_that_claims_large_or_many_facts_is_read_no_further_than_they_may_be() {
    let own = read_with(&[]);
    for claims in [
        vec![("laps".to_owned(), 2 << 30)],
        vec![("note/1/2/Ann".to_owned(), 1 << 20)],
        (0..200).map(|number| (format!("of-a-later-version-{number}"), 100 << 20)).collect(),
    ] {
        let read = read_with(&claims);
        assert!(read < own + (1 << 20), "{read} bytes for {} of {claims:?}", claims.len());
    }
    let many: Vec<(String, u64)> = (0..50).map(|number| (format!("fact-{number}"), 4 << 20)).collect();
    let read = read_with(&many);
    assert!(read < 100 << 20, "{read} bytes of 200 MB");
}

#[test]
fn a_table_has_no_more_rows_than_are_read_and_a_name_no_more_letters() {
    let row = serde_json::json!({ "at": 1, "what": { "silence": 5 } }).to_string();
    let rows = vec![row; 120_000].join(",");
    let marks = facts::read::<Timeline>(format!("{{\"version\":1,\"marks\":[{rows}]}}").as_bytes());
    assert_eq!(marks.map(|timeline| timeline.marks.len()), Ok(100_000));
    let labels = Labels { name: Some("é".repeat(5000)), tags: vec!["wet".repeat(1000); 4000] };
    let read = facts::read::<Labels>(&facts::write(&labels)).expect("labels");
    assert_eq!(read.name.map(|name| name.chars().count()), Some(200));
    assert_eq!((read.tags.len(), read.tags[0].chars().count()), (50, 200));
}

#[test]
fn more_notes_than_may_be_written_are_not_shown() {
    let mut facts = Facts::default();
    for number in 0..3000 {
        let at = Micros(number);
        let note = serde_json::json!({
            "version": 1, "recording": RecordingId(7), "at": at, "author": "Ann", "text": "late",
        });
        let json = note.to_string().into_bytes();
        facts.store(&format!("note/{}/{number}/Ann", RecordingId(7)), StoredFact { at, json });
    }
    assert_eq!((notes::notes(&facts).len(), authored::count(&facts, AuthoredKind::Note)), (2000, 3000));
}

#[test]
fn a_file_with_more_facts_than_are_read_opens_and_is_not_changed() {
    let mut writer = Writer::new(&info());
    packets().iter().for_each(|packet| writer.take(&packet.datagram()));
    let whole = [writer.bytes(), writer.finish()].concat();
    let open = |bytes: &[u8]| {
        let mut opening = Opening::new(bytes.len() as u64);
        read_whole(&mut opening, bytes);
        opening.finish().expect("a recording")
    };
    let recording = open(&whole);
    let mut facts = recording.facts().clone();
    assert!(recording.can_hold(&facts));
    for number in 0..12_000 {
        facts.store(&format!("note/7/{number}/Ann"), StoredFact { at: BEGAN, json: Vec::new() });
    }
    assert!(!recording.can_hold(&facts), "some would not be read again");
    let tail = Tail::with(&recording, &facts);
    let crowded = open(&[&whole[..tail.from as usize], &tail.bytes].concat());
    assert_eq!((crowded.info(), crowded.facts().iter().count()), (recording.info(), 10_000 + 1));
    assert!(!crowded.can_hold(&recording.facts().clone()), "what was left out would be lost");
}

#[test]
fn a_scan_keeps_no_more_of_a_fact_than_is_read() {
    let mut writer = Writer::new(&info());
    for (number, bytes) in [(0, 60 << 10), (1, 70 << 10), (2, 60 << 10), (3, 70 << 10)] {
        for note in 0..2000 {
            let fact = StoredFact { at: Micros(number), json: vec![b' '; bytes] };
            writer.write_now(&format!("note/7/{note}/Ann"), fact);
        }
    }
    let file = writer.bytes();
    let mut scan = Scan::new(file.len() as u64);
    read_whole(&mut scan, &file);
    let scanned = scan.finish().expect("a recording");
    let held: usize = scanned.recording.facts().iter().map(|(_, stored)| stored.json.len()).sum();
    assert!(held <= 64 << 20, "{held} bytes");
    assert!(held > 50 << 20, "{held} bytes: those that fit are there");
}
