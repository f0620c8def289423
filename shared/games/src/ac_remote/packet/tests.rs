use proptest::prelude::*;

use super::*;
use crate::ac_remote::example::{answer, lap, update_bytes};

fn one_of_each() -> [(Kind, Vec<u8>); 3] {
    [
        (Kind::Answer, answer("bmw_m3_e30_gra", "Ada", "ks_monza66", "ks_monza66")),
        (Kind::Update, update_bytes(0, 1000, 0)),
        (Kind::Lap, lap(3, 2, "Grace Hopper", "abarth500", 90_000)),
    ]
}

#[test]
fn packets_are_recognised_by_size_and_mark() {
    for (kind, bytes) in one_of_each() {
        assert_eq!((recognise(&bytes), datagram_size(&bytes)), (Ok(kind), Ok(kind.size())));
        assert!(recognise(&bytes[1..]).is_err() && recognise(&[bytes.as_slice(), &[0]].concat()).is_err());
    }
    let [(_, mut answer), (_, mut update), (_, lap)] = one_of_each();
    // A real game sends arbitrary bytes in the padding.
    update[1..4].copy_from_slice(&[0, 0x33, 0]);
    assert_eq!(recognise(&update), Ok(Kind::Update));
    (answer[200], update[4]) = (0, 0);
    assert!(recognise(&answer).is_err() && recognise(&update).is_err());
    for (place, byte) in [(0, 0xff), (3, 0x80), (7, 1), (8, 0), (108, 0), (211, 0x80), (9, 0xd8)] {
        let mut other = lap.clone();
        other[place] = byte;
        assert!(recognise(&other).is_err(), "byte {place} of a lap");
    }
    assert_eq!(recognise(&[]), Err(Rejected::Empty));
    assert!(recognise(&[0; 212]).is_err(), "nobody's lap");
}

#[test]
fn a_stream_of_packets_is_cut_where_they_end() {
    let stream: Vec<u8> = one_of_each().into_iter().flat_map(|(_, bytes)| bytes).collect();
    let (mut rest, mut sizes) = (stream.as_slice(), Vec::new());
    while !rest.is_empty() {
        sizes.push(datagram_size(rest).expect("a packet"));
        rest = &rest[sizes[sizes.len() - 1]..];
    }
    assert_eq!(sizes, [408, 328, 212]);
    assert!(datagram_size(&stream[1..]).is_err() && datagram_size(&[]).is_err());
}

proptest! {
    #[test]
    fn any_bytes_are_a_packet_or_a_reason(bytes in prop::collection::vec(any::<u8>(), 0..450)) {
        for kind in Kind::ALL {
            let mut sized = bytes.clone();
            sized.resize(kind.size(), 0x41);
            let _ = describe(&sized);
        }
        let _ = datagram_size(&bytes);
    }
}
