//! The minimum and maximum of every power-of-two block of a column.

use std::ops::Range;

use super::{Ring, Samples};

/// The minimum and maximum of some values. Without values its low is above its high.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Extent {
    /// The minimum.
    pub low: f32,
    /// The maximum.
    pub high: f32,
}

impl Extent {
    /// The extent of no values.
    pub const EMPTY: Self = Self { low: f32::INFINITY, high: f32::NEG_INFINITY };

    /// Whether it is the extent of no values.
    pub fn is_empty(self) -> bool {
        self.low > self.high
    }

    /// The extent widened to a value; NaN and infinities are ignored.
    #[must_use]
    pub fn including(self, value: f32) -> Self {
        match value.is_finite() {
            true => Self { low: self.low.min(value), high: self.high.max(value) },
            false => self,
        }
    }

    /// The extent of both.
    #[must_use]
    pub fn merged(self, other: Self) -> Self {
        Self { low: self.low.min(other.low), high: self.high.max(other.high) }
    }
}

/// Samples per block of the lowest level. Smaller blocks would cost more memory than they save time.
const BLOCK: usize = 8;

/// The extents of blocks of 8, 16, 32 … samples, so that the extent of any range takes a few steps.
///
/// Adding a sample takes amortised constant time; the memory of a rolling pyramid does not grow.
#[derive(Clone, Debug)]
pub struct Pyramid {
    levels: Vec<Ring<Extent>>,
    /// The extent of the samples after the last full block.
    open: Extent,
    len: usize,
    rolling: bool,
}

impl Pyramid {
    /// A pyramid over values that are all kept.
    pub fn growing() -> Self {
        Self { levels: Vec::new(), open: Extent::EMPTY, len: 0, rolling: false }
    }

    /// A pyramid over a rolling buffer of the same capacity.
    pub fn rolling(capacity: usize) -> Self {
        let blocks = capacity.max(1).next_power_of_two() / BLOCK;
        let sizes = std::iter::successors(Some(blocks), |blocks| Some(blocks / 2));
        let levels = sizes.take_while(|&blocks| blocks >= 2).map(Ring::rolling).collect();
        Self { levels, open: Extent::EMPTY, len: 0, rolling: true }
    }

    /// A pyramid over a finished column.
    pub fn over(values: &[f32]) -> Self {
        let mut pyramid = Self::growing();
        for &value in values {
            pyramid.push(value);
        }
        pyramid
    }

    /// Adds the next sample.
    pub fn push(&mut self, value: f32) {
        self.open = self.open.including(value);
        self.len += 1;
        if self.len.is_multiple_of(BLOCK) {
            let full = std::mem::replace(&mut self.open, Extent::EMPTY);
            self.carry(full);
        }
    }

    /// Removes every sample.
    pub fn clear(&mut self) {
        self.levels.iter_mut().for_each(Ring::clear);
        self.open = Extent::EMPTY;
        self.len = 0;
    }

    /// The extent of the samples `within`; `values` are those that were pushed.
    pub fn extent(&self, values: &(impl Samples<Value = f32> + ?Sized), within: Range<usize>) -> Extent {
        let mut extent = Extent::EMPTY;
        let mut index = within.start;
        while index < within.end {
            match self.block_at(index, within.end) {
                Some((block, size)) => {
                    extent = extent.merged(block);
                    index += size;
                }
                None => {
                    extent = values.at(index).map_or(extent, |value| extent.including(value));
                    index += 1;
                }
            }
        }
        extent
    }

    /// Passes a full block up: every second one completes a block of the next level.
    fn carry(&mut self, mut block: Extent) {
        for level in &mut self.levels {
            level.push(block);
            let count = level.span().end;
            let Some(twin) = count.checked_sub(2).filter(|_| count.is_multiple_of(2)) else { return };
            block = level.at(twin).map_or(block, |twin| twin.merged(block));
        }
        if !self.rolling {
            let mut level = Ring::growing();
            level.push(block);
            self.levels.push(level);
        }
    }

    /// The largest block that begins at `index` and ends by `end`, with its size in samples.
    fn block_at(&self, index: usize, end: usize) -> Option<(Extent, usize)> {
        let aligned = index.trailing_zeros();
        let fits = (end - index).ilog2();
        let highest = aligned.min(fits).checked_sub(BLOCK.ilog2())? as usize;
        let levels = self.levels.iter().enumerate().take(highest + 1).rev();
        levels
            .filter_map(|(level, blocks)| Some((blocks.at(index / (BLOCK << level))?, BLOCK << level)))
            .next()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Values with an occasional gap.
    fn values() -> impl Strategy<Value = Vec<f32>> {
        let value = prop_oneof![9 => -1e6f32..1e6, 1 => Just(f32::NAN)];
        proptest::collection::vec(value, 0..700)
    }

    fn scan(values: &(impl Samples<Value = f32> + ?Sized), within: Range<usize>) -> Extent {
        within.filter_map(|index| values.at(index)).fold(Extent::EMPTY, Extent::including)
    }

    proptest! {
        #[test]
        fn every_range_equals_a_scan(values in values(), a in 0usize..700, b in 0usize..700) {
            let pyramid = Pyramid::over(&values);
            let within = a.min(b).min(values.len())..a.max(b).min(values.len());
            prop_assert_eq!(pyramid.extent(&values[..], within.clone()), scan(&values[..], within));
        }

        #[test]
        fn every_live_range_of_a_rolling_pyramid_equals_a_scan(values in values(), capacity in 1usize..200) {
            let (mut ring, mut pyramid) = (Ring::rolling(capacity), Pyramid::rolling(capacity));
            for (count, &value) in values.iter().enumerate() {
                ring.push(value);
                pyramid.push(value);
                let span = ring.span();
                let part = span.start + count % span.len()..span.end;
                prop_assert_eq!(pyramid.extent(&ring, span.clone()), scan(&ring, span));
                prop_assert_eq!(pyramid.extent(&ring, part.clone()), scan(&ring, part));
            }
        }
    }

    #[test]
    fn a_rolling_pyramid_does_not_grow() {
        let mut pyramid = Pyramid::rolling(1024);
        let kept = |pyramid: &Pyramid| pyramid.levels.iter().map(|level| level.span().len()).sum::<usize>();
        for count in 0..100_000 {
            pyramid.push(count as f32);
        }
        assert_eq!(kept(&pyramid), 128 + 64 + 32 + 16 + 8 + 4 + 2);
    }

    #[test]
    fn only_gaps_is_empty() {
        assert!(Pyramid::over(&[f32::NAN; 64]).extent(&[f32::NAN; 64][..], 0..64).is_empty());
    }
}
