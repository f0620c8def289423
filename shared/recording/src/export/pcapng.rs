//! Writes packets as a pcapng capture for tcpdump and Wireshark, with rebuilt IP and UDP headers.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};

use etherparse::{IpNumber, Ipv4Header, Ipv6Header, UdpHeader};
use trailbrake_games::wire::Datagram;

/// The address that a datagram was sent to is unknown, only its port: the loopback address stands in.
const RECEIVER_4: Ipv4Addr = Ipv4Addr::LOCALHOST;
const RECEIVER_6: Ipv6Addr = Ipv6Addr::LOCALHOST;
/// Link type: packets start with their IP header.
const RAW_IP: u16 = 101;
const HOPS: u8 = 64;

/// The start of a file, before all packets.
pub fn beginning() -> Vec<u8> {
    let mut section = Vec::new();
    section.extend(0x1a2b_3c4d_u32.to_le_bytes());
    section.extend([1, 0, 0, 0]);
    // Unknown section length: the section ends with the file.
    section.extend(u64::MAX.to_le_bytes());
    section.extend(option(4, concat!("Trailbrake ", env!("CARGO_PKG_VERSION")).as_bytes()));
    section.extend(option(0, &[]));

    let mut interface = Vec::new();
    interface.extend(RAW_IP.to_le_bytes());
    // Reserved, then no snap length.
    interface.extend([0; 6]);
    // Timestamps are in microseconds.
    interface.extend(option(9, &[6]));
    interface.extend(option(0, &[]));
    [block(0x0a0d_0d0a, &section), block(1, &interface)].concat()
}

/// Encodes a datagram; `None` if it is longer than IP allows, which no received one is.
pub fn packet(datagram: &Datagram<'_>) -> Option<Vec<u8>> {
    let packet = ip(datagram.sender, datagram.port, datagram.bytes)?;
    let len = u32::try_from(packet.len()).ok()?;
    let at = datagram.at.0;
    let head = [0, (at >> 32) as u32, at as u32, len, len].map(u32::to_le_bytes);
    Some(block(6, &[&head.concat()[..], &packet].concat()))
}

fn ip(sender: SocketAddr, port: u16, payload: &[u8]) -> Option<Vec<u8>> {
    // A dual-stack socket reports IPv4 addresses as mapped IPv6 ones.
    match sender.ip().to_canonical() {
        IpAddr::V4(source) => {
            let (source, destination) = (source.octets(), RECEIVER_4.octets());
            let udp =
                UdpHeader::with_ipv4_checksum(sender.port(), port, &empty_ipv4(source)?, payload).ok()?;
            let len = udp.length;
            let mut header = Ipv4Header::new(len, HOPS, IpNumber::UDP, source, destination).ok()?;
            header.header_checksum = header.calc_header_checksum();
            Some([&header.to_bytes()[..], &udp.to_bytes(), payload].concat())
        }
        IpAddr::V6(source) => {
            let header = |payload_length| Ipv6Header {
                payload_length,
                next_header: IpNumber::UDP,
                hop_limit: HOPS,
                source: source.octets(),
                destination: RECEIVER_6.octets(),
                ..Ipv6Header::default()
            };
            let udp = UdpHeader::with_ipv6_checksum(sender.port(), port, &header(0), payload).ok()?;
            Some([&header(udp.length).to_bytes()[..], &udp.to_bytes(), payload].concat())
        }
    }
}

/// The header fields that the UDP checksum covers.
fn empty_ipv4(source: [u8; 4]) -> Option<Ipv4Header> {
    Ipv4Header::new(0, HOPS, IpNumber::UDP, source, RECEIVER_4.octets()).ok()
}

/// A block: type, length, body padded to 32 bits, length again.
fn block(kind: u32, body: &[u8]) -> Vec<u8> {
    let filled = body.len().next_multiple_of(4);
    let len = ((filled + 12) as u32).to_le_bytes();
    let mut block = [&kind.to_le_bytes()[..], &len, body].concat();
    block.resize(8 + filled, 0);
    block.extend(len);
    block
}

/// A block option: code, length, value padded to 32 bits.
fn option(code: u16, value: &[u8]) -> Vec<u8> {
    let mut option = [&code.to_le_bytes()[..], &(value.len() as u16).to_le_bytes(), value].concat();
    option.resize(4 + value.len().next_multiple_of(4), 0);
    option
}
