//! Counts the packets of a capture that are not UDP.

use std::collections::BTreeMap;
use std::fmt;

/// A kind of packet that is skipped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Other {
    /// An IP protocol other than UDP, by its number.
    Protocol(u8),
    /// An Ethernet frame without IP, by its EtherType.
    EtherType(u16),
    /// A loopback packet without IP, by its address family.
    Family(u32),
    /// A packet of an unsupported link type.
    Link(u16),
    /// Too short for its own headers.
    Stub,
}

/// Skipped packets, counted by kind.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Skipped(BTreeMap<Other, u64>);

impl Skipped {
    pub(super) fn add(&mut self, other: Other) {
        *self.0.entry(other).or_default() += 1;
    }

    /// The kinds with their counts.
    pub fn kinds(&self) -> impl Iterator<Item = (Other, u64)> {
        self.0.iter().map(|(other, count)| (*other, *count))
    }

    /// Whether nothing was skipped.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// Prints as `12 TCP, 3 ARP`.
impl fmt::Display for Skipped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (nth, (other, count)) in self.kinds().enumerate() {
            let comma = if nth == 0 { "" } else { ", " };
            write!(f, "{comma}{count} {other}")?;
        }
        Ok(())
    }
}

const PROTOCOLS: &[(u8, &str)] = &[
    (1, "ICMP"),
    (2, "IGMP"),
    (6, "TCP"),
    (41, "IPv6 in IPv4"),
    (47, "GRE"),
    (50, "ESP"),
    (58, "ICMPv6"),
    (132, "SCTP"),
];

const ETHER_TYPES: &[(u16, &str)] = &[
    (0x0806, "ARP"),
    (0x8035, "RARP"),
    (0x8863, "PPPoE discovery"),
    (0x8864, "PPPoE"),
    (0x888e, "EAPOL"),
    (0x88cc, "LLDP"),
    (0x88e5, "MACsec"),
];

const LINKS: &[(u16, &str)] = &[
    (9, "PPP"),
    (105, "Wi-Fi frames"),
    (127, "Wi-Fi frames with radio information"),
    (189, "USB"),
    (201, "Bluetooth"),
    (220, "USB"),
    (249, "USB"),
];

fn name<N: PartialEq>(table: &[(N, &'static str)], number: N) -> Option<&'static str> {
    table.iter().find(|(known, _)| *known == number).map(|(_, name)| *name)
}

impl fmt::Display for Other {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Protocol(number) => match name(PROTOCOLS, number) {
                Some(name) => f.write_str(name),
                None => write!(f, "of IP protocol {number}"),
            },
            // Smaller values are lengths, not types.
            Self::EtherType(..0x0600) => f.write_str("IEEE 802.3"),
            Self::EtherType(number) => match name(ETHER_TYPES, number) {
                Some(name) => f.write_str(name),
                None => write!(f, "of Ethernet type {number:#06x}"),
            },
            Self::Family(number) => write!(f, "of address family {number}"),
            Self::Link(number) => match name(LINKS, number) {
                Some(name) => write!(f, "of an interface that carries {name}"),
                None => write!(f, "of an interface of link type {number}"),
            },
            Self::Stub => f.write_str("too short to recognise"),
        }
    }
}
