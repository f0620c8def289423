use std::net::SocketAddr;

use trailbrake_model::time::{LapTime, Micros};
use trailbrake_sim::{Demo, Options};

use super::*;
use crate::export::pcapng;
use crate::lap_catalogue::LapCatalogue;
use crate::{Opening, Recording, read_whole};

const BEGAN: Micros = Micros(1_700_000_000_000_000);

#[test]
fn kinds_are_recognised_by_content_before_names() {
    assert_eq!(FileKind::of(b"\x89MCAP0\r\n", "a.csv"), Some(FileKind::Recording));
    assert_eq!(FileKind::of(&[0x0a, 0x0d, 0x0d, 0x0a, 0, 0, 0, 0], "a"), Some(FileKind::Capture));
    assert_eq!(FileKind::of(b"driver,c", "laps.txt"), Some(FileKind::LapTable));
    assert_eq!(FileKind::of(b"\x40\0\0\0\0\0\0\0", "x"), Some(FileKind::MotecLog));
    assert_eq!(FileKind::of(b"whatever", "LOG.LD"), Some(FileKind::MotecLog));
    assert_eq!(FileKind::of(&[2, 0, 0, 0, 1, 0, 0, 0], "x"), Some(FileKind::IracingLog));
    assert_eq!(FileKind::of(b"whatever", "Spa.IBT"), Some(FileKind::IracingLog));
    assert_eq!(FileKind::of(b"Speed,La", "lap.txt"), Some(FileKind::LapTable));
    assert_eq!(FileKind::of(b"Time\tSpeed", "drive.tsv"), Some(FileKind::LapTable));
    assert_eq!(FileKind::of(b"# Trailb", "README.md"), None);
    assert_eq!(FileKind::of(b"", ""), None);
    // Bare packets of a game are no file that a page opens.
    assert_eq!(FileKind::of(&[0xe2, 0x07, 1, 6, 0, 0, 0, 0], "race.bin"), None);
    let words = not_a_recording("README.md");
    assert_eq!(
        words,
        "README.md is not a recording. Open .mcap, .pcap, iRacing .ibt, MoTeC .ld or lap .csv files."
    );
}

/// Packets of a feed, from a machine of its own.
fn packets(feed: Feed, seconds: f64, host: u8) -> Vec<(Micros, SocketAddr, Vec<u8>)> {
    let mut packets = Vec::new();
    let sender = SocketAddr::from(([192, 168, 1, host], 5000));
    let mut demo =
        Demo::new(feed, Options { cars: 3, ..Options::default() }, BEGAN).expect("a feed that is simulated");
    // The simulator catches up with a clock that jumps, so its clock goes on in steps.
    for tenth in 1..=(seconds * 10.0) as u32 {
        let now = BEGAN.plus_seconds(f64::from(tenth) / 10.0);
        demo.advance(now, &mut |at, bytes| packets.push((at, sender, bytes.to_vec())));
    }
    packets
}

fn captured(packets: &[(Micros, SocketAddr, Vec<u8>)]) -> Vec<u8> {
    let mut file = pcapng::beginning();
    for (at, sender, bytes) in packets {
        let datagram = Datagram { at: *at, sender: *sender, port: 20_777, feed: None, bytes };
        file.extend(pcapng::packet(&datagram).expect("a short packet"));
    }
    file
}

fn imported(file: &[u8], piece: usize) -> (Vec<ImportedRecording>, bool) {
    let mut import = CaptureImport::begin(file, "test").expect("a capture");
    let _ = file.chunks(piece).all(|piece| import.push(piece));
    let (recordings, damage) = import.finish();
    (recordings, damage.is_some())
}

fn opened(imported: &ImportedRecording) -> Recording {
    let mut opening = Opening::new(imported.bytes.len() as u64);
    read_whole(&mut opening, &imported.bytes);
    opening.finish().expect("a recording")
}

