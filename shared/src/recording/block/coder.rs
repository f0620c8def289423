//! An adaptive range coder: the more likely a bit, the less space it takes. Probabilities are learnt from earlier bits.
//!
//! One model serves writing and reading. It passes the next bit to a [`Coder`] and continues with the bit that is
//! returned: an [`Encoder`] stores the bit and returns it, a [`Decoder`] ignores it and returns the stored one.

/// The range is widened by a byte once it is narrower.
const NARROWEST: u32 = 1 << 24;
/// Bits of a probability.
const CHANCE_BITS: u32 = 16;
/// The first bit moves a probability by a quarter of the remainder, the next by an eighth, all later ones by a
/// sixteenth.
const QUICKEST: u8 = 2;
const SLOWEST: u8 = 4;
/// Bytes that end the coded decisions.
pub(super) const ENDING: usize = 4;

/// The probability that a bit is set, learnt from earlier bits.
#[derive(Clone, Copy, Debug)]
pub(super) struct Chance {
    /// In units of 2⁻¹⁶.
    set: u16,
    /// The next change is this power of two of the remainder.
    pace: u8,
}

impl Chance {
    /// The initial probability.
    pub(super) const EVEN: Self = Self { set: 1 << (CHANCE_BITS - 1), pace: QUICKEST };

    /// The part of a range that stands for a set bit.
    fn of(self, range: u32) -> u32 {
        (range >> CHANCE_BITS) * u32::from(self.set)
    }

    fn learn(&mut self, bit: bool) {
        if bit {
            self.set += self.set.wrapping_neg() >> self.pace;
        } else {
            self.set -= self.set >> self.pace;
        }
        self.pace = (self.pace + 1).min(SLOWEST);
    }
}

/// Encodes or decodes bits, one after the other.
pub(super) trait Coder {
    /// The next bit, with its probability.
    fn bit(&mut self, chance: &mut Chance, bit: bool) -> bool;

    /// The lowest `count` bits of a word, stored as they are because nothing predicts them.
    fn plain(&mut self, word: u32, count: u32) -> u32;

    /// A number of `bits` bits, the highest first. Each bit has its own probability per value of the bits above it: the
    /// index is a 1 followed by those bits.
    fn tree(&mut self, chances: &mut [Chance], number: u32, bits: u32) -> u32 {
        let mut place = 1;
        for bit in (0..bits).rev() {
            let Some(chance) = chances.get_mut(place) else { break };
            let set = self.bit(chance, number >> bit & 1 != 0);
            place = place << 1 | usize::from(set);
        }
        place as u32 & !(1 << bits)
    }

    /// A number that is usually small: its bit count, then the bits below its highest. The first probability is that of
    /// 0, the others are the tree of the bit count minus one.
    fn number(&mut self, chances: &mut [Chance], number: u32, bits_of_count: u32) -> u32 {
        let Some(none) = chances.first_mut() else { return 0 };
        if self.bit(none, number == 0) {
            return 0;
        }
        let behind = self.tree(chances, bits(number).saturating_sub(1), bits_of_count);
        1 << behind | self.plain(number, behind)
    }
}

/// The bit count of a number.
pub(super) fn bits(number: u32) -> u32 {
    u32::BITS - number.leading_zeros()
}

/// The lowest `count` bits of a word.
fn lowest(word: u32, count: u32) -> u32 {
    word & (1_u64 << count).wrapping_sub(1) as u32
}

/// Stores bits.
#[derive(Debug)]
pub(super) struct Encoder {
    low: u32,
    range: u32,
    decided: Vec<u8>,
    plain: Vec<u8>,
    /// Plain bits that do not fill a byte yet, and their number.
    held: u64,
    holds: u32,
}

impl Encoder {
    pub(super) fn new() -> Self {
        Self { low: 0, range: u32::MAX, decided: Vec::new(), plain: Vec::new(), held: 0, holds: 0 }
    }

    /// The coded decisions, and the plain bits.
    pub(super) fn finish(mut self) -> (Vec<u8>, Vec<u8>) {
        self.decided.extend(self.low.to_be_bytes());
        if self.holds > 0 {
            self.plain.push(self.held as u8);
        }
        (self.decided, self.plain)
    }

    fn raise(&mut self, by: u32) {
        let (low, carried) = self.low.overflowing_add(by);
        self.low = low;
        if carried {
            // A byte that overflows carries into the one before.
            for byte in self.decided.iter_mut().rev() {
                *byte = byte.wrapping_add(1);
                if *byte != 0 {
                    break;
                }
            }
        }
    }
}

impl Coder for Encoder {
    fn bit(&mut self, chance: &mut Chance, bit: bool) -> bool {
        let set = chance.of(self.range);
        if bit {
            self.range = set;
        } else {
            self.raise(set);
            self.range -= set;
        }
        chance.learn(bit);
        while self.range < NARROWEST {
            self.decided.push((self.low >> 24) as u8);
            self.low <<= 8;
            self.range <<= 8;
        }
        bit
    }

    fn plain(&mut self, word: u32, count: u32) -> u32 {
        let bits = lowest(word, count);
        self.held |= u64::from(bits) << self.holds;
        self.holds += count;
        while self.holds >= 8 {
            self.plain.push(self.held as u8);
            self.held >>= 8;
            self.holds -= 8;
        }
        bits
    }
}

/// Returns stored bits. Past the end it returns arbitrary ones, and [`Decoder::is_at_end`] is false.
#[derive(Debug)]
pub(super) struct Decoder<'a> {
    /// The position of the coded decisions within the range.
    point: u32,
    range: u32,
    decided: &'a [u8],
    plain: &'a [u8],
    held: u64,
    holds: u32,
    exhausted: bool,
}

