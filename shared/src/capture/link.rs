//! What stands in front of an IP packet, by the kind of interface that it was captured at.

use super::order::Order;
use super::skipped_packets::Other;

const IPV4: u16 = 0x0800;
const IPV6: u16 = 0x86dd;
/// Ethernet types that a tag of a virtual LAN goes by, and how far behind one the next type stands.
const TAGS: [u16; 4] = [0x8100, 0x88a8, 0x9100, 0x9200];
const TAG: usize = 4;

/// An IP packet, and which device it was seen at where one interface of the file stands for several.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct LinkPacket<'a> {
    pub(super) packet: &'a [u8],
    pub(super) device: u32,
}

/// Takes off what is in front of the IP packet, given the number of the interface's link type.
pub(super) fn carried(link: u16, frame: &[u8]) -> Result<LinkPacket<'_>, Other> {
    match link {
        0 => family(frame, native(frame)),
        108 => family(frame, Order::Big.u32(frame, 0)),
        1 => typed(frame, 12, 14, 0),
        // Raw IP has had three numbers, and has one more for each version.
        12 | 14 | 101 | 228 | 229 => Ok(LinkPacket { packet: frame, device: 0 }),
        // "Cooked" packets of all of Linux's devices at once; the newer form tells the device.
        113 => typed(frame, 14, 16, 0),
        276 => typed(frame, 0, 20, Order::Big.u32(frame, 4).unwrap_or_default()),
        other => Err(Other::Link(other)),
    }
}

/// A frame whose type stands at `kind`, and what it carries at `body`; tags may stand between.
fn typed(frame: &[u8], kind: usize, body: usize, device: u32) -> Result<LinkPacket<'_>, Other> {
    let (mut kind, mut body) = (kind, body);
    loop {
        let found = Order::Big.u16(frame, kind).ok_or(Other::Stub)?;
        match found {
            IPV4 | IPV6 => return Ok(LinkPacket { packet: frame.get(body..).ok_or(Other::Stub)?, device }),
            tag if TAGS.contains(&tag) => (kind, body) = (body + 2, body + TAG),
            other => return Err(Other::EtherType(other)),
        }
    }
}

/// The order of the machine that captured, which is not told: the one in which the number is small.
fn native(frame: &[u8]) -> Option<u32> {
    Some(Order::Little.u32(frame, 0)?.min(Order::Big.u32(frame, 0)?))
}

/// A loopback device's packet behind the number of its address family, which for IPv6 is another on every system.
fn family(frame: &[u8], family: Option<u32>) -> Result<LinkPacket<'_>, Other> {
    match family.ok_or(Other::Stub)? {
        2 | 10 | 23 | 24 | 28 | 30 => {
            Ok(LinkPacket { packet: frame.get(4..).ok_or(Other::Stub)?, device: 0 })
        }
        other => Err(Other::Family(other)),
    }
}
