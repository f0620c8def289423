//! What is done to packets of one size before they are compressed, so that what stays the same looks the same.
//!
//! The first packet stands in front as it is. Of the others each word is told by the packets before, and then all
//! packets' first bytes, or bits, come before their second ones, and so on.

use std::ops::Range;

/// Bytes of a word.
const WORD: usize = 4;

/// How each packet is told by the ones before it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Filter {
    /// As it is.
    #[default]
    None,
    /// Each bit: whether it is another than in the packet before.
    Xor,
    /// Each little-endian word of four bytes: by how much it is more than in the packet before. The first so many
    /// bytes (0 to 3) are a word of their own, since packets have headers of odd sizes.
    Delta(u8),
    /// Each word: by how much it is more than if it went on as between the two packets before.
    Slope(u8),
}

/// What stands together after filtering.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Layout {
    /// Of each word the lowest byte of all packets, then the next.
    #[default]
    Bytes,
    /// Of each word the highest bit of all packets, then the next; eight bits a byte, the first the lowest.
    Bits,
}

/// How packets are prepared for being compressed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Packing {
    /// How each is told by the ones before it.
    pub filter: Filter,
    /// What then stands together.
    pub layout: Layout,
}

impl Filter {
    /// Every filter, in the order of their codes.
    pub const ALL: &'static [Self] = &[
        Self::None,
        Self::Xor,
        Self::Delta(0),
        Self::Delta(1),
        Self::Delta(2),
        Self::Delta(3),
        Self::Slope(0),
        Self::Slope(1),
        Self::Slope(2),
        Self::Slope(3),
    ];

    /// What a word is expected to be, from the words in the packet before and in the one before that.
    fn guess(self, before: u32, earlier: u32) -> u32 {
        match self {
            Self::None => 0,
            Self::Xor | Self::Delta(_) => before,
            Self::Slope(_) => before.wrapping_mul(2).wrapping_sub(earlier),
        }
    }

    /// Bytes before the first whole word.
    fn head(self) -> usize {
        match self {
            Self::None | Self::Xor => 0,
            Self::Delta(head) | Self::Slope(head) => usize::from(head),
        }
    }
}

impl Packing {
    /// Every way of packing.
    pub fn all() -> impl Iterator<Item = Self> {
        let layouts = [Layout::Bytes, Layout::Bits];
        Filter::ALL.iter().flat_map(move |&filter| layouts.map(|layout| Self { filter, layout }))
    }

    /// The two numbers that stand for it in a block: the filter's place in [`Filter::ALL`], and 0 for bytes, 1 for bits.
    pub fn codes(self) -> [u8; 2] {
        let filter = (0..).zip(Filter::ALL).find(|(_, filter)| **filter == self.filter);
        [filter.map_or(0, |(code, _)| code), u8::from(self.layout == Layout::Bits)]
    }

    /// What two numbers stand for.
    pub fn from_codes([filter, layout]: [u8; 2]) -> Option<Self> {
        let layout = match layout {
            0 => Layout::Bytes,
            1 => Layout::Bits,
            _ => return None,
        };
        Some(Self { filter: *Filter::ALL.get(usize::from(filter))?, layout })
    }

    /// Prepares packets of one size that stand one after the other. As many bytes come out as go in.
    pub fn apply(self, size: usize, packets: &[u8]) -> Vec<u8> {
        let Some((first, others)) = packets.split_at_checked(size) else { return packets.to_vec() };
        let count = others.len().checked_div(size).unwrap_or_default();
        let mut out = first.to_vec();
        let mut bits = BitWriter::default();
        let mut told = vec![0_u32; count];
        for word in words(self.filter, size) {
            let mut before = word.of(first);
            let mut earlier = before;
            for (told, packet) in told.iter_mut().zip(others.chunks_exact(size)) {
                let now = word.of(packet);
                *told = word.tell(self.filter, now, self.filter.guess(before, earlier));
                (earlier, before) = (before, now);
            }
            match self.layout {
                Layout::Bytes => {
                    out.extend(
                        (0..word.len())
                            .flat_map(|byte| told.iter().map(move |told| (told >> (8 * byte)) as u8)),
                    );
                }
                Layout::Bits => {
                    word.bits().for_each(|bit| bits.put(told.iter().map(|told| told >> bit & 1 != 0)))
                }
            }
        }
        out.extend(bits.bytes);
        out
    }

