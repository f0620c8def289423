//! Recordings, and the journals that a kill leaves beside them.
#![expect(clippy::expect_used, reason = "bringing the program down is how a target reports what it found")]

use std::hint::black_box;

use trailbrake_shared::feed::FEEDS;
use trailbrake_shared::recording::tail::recover;
use trailbrake_shared::recording::{
    LapReading, Opening, Recording, Reindexer, Scan, Tail, UNCLAIMED, block, read_whole,
};

/// A block of each feed with encrypted packets, and a block of no feed. Each is also decoded with a corrected
/// checksum, to reach the code behind it.
pub fn recording_block(bytes: &[u8]) {
    let sealed = FEEDS.iter().filter(|row| row.feed.seals().is_some()).map(|row| row.id);
    for feed in sealed.chain([UNCLAIMED]) {
        let _ = black_box(block::decode(feed, bytes));
        let Ok(packets) = block::decode(feed, &block::with_checksum(feed, bytes)) else { continue };
        let held: usize = packets.iter().map(|packet| packet.bytes.len()).sum();
        assert!(held <= (bytes.len() * 255).max(4 << 20), "{held} bytes out of {}", bytes.len());
    }
}

/// A whole file: opened through its index, scanned for intact blocks, read, and given a new tail.
pub fn recording_file(bytes: &[u8]) {
    let mut opening = Opening::new(bytes.len() as u64);
    read_whole(&mut opening, bytes);
    if let Ok(recording) = opening.finish() {
        read(&recording, bytes);
    }
    let mut scan = Scan::new(bytes.len() as u64);
    read_whole(&mut scan, bytes);
    let Ok(scanned) = scan.finish() else { return };
    let found = read(&scanned.recording, bytes);
    let mut relearning = Reindexer::new(&scanned.recording);
    read_whole(&mut relearning, bytes);
    let tail = Tail::with(&scanned.recording, &relearning.finish());
    let place = usize::try_from(tail.from).expect("a place in the file");
    let mut repaired = bytes.get(..place).expect("a place in the file").to_vec();
    repaired.extend(&tail.bytes);
    let mut opening = Opening::new(repaired.len() as u64);
    read_whole(&mut opening, &repaired);
    let again = opening.finish().expect("what was repaired opens");
    assert_eq!(read(&again, &repaired), found, "what was found stays");
}

/// The number of packets. Also decodes the first four laps.
fn read(recording: &Recording, bytes: &[u8]) -> usize {
    let mut packets = recording.all_packets();
    read_whole(&mut packets, bytes);
    for row in recording.laps().laps.iter().take(4) {
        let mut lap = LapReading::new(recording, row);
        read_whole(&mut lap, bytes);
        black_box(lap.finish());
    }
    packets.take().len()
}

/// A journal left beside a recording of 1 MiB.
pub fn recording_journal(bytes: &[u8]) {
    if let Ok(tail) = recover(bytes, 1 << 20) {
        assert_eq!(tail.journal(), bytes, "a tail has one journal");
    }
}
