//! Groups the packets of a second into blocks.

use std::collections::BTreeMap;
use std::sync::Arc;

use trailbrake_games::feed::Feed;
use trailbrake_model::time::Micros;

use super::{LONGEST_US, MOST_BYTES, encode};
use crate::packet::Packet;

/// The fewest packets of one size that get their own block; fewer share one with other sizes.
const WORTH_A_BLOCK: usize = 4;

/// What the packets of a block have in common: feed, port, seal, and size if enough packets have it.
type Kind = (Arc<str>, u16, u8, Option<usize>);

/// A block that is ready to be written.
#[derive(Clone, Debug)]
pub struct FinishedBlock {
    /// The feed that its channel is named after.
    pub feed: Arc<str>,
    /// When its first packet was received.
    pub at: Micros,
    /// The encoded block.
    pub bytes: Vec<u8>,
}

/// Encodes packets, given in the order received, all within [`LONGEST_US`] of the first.
pub fn blocks(packets: Vec<Packet>) -> Vec<FinishedBlock> {
    let mut sizes: BTreeMap<Kind, Vec<Packet>> = BTreeMap::new();
    for mut packet in packets {
        let seal = open(&mut packet);
        let kind = (packet.feed.clone(), packet.port, seal, Some(packet.bytes.len()));
        sizes.entry(kind).or_default().push(packet);
    }
    let mut kinds: BTreeMap<Kind, Vec<Packet>> = BTreeMap::new();
    for ((feed, port, seal, size), mut packets) in sizes {
        let size = size.filter(|size| packets.len() >= WORTH_A_BLOCK && *size > 0);
        kinds.entry((feed, port, seal, size)).or_default().append(&mut packets);
    }
    let mut packed = Vec::new();
    for ((feed, _, seal, _), mut packets) in kinds {
        // Packets of several sizes were appended one size after the other.
        packets.sort_by_key(|packet| packet.number);
        for packets in pieces(&packets) {
            let (at, number) =
                packets.first().map_or_else(Default::default, |first| (first.at, first.number));
            let bytes = encode(&feed, seal, packets);
            packed.push((number, FinishedBlock { feed: feed.clone(), at, bytes }));
        }
    }
    packed.sort_by_key(|(number, _)| *number);
    packed.into_iter().map(|(_, packed)| packed).collect()
}

/// Whether a packet belongs to the second that `first` began.
pub(crate) fn together(first: &Packet, next: &Packet) -> bool {
    next.at.0.checked_sub(first.at.0).is_some_and(|later| later < LONGEST_US)
}

/// Unseals a packet if sealing it again restores the same bytes; returns the kind of seal, or 0.
pub(super) fn open(packet: &mut Packet) -> u8 {
    let Some(seals) = Feed::from_id(&packet.feed).and_then(Feed::seals) else { return 0 };
    let mut opened = packet.bytes.clone();
    let Some(seal) = (seals.open)(&mut opened) else { return 0 };
    let mut again = opened.clone();
    if !(seals.close)(seal, &mut again) || again != packet.bytes {
        return 0;
    }
    packet.bytes = opened;
    seal
}

/// Cuts packets into pieces of at most [`MOST_BYTES`].
fn pieces(packets: &[Packet]) -> Vec<&[Packet]> {
    let mut pieces = Vec::new();
    let mut rest = packets;
    while !rest.is_empty() {
        let mut bytes = 0;
        let fitting = rest.iter().take_while(|packet| {
            bytes += packet.bytes.len();
            bytes <= MOST_BYTES
        });
        let (piece, after) = rest.split_at_checked(fitting.count().max(1)).unwrap_or((rest, &[]));
        pieces.push(piece);
        rest = after;
    }
    pieces
}
