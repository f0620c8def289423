//! Traces a channel's line: exact where samples are sparse, minimum and maximum of each pixel where they are dense.

use std::ops::Range;

use trailbrake_model::Drawing;

use super::samples::{gallop, partition};
use super::{Column, Polyline, Pyramid, Samples, Scale};

/// A channel along an axis.
pub struct Series<'a, X: ?Sized, Y: ?Sized> {
    /// Distance in metres or time in seconds, never falling.
    pub x: &'a X,
    /// The channel's values at the same indices; NaN where nothing was measured.
    pub y: &'a Y,
    /// The extents of blocks of `y`.
    pub extents: &'a Pyramid,
}

impl<'a, X: ?Sized> Series<'a, X, Column> {
    /// A live column along its axis.
    pub fn live(x: &'a X, column: &'a Column) -> Self {
        Self { x, y: column, extents: column.extents() }
    }
}

/// Where and how a series is drawn.
#[derive(Clone, Copy, Debug)]
pub struct View {
    /// The horizontal scale, from left to right.
    pub x: Scale,
    /// The vertical scale.
    pub y: Scale,
    /// Maximum distance in x of two samples that are joined; more is a gap.
    pub bridge: f64,
    /// How the line goes from sample to sample.
    pub drawing: Drawing,
}

/// Up to this many samples in a pixel are drawn individually: no more points than first, minimum, maximum and last.
const SPARSE: usize = 4;

/// Adds a series' line to `line`, from the view's left edge to its right.
///
/// The cost depends on the pixels between the edges, hardly on the samples there.
pub fn trace<X, Y>(series: &Series<'_, X, Y>, view: &View, line: &mut Polyline)
where
    X: Samples<Value: Into<f64>> + ?Sized,
    Y: Samples<Value = f32> + ?Sized,
{
    let mut pen = Pen { series, view, line, last: None };
    let span = pen.series.x.span();
    let (left, right) = view.x.pixels();
    let start = partition(span.clone(), |index| pen.x_pixel(index) < left);
    let end = partition(start..span.end, |index| pen.x_pixel(index) <= right);

    if start > span.start {
        pen.enter(start - 1, start, left);
    }
    let (mut index, mut expected) = (start, 0);
    while index < end {
        let pixel = pen.x_pixel(index).floor();
        let next = gallop(index + 1..end, expected, |later| pen.x_pixel(later).floor() <= pixel);
        match next - index {
            0..=SPARSE => (index..next).for_each(|index| pen.sample(index)),
            _ => pen.pixel(index..next, pixel),
        }
        // Neighbouring pixels hold about as many samples.
        expected = next - index - 1;
        index = next;
    }
    if end < span.end {
        pen.leave(end, right);
    }
}

/// Draws the samples of a series in order.
struct Pen<'a, X: ?Sized, Y: ?Sized> {
    series: &'a Series<'a, X, Y>,
    view: &'a View,
    line: &'a mut Polyline,
    /// The last drawn sample, unless the line is interrupted.
    last: Option<Last>,
}

#[derive(Clone, Copy)]
struct Last {
    index: usize,
    y: f32,
}

impl<X, Y> Pen<'_, X, Y>
where
    X: Samples<Value: Into<f64>> + ?Sized,
    Y: Samples<Value = f32> + ?Sized,
{
    /// Draws a line to the next sample, or lifts the pen if its value is missing.
    fn sample(&mut self, index: usize) {
        let (x, Some(y)) = (self.x_pixel(index), self.y_pixel(index)) else {
            self.last = None;
            return;
        };
        self.join(index, x, y);
        self.last = Some(Last { index, y });
    }

    /// Draws many samples within one pixel: first and last at their positions, the extent between them.
    fn pixel(&mut self, samples: Range<usize>, pixel: f32) {
        let extent = self.series.extents.extent(self.series.y, samples.clone());
        if extent.is_empty() {
            self.last = None;
            return;
        }
        let (first, last) = (samples.start, samples.end - 1);
        let middle = (pixel + 0.5).max(self.x_pixel(first)).min(self.x_pixel(last));
        let (low, high) = (self.scaled(extent.low), self.scaled(extent.high));

        self.sample(first);
        let (near, far) = match self.last {
            Some(Last { y, .. }) if (y - high).abs() < (y - low).abs() => (high, low),
            _ => (low, high),
        };
        match self.last {
            Some(_) => self.line.line_to(middle, near),
            None => self.line.move_to(middle, near),
        }
        self.line.line_to(middle, far);
        self.last = self.y_pixel(last).map(|y| Last { index: last, y });
        if let Some(Last { y, .. }) = self.last {
            self.line.line_to(self.x_pixel(last), y);
        }
    }

    /// Begins at the left edge if the line comes from a sample beyond it.
    fn enter(&mut self, before: usize, after: usize, left: f32) {
        let Some(y) = self.crossing(before, after, left) else { return };
        self.line.move_to(left, y);
        self.last = Some(Last { index: before, y });
    }

    /// Ends at the right edge if the line continues to a sample beyond it.
    fn leave(&mut self, after: usize, right: f32) {
        let Some(Last { index, .. }) = self.last else { return };
        if let Some(y) = self.crossing(index, after, right) {
            self.line.line_to(right, y);
        }
    }

    /// The line's height where it crosses pixel `at` between two samples, if they are joined.
    fn crossing(&self, before: usize, after: usize, at: f32) -> Option<f32> {
        let (from, to) = (self.y_pixel(before)?, self.y_pixel(after)?);
        if !self.joined(before, after) {
            return None;
        }
        if self.view.drawing == Drawing::Step {
            return Some(from);
        }
        let (x_from, x_to) = (f64::from(self.x_pixel(before)), f64::from(self.x_pixel(after)));
        let share = if x_to > x_from { (f64::from(at) - x_from) / (x_to - x_from) } else { 0.0 };
        Some((f64::from(from) + share * f64::from(to - from)) as f32)
    }

    fn join(&mut self, index: usize, x: f32, y: f32) {
        match self.last {
            Some(last) if self.joined(last.index, index) => {
                if self.view.drawing == Drawing::Step && last.y != y {
                    self.line.line_to(x, last.y);
                }
                self.line.line_to(x, y);
            }
            _ => self.line.move_to(x, y),
        }
    }

    fn joined(&self, before: usize, after: usize) -> bool {
        let x = |index| self.series.x.at(index).map(Into::<f64>::into);
        matches!((x(before), x(after)), (Some(from), Some(to)) if to - from <= self.view.bridge)
    }

    fn x_pixel(&self, index: usize) -> f32 {
        self.series.x.at(index).map_or(f32::INFINITY, |x| self.view.x.pixel(x.into()))
    }

    fn y_pixel(&self, index: usize) -> Option<f32> {
        self.series.y.at(index).filter(|value| value.is_finite()).map(|value| self.scaled(value))
    }

    fn scaled(&self, value: f32) -> f32 {
        self.view.y.pixel(f64::from(value))
    }
}

#[cfg(test)]
mod tests;
