//! Recordings whose facts are changed, and recordings that were not finished.

use trailbrake_games::feed::Feed;
use trailbrake_games::wire::Datagram;
use trailbrake_model::time::Micros;
use trailbrake_model::{Car, Channel, Participant};
use trailbrake_session::Receiver;
use trailbrake_sim::Options;

use super::facts::Labels;
use super::streams_tests::{BEGAN, of_the_simulator};
use super::tail::{JournalError, recover};
use super::*;

fn info() -> Info {
    Info {
        id: RecordingId(7),
        parent: None,
        created: BEGAN,
        feed: "f1-2018".to_owned(),
        program: "the tests".to_owned(),
        others_left_out: false,
    }
}

/// The bytes written before `finish`, and the rest, with a note among the packets.
fn written(packets: &[Packet]) -> (Vec<u8>, Vec<u8>) {
    let mut writer = Writer::new(&info());
    let (first, rest) = packets.split_at(packets.len() / 2);
    first.iter().for_each(|packet| writer.take(&packet.datagram()));
    writer.end_second();
    writer.write_now("note", StoredFact { at: Micros(5), json: b"{\"version\":1}".to_vec() });
    rest.iter().for_each(|packet| writer.take(&packet.datagram()));
    writer.end_second();
    (writer.bytes(), writer.finish())
}

fn open(bytes: &[u8]) -> Result<Recording, OpenError> {
    let mut opening = Opening::new(bytes.len() as u64);
    read_whole(&mut opening, bytes);
    opening.finish()
}

fn scan(bytes: &[u8]) -> Result<ScannedRecording, OpenError> {
    let mut scan = Scan::new(bytes.len() as u64);
    read_whole(&mut scan, bytes);
    scan.finish()
}

fn packets(recording: &Recording, bytes: &[u8]) -> Vec<Packet> {
    let mut packets = recording.all_packets();
    read_whole(&mut packets, bytes);
    packets.take()
}

/// A file with its end replaced by a tail.
fn changed(bytes: &[u8], tail: &Tail) -> Vec<u8> {
    let mut changed = bytes[..usize::try_from(tail.from).expect("a place")].to_vec();
    changed.extend(&tail.bytes);
    changed
}

fn named(name: &str) -> Labels {
    Labels { name: Some(name.to_owned()), tags: Vec::new() }
}

#[test]
fn facts_change_by_the_tail_alone() {
    let sent = of_the_simulator(Feed::F1, Options::default(), 3.0).packets;
    let (mut bytes, end) = written(&sent);
    let data = bytes.len() as u64;
    bytes.extend(end);
    for name in ["Spa", "Spa in the wet", "Spa"] {
        let recording = open(&bytes).expect("a recording");
        assert_eq!(recording.end_of_data(), data);
        let mut facts = recording.facts().clone();
        facts.put(Micros(9), &named(name));
        let tail = Tail::with(&recording, &facts);
        assert_eq!(tail.from, data);
        bytes = changed(&bytes, &tail);
        let again = open(&bytes).expect("a recording");
        assert_eq!((again.facts(), again.facts().get()), (&facts, Ok(Some(named(name)))));
        assert_eq!(packets(&again, &bytes), sent);
    }
    // An attachment among the packets is not written twice, and a tombstone deletes it for good.
    assert_eq!(bytes.windows(4).filter(|bytes| bytes == b"note").count(), 2, "the attachment and its index");
    let recording = open(&bytes).expect("a recording");
    let mut facts = recording.facts().clone();
    facts.remove(Micros(10), "note");
    bytes = changed(&bytes, &Tail::with(&recording, &facts));
    let recording = open(&bytes).expect("a recording");
    assert_eq!(recording.facts().json("note"), None);
    let bytes = changed(&bytes, &Tail::with(&recording, recording.facts()));
    assert_eq!(open(&bytes).expect("a recording").facts().json("note"), None);
    mcap::Summary::read(&bytes).expect("what others read, too").expect("a summary");
}

