use super::files::{
    self, ETHERNET, RAW, SENDER, block, datagrams, ethernet, interface, ipv4, packet, pcap, pcap_header,
    pcap_packet, read, read_in_strides, section,
};
use super::{Damage, Fault, Reader, SkipReason};

/// The times of all packets of a file, each of which must be a datagram.
fn times(file: &[u8]) -> Vec<Option<u64>> {
    datagrams(file).into_iter().map(|(at, ..)| at).collect()
}

#[test]
fn a_capture_is_recognised_by_its_first_bytes() {
    assert!(Reader::open(&pcap(1, [])[..Reader::HEAD]).is_some());
    assert!(Reader::open(&section()[..Reader::HEAD]).is_some());
    for other in [&b"G"[..], b"", b"0S7G and more", &[0xe2, 0x07, 1, 0], &[0xa1, 0xb2, 0xc3]] {
        assert!(Reader::open(other).is_none(), "{other:?}");
    }
}

#[test]
fn both_orders_and_both_fractions_of_a_second() {
    let packet = ipv4(b"hello");
    let len = packet.len() as u32;
    for order in [u32::to_le_bytes, u32::to_be_bytes] {
        for (magic, fraction) in [(0xa1b2_c3d4, 250_001), (0xa1b2_3c4d, 250_001_999)] {
            let header = pcap_header(magic, RAW, order);
            let file = [header, pcap_packet([1_700_000_000, fraction, len, len], &packet, order)].concat();
            let wanted = (Some(1_700_000_000_250_001), SENDER.to_owned(), b"hello".to_vec());
            assert_eq!(datagrams(&file), [wanted], "{magic:#x}");
        }
    }
}

/// The interface option with the timestamp unit.
fn unit(power: u8) -> [u8; 8] {
    [9, 0, 1, 0, power, 0, 0, 0]
}

#[test]
fn each_interface_counts_time_in_its_own_units() {
    let ip = ipv4(b"hello");
    let offset = [&[14, 0, 8, 0][..], &3600_i64.to_le_bytes(), &[0; 4]].concat();
    for (options, ticks, micros) in [
        (vec![], 1_500_001, 1_500_001),
        (unit(6).to_vec(), 1_500_001, 1_500_001),
        (unit(9).to_vec(), 1_500_001_999, 1_500_001),
        (unit(3).to_vec(), 1_500, 1_500_000),
        (unit(0).to_vec(), 7, 7_000_000),
        // Binary fraction: 2⁻¹⁰ s.
        (unit(0x8a).to_vec(), 1_536, 1_500_000),
        (unit(40).to_vec(), u64::MAX, 0),
        (unit(127).to_vec(), 1, 0),
        (unit(0xff).to_vec(), u64::MAX, 0),
        (offset.clone(), 1, 3_600_000_001),
        // A padded name option first; the end mark is optional.
        ([&[2, 0, 3, 0, b'e', b'n', b'o', 0][..], &unit(9), &offset].concat(), 1_000, 3_600_000_001),
        // Options after the end mark are ignored.
        ([&[0, 0, 0, 0][..], &unit(9)].concat(), 1, 1),
    ] {
        let file = [section(), interface(RAW, 0, &options), packet(0, ticks, &ip)].concat();
        assert_eq!(times(&file), [Some(micros)], "{options:?}");
    }
}

#[test]
fn interfaces_differ_and_each_section_has_its_own() {
    let ip = ipv4(b"hello");
    let frame = ethernet(0x0800, &ip);
    let first = [
        section(),
        interface(ETHERNET, 0, &[]),
        interface(RAW, 0, &unit(3)),
        packet(1, 5, &ip),
        packet(0, 6, &frame),
    ]
    .concat();
    // The second section is big-endian.
    let big = |kind: u32, body: &[u8]| {
        let len = (body.len() as u32 + 12).to_be_bytes();
        [&kind.to_be_bytes()[..], &len, body, &len].concat()
    };
    let len = ip.len() as u32;
    let mut padded = ip.clone();
    padded.resize(ip.len().next_multiple_of(4), 0);
    let second = [
        big(0x0a0d_0d0a, &[&[0x1a, 0x2b, 0x3c, 0x4d, 0, 1, 0, 0][..], &[0xff; 8]].concat()),
        big(1, &[0, 101, 0, 0, 0, 0, 0, 0]),
        big(6, &[&[0, 1, 2, len, len].map(u32::to_be_bytes).concat()[..], &padded].concat()),
    ]
    .concat();
    assert_eq!(times(&[first, second].concat()), [Some(5_000), Some(6), Some((1 << 32) + 2)]);
}

#[test]
fn older_packets_simple_packets_and_blocks_of_other_things() {
    let ip = ipv4(b"hello");
    let len = (ip.len() as u32).to_le_bytes();
    let old = [&[0, 0, 9, 0][..], &1_u32.to_le_bytes(), &2_u32.to_le_bytes(), &len, &len, &ip].concat();
    let file = [
        section(),
        interface(RAW, 0, &[]),
        block(2, &old),
        block(4, &[0; 8]),
        block(0x0bad, b"anything"),
        block(3, &[&len[..], &ip].concat()),
    ]
    .concat();
    assert_eq!(times(&file), [Some((1 << 32) + 2), None]);
}

/// A capture with three datagrams in each format.
fn samples() -> [Vec<u8>; 2] {
    let ips: Vec<_> = (1_u8..4).map(|len| ipv4(&vec![len; usize::from(len) * 20])).collect();
    let pcapng = [section(), interface(RAW, 0, &unit(9))]
        .into_iter()
        .chain(ips.iter().map(|ip| packet(0, 1000, ip)))
        .collect::<Vec<_>>();
    [pcap(RAW, ips.iter().map(|ip| (1, &ip[..]))), pcapng.concat()]
}

