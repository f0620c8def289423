//! Chooses how packets of one size are cut into words. Only the encoder chooses; the decoder reads the widths.

use super::coder::bits;

/// The number of packets examined.
const SHOWN: usize = 16;
/// The cost of another word besides its values, in bits.
const ONE_MORE: u32 = 12;
/// The sign of a float, the highest bit of its word.
const SIGN: u32 = 1 << 31;

/// The width of a word, in the order of its code.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Width {
    /// Four bytes, most often a float.
    #[default]
    Four,
    /// Two bytes.
    Two,
    /// One byte.
    One,
}

/// Every width, ordered by code.
pub(super) const WIDTHS: [Width; 3] = [Width::Four, Width::Two, Width::One];

impl Width {
    pub(super) fn bytes(self) -> usize {
        match self {
            Self::Four => 4,
            Self::Two => 2,
            Self::One => 1,
        }
    }

    pub(super) fn bits(self) -> u32 {
        8 * self.bytes() as u32
    }

    /// Bits needed to store the bit count of a value other than 0.
    pub(super) fn bits_of_count(self) -> u32 {
        self.bits().trailing_zeros()
    }

    /// The first word of `bytes`, little-endian.
    pub(super) fn read(self, bytes: &[u8]) -> Option<u32> {
        match self {
            Self::Four => bytes.first_chunk().copied().map(u32::from_le_bytes),
            Self::Two => bytes.first_chunk().copied().map(u16::from_le_bytes).map(u32::from),
            Self::One => bytes.first().copied().map(u32::from),
        }
    }

    /// Writes a word to the front of `bytes`.
    pub(super) fn write(self, bytes: &mut [u8], word: u32) -> Option<()> {
        match self {
            Self::Four => *bytes.first_chunk_mut()? = word.to_le_bytes(),
            Self::Two => *bytes.first_chunk_mut()? = (word as u16).to_le_bytes(),
            Self::One => *bytes.first_mut()? = word as u8,
        }
        Some(())
    }

    /// Maps the bits of floats to integers of the same order, so that close values differ by little, across 0 too. The
    /// differences between four-byte integers stay the same.
    pub(super) fn turn(self, word: u32) -> u32 {
        match self {
            Self::Four if word & SIGN != 0 => !word,
            Self::Four => word | SIGN,
            _ => word,
        }
    }

    /// The inverse of [`Width::turn`].
    pub(super) fn turn_back(self, turned: u32) -> u32 {
        match self {
            Self::Four if turned & SIGN == 0 => !turned,
            Self::Four => turned & !SIGN,
            _ => turned,
        }
    }

    /// Zigzag-codes the difference of a value from a guess, so that small differences have few bits whatever their
    /// sign: 0, -1, 1, -2 … become 0, 1, 2, 3 …
    pub(super) fn tell(self, value: u32, guess: u32) -> u32 {
        let spare = u32::BITS - self.bits();
        let more = (value.wrapping_sub(guess) << spare).cast_signed() >> spare;
        ((more << 1) ^ (more >> 31)).cast_unsigned() << spare >> spare
    }

    /// The inverse of [`Width::tell`].
    pub(super) fn understand(self, told: u32, guess: u32) -> u32 {
        let spare = u32::BITS - self.bits();
        let more = (told >> 1) ^ (told & 1).wrapping_neg();
        guess.wrapping_add(more) << spare >> spare
    }
}

/// The word widths that make packets of one size smallest, judged by the first packets.
pub(super) fn cut(packets: &[u8], size: usize) -> Vec<Width> {
    let shown: Vec<&[u8]> = packets.chunks_exact(size.max(1)).take(SHOWN).collect();
    // From the end: the cost of the rest from each offset, and the width of its first word.
    let mut rests = vec![(0, Width::One); size + 1];
    for start in (0..size).rev() {
        let with = |width: Width| {
            let (rest, _) = rests.get(start + width.bytes())?;
            Some((cost(&shown, start, width)? + ONE_MORE + rest, width))
        };
        let best = WIDTHS.into_iter().filter_map(with).min_by_key(|(cost, _)| *cost);
        if let Some((rest, best)) = rests.get_mut(start).zip(best) {
            *rest = best;
        }
    }
    let mut words = Vec::new();
    let mut start = 0;
    while let Some((_, width)) = rests.get(start).filter(|_| start < size) {
        words.push(*width);
        start += width.bytes();
    }
    words
}

/// Estimates the bits of a word's values: the bit count of each, and how much the bit count changes.
fn cost(packets: &[&[u8]], start: usize, width: Width) -> Option<u32> {
    let mut costs = [0, 0];
    let mut counts = [0, 0];
    let mut past: Option<[u32; 2]> = None;
    for packet in packets {
        let now = width.turn(width.read(packet.get(start..)?)?);
        let [before, earlier] = past.unwrap_or([now; 2]);
        past = Some([now, before]);
        let guesses = [before, before.wrapping_mul(2).wrapping_sub(earlier)];
        for ((cost, count), guess) in costs.iter_mut().zip(&mut counts).zip(guesses) {
            let has = bits(width.tell(now, guess));
            *cost += has + bits(has.abs_diff(*count));
            *count = has;
        }
    }
    costs.into_iter().min()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Packets of a byte, a float, a two-byte integer and another byte, all of which change.
    #[test]
    fn words_are_found_by_how_they_change() {
        let mut packets = Vec::new();
        for at in 0..16_u16 {
            packets.push(at as u8 * 3);
            packets.extend((f32::from(at) * 0.37).sin().to_le_bytes());
            packets.extend((1000 + at * at * 9).to_le_bytes());
            packets.push(255 - at as u8);
        }
        assert_eq!(cut(&packets, 8), [Width::One, Width::Four, Width::Two, Width::One]);
        assert_eq!(
            cut(&[7; 60], 6),
            [Width::Four, Width::Two],
            "what never changes is cut as seldom as can be"
        );
        assert_eq!(cut(&[], 0), []);
        assert_eq!(cut(&[], 3).iter().map(|width| width.bytes()).sum::<usize>(), 3);
    }

    #[test]
    fn floats_are_in_order_across_nought() {
        let floats = [f32::NEG_INFINITY, -2.0, -1.0e-30, -0.0, 0.0, 1.0e-30, 2.0, f32::INFINITY];
        let turned = floats.map(|float| Width::Four.turn(float.to_bits()));
        assert!(turned.is_sorted(), "{turned:x?}");
        assert_eq!(turned[4] - turned[3], 1);
    }

    proptest! {
        #[test]
        fn what_is_told_is_understood(value: u32, guess: u32) {
            for width in WIDTHS {
                let value = value >> (32 - width.bits());
                prop_assert_eq!(width.turn_back(width.turn(value)), value);
                let told = width.tell(value, guess);
                prop_assert!(bits(told) <= width.bits());
                prop_assert_eq!(width.understand(told, guess), value);
            }
        }
    }
}
