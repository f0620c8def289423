//! Captures for tests: packets built by another crate, in files laid out here byte by byte.

use etherparse::{
    IpFragOffset, IpNumber, Ipv4Header, Ipv6FragmentHeader, Ipv6Header, PacketBuilder, PacketBuilderStep,
    UdpHeader,
};

use super::{Damage, Packet, Reader, Step};

pub(super) const SENDER: &str = "192.0.2.7:49152";
pub(super) const SENDER_6: &str = "[2001:db8::7]:49152";
pub(super) const ETHERNET: u16 = 1;
pub(super) const RAW: u16 = 101;

const FROM: ([u8; 4], u16) = ([192, 0, 2, 7], 49152);
const TO: ([u8; 4], u16) = ([192, 0, 2, 1], 20777);
const FROM_6: [u8; 16] = [0x20, 1, 0x0d, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 7];
const TO_6: [u8; 16] = [0x20, 1, 0x0d, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1];

pub(super) fn ipv4(payload: &[u8]) -> Vec<u8> {
    written(PacketBuilder::ipv4(FROM.0, TO.0, 64).udp(FROM.1, TO.1), payload)
}

pub(super) fn ipv6(payload: &[u8]) -> Vec<u8> {
    written(PacketBuilder::ipv6(FROM_6, TO_6, 64).udp(FROM.1, TO.1), payload)
}

pub(super) fn tcp() -> Vec<u8> {
    let builder = PacketBuilder::ipv4(FROM.0, TO.0, 64).tcp(FROM.1, 443, 1, 1024);
    let mut packet = Vec::with_capacity(builder.size(5));
    builder.write(&mut packet, b"hello").expect("a packet");
    packet
}

fn written(builder: PacketBuilderStep<UdpHeader>, payload: &[u8]) -> Vec<u8> {
    let mut packet = Vec::with_capacity(builder.size(payload.len()));
    builder.write(&mut packet, payload).expect("a packet");
    packet
}

/// An Ethernet frame with this EtherType.
pub(super) fn ethernet(kind: u16, body: &[u8]) -> Vec<u8> {
    [&[2, 0, 0, 0, 0, 1, 2, 0, 0, 0, 0, 2][..], &kind.to_be_bytes(), body].concat()
}

/// A UDP packet without an IP header.
pub(super) fn udp(payload: &[u8]) -> Vec<u8> {
    let header = UdpHeader {
        source_port: FROM.1,
        destination_port: TO.1,
        length: payload.len() as u16 + 8,
        checksum: 0,
    };
    [&header.to_bytes()[..], payload].concat()
}

/// Part of a UDP packet as an IPv4 fragment.
pub(super) fn piece_4(id: u16, whole: &[u8], from: usize, to: usize) -> Vec<u8> {
    piece_4_of(id, &whole[from..to], from, to < whole.len())
}

/// Bytes as an IPv4 fragment at any offset.
pub(super) fn piece_4_of(id: u16, bytes: &[u8], from: usize, more: bool) -> Vec<u8> {
    let mut header = Ipv4Header::new(bytes.len() as u16, 64, IpNumber::UDP, FROM.0, TO.0).expect("a length");
    header.identification = id;
    header.fragment_offset = offset(from);
    header.more_fragments = more;
    let mut packet = Vec::new();
    header.write(&mut packet).expect("a header");
    [packet, bytes.to_vec()].concat()
}

/// Part of an IPv6 payload as a fragment; the payload begins with a header of kind `first`.
pub(super) fn piece_6(id: u32, first: IpNumber, whole: &[u8], from: usize, to: usize) -> Vec<u8> {
    let fragment = Ipv6FragmentHeader::new(first, offset(from), to < whole.len(), id).to_bytes();
    let body = [&fragment[..], &whole[from..to]].concat();
    let header = Ipv6Header {
        payload_length: body.len() as u16,
        next_header: IpNumber::IPV6_FRAGMENTATION_HEADER,
        hop_limit: 64,
        source: FROM_6,
        destination: TO_6,
        ..Ipv6Header::default()
    };
    [&header.to_bytes()[..], &body].concat()
}

fn offset(bytes: usize) -> IpFragOffset {
    assert_eq!(bytes % 8, 0, "an offset that a fragment can have");
    IpFragOffset::try_new((bytes / 8) as u16).expect("a place")
}

