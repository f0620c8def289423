//! Which rows of a long list are in the document: those on the screen and a few around them.

use std::ops::Range;

/// Spare rows above and below those on the screen, so that scrolling shows no blank rows.
const SPARE: usize = 8;
/// The height of a row in CSS pixels, until the list has been measured.
const ROW: f64 = 34.0;

/// The part of a list that is on the screen, in CSS pixels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Window {
    /// How far the list is scrolled.
    pub(crate) top: f64,
    /// The height of the visible part.
    pub(crate) height: f64,
    /// The height of a row.
    pub(crate) row: f64,
}

impl Default for Window {
    fn default() -> Self {
        Self { top: 0.0, height: 800.0, row: ROW }
    }
}

impl Window {
    /// A window that was measured.
    pub(crate) fn new(top: f64, height: f64, row: f64) -> Self {
        Self { top: top.max(0.0), height: height.max(0.0), row: if row >= 1.0 { row } else { ROW } }
    }

    /// The rows in the document, of `count` in all.
    pub(crate) fn rows(&self, count: usize) -> Range<usize> {
        let first = (self.top / self.row) as usize;
        let last = ((self.top + self.height) / self.row).ceil() as usize;
        let end = last.saturating_add(SPARE).min(count);
        // The start moves in steps of four rows, so that scrolling by one row does not replace the first row each time.
        let start = first.saturating_sub(SPARE).min(end) / 4 * 4;
        start..end
    }

    /// The scroll position nearest to the current one that shows all of a row, in CSS pixels.
    pub(crate) fn towards(&self, row: usize) -> f64 {
        let above = row as f64 * self.row;
        let below = above + self.row - self.height;
        self.top.min(above).max(below).max(0.0)
    }

    /// The rows that Page Up and Page Down move by: one fewer than are visible, at least one.
    pub(crate) fn page(&self) -> usize {
        ((self.height / self.row) as usize).max(2) - 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_few_rows_of_thousands_are_in_the_document() {
        for (top, expected) in [(0.0, 0..32), (30.0, 0..33), (3_000.0, 92..132), (149_280.0, 4_968..5_000)] {
            let rows = Window::new(top, 720.0, 30.0).rows(5_000);
            assert_eq!(rows, expected, "{top}");
        }
    }

    #[test]
    fn short_lists_and_odd_measures_are_no_trouble() {
        assert_eq!(Window::default().rows(0), 0..0);
        assert_eq!(Window::new(9_000.0, 720.0, 30.0).rows(3), 0..3);
        assert_eq!(Window::new(f64::NAN, -4.0, 0.0).rows(100), 0..8);
    }

    #[test]
    fn a_row_is_brought_into_view_by_the_shortest_way() {
        let window = Window::new(300.0, 90.0, 30.0);
        for (row, top) in [(9, 270.0), (10, 300.0), (12, 300.0), (13, 330.0), (0, 0.0)] {
            assert_eq!(window.towards(row), top, "{row}");
        }
        assert_eq!(window.page(), 2);
    }
}
