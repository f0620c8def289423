use std::collections::BTreeMap;
use std::net::SocketAddr;

use proptest::prelude::*;
use trailbrake_model::time::Micros;
use trailbrake_sim::Options;

use super::*;
use crate::UNCLAIMED;
use crate::streams_tests::{BEGAN, Stream, captured, of_the_simulator, simulated};

fn packet(number: u64, at_us: u64, sender: &str, feed: &str, bytes: &[u8]) -> Packet {
    let sender: SocketAddr = sender.parse().expect("an address");
    Packet { number, at: Micros(at_us), sender, port: 20777, feed: feed.into(), bytes: bytes.to_vec() }
}

/// The packets of each second of a stream.
fn seconds(packets: &[Packet], longest_us: u64) -> impl Iterator<Item = &[Packet]> {
    packets.chunk_by({
        let mut first = packets.first().map_or(0, |packet| packet.at.0);
        move |_, next| {
            let together = next.at.0 - first < longest_us;
            first = if together { first } else { next.at.0 };
            together
        }
    })
}

/// Encodes and decodes packets; returns them in the order received.
fn there_and_back(packets: Vec<Packet>) -> Vec<Packet> {
    let blocks = blocks(packets);
    let read = blocks.iter().flat_map(|packed| decode(&packed.feed, &packed.bytes).expect("a block"));
    let mut packets: Vec<Packet> = read.collect();
    packets.sort_by_key(|packet| packet.number);
    packets
}

fn check_there_and_back(streams: Vec<Stream>) {
    for stream in streams {
        for second in seconds(&stream.packets, LONGEST_US) {
            let read = there_and_back(second.to_vec());
            assert_eq!(read, second, "{}", stream.name);
        }
    }
}

#[test]
fn every_simulated_feed_comes_back_to_the_byte() {
    check_there_and_back(simulated(20.0));
}

#[test]
#[ignore = "needs captures"]
fn captures_come_back_to_the_byte() {
    check_there_and_back(captured());
}

/// The compressed size of real captures relative to their raw bytes, at most, in blocks of one second.
const BUDGETS: &[(&str, f64)] = &[
    ("assetto-corsa-ksudp/monza-packets-7441-8640.328xN", 0.48),
    ("dirt-rally-2/stage-first600.264xN", 0.40),
    ("dirt-rally-2/stage-last600.264xN", 0.40),
    ("dirt-rally-2/stage-every5th.264xN", 0.44),
    ("gran-turismo/gt7-C-plain-replay.368xN", 0.40),
];

#[test]
#[ignore = "needs captures"]
fn real_captures_stay_within_their_budgets() {
    let captures = captured();
    for (name, budget) in BUDGETS {
        let stream = captures.iter().find(|stream| stream.name == *name).expect("the capture");
        let share = packed(&stream.packets, LONGEST_US) as f64 / raw(&stream.packets) as f64;
        assert!(share <= *budget, "{name}: {:.1} % of raw", share * 100.0);
    }
}

/// Bytes of the raw packets.
fn raw(packets: &[Packet]) -> usize {
    packets.iter().map(|packet| packet.bytes.len()).sum()
}

/// Bytes of all blocks of `longest_us`.
fn packed(packets: &[Packet], longest_us: u64) -> usize {
    let blocks = seconds(packets, longest_us).flat_map(|second| blocks(second.to_vec()));
    blocks.map(|packed| packed.bytes.len()).sum()
}

/// Bytes of all one-second blocks with LZ4 alone.
fn packed_by_lz4(packets: &[Packet]) -> usize {
    let mut bytes = 0;
    for second in seconds(packets, LONGEST_US) {
        let mut sizes: BTreeMap<usize, Vec<Packet>> = BTreeMap::new();
        for packet in second {
            let mut packet = packet.clone();
            gather::open(&mut packet);
            sizes.entry(packet.bytes.len()).or_default().push(packet);
        }
        for packets in sizes.values() {
            let mut unpacked = columns::numbers(packets, false);
            packets.iter().for_each(|packet| unpacked.extend(&packet.bytes));
            bytes += HEADER + lz4_flex::block::compress(&unpacked).len() + CRC;
        }
    }
    bytes
}

/// Checks the table of docs/recording-format.md. When it is out of date, the failure prints the new one.
fn check_measured(streams: Vec<Stream>) {
    let page = include_str!("../../../../docs/recording-format.md");
    let mut table = Vec::new();
    for Stream { name, packets } in streams {
        let share = |bytes: usize| format!("{:.1}", bytes as f64 / raw(&packets) as f64 * 100.0);
        let spans = [250_000, 500_000, LONGEST_US].map(|span| share(packed(&packets, span)));
        table.push(format!("| {name} | {} | {} |", share(packed_by_lz4(&packets)), spans.join(" | ")));
    }
    let missing: Vec<&String> = table.iter().filter(|row| !page.contains(row.as_str())).collect();
    assert!(missing.is_empty(), "docs/recording-format.md should have\n{}", table.join("\n"));
}

#[test]
fn the_documented_figures_are_those_of_the_simulator() {
    check_measured(vec![of_the_simulator(Feed::F1, Options::default(), 60.0)]);
}

#[test]
#[ignore = "needs captures"]
fn the_documented_figures_are_those_of_captures() {
    check_measured(captured());
}

