//! A channel as it is drawn: values, and the extents of their blocks.

use std::ops::Range;

use super::{Extent, Pyramid, Ring, Samples};

/// A channel's values, and the minimum and maximum of their blocks, updated as samples arrive.
#[derive(Clone, Debug)]
pub struct Column {
    values: Ring<f32>,
    extents: Pyramid,
}

impl Column {
    /// A column that keeps everything, for a lap.
    pub fn growing() -> Self {
        Self { values: Ring::growing(), extents: Pyramid::growing() }
    }

    /// A column that keeps at least the latest `capacity` samples, for a rolling window.
    pub fn rolling(capacity: usize) -> Self {
        Self { values: Ring::rolling(capacity), extents: Pyramid::rolling(capacity) }
    }

    /// Adds a value; NaN means "not measured" and is drawn as a gap.
    pub fn push(&mut self, value: f32) {
        self.values.push(value);
        self.extents.push(value);
    }

    /// Removes every value but keeps the memory.
    pub fn clear(&mut self) {
        self.values.clear();
        self.extents.clear();
    }

    /// The latest value, which may be NaN.
    pub fn last(&self) -> Option<f32> {
        self.values.last()
    }

    /// The minimum and maximum of each block.
    pub fn extents(&self) -> &Pyramid {
        &self.extents
    }

    /// The minimum and maximum between two indices.
    pub fn extent(&self, within: Range<usize>) -> Extent {
        self.extents.extent(&self.values, within)
    }
}

impl Samples for Column {
    type Value = f32;

    fn span(&self) -> Range<usize> {
        self.values.span()
    }

    fn at(&self, index: usize) -> Option<f32> {
        self.values.at(index)
    }
}