/// A kill after or during any step loses neither the recording nor the change.
#[test]
fn a_kill_while_facts_change_loses_nothing() {
    let sent = of_the_simulator(Feed::F1, Options::default(), 2.0).packets;
    let (mut bytes, end) = written(&sent);
    bytes.extend(end);
    let recording = open(&bytes).expect("a recording");
    let mut facts = recording.facts().clone();
    facts.put(Micros(9), &named("changed"));
    let tail = Tail::with(&recording, &facts);
    let journal = tail.journal();
    for len in 0..journal.len() {
        // The journal is incomplete, so the recording was not changed.
        assert_eq!(recover(&journal[..len], bytes.len() as u64), Err(JournalError::Unfinished));
    }
    let whole = changed(&bytes, &tail);
    let from = usize::try_from(tail.from).expect("a place");
    for len in (from..whole.len()).chain([bytes.len(), whole.len()]) {
        let killed = if len == bytes.len() { &bytes } else { &whole[..len] };
        let again = recover(&journal, killed.len() as u64).expect("a tail");
        assert_eq!(changed(killed, &again), whole);
    }
    assert_eq!(open(&whole).map(|recording| recording.facts().get()), Ok(Ok(Some(named("changed")))));
    assert_eq!(recover(&journal, tail.from - 1), Err(JournalError::Foreign));
    for place in 0..journal.len() {
        let mut damaged = journal.clone();
        damaged[place] ^= 1;
        assert_eq!(recover(&damaged, bytes.len() as u64), Err(JournalError::Unfinished), "{place}");
    }
}

#[test]
fn a_file_cut_anywhere_keeps_what_was_whole_and_is_repaired() {
    let sent = of_the_simulator(Feed::F1, Options::default(), 8.0).packets;
    let (bytes, _) = written(&sent);
    let mut most = 0;
    for len in (60..bytes.len()).step_by(bytes.len() / 90).chain([bytes.len()]) {
        let cut = &bytes[..len];
        let Ok(ScannedRecording { recording, .. }) = scan(cut) else {
            assert!(len < 500, "nothing of {len} bytes");
            continue;
        };
        assert_eq!(recording.info(), &info());
        let found = packets(&recording, cut);
        assert_eq!(found, sent[..found.len()]);
        assert!(found.len() >= most);
        most = found.len();
        let mut relearning = Reindexer::new(&recording);
        read_whole(&mut relearning, cut);
        assert_eq!(relearning.progress(), 1.0);
        let repaired = changed(cut, &Tail::with(&recording, &relearning.finish()));
        let again = open(&repaired).expect("a recording");
        assert_eq!(packets(&again, &repaired), found);
        assert_eq!(
            again.facts().json("note").is_some(),
            found.len() > sent.len() / 2 || recording.facts().json("note").is_some()
        );
        assert!(!again.laps_are_outdated());
    }
    assert_eq!(most, sent.len());
}

#[test]
fn a_repaired_recording_knows_its_laps_again() {
    let sent = of_the_simulator(Feed::F1, Options::default(), 120.0).packets;
    let (bytes, _) = written(&sent);
    let scanned = scan(&bytes).expect("a recording");
    assert_eq!(scanned.damaged, 0);
    let mut relearning = Reindexer::new(&scanned.recording);
    read_whole(&mut relearning, &bytes);
    let laps = relearning.finish().get::<LapTable>().expect("a fact").expect("laps").laps;
    assert!(laps.iter().filter(|row| row.lap.time.is_some()).count() >= 8, "{}", laps.len());
}

#[test]
fn damage_in_the_middle_costs_its_second_alone() {
    let sent = of_the_simulator(Feed::F1, Options::default(), 6.0).packets;
    let (bytes, _) = written(&sent);
    let recording = scan(&bytes).expect("a recording").recording;
    let third = recording.summary.chunks[2].chunk_start_offset as usize;
    // The record's opcode, its length, and the first block's length.
    for place in [third, third + 1, third + 5, third + 9 + 40 + 2] {
        let mut damaged = bytes.clone();
        damaged[place] ^= 0x40;
        let scanned = scan(&damaged).expect("a recording");
        assert!(scanned.damaged > 0);
        let found = packets(&scanned.recording, &damaged);
        let missing = sent.len() - found.len();
        assert!(missing > 0 && missing <= 200, "{missing} of {}", sent.len());
        assert_eq!(found.last(), sent.last());
    }
}

#[test]
fn other_files_are_no_recordings() {
    for bytes in [&b""[..], b"not at all", container::MAGIC, &[6; 5000], &container::beginning()] {
        assert_eq!(scan(bytes).err(), Some(OpenError::NotARecording));
    }
}

