use super::scratch::{Scratch, decode};

/// Bytes that follow from a seed alone.
fn noise(seed: u64, len: usize) -> Vec<u8> {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    std::iter::repeat_with(|| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 32) as u8
    })
    .take(len)
    .collect()
}

#[test]
fn noise_of_every_size_is_rejected_with_a_reason() {
    for len in 0..=2000 {
        let scratch = Scratch::new("noise", &noise(len as u64 + 1, len));
        let (lines, understood) = decode(&scratch.0, &["--feed", "f1-2018"]);
        assert!(!understood && lines.len() == 1, "{len} bytes");
        assert!(
            lines[0]["rejected"].as_str().is_some_and(|reason| reason.len() > 10),
            "{len} bytes: {}",
            lines[0]
        );
    }
}

#[test]
fn records_and_streams_are_cut_and_a_rest_is_named() {
    let packet = |id: u8, size: usize| {
        let mut packet = vec![0; size];
        packet[..4].copy_from_slice(&[0xe2, 0x07, 1, id]);
        packet
    };
    let [event, session] = [packet(3, 25), packet(1, 147)];
    let events = Scratch::new("records", &[event.clone(), event.clone(), vec![0; 7]].concat());
    let (lines, understood) = decode(&events.0, &["--feed", "f1-2018", "--record-size", "25"]);
    assert!(!understood && lines.len() == 3);
    assert_eq!(lines[1]["packet"], "Event");
    assert_eq!(
        (&lines[2]["rejected"], &lines[2]["offset"]),
        (&"the last 7 bytes are no whole record of 25".into(), &50.into())
    );

    let stream = Scratch::new("stream", &[event.clone(), session, event].concat());
    let (lines, understood) = decode(&stream.0, &["--feed", "f1-2018", "--stream"]);
    let kinds: Vec<_> = lines.iter().map(|line| line["packet"].as_str().unwrap_or_default()).collect();
    assert!(understood);
    assert_eq!(kinds, ["Event", "Session", "Event"]);

    let torn = Scratch::new("torn", &packet(1, 100));
    let (lines, _) = decode(&torn.0, &["--feed", "f1-2018", "--stream"]);
    assert_eq!(lines[0]["rejected"], "the file ends within a packet of 147 bytes");
}
