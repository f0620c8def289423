use std::collections::BTreeMap;
use std::net::SocketAddr;

use proptest::prelude::*;

use super::*;
use crate::recording::UNCLAIMED;
use crate::recording::streams::{BEGAN, captures, of_the_simulator, simulated};
use crate::sim::Options;

/// A packet of a test's own.
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

/// Packs and unpacks; what comes back, in the order in which it was received.
fn there_and_back(packets: Vec<Packet>, packings: &mut Packings) -> Vec<Packet> {
    let blocks = blocks(packets, packings);
    let read = blocks.iter().flat_map(|packed| decode(&packed.feed, &packed.bytes).expect("a block"));
    let mut packets: Vec<Packet> = read.collect();
    packets.sort_by_key(|packet| packet.number);
    packets
}

#[test]
fn captures_and_every_simulated_feed_come_back_to_the_byte() {
    for stream in captures().into_iter().chain(simulated(20.0)) {
        let mut packings = Packings::default();
        for second in seconds(&stream.packets, LONGEST_US) {
            let read = there_and_back(second.to_vec(), &mut packings);
            assert_eq!(read, second, "{}", stream.name);
        }
    }
}

/// The budgets: the moving part of the Assetto Corsa capture, the stage files at the rate of the game, and the whole
/// lap of Gran Turismo, in blocks alone.
#[test]
fn real_captures_stay_within_their_budgets() {
    for stream in captures() {
        let budget = match stream.name.as_str() {
            name if name.starts_with("assetto-corsa-ksudp") => 0.48,
            name if name.contains("stage-first600") || name.contains("stage-last600") => 0.40,
            name if name.contains("gt7-C-plain") => 0.40,
            _ => continue,
        };
        let packed = packed_best(&stream.packets, LONGEST_US);
        let raw: usize = stream.packets.iter().map(|packet| packet.bytes.len()).sum();
        let share = packed as f64 / raw as f64;
        assert!(share <= budget, "{}: {:.1} % of raw", stream.name, share * 100.0);
    }
}

/// Ways of packing that the documentation compares.
const COMPARED: [(Filter, Layout); 7] = [
    (Filter::None, Layout::Bytes),
    (Filter::Xor, Layout::Bytes),
    (Filter::Delta(0), Layout::Bytes),
    (Filter::Slope(0), Layout::Bytes),
    (Filter::Xor, Layout::Bits),
    (Filter::Delta(0), Layout::Bits),
    (Filter::Slope(0), Layout::Bits),
];

/// Bytes of all blocks when each size of packet is packed in one way.
fn packed_in(packets: &[Packet], packing: Packing) -> usize {
    let mut bytes = 0;
    for second in seconds(packets, LONGEST_US) {
        let mut sizes: BTreeMap<usize, Vec<Packet>> = BTreeMap::new();
        for packet in second {
            let mut packet = packet.clone();
            gather::open(&mut packet);
            sizes.entry(packet.bytes.len()).or_default().push(packet);
        }
        let encoded = |packets: &Vec<Packet>| encode(&packets[0].feed, 0, packing, packets).len();
        bytes += sizes.values().map(encoded).sum::<usize>();
    }
    bytes
}

/// Bytes of all blocks of so many microseconds when each kind of block chooses how it is packed.
fn packed_best(packets: &[Packet], longest_us: u64) -> usize {
    let mut packings = Packings::default();
    let blocks = seconds(packets, longest_us).flat_map(|second| blocks(second.to_vec(), &mut packings));
    blocks.map(|packed| packed.bytes.len()).sum()
}