impl<'a> Decoder<'a> {
    pub(super) fn new(decided: &'a [u8], plain: &'a [u8]) -> Option<Self> {
        let (point, decided) = decided.split_first_chunk::<ENDING>()?;
        let point = u32::from_be_bytes(*point);
        Some(Self { point, range: u32::MAX, decided, plain, held: 0, holds: 0, exhausted: false })
    }

    /// The next byte of one kind; 0 past the end.
    fn next(&mut self, kind: fn(&mut Self) -> &mut &'a [u8]) -> u8 {
        let bytes = kind(self);
        let Some((next, rest)) = bytes.split_first() else {
            self.exhausted = true;
            return 0;
        };
        *bytes = rest;
        *next
    }

    /// Whether every stored bit was read, and nothing beyond.
    pub(super) fn is_at_end(&self) -> bool {
        let all = self.decided.is_empty() && self.point == 0;
        all && self.plain.is_empty() && self.held == 0 && self.holds < 8 && !self.exhausted
    }
}

impl Coder for Decoder<'_> {
    fn bit(&mut self, chance: &mut Chance, _: bool) -> bool {
        let set = chance.of(self.range);
        let bit = self.point < set;
        if bit {
            self.range = set;
        } else {
            self.point -= set;
            self.range -= set;
        }
        chance.learn(bit);
        while self.range < NARROWEST {
            let next = self.next(|decoder| &mut decoder.decided);
            self.point = self.point << 8 | u32::from(next);
            self.range <<= 8;
        }
        bit
    }

    fn plain(&mut self, _: u32, count: u32) -> u32 {
        while self.holds < count {
            match self.plain.split_first_chunk::<4>() {
                Some((next, rest)) => {
                    self.plain = rest;
                    self.held |= u64::from(u32::from_le_bytes(*next)) << self.holds;
                    self.holds += u32::BITS;
                }
                None => {
                    let next = self.next(|decoder| &mut decoder.plain);
                    self.held |= u64::from(next) << self.holds;
                    self.holds += u8::BITS;
                }
            }
        }
        let bits = lowest(self.held as u32, count);
        self.held >>= count;
        self.holds -= count;
        bits
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// A quarter, an eighth and then a sixteenth of the remainder to certainty, which is never reached.
    #[test]
    fn chances_learn_quickly_at_first() {
        let mut chance = Chance::EVEN;
        let learnt: Vec<u16> = std::iter::repeat_with(|| {
            chance.learn(true);
            chance.set
        })
        .take(5)
        .collect();
        assert_eq!(learnt, [40_960, 44_032, 45_376, 46_636, 47_817]);
        (0..1000).for_each(|_| chance.learn(true));
        assert_eq!(chance.set, 65_521);
        (0..1000).for_each(|_| chance.learn(false));
        assert_eq!(chance.set, 15);
    }

    #[test]
    fn what_is_sure_takes_no_room() {
        let mut encoder = Encoder::new();
        let mut chance = Chance::EVEN;
        for _ in 0..8000 {
            encoder.bit(&mut chance, false);
        }
        let (decided, plain) = encoder.finish();
        assert!(decided.len() < 16 && plain.is_empty(), "{} bytes", decided.len());
    }

    /// A carry that runs through full bytes.
    #[test]
    fn a_carry_goes_as_far_as_it_has_to() {
        let mut encoder = Encoder::new();
        encoder.decided = vec![7, 0xff, 0xff];
        encoder.low = u32::MAX;
        encoder.raise(1);
        assert_eq!((encoder.decided.as_slice(), encoder.low), (&[8, 0, 0][..], 0));
    }

    /// Values to encode, in order.
    #[derive(Clone, Debug)]
    enum Kept {
        Bit(usize, bool),
        Plain(u32, u32),
        Number(u32),
    }

    fn kept() -> impl Strategy<Value = Vec<Kept>> {
        let one = prop_oneof![
            (0_usize..4, any::<bool>()).prop_map(|(chance, bit)| Kept::Bit(chance, bit)),
            (any::<u32>(), 0_u32..=32).prop_map(|(word, count)| Kept::Plain(lowest(word, count), count)),
            (any::<u32>(), 0_u32..32).prop_map(|(number, fewer)| Kept::Number(number >> fewer)),
        ];
        prop::collection::vec(one, 0..400)
    }

    fn told(coder: &mut impl Coder, kept: &[Kept]) -> Vec<u32> {
        let mut chances = [Chance::EVEN; 36];
        let mut tell = |kept: &Kept| match kept {
            Kept::Bit(chance, bit) => u32::from(coder.bit(&mut chances[32 + chance], *bit)),
            Kept::Plain(word, count) => coder.plain(*word, *count),
            Kept::Number(number) => coder.number(&mut chances[..32], *number, 5),
        };
        kept.iter().map(&mut tell).collect()
    }

    proptest! {
        #[test]
        fn bits_come_back(kept in kept()) {
            let mut encoder = Encoder::new();
            let expected = told(&mut encoder, &kept);
            let (decided, plain) = encoder.finish();
            let nothing: Vec<Kept> = kept.iter().map(|kept| match kept {
                Kept::Bit(chance, _) => Kept::Bit(*chance, false),
                Kept::Plain(_, count) => Kept::Plain(0, *count),
                Kept::Number(_) => Kept::Number(0),
            }).collect();
            let mut decoder = Decoder::new(&decided, &plain).expect("an ending");
            prop_assert_eq!(told(&mut decoder, &nothing), expected);
            prop_assert!(decoder.is_at_end());
            let short = Decoder::new(&decided[..decided.len() - 1], &plain);
            let missed = short.is_none_or(|mut decoder| {
                told(&mut decoder, &nothing);
                !decoder.is_at_end()
            });
            prop_assert!(missed, "a byte is missing and nothing says so");
        }
    }
}
