//! A block's content before compression: the senders, then for all packets the sender, the number, the time, the length
//! and the bytes, each as a column.

use std::borrow::Cow;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, SocketAddrV6};
use std::sync::Arc;

use trailbrake_model::time::Micros;

use super::super::bytes::{Bytes, put_number, put_signed};
use super::super::packet::Packet;
use super::{BlockHeader, Packing, words};

/// The kinds of address.
const V4: u8 = 4;
const V6: u8 = 6;

/// Valid columns.
pub(super) struct Columns<'a> {
    senders: Vec<SocketAddr>,
    /// The sender of each packet, as an index into `senders`.
    who: Vec<usize>,
    /// How many datagrams of the recording lie between each packet and the one before it in the block.
    gaps: Vec<u64>,
    /// Microseconds between each packet and the one before it in the block.
    later_us: Vec<i64>,
    lens: Vec<usize>,
    bytes: Cow<'a, [u8]>,
}

/// All columns but the packets' bytes, which follow them.
pub(super) fn numbers(packets: &[Packet], sizes_differ: bool) -> Vec<u8> {
    let mut senders: Vec<SocketAddr> = Vec::new();
    let mut who = Vec::new();
    for packet in packets {
        let known = senders.iter().position(|sender| *sender == packet.sender);
        who.push(known.unwrap_or(senders.len()));
        if known.is_none() {
            senders.push(packet.sender);
        }
    }
    let mut out = Vec::new();
    put_number(&mut out, senders.len() as u64);
    senders.iter().for_each(|sender| put_sender(&mut out, *sender));
    if senders.len() > 1 {
        who.iter().for_each(|who| put_number(&mut out, *who as u64));
    }
    for (packet, next) in packets.iter().zip(packets.iter().skip(1)) {
        put_number(&mut out, next.number.saturating_sub(packet.number).saturating_sub(1));
    }
    let later_us: Vec<i64> = packets.windows(2).map(later).collect();
    let usual_us = usual(&later_us);
    put_signed(&mut out, usual_us);
    later_us.iter().for_each(|later_us| put_signed(&mut out, later_us.wrapping_sub(usual_us)));
    if sizes_differ {
        packets.iter().for_each(|packet| put_number(&mut out, packet.bytes.len() as u64));
    }
    out
}

/// The microseconds between two packets.
fn later(two: &[Packet]) -> i64 {
    let [first, second] = two else { return 0 };
    second.at.0.wrapping_sub(first.at.0).cast_signed()
}

/// The median, which most values are close to.
fn usual(later_us: &[i64]) -> i64 {
    let mut sorted = later_us.to_vec();
    sorted.sort_unstable();
    sorted.get(sorted.len() / 2).copied().unwrap_or_default()
}

fn put_sender(out: &mut Vec<u8>, sender: SocketAddr) {
    match sender {
        SocketAddr::V4(sender) => {
            out.push(V4);
            out.extend(sender.ip().octets());
            out.extend(sender.port().to_le_bytes());
        }
        SocketAddr::V6(sender) => {
            out.push(V6);
            out.extend(sender.ip().octets());
            out.extend(sender.port().to_le_bytes());
            out.extend(sender.flowinfo().to_le_bytes());
            out.extend(sender.scope_id().to_le_bytes());
        }
    }
}

fn read_sender(bytes: &mut Bytes<'_>) -> Option<SocketAddr> {
    match bytes.u8()? {
        V4 => {
            let ip = Ipv4Addr::from(bytes.array::<4>()?);
            Some(SocketAddr::new(IpAddr::V4(ip), bytes.u16()?))
        }
        V6 => {
            let ip = Ipv6Addr::from(bytes.array::<16>()?);
            let (port, flow, scope) = (bytes.u16()?, bytes.u32()?, bytes.u32()?);
            Some(SocketAddr::V6(SocketAddrV6::new(ip, port, flow, scope)))
        }
        _ => None,
    }
}

impl<'a> Columns<'a> {
    /// Parses columns; `None` unless they use exactly all bytes.
    pub(super) fn read(unpacked: &'a [u8], header: &BlockHeader) -> Option<Self> {
        let mut bytes = Bytes(unpacked);
        let (count, size) = (header.count as usize, header.size);
        let bound = |count: usize| count <= unpacked.len();
        let among = usize::try_from(bytes.number()?).ok().filter(|among| *among > 0 && bound(*among))?;
        let senders: Vec<SocketAddr> = (0..among).map(|_| read_sender(&mut bytes)).collect::<Option<_>>()?;
        // Each packet but the first takes at least two bytes.
        let after_first = count.checked_sub(1).filter(|after| bound(after.saturating_mul(2)))?;
        let who = if among > 1 {
            let mut who = || usize::try_from(bytes.number()?).ok().filter(|who| *who < among);
            (0..count).map(|_| who()).collect::<Option<_>>()?
        } else {
            vec![0; count]
        };
        let gaps = (0..after_first).map(|_| bytes.number()).collect::<Option<_>>()?;
        let usual_us = bytes.signed()?;
        let mut later_us = || Some(bytes.signed()?.wrapping_add(usual_us));
        let later_us = (0..after_first).map(|_| later_us()).collect::<Option<_>>()?;
        let lens: Vec<usize> = match size {
            Some(size) => vec![size as usize; count],
            None => (0..count).map(|_| usize::try_from(bytes.number()?).ok()).collect::<Option<_>>()?,
        };
        let sum = lens.iter().try_fold(0_usize, |sum, len| sum.checked_add(*len))?;
        let bytes = match header.packing {
            Packing::Lz4 => Cow::Borrowed(bytes.0),
            Packing::Words => Cow::Owned(words::unpack(bytes.0, count, size? as usize)?),
        };
        (sum == bytes.len()).then_some(())?;
        Some(Self { senders, who, gaps, later_us, lens, bytes })
    }

    /// The packets of the columns.
    pub(super) fn packets(&self, feed: &str, header: &BlockHeader) -> Vec<Packet> {
        let feed: Arc<str> = feed.into();
        let (mut number, mut at, mut rest) = (header.number, header.at.0, Bytes(&self.bytes));
        let gaps = std::iter::once(None).chain(self.gaps.iter().copied().map(Some));
        let later = std::iter::once(0).chain(self.later_us.iter().copied());
        let each = self.who.iter().zip(&self.lens).zip(gaps.zip(later));
        let packets = each.filter_map(|((who, len), (gap, later_us))| {
            number = gap.map_or(number, |gap| number.wrapping_add(gap).wrapping_add(1));
            at = at.wrapping_add_signed(later_us);
            Some(Packet {
                number,
                at: Micros(at),
                sender: *self.senders.get(*who)?,
                port: header.port,
                feed: feed.clone(),
                bytes: rest.take(*len)?.to_vec(),
            })
        });
        packets.collect()
    }
}
