//! Sample sources: a slice, or a buffer that grows or rolls while the car drives.

use std::ops::Range;

/// Samples in the order of measurement. Each keeps its index.
pub trait Samples {
    /// The type of a sample.
    type Value: Copy;
    /// The indices that can be read. In a rolling buffer they start above zero once samples were dropped.
    fn span(&self) -> Range<usize>;
    /// The sample at an index, if it is still there.
    fn at(&self, index: usize) -> Option<Self::Value>;
}

impl<T: Copy> Samples for [T] {
    type Value = T;

    fn span(&self) -> Range<usize> {
        0..self.len()
    }

    fn at(&self, index: usize) -> Option<T> {
        self.get(index).copied()
    }
}

impl<T: Copy> Samples for Vec<T> {
    type Value = T;

    fn span(&self) -> Range<usize> {
        0..self.len()
    }

    fn at(&self, index: usize) -> Option<T> {
        self.get(index).copied()
    }
}

/// The first index in `within` for which `before` no longer holds, found by growing steps from where it is `expected`,
/// counted from the front: cheap if that is nearly right.
pub(super) fn gallop(within: Range<usize>, expected: usize, before: impl Fn(usize) -> bool) -> usize {
    let Range { start, end } = within;
    let mut step = expected / 16 + 1;
    let guess = start + expected.saturating_sub(step);
    if guess >= end || guess > start && !before(guess - 1) {
        return partition(start..guess.min(end), before);
    }
    let mut low = guess;
    while low < end {
        let probe = (low + step - 1).min(end - 1);
        if !before(probe) {
            return partition(low..probe, before);
        }
        low = probe + 1;
        step *= 2;
    }
    end
}

/// The first index in `within` for which `before` no longer holds, by binary search.
pub(super) fn partition(within: Range<usize>, before: impl Fn(usize) -> bool) -> usize {
    let Range { start: mut low, end: mut high } = within;
    while low < high {
        let middle = low + (high - low) / 2;
        if before(middle) { low = middle + 1 } else { high = middle }
    }
    low
}

/// A buffer of samples: all of them, or only the latest.
#[derive(Clone, Debug)]
pub struct Ring<T> {
    kept: Vec<T>,
    /// All ones if nothing is ever dropped.
    mask: usize,
    end: usize,
}

impl<T: Copy> Ring<T> {
    /// A buffer that keeps everything.
    pub fn growing() -> Self {
        Self { kept: Vec::new(), mask: usize::MAX, end: 0 }
    }

    /// A buffer that keeps at least the latest `capacity` samples, in memory for at most twice as many.
    pub fn rolling(capacity: usize) -> Self {
        let size = capacity.max(1).next_power_of_two();
        Self { kept: Vec::with_capacity(size), mask: size - 1, end: 0 }
    }

    /// Adds a sample; a full rolling buffer drops its oldest.
    pub fn push(&mut self, sample: T) {
        let place = self.end & self.mask;
        match self.kept.get_mut(place) {
            Some(oldest) => *oldest = sample,
            None => self.kept.push(sample),
        }
        self.end += 1;
    }

    /// Removes every sample but keeps the memory; indices start at zero again.
    pub fn clear(&mut self) {
        self.kept.clear();
        self.end = 0;
    }

    /// The latest sample.
    pub fn last(&self) -> Option<T> {
        self.at(self.end.checked_sub(1)?)
    }
}

impl<T: Copy> Samples for Ring<T> {
    type Value = T;

    fn span(&self) -> Range<usize> {
        self.end - self.kept.len()..self.end
    }

    fn at(&self, index: usize) -> Option<T> {
        if !self.span().contains(&index) {
            return None;
        }
        self.kept.get(index & self.mask).copied()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_rolling_buffer_forgets_the_oldest_and_keeps_indices() {
        let mut ring = Ring::rolling(3);
        for sample in 0..10 {
            ring.push(sample);
        }
        assert_eq!(ring.span(), 6..10, "three asked for, four is the next power of two");
        assert_eq!((ring.at(5), ring.at(6), ring.at(9), ring.at(10)), (None, Some(6), Some(9), None));
        assert_eq!(ring.last(), Some(9));
        ring.clear();
        assert_eq!((ring.span(), ring.last()), (0..0, None));
        ring.push(7);
        assert_eq!((ring.span(), ring.last()), (0..1, Some(7)));
    }

    proptest! {
        #[test]
        fn galloping_and_halving_agree(
            start in 0usize..50, length in 0usize..300, turn in 0usize..400, expected in 0usize..400
        ) {
            let within = start..start + length;
            let answer = turn.clamp(within.start, within.end);
            prop_assert_eq!(gallop(within.clone(), expected, |index| index < turn), answer);
            prop_assert_eq!(partition(within, |index| index < turn), answer);
        }

        #[test]
        fn a_rolling_buffer_equals_the_tail_of_everything(capacity in 1usize..40, count in 0usize..200) {
            let (mut ring, mut all) = (Ring::rolling(capacity), Ring::growing());
            for sample in 0..count {
                ring.push(sample);
                all.push(sample);
            }
            prop_assert_eq!(all.span(), 0..count);
            prop_assert!(ring.span().len() >= capacity.min(count));
            prop_assert!(ring.span().len() < 2 * capacity);
            for index in ring.span() {
                prop_assert_eq!(ring.at(index), all.at(index));
            }
        }
    }
}
