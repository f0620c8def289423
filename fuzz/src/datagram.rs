//! Datagrams on the games' ports.

use std::hint::black_box;

use trailbrake_shared::feed::{self, FEEDS};
use trailbrake_shared::games::{Decode, Described, Rejected};
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

/// More packets of one game reach nothing new, and take time.
const MOST_PACKETS: usize = 64;

/// A game whose packets have no header, so that noise alone would seldom be recognised.
pub(crate) struct PlainPackets<'a> {
    /// The lengths of its packets, and some that are none.
    pub(crate) lengths: &'a [usize],
    /// How many microseconds a step of the time has.
    pub(crate) step_us: u64,
    /// Writes the values that the recogniser checks, and changes nothing else.
    pub(crate) make_believable: fn(&mut [u8]),
    pub(crate) describe: fn(&[u8]) -> Result<Described, Rejected>,
}

impl PlainPackets<'_> {
    /// Decodes packets of one game. Three bytes precede each: its length and whether it is made recognisable, the steps
    /// since the previous one, and the offset of its content.
    pub(crate) fn decode(&self, decoder: &mut dyn Decode, bytes: &[u8]) {
        let (mut rest, mut at, mut packets) = (bytes, 0, 0);
        while packets < MOST_PACKETS
            && let Some(([form, steps, from], following)) = rest.split_first_chunk()
        {
            at += u64::from(*steps) * self.step_us;
            let len = self.lengths.get(usize::from(form >> 1) % self.lengths.len().max(1));
            let len = len.copied().unwrap_or_default();
            let taken = following.len().min(len.saturating_sub(usize::from(*from)));
            let (content, after) = following.split_at(taken);
            let mut datagram = vec![0; len];
            for (to, byte) in datagram.iter_mut().skip(usize::from(*from)).zip(content) {
                *to = *byte;
            }
            if form & 1 == 1 {
                (self.make_believable)(&mut datagram);
            }
            consume(decoder.receive(Micros(at), &datagram, &mut Taken));
            consume((self.describe)(&datagram));
            (rest, packets) = (after, packets + 1);
        }
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