/// A little-endian pcap file with microsecond timestamps: packets of one link type, each with its second.
pub(super) fn pcap<'a>(link: u16, packets: impl IntoIterator<Item = (u32, &'a [u8])>) -> Vec<u8> {
    let mut file = pcap_header(0x_a1b2_c3d4, link, u32::to_le_bytes);
    for (second, packet) in packets {
        file.extend(pcap_packet(
            [second, 0, packet.len() as u32, packet.len() as u32],
            packet,
            u32::to_le_bytes,
        ));
    }
    file
}

/// The header of a pcap file in either byte order.
pub(super) fn pcap_header(magic: u32, link: u16, order: fn(u32) -> [u8; 4]) -> Vec<u8> {
    // The two 16-bit halves of the version, which change places in big-endian order.
    let version = if order(1)[0] == 1 { 0x0004_0002 } else { 0x0002_0004 };
    [magic, version, 0, 0, 262_144, link.into()].map(order).concat()
}

/// A packet of a pcap file. Header: second, fraction, bytes kept, original length.
pub(super) fn pcap_packet(header: [u32; 4], packet: &[u8], order: fn(u32) -> [u8; 4]) -> Vec<u8> {
    [&header.map(order).concat(), packet].concat()
}

pub(super) fn block(kind: u32, body: &[u8]) -> Vec<u8> {
    let mut body = body.to_vec();
    body.resize(body.len().next_multiple_of(4), 0);
    let len = (body.len() as u32 + 12).to_le_bytes();
    [&kind.to_le_bytes()[..], &len, &body, &len].concat()
}

pub(super) fn section() -> Vec<u8> {
    block(0x0a0d_0d0a, &[&[0x4d, 0x3c, 0x2b, 0x1a, 1, 0, 0, 0][..], &[0xff; 8]].concat())
}

/// An interface description with raw options.
pub(super) fn interface(link: u16, snap_len: u32, options: &[u8]) -> Vec<u8> {
    block(1, &[&link.to_le_bytes()[..], &[0, 0], &snap_len.to_le_bytes(), options].concat())
}

/// A packet of an interface, timestamped in the interface's ticks.
pub(super) fn packet(interface: u32, ticks: u64, packet: &[u8]) -> Vec<u8> {
    let len = packet.len() as u32;
    let fields = [interface, (ticks >> 32) as u32, ticks as u32, len, len];
    block(6, &[&fields.map(u32::to_le_bytes).concat(), packet].concat())
}

/// The packets of a file, and how reading it ended.
pub(super) struct Read {
    pub(super) packets: Vec<Packet>,
    pub(super) end: Result<(), Damage>,
    pub(super) left_out: String,
    pub(super) assembled: u64,
}

/// Reads a file that arrives `stride` bytes at a time.
pub(super) fn read_in_strides(file: &[u8], stride: usize) -> Read {
    let mut reader = Reader::open(file).expect("a capture");
    let (mut begin, mut end, mut packets) = (0, 0, Vec::new());
    let result = loop {
        match reader.step(&file[begin..end], &mut packets) {
            Ok(Step::Done(bytes)) => begin += bytes,
            Ok(Step::More(_)) if end < file.len() => end = (end + stride).min(file.len()),
            Ok(Step::More(_)) => break reader.finish(&file[begin..end], &mut packets),
            Err(damage) => break Err(damage),
        }
    };
    Read { packets, end: result, left_out: reader.left_out().to_string(), assembled: reader.assembled() }
}

/// Reads a whole file at once.
pub(super) fn read(file: &[u8]) -> Read {
    read_in_strides(file, file.len())
}

/// Reads an undamaged file in which every packet is a datagram.
pub(super) fn datagrams(file: &[u8]) -> Vec<(Option<u64>, String, Vec<u8>)> {
    let Read { packets, end, .. } = read(file);
    assert_eq!(end, Ok(()));
    let datagram = |packet: Packet| {
        let datagram = packet.content.expect("a datagram");
        assert_eq!(datagram.receiver.port(), TO.1);
        (packet.at.map(|at| at.0), datagram.sender.to_string(), datagram.bytes)
    };
    packets.into_iter().map(datagram).collect()
}
