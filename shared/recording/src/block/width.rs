//! The words that packets are cut into, and the differences between their values.

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
    pub(super) fn to_ordered(self, word: u32) -> u32 {
        match self {
            Self::Four if word & SIGN != 0 => !word,
            Self::Four => word | SIGN,
            _ => word,
        }
    }

    /// The inverse of [`Width::to_ordered`].
    pub(super) fn to_word(self, ordered: u32) -> u32 {
        match self {
            Self::Four if ordered & SIGN == 0 => !ordered,
            Self::Four => ordered & !SIGN,
            _ => ordered,
        }
    }

    /// Zigzag-codes the difference of a value from a guess, so that small differences have few bits whatever their
    /// sign: 0, -1, 1, -2 … become 0, 1, 2, 3 …
    pub(super) fn difference(self, value: u32, guess: u32) -> u32 {
        let spare = u32::BITS - self.bits();
        let more = (value.wrapping_sub(guess) << spare).cast_signed() >> spare;
        ((more << 1) ^ (more >> 31)).cast_unsigned() << spare >> spare
    }

    /// The inverse of [`Width::difference`].
    pub(super) fn sum(self, difference: u32, guess: u32) -> u32 {
        let spare = u32::BITS - self.bits();
        let more = (difference >> 1) ^ (difference & 1).wrapping_neg();
        guess.wrapping_add(more) << spare >> spare
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn floats_are_in_order_across_nought() {
        let floats = [f32::NEG_INFINITY, -2.0, -1.0e-30, -0.0, 0.0, 1.0e-30, 2.0, f32::INFINITY];
        let ordered = floats.map(|float| Width::Four.to_ordered(float.to_bits()));
        assert!(ordered.is_sorted(), "{ordered:x?}");
        assert_eq!(ordered[4] - ordered[3], 1);
    }

    proptest! {
        #[test]
        fn a_difference_leads_back_to_the_value(value: u32, guess: u32) {
            for width in WIDTHS {
                let value = value >> (32 - width.bits());
                prop_assert_eq!(width.to_word(width.to_ordered(value)), value);
                let difference = width.difference(value, guess);
                prop_assert!(u32::BITS - difference.leading_zeros() <= width.bits());
                prop_assert_eq!(width.sum(difference, guess), value);
            }
        }
    }
}
