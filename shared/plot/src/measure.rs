//! Reads values from a series: the nearest sample, the value under the cursor, and the minimum, maximum and mean of a
//! range.

use std::ops::RangeInclusive;

use trailbrake_model::Drawing;

use super::samples::partition;
use super::{Extent, Samples, Series};

/// The index of the sample nearest to a position on the axis; of two equally near, the earlier one.
pub fn nearest(x: &(impl Samples<Value: Into<f64>> + ?Sized), at: f64) -> Option<usize> {
    let span = x.span();
    let place = |index| x.at(index).map(Into::<f64>::into);
    let after = partition(span.clone(), |index| place(index).is_some_and(|place| place < at));
    let before = after.checked_sub(1).filter(|before| span.contains(before));
    match (before, place(after)) {
        (Some(before), Some(later)) => {
            let nearer = place(before).is_some_and(|earlier| at - earlier <= later - at);
            Some(if nearer { before } else { after })
        }
        (before, later) => before.or(later.map(|_| after)),
    }
}

/// The value at a position, as the line through the samples shows it; `None` in a gap and beyond the ends.
pub fn value_at<X, Y>(series: &Series<'_, X, Y>, at: f64, bridge: f64, drawing: Drawing) -> Option<f64>
where
    X: Samples<Value: Into<f64>> + ?Sized,
    Y: Samples<Value = f32> + ?Sized,
{
    let place = |index| series.x.at(index).map(Into::<f64>::into);
    let value = |index| series.y.at(index).filter(|value| value.is_finite()).map(f64::from);
    let after = partition(series.x.span(), |index| place(index).is_some_and(|place| place <= at));
    let before = after.checked_sub(1)?;
    let (from, start) = (place(before)?, value(before)?);
    if from == at {
        return Some(start);
    }
    let (to, end) = (place(after)?, value(after)?);
    if to - from > bridge {
        return None;
    }
    Some(match drawing {
        Drawing::Step => start,
        Drawing::Line | Drawing::Centred => start + (at - from) / (to - from) * (end - start),
    })
}

/// The minimum, maximum and mean of part of a channel.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Summary {
    /// The minimum and maximum.
    pub extent: Extent,
    /// The mean along the axis: each value is weighted by the distance or time for which it held.
    pub mean: f64,
}

/// Summarises the samples in part of the axis; `None` without any.
pub fn summary<X, Y>(series: &Series<'_, X, Y>, part: RangeInclusive<f64>, bridge: f64) -> Option<Summary>
where
    X: Samples<Value: Into<f64>> + ?Sized,
    Y: Samples<Value = f32> + ?Sized,
{
    let place = |index| series.x.at(index).map(Into::<f64>::into);
    let span = series.x.span();
    let start = partition(span.clone(), |index| place(index).is_some_and(|place| place < *part.start()));
    let end = partition(start..span.end, |index| place(index).is_some_and(|place| place <= *part.end()));
    let extent = series.extents.extent(series.y, start..end);
    if extent.is_empty() {
        return None;
    }
    let measured = |index| Some((place(index)?, series.y.at(index).filter(|value| value.is_finite())?));
    let (mut area, mut width, mut sum, mut count) = (0.0, 0.0, 0.0, 0.0);
    let mut last: Option<(f64, f32)> = None;
    for index in start..end {
        let sample = measured(index);
        if let Some((_, value)) = sample {
            sum += f64::from(value);
            count += 1.0;
        }
        if let (Some((from, start)), Some((to, end))) = (last, sample)
            && to - from <= bridge
        {
            area += (f64::from(start) + f64::from(end)) / 2.0 * (to - from);
            width += to - from;
        }
        last = sample;
    }
    let mean = if width > 0.0 { area / width } else { sum / count };
    Some(Summary { extent, mean })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::Pyramid;
    use super::*;

    fn series<'a>(x: &'a [f64], y: &'a [f32], extents: &'a Pyramid) -> Series<'a, [f64], [f32]> {
        Series { x, y, extents }
    }

    #[test]
    fn values_are_read_off_the_line() {
        let (x, y) = ([0.0, 2.0, 4.0, 20.0, 22.0], [1.0, 3.0, f32::NAN, 5.0, 6.0]);
        let extents = Pyramid::over(&y);
        let at = |place, drawing| value_at(&series(&x, &y, &extents), place, 3.0, drawing);
        assert_eq!(at(1.0, Drawing::Line), Some(2.0));
        assert_eq!(at(1.9, Drawing::Step), Some(1.0));
        assert_eq!(at(2.0, Drawing::Step), Some(3.0));
        assert_eq!(at(3.0, Drawing::Line), None, "the next sample is missing");
        assert_eq!(at(10.0, Drawing::Line), None, "a gap");
        assert_eq!(at(22.0, Drawing::Line), Some(6.0));
        assert_eq!((at(-1.0, Drawing::Line), at(23.0, Drawing::Line)), (None, None));
    }

    #[test]
    fn a_mean_weighs_by_the_axis() {
        let (x, y) = ([0.0, 1.0, 2.0, 12.0], [10.0, 10.0, 0.0, 0.0]);
        let extents = Pyramid::over(&y);
        let sums = summary(&series(&x, &y, &extents), 0.0..=12.0, 20.0).unwrap();
        assert_eq!(sums.extent, Extent { low: 0.0, high: 10.0 });
        assert_eq!(sums.mean, 15.0 / 12.0);
        let whole = summary(&series(&x, &y, &extents), 0.0..=12.0, 5.0).unwrap();
        assert_eq!(whole.mean, 7.5, "the gap weighs nothing");
        assert_eq!(summary(&series(&x, &y, &extents), 1.0..=1.0, 5.0).unwrap().mean, 10.0);
        assert_eq!(summary(&series(&x, &y, &extents), 3.0..=4.0, 5.0), None);
    }

    proptest! {
        #[test]
        fn the_nearest_is_the_nearest(mut x in proptest::collection::vec(-1e3f64..1e3, 0..60), at in -2e3f64..2e3) {
            x.sort_by(f64::total_cmp);
            let found = nearest(&x[..], at);
            let expected = x.iter().map(|place| (place - at).abs()).min_by(f64::total_cmp);
            prop_assert_eq!(found.map(|index| (x[index] - at).abs()), expected);
        }

        #[test]
        fn a_mean_lies_between_lowest_and_highest(y in proptest::collection::vec(-1e3f32..1e3, 1..200)) {
            let x: Vec<f64> = (0..y.len()).map(|index| index as f64 * 0.25).collect();
            let extents = Pyramid::over(&y);
            let sums = summary(&series(&x, &y, &extents), 0.0..=1e3, 1.0).unwrap();
            let slack = 1e-3;
            prop_assert!(sums.mean >= f64::from(sums.extent.low) - slack);
            prop_assert!(sums.mean <= f64::from(sums.extent.high) + slack);
        }

        #[test]
        fn a_value_lies_between_its_neighbours(y in proptest::collection::vec(-1e3f32..1e3, 2..50), at in 0f64..1.0) {
            let x: Vec<f64> = (0..y.len()).map(|index| index as f64).collect();
            let extents = Pyramid::over(&y);
            let place = at * (y.len() - 1) as f64;
            let value = value_at(&series(&x, &y, &extents), place, 2.0, Drawing::Line).unwrap();
            let (before, after) = (y[place.floor() as usize], y[place.ceil() as usize]);
            prop_assert!(value >= f64::from(before.min(after)) - 1e-3);
            prop_assert!(value <= f64::from(before.max(after)) + 1e-3);
        }
    }
}
