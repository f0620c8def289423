//! Chooses how packets of one size are cut into words. Only the writer chooses; the block lists the widths for its reader.

use super::guess::{Guess, differences};
use super::width::{WIDTHS, Width};

/// The number of packets examined.
const SHOWN: usize = 16;
/// The cost of another word besides its values, in bits.
const ONE_MORE: usize = 8;

/// The word widths that make packets of one size smallest, judged by the first packets.
pub(super) fn cut(packets: &[u8], size: usize) -> Vec<Width> {
    let shown: Vec<&[u8]> = packets.chunks_exact(size.max(1)).take(SHOWN).collect();
    let same = same_in_all(&shown, size);
    // From the end: the cost of the rest from each offset, and the width of its first word.
    let mut rests = vec![(0, Width::One); size + 1];
    for start in (0..size).rev() {
        let with = |width: Width| {
            let (rest, _) = rests.get(start + width.bytes())?;
            let never_changes = same.get(start..start + width.bytes())?.iter().all(|same| *same);
            // A difference of nought counts as one bit by every guess.
            let cost = if never_changes { shown.len().checked_sub(1)? } else { cost(&shown, start, width)? };
            Some((cost + ONE_MORE + rest, width))
        };
        let best = WIDTHS.into_iter().filter_map(with).min_by_key(|(cost, _)| *cost);
        if let Some((rest, best)) = rests.get_mut(start).zip(best) {
            *rest = best;
        }
    }
    let mut words = Vec::new();
    let mut start = 0;
    while start < size
        && let Some((_, width)) = rests.get(start)
    {
        words.push(*width);
        start += width.bytes();
    }
    words
}

/// For each byte of the packets, whether it is the same in all of them.
fn same_in_all(packets: &[&[u8]], size: usize) -> Vec<bool> {
    let mut same = vec![true; size];
    for (one, next) in packets.iter().zip(packets.iter().skip(1)) {
        for ((same, byte), next) in same.iter_mut().zip(*one).zip(*next) {
            *same &= byte == next;
        }
    }
    same
}

/// The bits of a word's values by the best guess.
fn cost(packets: &[&[u8]], start: usize, width: Width) -> Option<usize> {
    let mut values = [0; SHOWN];
    for (value, packet) in values.iter_mut().zip(packets) {
        *value = width.to_ordered(width.read(packet.get(start..)?)?);
    }
    let (first, others) = values.get(..packets.len())?.split_first()?;
    let cost = |guess: Guess| -> usize {
        let bits = |difference: u32| (u32::BITS - difference.leading_zeros()) as usize + 1;
        differences(width, guess, *first, others).map(bits).sum()
    };
    Guess::ALL.into_iter().map(cost).min()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Packets of a byte, a float, a two-byte integer and another byte, all of which change.
    #[test]
    fn words_are_found_by_how_they_change() {
        let mut packets = Vec::new();
        for at in 0..16_u16 {
            packets.push(at as u8 * 3);
            packets.extend((20.0 + f32::from(at) * 0.37).to_le_bytes());
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
}