#[test]
fn a_file_says_the_same_however_it_is_handed_over() {
    for file in samples() {
        let at_once = read(&file);
        assert_eq!(at_once.packets.len(), 3);
        for stride in [1, 2, 3, 7, 50] {
            let read = read_in_strides(&file, stride);
            assert_eq!((read.packets, read.end), (at_once.packets.clone(), Ok(())), "strides of {stride}");
        }
    }
}

#[test]
fn a_file_that_was_cut_gives_all_up_to_there() {
    for file in samples() {
        let whole = read(&file).packets;
        // Offsets at which parts end: a file cut there is complete.
        let mut ends = Vec::new();
        for len in Reader::HEAD..file.len() {
            let read = read(&file[..len]);
            assert_eq!(read.packets[..], whole[..read.packets.len()], "{len} bytes");
            match read.end {
                Ok(()) => ends.push(len as u64),
                Err(Damage { offset, fault: Fault::Cut { has, wants, .. } }) => {
                    assert_eq!(offset, ends.last().copied().unwrap_or_default(), "{len} bytes");
                    assert_eq!(has as u64, len as u64 - offset);
                    assert!(wants > has);
                }
                Err(other) => panic!("{len} bytes: {other}"),
            }
        }
        assert!(ends.len() >= 3, "{ends:?}");
    }
}

#[test]
fn packets_that_were_cut_when_captured_are_refused_with_the_reason() {
    let frame = ethernet(0x0800, &ipv4(&[1; 500]));
    for kept in [20, 40, 96, 400] {
        let header = [0, 0, kept, frame.len() as u32];
        let bytes = &frame[..kept as usize];
        let file = [pcap(ETHERNET, []), pcap_packet(header, bytes, u32::to_le_bytes)].concat();
        let [packet] = &read(&file).packets[..] else { panic!("one packet") };
        let reason = packet.content.as_ref().expect_err("a reason");
        let was = frame.len() as u32;
        assert_eq!(*reason, SkipReason::Snapped { snap_len: 262_144, kept: kept as usize, was });
    }
    let reason = SkipReason::Snapped { snap_len: 96, kept: 96, was: 542 }.to_string();
    assert!(reason.starts_with("captured with a snap length of 96: 96 of 542 bytes were kept"), "{reason}");
    // Truncated packets that are not UDP are not reported as lost.
    let tcp = ethernet(0x0800, &files::tcp());
    let header = [0, 0, 54, tcp.len() as u32];
    let file = [pcap(ETHERNET, []), pcap_packet(header, &tcp[..54], u32::to_le_bytes)].concat();
    assert_eq!((read(&file).packets.len(), read(&file).left_out.as_str()), (0, "1 TCP"));
}

#[test]
fn packets_shorter_than_they_say_are_refused() {
    let mut ip = ipv4(&[1; 100]);
    ip.truncate(90);
    let short = read(&pcap(RAW, [(0, &ip[..])]));
    assert_eq!(short.packets[0].content, Err(SkipReason::Short { wants: 108, has: 70 }));
    let mut udp = ipv4(&[1; 100]);
    // The UDP header announces one byte more than IP carries.
    udp[25] += 1;
    let short = read(&pcap(RAW, [(0, &udp[..])]));
    assert_eq!(short.packets[0].content, Err(SkipReason::Short { wants: 109, has: 108 }));
}

/// The fault of a file with these bytes after one good packet.
fn fault(behind: &[u8]) -> Fault {
    let good = [section(), interface(RAW, 0, &[]), packet(0, 0, &ipv4(b"hello"))].concat();
    let read = read(&[&good[..], behind].concat());
    assert_eq!(read.packets.len(), 1, "what comes before is read");
    let Damage { offset, fault } = read.end.expect_err("damage");
    assert_eq!(offset, good.len() as u64, "{fault}");
    fault
}

#[test]
fn damage_is_named_where_it_is() {
    let [kind, len] = [6_u32, 40].map(u32::to_le_bytes);
    let mut differing = packet(0, 0, &ipv4(b"hello"));
    let back = differing.len() - 4;
    differing[back] += 4;
    let front = back as u32 + 4;
    assert_eq!(fault(&differing), Fault::LengthsDiffer { front, back: front + 4 });
    for len in [0, 11, 14, 41] {
        let head = [&kind[..], &u32::to_le_bytes(len), &[0; 40]].concat();
        assert_eq!(fault(&head), Fault::BlockLength { len });
    }
    let head = [&kind[..], &u32::to_le_bytes(0x4000_0000), &[0; 40]].concat();
    assert_eq!(fault(&head), Fault::TooLong { len: 0x4000_0000, most: 16 << 20 });
    assert_eq!(fault(&packet(1, 0, b"")), Fault::NoInterface { id: 1 });
    assert_eq!(fault(&block(6, &[0; 16])), Fault::Short { part: "a packet" });
    assert_eq!(fault(&block(1, &[0; 4])), Fault::Short { part: "an interface's description" });
    let mut overfull = packet(0, 0, &[]);
    overfull[20] = 1;
    assert_eq!(fault(&overfull), Fault::Short { part: "a packet" });
    let mut unordered = section();
    unordered[8] = 0;
    assert_eq!(fault(&unordered), Fault::NoByteOrder);
    assert_eq!(
        fault(&[&kind[..], &len, &[0; 8]].concat()),
        Fault::Cut { part: "a block", has: 16, wants: 40 }
    );
}
