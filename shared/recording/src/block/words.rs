//! Filters packets of one size before LZ4: for each word, the values of all packets, each as its difference from a
//! guess, in as few bits as eight of them need.
//!
//! The layout of the packets need not be known. A packet is cut into words of one, two and four bytes as suits the
//! block best. Consecutive values of a word are close, so most differences are small.

use std::iter::repeat_n;

use super::cut::cut;
use super::guess::{Guess, differences};
use super::width::{WIDTHS, Width};
use crate::bytes::Bytes;

/// Values that share a bit width. So a full group takes as many bytes as a value has bits.
const GROUP: usize = 8;
/// The low bits of a word's byte are its guess, the ones above its width.
const GUESS_BITS: u32 = 2;

/// Filters packets of one size.
pub(super) fn pack(packets: &[u8], size: usize) -> Vec<u8> {
    let (mut words, mut widths, mut bits) = (Vec::new(), Vec::new(), Vec::new());
    // One room for the values of each word, and one for each guess.
    let mut values: Vec<u32> = Vec::new();
    let mut coded = Guess::ALL.map(|_| Vec::new());
    let mut start = 0;
    for width in cut(packets, size) {
        let word = |packet: &[u8]| width.read(packet.get(start..)?).map(|word| width.to_ordered(word));
        values.clear();
        values.extend(packets.chunks_exact(size).filter_map(word));
        start += width.bytes();
        let Some((first, others)) = values.split_first() else { continue };
        if others.iter().all(|other| other == first) {
            words.push((width as u8) << GUESS_BITS | Guess::Same as u8);
            widths.extend(repeat_n(0, others.len().div_ceil(GROUP)));
            continue;
        }
        for (guess, coded) in Guess::ALL.into_iter().zip(&mut coded) {
            coded.clear();
            coded.extend(differences(width, guess, *first, others));
        }
        let best = Guess::ALL.into_iter().zip(&coded).min_by_key(|(_, coded)| bytes_of(coded));
        let Some((guess, coded)) = best else { continue };
        words.push((width as u8) << GUESS_BITS | guess as u8);
        for group in coded.chunks(GROUP) {
            widths.push(bits_of(group) as u8);
            put_bits(&mut bits, group);
        }
    }
    let first = packets.get(..size).unwrap_or_default();
    [&words, first, &widths, &bits].concat()
}

/// The inverse of [`pack`]. `None` unless all input is used.
pub(super) fn unpack(packed: &[u8], count: usize, size: usize) -> Option<Vec<u8>> {
    let mut rest = Bytes(packed);
    let mut words = Vec::new();
    let mut cut = 0;
    while cut < size {
        let word = rest.u8()?;
        let width = *WIDTHS.get(usize::from(word >> GUESS_BITS))?;
        words.push((width, *Guess::ALL.get(usize::from(word & ((1 << GUESS_BITS) - 1)))?));
        cut += width.bytes();
    }
    (cut == size).then_some(())?;
    let first = rest.take(size)?;
    let others = count.checked_sub(1)?;
    let groups = others.div_ceil(GROUP);
    let mut widths = Bytes(rest.take(words.len().checked_mul(groups)?)?);
    let mut packets = first.repeat(count);
    let mut values = vec![0; others];
    let mut start = 0;
    for (width, guess) in words {
        let bits = widths.take(groups)?;
        // Most words are the same in all packets of a second.
        if guess != Guess::Same || bits.iter().any(|bits| *bits > 0) {
            for (group, bits) in values.chunks_mut(GROUP).zip(bits) {
                take_bits(&mut rest, *bits, group)?;
            }
            let first = width.to_ordered(width.read(first.get(start..)?)?);
            restore(width, guess, first, &mut values);
            for (packet, value) in packets.chunks_exact_mut(size).skip(1).zip(&values) {
                width.write(packet.get_mut(start..)?, width.to_word(*value))?;
            }
        }
        start += width.bytes();
    }
    rest.0.is_empty().then_some(packets)
}