#[test]
fn a_capture_makes_a_recording_of_each_game_with_every_packet_and_lap() {
    let mut sent = packets(Feed::F1, 200.0, 1);
    let f1 = sent.len();
    sent.extend(packets(Feed::DirtRally, 10.0, 2));
    sent.sort_by_key(|(at, ..)| *at);
    let file = captured(&sent);
    let (recordings, damaged) = imported(&file, 1 << 20);
    assert!(!damaged);
    let counts: Vec<(Feed, u64)> = recordings.iter().map(|one| (one.feed, one.packets)).collect();
    assert_eq!(counts, [(Feed::F1, f1 as u64), (Feed::DirtRally, (sent.len() - f1) as u64)]);
    let recording = opened(&recordings[0]);
    assert_eq!(LapCatalogue::of_recording(&recording).laps().len(), recordings[0].laps);
    assert!(recordings[0].laps >= 3, "{} laps of three cars", recordings[0].laps);
    // However it arrives, the file makes the same recordings, with the same ids.
    assert!(imported(&file, 997).0 == recordings);
}

#[test]
fn a_damaged_capture_keeps_what_was_read() {
    let sent = packets(Feed::DirtRally, 20.0, 1);
    let file = captured(&sent);
    let (recordings, damaged) = imported(&file[..file.len() - 3], 4096);
    assert!(damaged);
    assert_eq!(recordings[0].packets, sent.len() as u64 - 1);
    opened(&recordings[0]);
    // A capture of no game makes none.
    let (none, damaged) = imported(&captured(&[(BEGAN, sent[0].1, b"hello".to_vec())]), 4096);
    assert!(none.is_empty() && !damaged);
}

#[test]
fn tables_are_recognised_by_their_heading() {
    for (head, kind) in [
        ("driver,car,lap,session_time [s],lap_time [s],speed [m/s]\r\n", TableKind::Ours),
        ("Speed,LapDistPct,Lat\n1,2,3\n", TableKind::Garage61),
        ("SessionTime,Lap,Speed,LapDistPct\n", TableKind::Other),
        ("Time;Speed\n", TableKind::Other),
        ("", TableKind::Other),
    ] {
        assert_eq!(TableKind::of(head.as_bytes()), kind, "{head}");
    }
}

/// A lap of 40 s, without a time for the lap.
fn lap_alone() -> LapsFile {
    let mut table = "Time,Speed,Lap progress\n".to_owned();
    for row in 0..2000 {
        let time_s = f64::from(row) / 50.0 + 0.01;
        table += &format!("{time_s:.2},50,{:.6}\n", time_s / 40.0);
    }
    let mapping =
        mapped_table::guess(&mapped_table::TableSample::of(table.as_bytes(), true).expect("a table"));
    let mut import = PieceImport::table(mapping, BEGAN).expect("a mapping");
    import.push(table.as_bytes()).expect("rows");
    import.finish().expect("a lap")
}

#[test]
fn a_lap_alone_takes_its_official_time() {
    let recording = |laps: &LapsFile| laps.recording("test").finish().expect("a recording");
    let times = |laps: &LapsFile| {
        let catalogue = LapCatalogue::of_recording(&opened(&recording(laps)));
        catalogue.laps().iter().map(|entry| (entry.lap.time, entry.lap.flags.to_string())).collect::<Vec<_>>()
    };
    let mut laps = lap_alone();
    assert_eq!(times(&laps), [(Some(LapTime(40_000)), "inferred".to_owned())]);
    let other = laps.set_official_time(LapTime(41_000)).expect_err("another lap");
    assert_eq!(other.to_string(), "41.000 is not the time of this lap: its rows give 40.000");
    laps.set_official_time(LapTime(40_012)).expect("the time of this lap");
    assert_eq!(times(&laps), [(Some(LapTime(40_012)), String::new())]);
    // Now it has an official time.
    assert_eq!(laps.set_official_time(LapTime(40_000)), Err(NoOfficialTime::NotNeeded));
}
