use super::*;
use crate::ac_telemetry_tool::layout::TEST_FLOAT;
use crate::ac_telemetry_tool::specimens::two_cars;

fn check_rejected(datagram: &[u8], words: &str) {
    let reason = Packet::read(datagram).expect_err("a rejection").to_string();
    assert!(reason.contains(words), "{reason:?} does not say {words:?}");
}

/// This many identical cars.
fn cars(count: usize) -> Vec<u8> {
    let mut packet = vec![TELEMETRY];
    packet.extend(two_cars()[1..358].repeat(count));
    packet
}

#[test]
fn packets_are_recognised_by_type_length_and_markers() {
    for count in [1, 2, 5, MOST_CARS] {
        let packet = cars(count);
        assert_eq!(recognise(&packet), Ok(Kind::Telemetry), "{count}");
        let Ok(Packet::Telemetry(telemetry)) = Packet::read(&packet) else { panic!("{count} cars") };
        assert_eq!(telemetry.drivers.all().count(), count);
    }
    assert_eq!(MOST_CARS, 183);
    assert_eq!(recognise(&[VERSION, 1, 2, 3, 4]), Ok(Kind::Version));
    check_rejected(&[], "empty");
    check_rejected(&[VERSION, 1, 2, 3], "unknown packet");
    check_rejected(&[VERSION, 1, 2, 3, 4, 5], "unknown packet");
    check_rejected(&[TELEMETRY], "unknown packet");
    check_rejected(&[0; 358], "unknown packet");
}

#[test]
fn one_record_with_its_markers_is_enough_and_none_is_not() {
    let mut packet = two_cars();
    packet[1 + 93 + 3] = 0;
    assert_eq!(recognise(&packet), Ok(Kind::Telemetry));
    packet[358 + 177] = 0;
    check_rejected(&packet, "no record has its markers");
    // Another program's packet may begin with the same byte at most.
    check_rejected(&[&[TELEMETRY][..], &[0; 357]].concat(), "no record has its markers");
}

#[test]
fn a_record_of_another_size_is_rejected_with_the_size() {
    let packet = two_cars();
    check_rejected(&packet[..714], "has 715 bytes, this one has 714");
    check_rejected(&[&packet[..], &[0]].concat(), "has 1072 bytes, this one has 716");
    check_rejected(&packet[..100], "unknown packet");
}

#[test]
fn the_marker_may_be_a_hair_off() {
    for (marker, fits) in
        [(666.666_f32, true), (666.66, true), (666.675, true), (666.65, false), (f32::NAN, false)]
    {
        let mut packet = cars(1);
        packet[94..98].copy_from_slice(&marker.to_le_bytes());
        assert_eq!(recognise(&packet).is_ok(), fits, "{marker}");
    }
    assert_eq!(TEST_FLOAT.to_le_bytes(), [0xa0, 0xaa, 0x26, 0x44]);
}

#[test]
fn a_stream_of_packets_is_cut_where_each_begins() {
    let mut stream = [cars(3), vec![VERSION, 9, 9, 9, 9], cars(1), cars(183)].concat();
    let mut sizes = Vec::new();
    while !stream.is_empty() {
        let size = datagram_size(&stream).expect("a packet");
        sizes.push(size);
        stream.drain(..size);
    }
    assert_eq!(sizes, [1072, 5, 358, 65_332]);
    assert!(datagram_size(&[7; 400]).is_err());
}
