//! Removes link-layer headers from captured packets.

use super::order::Order;
use super::skipped_packets::Other;

const IPV4: u16 = 0x0800;
const IPV6: u16 = 0x86dd;
/// EtherTypes of VLAN tags, and the bytes from one type to the next.
const TAGS: [u16; 4] = [0x8100, 0x88a8, 0x9100, 0x9200];
const TAG: usize = 4;

/// An IP packet, and its device if one interface of the file covers several.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct LinkPacket<'a> {
    pub(super) packet: &'a [u8],
    pub(super) device: u32,
}

/// Removes the link-layer header of this link type.
pub(super) fn carried(link: u16, frame: &[u8]) -> Result<LinkPacket<'_>, Other> {
    match link {
        0 => family(frame, native(frame)),
        108 => family(frame, Order::Big.u32(frame, 0)),
        1 => typed(frame, 12, 14, 0),
        // Raw IP has three numbers, plus one for each IP version.
        12 | 14 | 101 | 228 | 229 => Ok(LinkPacket { packet: frame, device: 0 }),
        // Linux "cooked" captures of all devices at once; only the newer form names the device.
        113 => typed(frame, 14, 16, 0),
        276 => typed(frame, 0, 20, Order::Big.u32(frame, 4).unwrap_or_default()),
        other => Err(Other::Link(other)),
    }
}

/// Reads a frame whose EtherType is at `kind` and whose payload is at `body`, skipping VLAN tags.
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

/// A number in the unknown byte order of the capturing machine: the smaller reading is the right one.
fn native(frame: &[u8]) -> Option<u32> {
    Some(Order::Little.u32(frame, 0)?.min(Order::Big.u32(frame, 0)?))
}

/// Reads a loopback packet after its address family, whose number for IPv6 differs between systems.
fn family(frame: &[u8], family: Option<u32>) -> Result<LinkPacket<'_>, Other> {
    match family.ok_or(Other::Stub)? {
        2 | 10 | 23 | 24 | 28 | 30 => {
            Ok(LinkPacket { packet: frame.get(4..).ok_or(Other::Stub)?, device: 0 })
        }
        other => Err(Other::Family(other)),
    }
}
