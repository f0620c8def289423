use etherparse::IpNumber;

use super::files::{self, RAW, SENDER, SENDER_6, piece_4, piece_4_of, piece_6, udp};
use super::fragments::MOST;
use super::{Packet, SkipReason};

/// A payload in which neighbouring bytes differ.
fn payload(len: usize) -> Vec<u8> {
    (0..len).map(|at| (at * 7 + at / 251) as u8).collect()
}

/// Reads raw IP packets, each with its second.
fn found(packets: &[(u32, Vec<u8>)]) -> Vec<Packet> {
    let read = files::read(&files::pcap(RAW, packets.iter().map(|(at, packet)| (*at, &packet[..]))));
    assert_eq!(read.end, Ok(()));
    let assembled = read.packets.iter().filter(|packet| packet.content.is_ok()).count();
    assert_eq!(read.assembled, assembled as u64);
    read.packets
}

/// Expects exactly one datagram, with this payload.
fn check(packets: &[(u32, Vec<u8>)], sender: &str, payload: &[u8]) {
    let found = found(packets);
    assert_eq!(found.len(), 1, "{found:?}");
    let datagram = found[0].content.as_ref().expect("a datagram");
    assert_eq!((datagram.sender.to_string(), &datagram.bytes[..]), (sender.to_owned(), payload));
    assert_eq!(found[0].offset, 24, "the place of the first fragment");
    let last = packets.last().expect("a packet").0;
    assert_eq!(
        found[0].at.map(|at| at.0),
        Some(u64::from(last) * 1_000_000),
        "the time of the last fragment"
    );
}

fn reasons(packets: &[(u32, Vec<u8>)]) -> Vec<SkipReason> {
    found(packets).into_iter().filter_map(|packet| packet.content.err()).collect()
}

const ORDERS: [[usize; 3]; 6] = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]];

#[test]
fn pieces_in_any_order_make_a_datagram() {
    let payload = payload(4000);
    let whole = udp(&payload);
    let cuts = [(0, 1480), (1480, 2960), (2960, whole.len())];
    for order in ORDERS {
        let pieces = order.map(|nth| (nth as u32, piece_4(9, &whole, cuts[nth].0, cuts[nth].1)));
        check(&pieces, SENDER, &payload);
        let pieces =
            order.map(|nth| (nth as u32, piece_6(9, IpNumber::UDP, &whole, cuts[nth].0, cuts[nth].1)));
        check(&pieces, SENDER_6, &payload);
    }
}

#[test]
fn the_longest_datagram_there_is() {
    let payload = payload(65_507);
    let whole = udp(&payload);
    let ends = (0..whole.len()).step_by(1480).map(|from| (from, (from + 1480).min(whole.len())));
    let pieces: Vec<_> = ends.map(|(from, to)| (0, piece_4(1, &whole, from, to))).collect();
    assert_eq!(pieces.len(), 45);
    check(&pieces, SENDER, &payload);
}

#[test]
fn headers_that_were_cut_too_are_read_once_whole() {
    let payload = payload(100);
    // Eight bytes of destination options, then UDP; the first fragment ends within the UDP header.
    let whole = [&[17, 0, 1, 4, 0, 0, 0, 0][..], &udp(&payload)].concat();
    let pieces = [(0, 8), (8, 64), (64, whole.len())];
    let pieces = pieces.map(|(from, to)| (0, piece_6(1, IpNumber(60), &whole, from, to)));
    check(&pieces, SENDER_6, &payload);
}

#[test]
fn pieces_that_come_twice_or_overlap_and_agree_are_no_trouble() {
    let payload = payload(200);
    let whole = udp(&payload);
    let piece = |from, to| (0, piece_4(3, &whole, from, to));
    check(&[piece(0, 104), piece(0, 104), piece(104, 208)], SENDER, &payload);
    check(&[piece(0, 104), piece(48, 160), piece(16, 64), piece(152, 208)], SENDER, &payload);
    check(&[piece(96, 208), piece(64, 80), piece(32, 48), piece(0, 104)], SENDER, &payload);
}