    /// Undoes [`Packing::apply`].
    pub fn undo(self, size: usize, prepared: &[u8]) -> Vec<u8> {
        let mut packets = prepared.to_vec();
        let Some((first, turned)) = prepared.split_at_checked(size) else { return packets };
        let count = turned.len().checked_div(size).unwrap_or_default();
        let mut bits = BitReader { bytes: turned, place: 0 };
        let mut columns = turned.chunks_exact(count.max(1));
        let mut told = vec![0_u32; count];
        for word in words(self.filter, size) {
            told.fill(0);
            match self.layout {
                Layout::Bytes => {
                    for (byte, column) in (0..word.len()).zip(&mut columns) {
                        told.iter_mut()
                            .zip(column)
                            .for_each(|(told, part)| *told |= u32::from(*part) << (8 * byte));
                    }
                }
                Layout::Bits => word.bits().for_each(|bit| bits.take(&mut told, 1 << bit)),
            }
            let mut before = word.of(first);
            let mut earlier = before;
            let others = packets.get_mut(size..).unwrap_or_default().chunks_exact_mut(size.max(1));
            for (told, packet) in told.iter().zip(others) {
                let now = word.understand(self.filter, *told, self.filter.guess(before, earlier));
                (earlier, before) = (before, now);
                let bytes = packet.get_mut(word.0.clone()).unwrap_or_default();
                bytes.iter_mut().zip(now.to_le_bytes()).for_each(|(to, byte)| *to = byte);
            }
        }
        packets
    }
}

/// A word's place in every packet. The first and the last may have fewer bytes than the others.
#[derive(Clone)]
struct Word(Range<usize>);

impl Word {
    fn len(&self) -> u32 {
        self.0.len() as u32
    }

    /// Its bits, the highest first.
    fn bits(&self) -> impl Iterator<Item = u32> + use<> {
        (0..8 * self.len()).rev()
    }

    fn of(&self, packet: &[u8]) -> u32 {
        let mut word = [0; WORD];
        let bytes = packet.get(self.0.clone()).unwrap_or_default();
        word.iter_mut().zip(bytes).for_each(|(to, byte)| *to = *byte);
        u32::from_le_bytes(word)
    }

    /// Bits of a register that the word leaves free.
    fn spare(&self) -> u32 {
        32_u32.saturating_sub(8 * self.len())
    }

    /// A difference is told so that a small one has few bits whatever its sign: 0, -1, 1, -2 … are 0, 1, 2, 3 …
    fn tell(&self, filter: Filter, now: u32, guess: u32) -> u32 {
        match filter {
            Filter::None => now,
            Filter::Xor => now ^ guess,
            Filter::Delta(_) | Filter::Slope(_) => {
                let more = (now.wrapping_sub(guess) << self.spare()).cast_signed() >> self.spare();
                ((more << 1) ^ (more >> 31)).cast_unsigned() << self.spare() >> self.spare()
            }
        }
    }

    fn understand(&self, filter: Filter, told: u32, guess: u32) -> u32 {
        let now = match filter {
            Filter::None => told,
            Filter::Xor => told ^ guess,
            Filter::Delta(_) | Filter::Slope(_) => {
                let more = (told >> 1).cast_signed() ^ -(told & 1).cast_signed();
                guess.wrapping_add_signed(more)
            }
        };
        now << self.spare() >> self.spare()
    }
}

fn words(filter: Filter, size: usize) -> impl Iterator<Item = Word> {
    let head = filter.head().min(size);
    let first = (head > 0).then_some(Word(0..head));
    first
        .into_iter()
        .chain((head..size).step_by(WORD).map(move |start| Word(start..(start + WORD).min(size))))
}

/// Bits, eight a byte, the first the lowest.
#[derive(Default)]
struct BitWriter {
    bytes: Vec<u8>,
    /// Bits of the last byte that are taken; 0 when it is full.
    taken: u32,
}

