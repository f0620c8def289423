//! Datagrams on the games' ports.

use std::hint::black_box;

use trailbrake_shared::feed::{self, FEEDS};
use trailbrake_shared::games::{Decode, Rejected};
use trailbrake_shared::model::{Event, Fact, LapProgress, Moment, Sample, Sink};
use trailbrake_shared::time::Micros;

/// One datagram of an unknown sender: every feed recognises it, lists its fields and decodes it.
pub fn datagram(bytes: &[u8]) {
    consume(feed::recognise(bytes));
    for (feed, codec) in FEEDS.iter().filter_map(|row| Some((row.feed, row.codec?))) {
        consume((codec.recognise)(bytes));
        consume(feed.describe()(bytes));
        let mut decoder = (codec.decoder)();
        // Twice, since a decoder that has seen a packet treats the next one differently.
        for at in [0, 16_667] {
            consume(decoder.receive(Micros(at), bytes, &mut Taken));
        }
    }
}

/// A stream of packets without lengths: every feed says where its first one ends.
pub fn datagram_size(bytes: &[u8]) {
    for datagram_size in FEEDS.iter().filter_map(|row| row.codec?.datagram_size) {
        match datagram_size(bytes) {
            Ok(size) => assert!(size > 0, "the next packet begins behind this one"),
            Err(refusal) => drop(black_box(refusal.to_string())),
        }
    }
}

/// All datagrams of one sender. The first byte selects the feed.
///
/// Four bytes precede each datagram, little-endian: milliseconds since the previous one, and its length.
pub fn sender(bytes: &[u8]) {
    let decodable: Vec<_> = FEEDS.iter().filter_map(|row| row.codec).collect();
    let Some((choice, mut rest)) = bytes.split_first() else { return };
    let Some(codec) = decodable.get(usize::from(*choice) % decodable.len().max(1)) else { return };
    let mut decoder: Box<dyn Decode> = (codec.decoder)();
    let mut at = 0;
    while let Some(([ms_low, ms_high, len_low, len_high], following)) = rest.split_first_chunk() {
        at += u64::from(u16::from_le_bytes([*ms_low, *ms_high])) * 1000;
        let len = usize::from(u16::from_le_bytes([*len_low, *len_high])).min(following.len());
        let (datagram, after) = following.split_at(len);
        consume(decoder.receive(Micros(at), datagram, &mut Taken));
        rest = after;
    }
}

/// Uses a result up. Errors are formatted, too, since the driver sees them.
pub(crate) fn consume<T>(result: Result<T, Rejected>) {
    match result {
        Ok(understood) => drop(black_box(understood)),
        Err(refusal) => drop(black_box(refusal.to_string())),
    }
}

/// A sink that accepts everything and keeps nothing.
pub(crate) struct Taken;

impl Sink for Taken {
    fn sample(&mut self, sample: &Sample<'_>) {
        black_box(sample);
    }

    fn progress(&mut self, progress: &LapProgress) {
        black_box(progress);
    }

    fn event(&mut self, event: Event) {
        black_box(event);
    }

    fn fact(&mut self, moment: Moment, fact: Fact) {
        black_box((moment, fact));
    }
}
