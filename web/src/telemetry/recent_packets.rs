//! The last packets of each feed, the last unrecognised packets of each port, and the sizes of packets.

use std::collections::{BTreeMap, VecDeque};
use std::net::SocketAddr;

use trailbrake_shared::feed::Feed;
use trailbrake_shared::time::Micros;
use trailbrake_shared::wire::Datagram;

/// How many packets are kept of each feed, and of each port's unrecognised packets.
pub(crate) const KEPT: usize = 50;
/// The maximum number of different sizes that are counted: text packets have any size.
const MOST_SIZES: usize = 64;

/// A packet as it was received.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct KeptPacket {
    /// The packet's number among all packets that this page received.
    pub(crate) serial: u64,
    pub(crate) at: Micros,
    pub(crate) sender: SocketAddr,
    /// The port that received it.
    pub(crate) port: u16,
    pub(crate) bytes: Vec<u8>,
}

/// Which packets to list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum PacketOrigin {
    /// Packets recognised as a feed's.
    Feed(Feed),
    /// Packets on these ports that no feed recognises.
    Rejected(Vec<u16>),
}

/// The last packets. The buffers of dropped ones are reused.
#[derive(Default)]
pub(crate) struct RecentPackets {
    received: u64,
    feeds: BTreeMap<Feed, Ring>,
    rejected: BTreeMap<u16, Ring>,
}

/// The last packets of one feed or port, and the sizes of all its packets.
#[derive(Default)]
struct Ring {
    packets: VecDeque<KeptPacket>,
    /// The number of packets of each size.
    sizes: BTreeMap<usize, u64>,
}

impl RecentPackets {
    /// Keeps a packet.
    pub(crate) fn keep(&mut self, datagram: &Datagram<'_>) {
        self.received += 1;
        let ring = match datagram.feed {
            Some(feed) => self.feeds.entry(feed).or_default(),
            None => self.rejected.entry(datagram.port).or_default(),
        };
        ring.keep(self.received, datagram);
    }

    /// The last packets, the latest first.
    pub(crate) fn latest(&self, origin: &PacketOrigin) -> Vec<&KeptPacket> {
        match origin {
            PacketOrigin::Feed(feed) => {
                self.feeds.get(feed).into_iter().flat_map(|ring| ring.packets.iter().rev()).collect()
            }
            PacketOrigin::Rejected(ports) => {
                let rings = ports.iter().filter_map(|port| self.rejected.get(port));
                let mut packets: Vec<&KeptPacket> = rings.flat_map(|ring| &ring.packets).collect();
                packets.sort_unstable_by_key(|packet| std::cmp::Reverse(packet.serial));
                packets.truncate(KEPT);
                packets
            }
        }
    }

    /// The sizes of a feed's packets since the page was opened, each with its count, the most frequent first.
    pub(crate) fn sizes(&self, feed: Feed) -> Vec<(usize, u64)> {
        let sizes = self.feeds.get(&feed).map(|ring| &ring.sizes);
        let mut sizes: Vec<(usize, u64)> =
            sizes.into_iter().flatten().map(|(size, count)| (*size, *count)).collect();
        sizes.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
        sizes
    }
}

impl Ring {
    fn keep(&mut self, serial: u64, datagram: &Datagram<'_>) {
        let Datagram { at, sender, port, bytes, .. } = *datagram;
        let oldest = if self.packets.len() < KEPT { None } else { self.packets.pop_front() };
        let mut buffer = oldest.map(|packet| packet.bytes).unwrap_or_default();
        buffer.clear();
        buffer.extend_from_slice(bytes);
        self.packets.push_back(KeptPacket { serial, at, sender, port, bytes: buffer });
        if self.sizes.len() < MOST_SIZES || self.sizes.contains_key(&bytes.len()) {
            *self.sizes.entry(bytes.len()).or_default() += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn packet(port: u16, feed: Option<Feed>, bytes: &[u8]) -> Datagram<'_> {
        Datagram { at: Micros(1), sender: ([127, 0, 0, 1], 9).into(), port, feed, bytes }
    }

    #[test]
    fn the_last_packets_of_each_feed_and_of_unknown_senders_are_kept() {
        let mut recent = RecentPackets::default();
        for number in 0..60 {
            recent.keep(&packet(20_777, Some(Feed::F1), &[number]));
        }
        recent.keep(&packet(20_777, None, b"one"));
        recent.keep(&packet(5005, None, b"other port"));
        recent.keep(&packet(20_778, None, b"three"));
        let first = |origin: &PacketOrigin| -> Vec<Vec<u8>> {
            recent.latest(origin).iter().map(|packet| packet.bytes.clone()).collect()
        };
        let f1 = first(&PacketOrigin::Feed(Feed::F1));
        assert_eq!((f1.len(), &f1[0], &f1[KEPT - 1]), (KEPT, &vec![59], &vec![10]));
        assert_eq!(
            first(&PacketOrigin::Rejected(vec![20_777, 20_778])),
            [b"three".to_vec(), b"one".to_vec()]
        );
        assert!(first(&PacketOrigin::Feed(Feed::AcLua)).is_empty());
    }

    #[test]
    fn sizes_are_counted_and_bounded() {
        let mut recent = RecentPackets::default();
        for size in [3, 5, 5, 3, 5] {
            recent.keep(&packet(1, Some(Feed::F1), &vec![0; size]));
        }
        assert_eq!(recent.sizes(Feed::F1), [(5, 3), (3, 2)]);
        for size in 0..200 {
            recent.keep(&packet(1, Some(Feed::AcLua), &vec![0; size]));
        }
        assert_eq!(recent.sizes(Feed::AcLua).len(), MOST_SIZES);
    }
}