#[test]
fn pieces_that_contradict_one_another_make_nothing() {
    let payload = payload(200);
    let whole = udp(&payload);
    let mut changed = whole.clone();
    changed[100] ^= 1;
    let piece = |from, to| (0, piece_4(3, &whole, from, to));
    let overlapping = [piece(0, 104), (0, piece_4(3, &changed, 96, 160)), piece(160, 208)];
    assert_eq!(reasons(&overlapping), [SkipReason::Contradictory]);
    // Two ends, bytes beyond the end, an end before received bytes, and a length that isn't a multiple of eight.
    let end = |bytes: usize, from| (0, piece_4_of(3, &vec![0; bytes], from, false));
    let middle = |bytes: usize, from| (0, piece_4_of(3, &vec![0; bytes], from, true));
    for pieces in [
        [end(40, 8), end(48, 8)],
        [end(40, 8), middle(8, 64)],
        [middle(80, 0), end(8, 8)],
        [middle(77, 0), end(8, 8)],
    ] {
        let reasons = reasons(&pieces);
        assert_eq!(reasons.first(), Some(&SkipReason::Contradictory), "{reasons:?}");
        assert_eq!(reasons.len(), 1, "it is reported once");
    }
    assert_eq!(reasons(&[end(64, 65_528)]), [SkipReason::Contradictory], "beyond what IP can hold");
}

#[test]
fn what_never_came_is_named() {
    let whole = udp(&payload(300));
    let piece = |from, to| (5, piece_4(3, &whole, from, to));
    let Packet { offset, at, content } = &found(&[piece(0, 104), piece(200, 308)])[0];
    assert_eq!((*offset, at.map(|at| at.0)), (24, Some(5_000_000)));
    let reason = content.as_ref().expect_err("a reason");
    assert_eq!(*reason, SkipReason::Incomplete { has: 212, wants: Some(308) });
    assert_eq!(
        reason.to_string(),
        "a datagram in fragments, some of which are not in the file: 212 of 308 bytes are there"
    );
    assert_eq!(reasons(&[piece(0, 104)]), [SkipReason::Incomplete { has: 104, wants: None }]);
}

#[test]
fn a_number_that_is_used_again_belongs_to_another_datagram() {
    let (early, late) = (udp(&payload(300)), udp(&[7; 300]));
    let pieces =
        [(0, piece_4(3, &early, 0, 104)), (31, piece_4(3, &late, 0, 104)), (32, piece_4(3, &late, 104, 308))];
    let found = found(&pieces);
    assert_eq!(found.len(), 2);
    assert_eq!(found[0].content, Err(SkipReason::Incomplete { has: 104, wants: None }));
    assert_eq!(found[1].content.as_ref().expect("a datagram").bytes, [7; 300]);
}

#[test]
fn what_is_kept_in_mind_is_bounded() {
    let whole = udp(&payload(300));
    let begun: Vec<_> = (0..MOST as u16 + 3).map(|id| (0, piece_4(id, &whole, 0, 104))).collect();
    let reasons = reasons(&begun);
    assert_eq!(reasons.len(), MOST + 3);
    assert_eq!(reasons[..3], [SkipReason::Crowded { most: MOST }; 3]);
    assert_eq!(reasons[3], SkipReason::Incomplete { has: 104, wants: None });
}

#[test]
fn pieces_seen_at_two_devices_are_two_datagrams() {
    let payload = payload(200);
    let whole = udp(&payload);
    let cooked = |device: u8, from, to| {
        let head = [8, 0, 0, 0, 0, 0, 0, device, 0, 1, 0, 6, 2, 0, 0, 0, 0, 1, 0, 0];
        [&head[..], &piece_4(3, &whole, from, to)].concat()
    };
    let frames = [cooked(1, 0, 104), cooked(2, 0, 104), cooked(1, 104, 208), cooked(2, 104, 208)];
    let found = files::datagrams(&files::pcap(276, frames.iter().map(|frame| (0, &frame[..]))));
    assert_eq!(found.len(), 2);
    assert!(found.iter().all(|(_, sender, bytes)| sender == SENDER && *bytes == payload));
}

#[test]
fn pieces_of_other_protocols_are_left_out() {
    let mut packet = piece_4_of(3, &[0; 64], 0, true);
    packet[9] = 6;
    let read = files::read(&files::pcap(RAW, [(0, &packet[..])]));
    assert_eq!((read.packets.len(), read.left_out.as_str()), (0, "1 TCP"));
}

#[test]
fn fragments_given_up_at_once_are_reported_in_file_order() {
    let whole = udp(&payload(300));
    let mut pieces: Vec<_> = (0..20).map(|id| (0, piece_4(id, &whole, 0, 104))).collect();
    pieces.push((40, piece_4(99, &whole, 0, 104)));
    let offsets: Vec<u64> =
        found(&pieces).iter().filter(|one| one.content.is_err()).map(|one| one.offset).collect();
    assert_eq!(offsets.len(), 21);
    assert!(offsets.is_sorted(), "{offsets:?}");
}