impl BitWriter {
    fn put(&mut self, bits: impl Iterator<Item = bool>) {
        for bit in bits {
            if self.taken == 0 {
                self.bytes.push(0);
            }
            if let Some(last) = self.bytes.last_mut() {
                *last |= u8::from(bit) << self.taken;
            }
            self.taken = (self.taken + 1) % 8;
        }
    }
}

struct BitReader<'a> {
    bytes: &'a [u8],
    place: usize,
}

impl BitReader<'_> {
    /// Sets a bit in those words for which the next bits are set.
    fn take(&mut self, words: &mut [u32], bit: u32) {
        for word in words {
            let byte = self.bytes.get(self.place / 8).copied().unwrap_or_default();
            if byte >> (self.place % 8) & 1 != 0 {
                *word |= bit;
            }
            self.place += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn ways_of_packing_have_codes_of_their_own() {
        let all: Vec<Packing> = Packing::all().collect();
        let codes: std::collections::BTreeSet<_> = all.iter().map(|packing| packing.codes()).collect();
        assert_eq!(codes.len(), all.len());
        assert!(all.iter().all(|packing| Packing::from_codes(packing.codes()) == Some(*packing)));
        assert_eq!(Packing::from_codes([Filter::ALL.len() as u8, 0]), None);
        assert_eq!(Packing::from_codes([0, 2]), None);
    }

    /// Four packets of six bytes: a word that rises by 0x100, 0x100 and 0xff, and two bytes of which one falls.
    #[test]
    fn what_changes_little_has_few_bits() {
        let packets = [1, 0, 0, 0, 7, 9, 1, 1, 0, 0, 7, 9, 1, 2, 0, 0, 7, 9, 0, 3, 0, 0, 6, 9];
        let first = [1, 0, 0, 0, 7, 9];
        let check = |filter, layout, expected: [u8; 18]| {
            let prepared = Packing { filter, layout }.apply(6, &packets);
            assert_eq!(
                (&prepared[..6], &prepared[6..]),
                (&first[..], &expected[..]),
                "{filter:?} {layout:?}"
            );
        };
        use Filter::{Delta, Slope, Xor};
        use Layout::{Bits, Bytes};
        check(Filter::None, Bytes, [1, 1, 0, 1, 2, 3, 0, 0, 0, 0, 0, 0, 7, 7, 6, 9, 9, 9]);
        check(Xor, Bytes, [0, 0, 1, 1, 3, 1, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0]);
        // 0x100, 0x100 and 0xff are told as 0x200, 0x200 and 0x1fe; a fall by one as 1.
        check(Delta(0), Bytes, [0, 0, 0xfe, 2, 2, 1, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0]);
        // By nothing more than before, and then by one less.
        check(Slope(0), Bytes, [0, 0, 1, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0]);
        // The word's bits 9 to 0 are 1 1 0, then 0 0 1 eight times, then 0 0 0, after 22 times three bits that are not
        // set; behind them, after 15 times three, those of the fall: 0 0 1.
        let mut bits = [0; 18];
        for bit in (22 * 3..22 * 3 + 2).chain((0..8).map(|bit| 23 * 3 + 3 * bit + 2)).chain([47 * 3 + 2]) {
            bits[bit / 8] |= 1 << (bit % 8);
        }
        check(Delta(0), Bits, bits);
    }

    proptest! {
        #[test]
        fn every_way_of_packing_can_be_undone(
            size in 1_usize..40,
            count in 0_usize..20,
            noise in proptest::collection::vec(any::<u8>(), 800),
        ) {
            let packets = &noise[..size * count];
            for packing in Packing::all() {
                let prepared = packing.apply(size, packets);
                prop_assert_eq!(prepared.len(), packets.len());
                prop_assert_eq!(packing.undo(size, &prepared), packets, "{:?}", packing);
            }
        }

        #[test]
        fn what_was_never_prepared_is_undone_to_as_many_bytes(
            size in 1_usize..40,
            noise in proptest::collection::vec(any::<u8>(), 0..800),
        ) {
            for packing in Packing::all() {
                prop_assert_eq!(packing.undo(size, &noise).len(), noise.len());
            }
        }
    }
}