#[test]
fn a_clip_holds_only_the_time_of_its_laps() {
    let sent = of_the_simulator(Feed::F1, Options { seed: 5, ..Options::default() }, 420.0).packets;
    let (bytes, _) = written(&sent);
    let scanned = scan(&bytes).expect("a recording").recording;
    let mut relearning = Reindexer::new(&scanned);
    read_whole(&mut relearning, &bytes);
    let bytes = changed(&bytes, &Tail::with(&scanned, &relearning.finish()));
    let recording = open(&bytes).expect("a recording");
    let own = |row: &&LapRow| row.car == Car(3) && row.lap.ended_s.is_some();
    let laps: Vec<LapRow> = recording.laps().laps.iter().filter(own).cloned().collect();
    let [first, _, third, ..] = laps.as_slice() else { panic!("{} laps", laps.len()) };
    let chosen = [first.clone(), third.clone()];
    let mut trim = Trim::new(&recording, &chosen, OtherCars::Kept, RecordingId(8));
    read_whole(&mut trim, &bytes);
    let mut small = trim.bytes();
    small.extend(trim.finish());
    let clip = open(&small).expect("a recording");
    let driven: f64 = chosen.iter().map(|row| row.to.seconds_since(row.from)).sum();
    let held = clip.held_s();
    // Some seconds before and after each lap are in it, too.
    assert!((driven - 2.0..driven + 12.0).contains(&held), "{held} of {driven}");
    let time = clip.time().expect("packets");
    assert!(time.end.seconds_since(time.start) > held + 30.0, "the lap between is not in it");
}

#[test]
fn laps_are_taken_out_with_everything_that_they_need() {
    let sent = of_the_simulator(Feed::F1, Options { seed: 5, ..Options::default() }, 330.0).packets;
    let (bytes, _) = written(&sent);
    let scanned = scan(&bytes).expect("a recording").recording;
    let mut relearning = Reindexer::new(&scanned);
    read_whole(&mut relearning, &bytes);
    let mut facts = relearning.finish();
    let task = "task/00000000000000000000000000000007/5/Ann";
    facts.store(task, StoredFact { at: Micros(6), json: b"{\"version\":1}".to_vec() });
    let bytes = changed(&bytes, &Tail::with(&scanned, &facts));
    let recording = open(&bytes).expect("a recording");
    let counted = |row: &&LapRow| row.car == Car(3) && row.lap.counts().is_some();
    let row = recording.laps().laps.iter().find(counted).expect("a lap").clone();
    for others in [OtherCars::Kept, OtherCars::Nameless, OtherCars::LeftOut] {
        let mut trim = Trim::new(&recording, std::slice::from_ref(&row), others, RecordingId(8));
        read_whole(&mut trim, &bytes);
        let mut small = trim.bytes();
        small.extend(trim.finish());
        assert!(small.len() < bytes.len() / 2, "{} of {}", small.len(), bytes.len());
        let trimmed = open(&small).expect("a recording");
        let changed = others != OtherCars::Kept;
        assert_eq!((trimmed.info().id, trimmed.info().parent), (RecordingId(8), Some(RecordingId(7))));
        assert_eq!(trimmed.info().others_left_out, changed);
        assert_eq!(trimmed.facts().stored(task), recording.facts().stored(task), "a task stays");
        assert_eq!(trimmed.laps().laps, std::slice::from_ref(&row));
        let labels: Labels = trimmed.facts().get().expect("a fact").expect("labels");
        let expected = format!(", lap {}", row.lap.number);
        assert!(labels.name.as_ref().is_some_and(|name| name.ends_with(&expected)), "{labels:?}");
        // The lap decodes to the same columns as before.
        let columns = |recording: &Recording, bytes: &[u8]| {
            let mut lap = LapReading::new(recording, &row);
            read_whole(&mut lap, bytes);
            let lap = lap.finish().expect("the lap");
            let speed = lap.columns.line(Channel::Speed.slot()).expect("speeds").iter().collect::<Vec<_>>();
            (lap.lap.time, lap.columns.seconds().to_vec(), speed)
        };
        assert_eq!(columns(&trimmed, &small), columns(&recording, &bytes));
        // What was not rewritten is unchanged.
        let summary = trimmed.facts().get::<SessionSummary>().expect("a fact").expect("a summary");
        let is_other = |entry: &&Participant| entry.ai == Some(false) && entry.car != row.car;
        let people = summary.participants.iter().filter(is_other);
        assert!(people.clone().all(|entry| entry.name.is_empty() == changed));
        assert_eq!(people.count() == 0, others == OtherCars::LeftOut, "the player is a person");
        let found = packets(&trimmed, &small);
        let mut same = 0;
        for packet in &found {
            let before = sent.iter().any(|sent| sent.at == packet.at && sent.bytes == packet.bytes);
            same += usize::from(before);
        }
        let rewritten = found.len() - same;
        assert_eq!(rewritten > 0, changed, "{rewritten} packets were rewritten");
        // Read again, as by another version, it still has the chosen lap, and no parts of others.
        let mut again = Reindexer::new(&trimmed);
        read_whole(&mut again, &small);
        let again: LapTable = again.finish().get().expect("a fact").expect("laps");
        let ids = again.laps.iter().map(|row| (row.id(), row.lap.time)).collect::<Vec<_>>();
        assert_eq!(ids, [(row.id(), row.lap.time)], "{others:?}");
        let few = rewritten * 20 < found.len();
        assert_eq!(few, others != OtherCars::LeftOut, "{rewritten} of {}", found.len());
    }
}

