//! Recordings made to harm: numbers in blocks and in the index that claim too much or point to the wrong place, all under
//! correct checksums.

use trailbrake_sim::{Options, Show};

use super::container::{FOOTER, summary_start};
use super::damage_tests::info;
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
    let driven = Show::packets(feed, Options::default(), BEGAN, 3.0).expect("a simulated game");
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
        read_whole(&mut recording.lap(row), bytes);
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