/// Turns differences into the values.
fn restore(width: Width, guess: Guess, first: u32, values: &mut [u32]) {
    let [mut a, mut b, mut c] = [first; 3];
    for value in values {
        let now = width.sum(*value, guess.after([a, b, c]));
        [a, b, c] = [now, a, b];
        *value = now;
    }
}

/// The bits that the largest of some numbers has.
fn bits_of(group: &[u32]) -> usize {
    let all = group.iter().fold(0, |all, number| all | number);
    (u32::BITS - all.leading_zeros()) as usize
}

/// The bytes that numbers take in groups.
fn bytes_of(numbers: &[u32]) -> usize {
    numbers.chunks(GROUP).map(|group| (bits_of(group) * group.len()).div_ceil(8)).sum()
}

/// Writes the numbers of a group one after the other, each from its lowest bit.
fn put_bits(out: &mut Vec<u8>, group: &[u32]) {
    let bits = bits_of(group);
    let (mut waiting, mut held) = (0_u64, 0);
    for number in group {
        waiting |= u64::from(*number) << held;
        held += bits;
        while held >= 8 {
            out.push(waiting as u8);
            waiting >>= 8;
            held -= 8;
        }
    }
    if held > 0 {
        out.push(waiting as u8);
    }
}

/// Reads a group of numbers of so many bits.
fn take_bits(bytes: &mut Bytes<'_>, bits: u8, group: &mut [u32]) -> Option<()> {
    let bits = usize::from(bits);
    if bits > u32::BITS as usize {
        return None;
    }
    // Most groups only repeat what was guessed.
    if bits == 0 {
        group.fill(0);
        return Some(());
    }
    let packed = bytes.take((bits * group.len()).div_ceil(8))?;
    // Eight numbers of 32 bits, and room for the word that the last one is read in.
    let mut all = [0; GROUP * 4 + 8];
    all.get_mut(..packed.len())?.copy_from_slice(packed);
    let mask = (1_u64 << bits) - 1;
    for (number, from) in group.iter_mut().zip((0..).step_by(bits)) {
        let word = u64::from_le_bytes(*all.get(from / 8..)?.first_chunk()?);
        *number = (word >> (from % 8) & mask) as u32;
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn any_packets_of_one_size_come_back(size in 1_usize..20, bytes: Vec<u8>) {
            let count = bytes.len() / size;
            prop_assume!(count > 0);
            let packets = &bytes[..count * size];
            let packed = pack(packets, size);
            let read = unpack(&packed, count, size);
            prop_assert_eq!(read.as_deref(), Some(packets));
            // One byte more or less is noticed.
            let longer = [packed.as_slice(), &[0]].concat();
            prop_assert_eq!(unpack(&longer, count, size), None);
            prop_assert_eq!(unpack(&packed[..packed.len() - 1], count, size), None);
        }

        #[test]
        fn any_bytes_are_read_or_refused(bytes: Vec<u8>, count in 0_usize..40, size in 1_usize..20) {
            let read = unpack(&bytes, count, size);
            prop_assert!(read.is_none_or(|packets| packets.len() == count * size));
        }
    }

    #[test]
    fn a_full_group_takes_as_many_bytes_as_a_number_has_bits() {
        for bits in 0..=32_u32 {
            let largest = (1_u64 << bits) as u32;
            let group: [u32; GROUP] = std::array::from_fn(|place| largest.wrapping_sub(1) >> (place % 3));
            let mut packed = Vec::new();
            put_bits(&mut packed, &group);
            assert_eq!((packed.len(), bits_of(&group)), (bits as usize, bits as usize));
            let mut read = [0; GROUP];
            take_bits(&mut Bytes(&packed), bits as u8, &mut read).expect("a group");
            assert_eq!(read, group);
        }
    }
}
