//! Compresses packets of one size column by column: for each word, the values of all packets, each as its difference
//! from a prediction.
//!
//! The layout of the packets need not be known. A packet is cut into words of one, two and four bytes as suits the
//! block best, and recent values show which prediction suits a word best.

use super::coder::{Chance, Coder, Decoder, ENDING, Encoder, bits};
use super::cut::{WIDTHS, Width, cut};
use crate::recording::bytes::{Bytes, put_number};

/// The number of predictions, of which the best is used.
const GUESSES: usize = 3;
/// Probabilities of a number of at most 32 bits: that of 0, and the tree of the bit count.
const NUMBER: usize = 32;
/// Contexts of a number's bits: the mean bit count of the two numbers before it, 0 to 32.
const AROUND: usize = 33;
/// Each bit by which a prediction misses adds 256, and each value reduces the earlier misses by an eighth.
const MISS: u32 = 8;
const FORGOTTEN: u32 = 3;
/// Probabilities of a byte: the tree of its bits.
const BYTE: usize = 256;
/// Contexts of a byte: the bit count of the byte before it, 0 to 8.
const BYTES_BEFORE: usize = 9;
/// Probabilities of a width: the tree of its code.
const WIDTH: usize = 4;
/// Contexts of a width: the codes of the three before it.
const WIDTHS_BEFORE: usize = WIDTH * WIDTH * WIDTH;

/// The probabilities learnt while a block is packed or unpacked.
struct Model {
    /// Of the bytes before the packets.
    bytes: Vec<Chance>,
    /// Of a width, by the three widths before it.
    widths: Vec<Chance>,
    wide_before: usize,
    /// For the first packet: whether a word equals the one before it, and else whether it is 0. The context is whether
    /// the word before equalled its predecessor.
    firsts: [[Chance; 2]; 2],
    first_before: u32,
    as_before: bool,
    /// Whether a word is the same in all packets, by whether the one before it was.
    still: [Chance; 2],
    still_before: bool,
    /// Of the differences from the predictions, for each width.
    numbers: [Vec<Chance>; WIDTHS.len()],
}

/// Compresses packets of one size, and the `front` bytes before them.
pub(super) fn pack(unpacked: &[u8], front: usize, size: usize) -> Vec<u8> {
    let mut encoder = Encoder::new();
    let mut unpacked = unpacked.to_vec();
    let cut = cut(unpacked.get(front..).unwrap_or_default(), size);
    // The widths come from `cut`, so this can't fail.
    let _ = Model::new().code(&mut encoder, &mut unpacked, front, size, &cut);
    let (decided, plain) = encoder.finish();
    let mut out = Vec::with_capacity(decided.len() + plain.len() + ENDING);
    put_number(&mut out, decided.len() as u64);
    out.extend(decided);
    out.extend(plain);
    out
}

/// The inverse of [`pack`]: `len` bytes in all, `front` of them before the packets. `None` unless all input is used.
pub(super) fn unpack(packed: &[u8], len: usize, front: usize, size: usize) -> Option<Vec<u8>> {
    (size > 0).then_some(())?;
    let mut plain = Bytes(packed);
    let decided = usize::try_from(plain.number()?).ok()?;
    let decided = plain.take(decided)?;
    let mut decoder = Decoder::new(decided, plain.0)?;
    let mut unpacked = vec![0; len];
    Model::new().code(&mut decoder, &mut unpacked, front, size, &[])?;
    decoder.is_at_end().then_some(unpacked)
}

impl Model {
    fn new() -> Self {
        Self {
            bytes: vec![Chance::EVEN; BYTES_BEFORE * BYTE],
            widths: vec![Chance::EVEN; WIDTHS_BEFORE * WIDTH],
            wide_before: 0,
            firsts: [[Chance::EVEN; 2]; 2],
            first_before: 0,
            as_before: false,
            still: [Chance::EVEN; 2],
            still_before: false,
            numbers: WIDTHS.map(|_| vec![Chance::EVEN; AROUND * NUMBER]),
        }
    }

    /// Passes all values through the coder once, and stores what it returns.
    fn code(
        &mut self,
        coder: &mut impl Coder,
        unpacked: &mut [u8],
        front: usize,
        size: usize,
        cut: &[Width],
    ) -> Option<()> {
        let (front, packets) = unpacked.split_at_mut_checked(front)?;
        self.front(coder, front);
        let mut values = Vec::new();
        let (mut cut, mut start) = (cut.iter(), 0);
        while start < size {
            let width = self.width(coder, cut.next().copied().unwrap_or_default())?;
            values.clear();
            for packet in packets.chunks_exact(size) {
                values.push(width.read(packet.get(start..)?)?);
            }
            self.values(coder, width, &mut values);
            for (packet, value) in packets.chunks_exact_mut(size).zip(&values) {
                width.write(packet.get_mut(start..)?, *value)?;
            }
            start += width.bytes();
        }
        Some(())
    }

