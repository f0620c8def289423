use super::*;

fn put(bytes: &mut [u8], place: usize, value: f32) {
    bytes[place * 4..place * 4 + 4].copy_from_slice(&value.to_le_bytes());
}

/// A plausible packet of a driving car, with most channels filled.
fn driving(len: usize) -> Vec<u8> {
    let mut bytes = vec![0; 264];
    let numbers =
        [(7, 5.0), (8, 3.0), (10, 4.0), (11, -1.0), (16, 1.0), (29, 1.0), (33, 2.0), (63, 900.0), (65, 6.0)];
    for (place, value) in numbers {
        put(&mut bytes, place, value);
    }
    bytes.truncate(len);
    bytes
}

fn check_rejected(datagram: &[u8], words: &[&str]) {
    let reason = Packet::read(datagram).expect_err("a rejection").to_string();
    for words in words {
        assert!(reason.contains(words), "{reason:?} does not say {words:?}");
    }
}

#[test]
fn every_multiple_of_four_is_a_prefix_of_the_list() {
    for len in 0..=300 {
        let kind = recognise(&driving(264).iter().chain(&[0; 40]).copied().take(len).collect::<Vec<_>>());
        let is_prefix = len % 4 == 0 && (152..=264).contains(&len);
        assert_eq!(kind == Ok(Kind::Channels(len / 4)), is_prefix, "{len} bytes: {kind:?}");
    }
    for (len, name) in [(152, "extradata 1"), (252, "extradata 2"), (264, "extradata 3"), (256, "channels")] {
        assert_eq!(recognise(&driving(len)).map(Kind::name), Ok(name));
    }
}

#[test]
fn a_packet_of_nothing_but_zeros_is_the_games_too() {
    for len in (152..=264).step_by(4) {
        assert_eq!(recognise(&vec![0; len]), Ok(Kind::Channels(len / 4)));
    }
    let mut clock = vec![0; 264];
    put(&mut clock, 0, 12.5);
    assert_eq!(recognise(&clock), Ok(Kind::Channels(66)));
}

#[test]
fn content_that_no_car_can_have_is_rejected_with_the_reason() {
    let misfits = [
        (7, 5.6, "speed"),
        (8, -9.0, "speed"),
        (11, -1.2, "right"),
        (16, 0.8, "forward"),
        (29, 1.02, "throttle"),
        (30, -1.02, "steer"),
        (31, -0.02, "brake"),
        (32, 2.0, "clutch"),
        (33, 11.0, "gear"),
        (33, 0.5, "gear"),
        (33, -2.0, "gear"),
        (63, 49.0, "max_rpm"),
        (63, 2501.0, "max_rpm"),
        (65, 0.0, "max_gears"),
        (65, 11.0, "max_gears"),
        (40, f32::NAN, "channel 40"),
        (0, f32::INFINITY, "channel 0"),
    ];
    for (place, value, word) in misfits {
        let mut bytes = driving(264);
        put(&mut bytes, place, value);
        check_rejected(
            &bytes,
            &["264 bytes could be DiRT Rally", word, "extradata=\"3\"", "<custom_udp> is not supported"],
        );
    }
    // Values just within their limits are accepted.
    for (place, value) in
        [(7, 5.5), (11, -1.1), (16, 0.9), (29, 1.01), (30, -1.01), (33, 10.0), (33, -1.0), (63, 50.0)]
    {
        let mut bytes = driving(264);
        put(&mut bytes, place, value);
        assert_eq!(recognise(&bytes), Ok(Kind::Channels(66)), "channel {place} of {value}");
    }
    // Only the full list contains the engine's limits.
    let mut shorter = driving(260);
    put(&mut shorter, 63, 1.0);
    assert_eq!(recognise(&shorter), Ok(Kind::Channels(65)));
}

#[test]
fn motion_is_known_by_its_tag() {
    let mut bytes = vec![0; 68];
    check_rejected(&bytes, &["Live for Speed"]);
    bytes[64..].copy_from_slice(b"ToCA");
    assert_eq!(recognise(&bytes), Ok(Kind::Motion));
    bytes.push(0);
    check_rejected(&bytes, &["unknown packet"]);
}

#[test]
fn the_older_layouts_are_known_by_size_and_content() {
    let mut single = vec![0; 175];
    put(&mut single, 7, 30.0);
    check_rejected(&single, &["unknown packet (175 bytes"]);
    put(&mut single, 10, -30.4);
    assert_eq!(recognise(&single), Ok(Kind::OlderSingle));
    assert_eq!(recognise(&single[..173]), Ok(Kind::OlderSingle));
    check_rejected(&single[..174], &["unknown packet"]);
    for (id, len, kind) in
        [(0, 154, Kind::OlderMotion), (6, 78, Kind::OlderTelemetry), (6, 62, Kind::OlderTelemetry)]
    {
        let mut bytes = vec![0x3f; len];
        bytes[0] = id;
        assert_eq!(recognise(&bytes), Ok(kind));
        assert!(kind.name().starts_with("unverified older layout"));
        bytes[0] = 9;
        check_rejected(&bytes, &["unknown packet"]);
    }
    assert!(Kind::OlderSingle.name().starts_with("unverified older layout"));
}

#[test]
fn older_ids_without_a_layout_are_named_and_kept() {
    for id in [1, 2, 3, 4, 5, 7] {
        let words = format!("DiRT Rally 2.0, its packet id {id}");
        let head = format!("unknown packet (5 bytes, starting {id:02x} 01 ff");
        check_rejected(
            &[id, 1, 0xff, 0xff, 0xff],
            &[&head, "unverified older layout", &words, "no known layout"],
        );
    }
    check_rejected(&[8, 1, 0xff], &["unknown packet (3 bytes, starting 08 01 ff)"]);
    check_rejected(&[], &["empty"]);
}

#[test]
fn packet_sizes_in_a_stream_follow_from_the_next_packet() {
    for len in [152, 252, 256, 264] {
        let mut stream = Vec::new();
        for clock in 0..4_u8 {
            let mut bytes = driving(len);
            put(&mut bytes, 0, f32::from(clock) + 90.0);
            put(&mut bytes, 1, f32::from(clock) + 3.0);
            stream.extend_from_slice(&bytes);
        }
        // After the finish there is no car.
        stream.extend_from_slice(&vec![0; len]);
        let mut rest = stream.as_slice();
        while !rest.is_empty() {
            assert_eq!(datagram_size(rest), Ok(len), "{} bytes left", rest.len());
            rest = &rest[len..];
        }
    }
    let motion = [[0; 64].as_slice(), b"ToCA"].concat();
    assert_eq!(datagram_size(&motion.repeat(3)), Ok(68));
    assert!(datagram_size(&[0x3f; 500]).is_err());
}
