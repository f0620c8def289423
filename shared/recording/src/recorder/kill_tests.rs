//! A kill at any moment costs at most a second, even if a session has only just begun.

use std::collections::BTreeSet;

use super::tests::{Folder, recorder, simulated};
use super::*;
use crate::streams_tests::BEGAN;
use crate::{Packet, Scan, ScannedRecording, read_whole};

/// The packets a kill leaves in the files, after the repair at the next start.
fn left(folder: &Folder) -> Vec<Packet> {
    let mut files: Vec<Vec<Packet>> = Vec::new();
    for file in folder.files.values() {
        let mut scan = Scan::new(file.bytes.len() as u64);
        read_whole(&mut scan, &file.bytes);
        let Ok(ScannedRecording { recording, damaged }) = scan.finish() else { continue };
        assert_eq!(damaged, 0);
        let mut packets = recording.all_packets();
        read_whole(&mut packets, &file.bytes);
        files.push(packets.take());
    }
    let seconds = |packets: &Vec<Packet>| {
        let ends = packets.first().zip(packets.last());
        ends.map_or(0.0, |(first, last)| last.at.seconds_since(first.at))
    };
    let short = |packets: &Vec<Packet>| Policy::default().is_too_short(seconds(packets));
    if files.iter().all(short) {
        return Vec::new();
    }
    files.into_iter().flatten().collect()
}

/// Plays packets, checks at intervals what a kill would leave, and compares it with an undisturbed run.
fn check(name: &str, packets: &[Packet], every_s: f64) {
    let mut recorder_whole = recorder();
    let mut whole = Folder::default();
    for packet in packets {
        recorder_whole.receive(&packet.datagram());
        whole.obey(&mut recorder_whole);
    }
    recorder_whole.stop();
    whole.obey(&mut recorder_whole);
    let kept = left(&whole);
    let first = kept.first().expect("something is kept").at;

    let (mut recorder, mut folder) = (recorder(), Folder::default());
    let (mut tick, mut kill) = (BEGAN, BEGAN.plus_seconds(every_s));
    let mut most_s: f64 = 0.0;
    for packet in packets {
        while tick <= packet.at {
            recorder.poll(tick);
            folder.obey(&mut recorder);
            // The worst moment: just before the received packets are written.
            let killed = tick.plus_seconds(0.24);
            tick = tick.plus_seconds(0.25);
            if tick < kill || killed.seconds_since(first) < Policy::default().shortest_s {
                continue;
            }
            kill = kill.plus_seconds(every_s);
            let left = left(&folder);
            let left: BTreeSet<(Micros, &[u8])> = left.iter().map(|left| (left.at, &*left.bytes)).collect();
            let lost = kept.iter().filter(|packet| packet.at <= killed);
            let lost = lost.filter(|packet| !left.contains(&(packet.at, &packet.bytes)));
            let since = lost.map(|packet| packet.at).min();
            most_s = most_s.max(since.map_or(0.0, |since| killed.seconds_since(since)));
        }
        recorder.receive(&packet.datagram());
        folder.obey(&mut recorder);
    }
    assert!((0.1..=1.0).contains(&most_s), "{name}: {most_s} s are lost to a kill");
}

/// Sessions one after the other, each shifted by its seconds.
fn behind(sessions: &[(Vec<Packet>, f64)]) -> Vec<Packet> {
    let moved =
        |packet: &Packet, later_s: f64| Packet { at: packet.at.plus_seconds(later_s), ..packet.clone() };
    let all =
        sessions.iter().flat_map(|(packets, later_s)| packets.iter().map(|packet| moved(packet, *later_s)));
    all.collect()
}

#[test]
fn a_session_that_begins_is_written_from_its_first_packet_on() {
    check("F1 2018", &simulated(Feed::F1, 5, 14.0), 1.3);
    check("Gran Turismo", &simulated(Feed::GranTurismo, 5, 40.0), 1.3);
    check("DiRT Rally", &simulated(Feed::DirtRally, 5, 40.0), 1.3);
}

#[test]
fn a_session_that_follows_another_is_no_more_at_risk() {
    let f1 = |seed, seconds| simulated(Feed::F1, seed, seconds);
    check("another session of F1", &behind(&[(f1(5, 9.0), 0.0), (f1(6, 9.0), 9.0)]), 1.3);
    check("a glimpse of one", &behind(&[(f1(5, 9.0), 0.0), (f1(6, 3.0), 9.0), (f1(7, 9.0), 12.0)]), 1.3);
    // Without a session id it may be the same session: for five seconds it may continue in the file before.
    let turismo = |seed, seconds| simulated(Feed::GranTurismo, seed, seconds);
    check("a restart in Gran Turismo", &behind(&[(turismo(5, 20.0), 0.0), (turismo(5, 20.0), 20.0)]), 0.7);
    check("another car there", &behind(&[(turismo(5, 20.0), 0.0), (turismo(9, 20.0), 20.0)]), 0.7);
}

#[test]
fn what_the_program_is_stopped_in_goes_on_in_the_file_before() {
    let packets =
        behind(&[(simulated(Feed::GranTurismo, 5, 20.0), 0.0), (simulated(Feed::GranTurismo, 5, 3.0), 20.0)]);
    let (mut recorder, mut folder) = (recorder(), Folder::default());
    for packet in &packets {
        recorder.receive(&packet.datagram());
        folder.obey(&mut recorder);
    }
    recorder.stop();
    folder.obey(&mut recorder);
    assert_eq!(folder.files.len(), 1);
    let kept = left(&folder);
    assert_eq!(kept.last().map(|packet| packet.at), packets.last().map(|packet| packet.at));
}