/// The table of docs/recording-format.md is made here: when it is out of date, the failure prints it.
#[test]
fn the_documentation_tells_what_was_measured() {
    let page = include_str!("../../../docs/recording-format.md");
    let f1 = of_the_simulator(Feed::F12018, Options::default(), 60.0);
    let mut table = Vec::new();
    for stream in captures().into_iter().chain([f1]) {
        let raw: usize = stream.packets.iter().map(|packet| packet.bytes.len()).sum();
        let share = |packed: usize| format!("{:.1}", packed as f64 / raw as f64 * 100.0);
        let compared =
            COMPARED.map(|(filter, layout)| share(packed_in(&stream.packets, Packing { filter, layout })));
        let best = [250_000, 500_000, LONGEST_US].map(|span| share(packed_best(&stream.packets, span)));
        let name = stream.name.trim_end_matches(".gz").trim_end_matches(".bin");
        table.push(format!("| {name} | {} | {} |", compared.join(" | "), best.join(" | ")));
    }
    let missing: Vec<&String> = table.iter().filter(|row| !page.contains(row.as_str())).collect();
    assert!(missing.is_empty(), "docs/recording-format.md should have\n{}", table.join("\n"));
}

/// The test vector of docs/recording-format.md.
#[test]
fn a_block_is_what_the_documentation_says() {
    let packets = [
        packet(7, 1_795_271_520_000_000, "192.168.1.20:33739", UNCLAIMED, b"one two"),
        packet(8, 1_795_271_520_016_667, "192.168.1.20:33739", UNCLAIMED, b"one six"),
        packet(10, 1_795_271_520_033_334, "192.168.1.20:33739", UNCLAIMED, b"one"),
    ];
    let block = encode(UNCLAIMED, 0, Packing::default(), &packets);
    let hex: Vec<String> = block.iter().map(|byte| format!("{byte:02x}")).collect();
    let hex: Vec<String> = hex.chunks(16).map(|line| line.join(" ")).collect();
    let page = include_str!("../../../docs/recording-format.md");
    assert!(page.contains(&hex.join("\n")), "docs/recording-format.md should have\n{}", hex.join("\n"));
    assert_eq!(decode(UNCLAIMED, &block).as_deref(), Ok(&packets[..]));
}

#[test]
fn a_later_codec_is_named_and_not_guessed_at() {
    let block = encode("f1-2018", 0, Packing::default(), &[packet(0, 1, "127.0.0.1:1", "f1-2018", b"x")]);
    let mut content = block[..block.len() - CRC].to_vec();
    content[0] = 2;
    let block = with_checksum("f1-2018", &content);
    assert_eq!(decode("f1-2018", &block), Err(BlockError::UnknownVersion(2)));
    assert!(BlockError::UnknownVersion(2).to_string().contains("codec version 2"));
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
        let read = there_and_back(packets.clone(), &mut Packings::default());
        prop_assert_eq!(read, packets);
    }

    #[test]
    fn a_changed_byte_or_a_missing_end_is_damage(packets in packets(), place: prop::sample::Index, bit in 0_u8..8) {
        for Packed { feed, bytes: block, .. } in blocks(packets, &mut Packings::default()) {
            let mut flipped = block.clone();
            let place = place.index(block.len());
            flipped[place] ^= 1_u8 << bit;
            prop_assert_eq!(decode(&feed, &flipped), Err(BlockError::Damaged));
            prop_assert_eq!(decode(&feed, &block[..place]), Err(BlockError::Damaged));
            prop_assert_eq!(decode("another-feed", &block), Err(BlockError::Damaged));
        }
    }

    /// Whatever is in a block whose CRC is right: nothing panics, and what is read is no more than could be packed.
    #[test]
    fn senseless_blocks_are_bounded(packets in packets(), place: prop::sample::Index, byte: u8, noise: Vec<u8>) {
        for Packed { feed, bytes: block, .. } in blocks(packets, &mut Packings::default()) {
            let mut content = block[..block.len() - CRC].to_vec();
            let place = place.index(content.len());
            content[place] = byte;
            if let Ok(read) = decode(&feed, &with_checksum(&feed, &content)) {
                let bytes: usize = read.iter().map(|packet| packet.bytes.len()).sum();
                prop_assert!(bytes <= content.len() * MOST_EXPANSION);
            }
            content.splice(place.., noise.clone());
            let _ = decode(&feed, &with_checksum(&feed, &content));
        }
    }
}