#[test]
fn a_clip_of_a_game_that_sends_nobody_else_is_as_received() {
    let sent = of_the_simulator(Feed::GranTurismo, Options { seed: 5, ..Options::default() }, 200.0).packets;
    let mut writer = Writer::new(&Info { feed: "gran-turismo".to_owned(), ..info() });
    sent.iter().for_each(|packet| writer.take(&packet.datagram()));
    let bytes = [writer.bytes(), writer.finish()].concat();
    let mut reindexing = Reindexer::new(&open(&bytes).expect("a recording"));
    read_whole(&mut reindexing, &bytes);
    let facts = reindexing.finish();
    let laps: LapTable = facts.get().expect("a fact").expect("laps");
    let row = laps.laps.iter().find(|row| row.lap.counts().is_some()).expect("a lap");
    let clip_of = |bytes: &[u8]| {
        let recording = open(bytes).expect("a recording");
        let mut trim = Trim::new(&recording, std::slice::from_ref(row), OtherCars::LeftOut, RecordingId(8));
        read_whole(&mut trim, bytes);
        (trim.has_changed_packets(), [trim.bytes(), trim.finish()].concat())
    };
    let (is_changed, small) = clip_of(&bytes);
    assert!(!is_changed);
    let trimmed = open(&small).expect("a recording");
    assert!(!trimmed.info().others_left_out, "nobody was in it to be left out");
    let found = packets(&trimmed, &small);
    assert!(found.len() > 1000);
    for packet in &found {
        let before = sent.iter().find(|sent| sent.at == packet.at).expect("a packet");
        assert_eq!(before.bytes, packet.bytes);
    }

    // A datagram of an unknown feed may name anybody, so it is left out, and the clip says so.
    let mut writer = Writer::new(&Info { feed: "gran-turismo".to_owned(), ..info() });
    for packet in &sent {
        writer.take(&packet.datagram());
        if row.from < packet.at && packet.at < row.to {
            writer.take(&Datagram { feed: None, bytes: b"Ann says hello", ..packet.datagram() });
        }
    }
    facts.iter().for_each(|(name, stored)| writer.write_now(name, stored.clone()));
    let bytes = [writer.bytes(), writer.finish()].concat();
    let (is_changed, small) = clip_of(&bytes);
    assert!(is_changed);
    let trimmed = open(&small).expect("a recording");
    assert!(trimmed.info().others_left_out);
    assert!(packets(&trimmed, &small).iter().all(|packet| Feed::from_id(&packet.feed).is_some()));
}

#[test]
fn facts_whose_packets_are_not_in_a_clip_survive_a_reindex() {
    let packets = of_the_simulator(Feed::AcRemote, Options::default(), 60.0).packets;
    let mut receiver = Receiver::default();
    packets.iter().for_each(|packet| drop(receiver.receive_with(&packet.datagram(), &mut |_| {})));
    let summary = receiver.session().expect("a session").summary();
    let track = |summary: &SessionSummary| summary.info.as_ref().and_then(|info| info.track.clone());
    assert!(track(&summary).is_some() && summary.car_words().is_some(), "{summary:?}");
    // The game's answer with these names comes first, and is not in a clip of later laps.
    let mut writer = Writer::new(&Info { feed: "ac-remote".to_owned(), ..info() });
    packets[1..].iter().for_each(|packet| writer.take(&packet.datagram()));
    writer.write_last(BEGAN, &summary);
    let bytes = [writer.bytes(), writer.finish()].concat();
    let mut relearning = Reindexer::new(&open(&bytes).expect("a recording"));
    read_whole(&mut relearning, &bytes);
    let again: SessionSummary = relearning.finish().get().expect("a fact").expect("a summary");
    assert_eq!((track(&again), again.car_words()), (track(&summary), summary.car_words()));
}
