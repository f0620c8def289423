use super::files::{self, SENDER, SENDER_6, datagrams, ethernet, ipv4, ipv6};

const PAYLOAD: &[u8] = b"sixty of these a second";

/// Reads one frame of a link type and expects the datagram from this sender.
fn check(link: u16, frame: &[u8], sender: &str) {
    let found = datagrams(&files::pcap(link, [(9, frame)]));
    assert_eq!(found, [(Some(9_000_000), sender.to_owned(), PAYLOAD.to_vec())], "link type {link}");
}

#[test]
fn ethernet_frames_with_and_without_tags() {
    check(1, &ethernet(0x0800, &ipv4(PAYLOAD)), SENDER);
    check(1, &ethernet(0x86dd, &ipv6(PAYLOAD)), SENDER_6);
    let tagged = [&[0, 42, 0x08, 0][..], &ipv4(PAYLOAD)].concat();
    check(1, &ethernet(0x8100, &tagged), SENDER);
    check(1, &ethernet(0x88a8, &[&[0, 7, 0x81, 0][..], &tagged].concat()), SENDER);
}

#[test]
fn what_fills_a_short_frame_is_no_part_of_the_datagram() {
    let packet = ethernet(0x0800, &[&ipv4(b"hi")[..], &[0xee; 16]].concat());
    let found = datagrams(&files::pcap(1, [(0, &packet[..])]));
    assert_eq!(found[0].2, b"hi");
}

#[test]
fn loopback_devices_of_every_system() {
    for (family, packet, sender) in [
        (2_u32, ipv4(PAYLOAD), SENDER),
        (10, ipv6(PAYLOAD), SENDER_6),
        (24, ipv6(PAYLOAD), SENDER_6),
        (28, ipv6(PAYLOAD), SENDER_6),
        (30, ipv6(PAYLOAD), SENDER_6),
    ] {
        check(0, &[&family.to_le_bytes()[..], &packet].concat(), sender);
        check(0, &[&family.to_be_bytes()[..], &packet].concat(), sender);
        check(108, &[&family.to_be_bytes()[..], &packet].concat(), sender);
    }
}

#[test]
fn raw_ip_under_each_of_its_numbers() {
    for link in [12, 14, 101] {
        check(link, &ipv4(PAYLOAD), SENDER);
        check(link, &ipv6(PAYLOAD), SENDER_6);
    }
    check(228, &ipv4(PAYLOAD), SENDER);
    check(229, &ipv6(PAYLOAD), SENDER_6);
}

#[test]
fn all_devices_of_linux_at_once() {
    // Packet type, hardware type, address length, address.
    let head = [0, 0, 0, 1, 0, 6, 2, 0, 0, 0, 0, 1, 0, 0];
    check(113, &[&head[..], &[8, 0], &ipv4(PAYLOAD)].concat(), SENDER);
    check(113, &[&head[..], &[0x86, 0xdd], &ipv6(PAYLOAD)].concat(), SENDER_6);
    check(113, &[&head[..], &[0x81, 0, 0, 42, 8, 0], &ipv4(PAYLOAD)].concat(), SENDER);
    // The same fields after the EtherType, two reserved bytes and the device index.
    let newer = [&[8, 0, 0, 0, 0, 0, 0, 3][..], &head[2..4], &head[..1], &head[5..6], &head[6..14]].concat();
    assert_eq!(newer.len(), 20);
    check(276, &[&newer[..], &ipv4(PAYLOAD)].concat(), SENDER);
}

#[test]
fn network_cards_that_cut_packets_themselves_leave_lengths_open() {
    let mut packet = ipv4(PAYLOAD);
    packet[2..4].fill(0);
    check(101, &packet, SENDER);
    let mut packet = ipv6(PAYLOAD);
    packet[4..6].fill(0);
    check(101, &packet, SENDER_6);
}

#[test]
fn options_and_extension_headers_stand_between() {
    let mut packet = ipv4(PAYLOAD);
    // Four bytes of options: three no-operations and the end.
    packet[0] = 0x46;
    packet[3] += 4;
    packet.splice(20..20, [1, 1, 1, 0]);
    check(101, &packet, SENDER);

    let mut packet = ipv6(PAYLOAD);
    // Hop-by-hop options, then destination options, each padded with one option of six bytes, then UDP.
    packet[6] = 0;
    packet[5] += 16;
    packet.splice(40..40, [60, 0, 1, 4, 0, 0, 0, 0, 17, 0, 1, 4, 0, 0, 0, 0]);
    check(101, &packet, SENDER_6);
}

#[test]
fn what_is_not_udp_is_counted_by_name() {
    let frames = [
        ethernet(0x0806, &[0; 28]),
        ethernet(0x0806, &[0; 28]),
        ethernet(0x0800, &files::tcp()),
        ethernet(0x9999, &[]),
        ethernet(0x0026, &[0; 38]),
        vec![1, 2, 3],
        ethernet(0x0800, &[0x45]),
    ];
    let read = files::read(&files::pcap(1, frames.iter().map(|frame| (0, &frame[..]))));
    assert_eq!((read.packets.len(), read.end), (0, Ok(())));
    assert_eq!(
        read.left_out,
        "1 TCP, 1 IEEE 802.3, 2 ARP, 1 of Ethernet type 0x9999, 2 too short to recognise"
    );
    let wifi = files::read(&files::pcap(105, [(0, &[0; 40][..])]));
    assert_eq!(wifi.left_out, "1 of an interface that carries Wi-Fi frames");
    let unknown = files::read(&files::pcap(0, [(0, &[0, 0, 0, 7, 0x45][..])]));
    assert_eq!(unknown.left_out, "1 of address family 7");
}