    /// The bytes before the packets.
    fn front(&mut self, coder: &mut impl Coder, front: &mut [u8]) {
        let mut before = 0;
        for byte in front {
            let chances = self.bytes.get_mut(bits(before) as usize * BYTE..).unwrap_or_default();
            before = coder.tree(chances, u32::from(*byte), u8::BITS);
            *byte = before as u8;
        }
    }

    /// The width of the next word.
    fn width(&mut self, coder: &mut impl Coder, width: Width) -> Option<Width> {
        let chances = self.widths.get_mut(self.wide_before * WIDTH..).unwrap_or_default();
        let width = *WIDTHS.get(coder.tree(chances, width as u32, 2) as usize)?;
        self.wide_before = (self.wide_before * WIDTH + width as usize) % WIDTHS_BEFORE;
        Some(width)
    }

    /// One word of all packets.
    fn values(&mut self, coder: &mut impl Coder, width: Width, values: &mut [u32]) {
        let Some((first, others)) = values.split_first_mut() else { return };
        *first = self.first(coder, width, *first);
        if self.still(coder, others.iter().all(|value| value == first)) {
            others.fill(*first);
            return;
        }
        let Some(numbers) = self.numbers.get_mut(width as usize) else { return };
        let mut past = PreviousWords::beginning(width.turn(*first));
        let (mut bits_before, mut bits_earlier) = (0_u32, 0_u32);
        for value in others {
            let guesses = past.guesses();
            let guess = past.best(guesses);
            let around = (bits_before + bits_earlier).div_ceil(2) as usize;
            let chances = numbers.get_mut(around * NUMBER..).unwrap_or_default();
            let told = width.tell(width.turn(*value), guess);
            let told = coder.number(chances, told, width.bits_of_count());
            let now = width.understand(told, guess);
            past.learn(width, guesses, now);
            (bits_before, bits_earlier) = (bits(told), bits_before);
            *value = width.turn_back(now);
        }
    }

    /// Whether all packets have the first one's word.
    fn still(&mut self, coder: &mut impl Coder, still: bool) -> bool {
        let Some(chance) = self.still.get_mut(usize::from(self.still_before)) else { return still };
        self.still_before = coder.bit(chance, still);
        self.still_before
    }

    /// A word of the first packet.
    fn first(&mut self, coder: &mut impl Coder, width: Width, value: u32) -> u32 {
        let before = self.first_before;
        let Some([same, zero]) = self.firsts.get_mut(usize::from(self.as_before)) else { return value };
        self.as_before = coder.bit(same, value == before);
        self.first_before = if self.as_before {
            before
        } else if coder.bit(zero, value == 0) {
            0
        } else {
            coder.plain(value, width.bits())
        };
        self.first_before
    }
}

/// The earlier values of a word.
struct PreviousWords {
    /// The latest value first.
    values: [u32; 3],
    /// The recent misses of each prediction, in bits.
    missed: [u32; GUESSES],
}

impl PreviousWords {
    /// Starts as if the first value had always been there.
    fn beginning(first: u32) -> Self {
        Self { values: [first; 3], missed: [0; GUESSES] }
    }

    /// The predictions: the same value; the same change; the same change of the change.
    fn guesses(&self) -> [u32; GUESSES] {
        let [before, earlier, earliest] = self.values;
        let step = before.wrapping_sub(earlier);
        let bend = step.wrapping_sub(earlier.wrapping_sub(earliest));
        let slope = before.wrapping_add(step);
        [before, slope, slope.wrapping_add(bend)]
    }

    /// The prediction with the fewest misses; of equals the first.
    fn best(&self, [same, slope, bend]: [u32; GUESSES]) -> u32 {
        let [by_same, by_slope, by_bend] = self.missed;
        if by_same <= by_slope.min(by_bend) {
            same
        } else if by_slope <= by_bend {
            slope
        } else {
            bend
        }
    }

    fn learn(&mut self, width: Width, guesses: [u32; GUESSES], now: u32) {
        let miss =
            |missed: u32, guess: u32| missed - (missed >> FORGOTTEN) + (bits(width.tell(now, guess)) << MISS);
        let ([by_same, by_slope, by_bend], [same, slope, bend]) = (self.missed, guesses);
        self.missed = [miss(by_same, same), miss(by_slope, slope), miss(by_bend, bend)];
        let [before, earlier, _] = self.values;
        self.values = [now, before, earlier];
    }
}