/// Checks a test vector of docs/recording-format.md in both directions.
fn check_documented(packets: &[Packet]) {
    let block = encode(UNCLAIMED, 0, packets);
    let hex: Vec<String> = block.iter().map(|byte| format!("{byte:02x}")).collect();
    let hex: Vec<String> = hex.chunks(16).map(|line| line.join(" ")).collect();
    let page = include_str!("../../../../docs/recording-format.md");
    assert!(page.contains(&hex.join("\n")), "docs/recording-format.md should have\n{}", hex.join("\n"));
    assert_eq!(decode(UNCLAIMED, &block).as_deref(), Ok(packets));
}

#[test]
fn a_block_by_lz4_is_what_the_documentation_says() {
    check_documented(&[
        packet(7, 1_795_271_520_000_000, "192.168.1.20:33739", UNCLAIMED, b"one two"),
        packet(8, 1_795_271_520_016_667, "192.168.1.20:33739", UNCLAIMED, b"one six"),
        packet(10, 1_795_271_520_033_334, "192.168.1.20:33739", UNCLAIMED, b"one"),
    ]);
}

#[test]
fn a_block_in_words_is_what_the_documentation_says() {
    let packet = |number: u16| {
        let (float, count) = (1.5 + 0.25 * f32::from(number), 70_000 + 16 * u32::from(number));
        let bytes = [&float.to_le_bytes()[..], &count.to_le_bytes(), &[3]].concat();
        let (number, at) = (u64::from(number), 1_795_271_520_000_000 + u64::from(number) * 16_667);
        packet(number, at, "192.168.1.20:33739", UNCLAIMED, &bytes)
    };
    let packets: Vec<Packet> = (0..9).map(packet).collect();
    check_documented(&packets);
}

#[test]
fn a_later_codec_is_named_and_not_guessed_at() {
    let block = encode("f1-2018", 0, &[packet(0, 1, "127.0.0.1:1", "f1-2018", b"x")]);
    let mut content = block[..block.len() - CRC].to_vec();
    content[0] = 3;
    let block = with_checksum("f1-2018", &content);
    assert_eq!(decode("f1-2018", &block), Err(BlockError::UnknownVersion(3)));
    assert!(BlockError::UnknownVersion(3).to_string().contains("codec version 3"));
    content[0] = 1;
    assert_eq!(decode("f1-2018", &with_checksum("f1-2018", &content)), Err(BlockError::BeforeRelease));
}

fn packets() -> impl Strategy<Value = Vec<Packet>> {
    let feed =
        prop::sample::select(vec!["f1-2018", "gran-turismo", "ac-server", UNCLAIMED, "of-a-later-version"]);
    let sender = prop::sample::select(vec!["10.0.0.2:5", "[fe80::1%7]:9", "10.0.0.2:6"]);
    let size = prop::sample::select(vec![0_usize, 1, 3, 4, 17, 40]);
    let one = (feed, sender, size, 0_u64..30_000, 0_u64..3, 0_u16..2, any::<[u8; 40]>());
    prop::collection::vec(one, 0..60).prop_map(|all| {
        let (mut number, mut at) = (5_u64, BEGAN.0);
        let packet =
            |(feed, sender, size, later, gap, port, bytes): (&str, &str, usize, u64, u64, u16, [u8; 40])| {
                number += gap + 1;
                at += later / 2;
                let mut packet = packet(number, at, sender, feed, &bytes[..size]);
                packet.port += port;
                packet
            };
        all.into_iter().map(packet).collect()
    })
}

proptest! {
    #[test]
    fn any_packets_come_back_in_order(packets in packets()) {
        let read = there_and_back(packets.clone());
        prop_assert_eq!(read, packets);
    }

    #[test]
    fn a_changed_byte_or_a_missing_end_is_damage(packets in packets(), place: prop::sample::Index, bit in 0_u8..8) {
        for FinishedBlock { feed, bytes: block, .. } in blocks(packets) {
            let mut flipped = block.clone();
            let place = place.index(block.len());
            flipped[place] ^= 1_u8 << bit;
            prop_assert_eq!(decode(&feed, &flipped), Err(BlockError::Damaged));
            prop_assert_eq!(decode(&feed, &block[..place]), Err(BlockError::Damaged));
            prop_assert_eq!(decode("another-feed", &block), Err(BlockError::Damaged));
        }
    }

    /// Any content with a correct CRC: nothing panics, and no more is read than could be packed.
    #[test]
    fn senseless_blocks_are_bounded(packets in packets(), place: prop::sample::Index, byte: u8, noise: Vec<u8>) {
        for FinishedBlock { feed, bytes: block, .. } in blocks(packets) {
            let mut content = block[..block.len() - CRC].to_vec();
            let place = place.index(content.len());
            content[place] = byte;
            if let Ok(read) = decode(&feed, &with_checksum(&feed, &content)) {
                let bytes: usize = read.iter().map(|packet| packet.bytes.len()).sum();
                prop_assert!(bytes <= (content.len() * MOST_EXPANSION).max(MOST_BYTES));
            }
            content.splice(place.., noise.clone());
            let _ = decode(&feed, &with_checksum(&feed, &content));
        }
    }
}
