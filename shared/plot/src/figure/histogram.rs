//! The histogram of a channel for a lap and its reference, weighted by time.

use super::{Axis, Figure, Mark, Shape, Tone};
use crate::step::Step;
use crate::{Domain, TickKind};

/// Approximate number of bars.
const BARS: f64 = 24.0;
/// Approximate number of ticks on the vertical axis.
const STEPS: usize = 5;

/// A channel's values in a lap, each with the seconds for which it held.
#[derive(Clone, Debug, PartialEq)]
pub struct Histogram {
    /// The channel's title.
    pub title: String,
    /// The display unit; empty for plain numbers.
    pub unit: &'static str,
    /// Whether there are only whole numbers, such as gears and states.
    pub whole: bool,
    /// The lap's values and seconds; all are finite.
    pub lap: Vec<(f64, f64)>,
    /// The reference's; empty without one.
    pub reference: Vec<(f64, f64)>,
}

/// Draws the share of time at each value: bars of round widths, with the reference as an outline.
pub fn histogram_figure(histogram: &Histogram) -> Figure {
    let (mut lowest, mut highest) = (f64::INFINITY, f64::NEG_INFINITY);
    for samples in [&histogram.lap, &histogram.reference] {
        for (value, _) in samples {
            (lowest, highest) = (lowest.min(*value), highest.max(*value));
        }
    }
    let span = Domain::new(lowest, highest).span() / BARS;
    // A whole number is in the middle of its bar.
    let (step, aside) =
        if histogram.whole { (Step::at_least(span.max(1.0)), 0.5) } else { (Step::at_least(span), 0.0) };
    let place = |value: f64| (value / step.size() + aside).floor();
    let first = place(lowest);
    // A fully pressed pedal belongs to the last bar, not to one beyond it.
    let last = if histogram.whole { place(highest) } else { (highest / step.size()).ceil() - 1.0 }.max(first);
    let middle = |place: f64| step.times(place) + step.size() * (0.5 - aside);
    let count = if (last - first).is_finite() { (last - first) as usize + 1 } else { 0 };
    let bars = |samples: &[(f64, f64)]| {
        let mut bars: Vec<[f64; 2]> = (0..count).map(|nth| [middle(first + nth as f64), 0.0]).collect();
        let mut whole = f64::MIN_POSITIVE;
        for (value, lasts_s) in samples {
            if let Some([_, bar]) = bars.get_mut((place(*value).min(last) - first) as usize) {
                *bar += lasts_s;
                whole += lasts_s;
            }
        }
        bars.iter_mut().for_each(|[_, bar]| *bar *= 100.0 / whole);
        bars
    };
    let mut marks = vec![Mark::new("lap", Tone::Main, Shape::Bars(step.size(), bars(&histogram.lap)))];
    if !histogram.reference.is_empty() {
        let outline = Shape::Outline(step.size(), bars(&histogram.reference));
        marks.push(Mark::new("reference", Tone::Reference, outline));
    }
    let shares = Figure::holding(&marks, 1).with_zero().nice(STEPS);
    let half = step.size() / 2.0;
    let label = match histogram.unit {
        "" => histogram.title.clone(),
        unit => format!("{}, {unit}", histogram.title),
    };
    Figure {
        title: histogram.title.clone(),
        x: Axis {
            label,
            domain: Domain::new(middle(first) - half, middle(last) + half),
            ticks: if histogram.whole { TickKind::Whole } else { TickKind::Number },
        },
        y: Axis { label: "share of the time, %".to_owned(), domain: shares, ticks: TickKind::Number },
        square: false,
        marks,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn histogram(whole: bool, lap: &[(f64, f64)], reference: &[(f64, f64)]) -> Histogram {
        let (lap, reference) = (lap.to_vec(), reference.to_vec());
        Histogram { title: "Speed".to_owned(), unit: "km/h", whole, lap, reference }
    }

    fn bars(figure: &Figure, mark: usize) -> (f64, Vec<[f64; 2]>) {
        match &figure.marks[mark].shape {
            Shape::Bars(width, places) | Shape::Outline(width, places) => (*width, places.clone()),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn bars_are_round_and_count_time() {
        // Three quarters of the time at 103, a quarter at 297; the reference always at 120.
        let figure = histogram_figure(&histogram(false, &[(103.0, 3.0), (297.0, 1.0)], &[(120.0, 5.0)]));
        let (width, lap) = bars(&figure, 0);
        assert_eq!((width, lap.len()), (10.0, 20));
        assert_eq!((lap[0], lap[19]), ([105.0, 75.0], [295.0, 25.0]));
        let (_, reference) = bars(&figure, 1);
        assert_eq!(reference[2], [125.0, 100.0]);
        assert_eq!(figure.x.label, "Speed, km/h");
        assert_eq!((figure.x.domain.low(), figure.x.domain.high()), (100.0, 300.0));
    }

    #[test]
    fn a_gear_has_a_bar_of_its_own() {
        let figure = histogram_figure(&histogram(true, &[(2.0, 1.0), (3.0, 1.0), (5.0, 2.0)], &[]));
        let (width, lap) = bars(&figure, 0);
        assert_eq!(width, 1.0);
        assert_eq!(lap, [[2.0, 25.0], [3.0, 25.0], [4.0, 0.0], [5.0, 50.0]]);
        assert_eq!((figure.marks.len(), figure.x.ticks), (1, TickKind::Whole));
    }

    #[test]
    fn a_pedal_pressed_all_the_way_is_in_the_last_bar() {
        let (_, lap) = bars(&histogram_figure(&histogram(false, &[(0.0, 1.0), (100.0, 3.0)], &[])), 0);
        assert_eq!((lap.len(), lap[0], lap[19]), (20, [2.5, 25.0], [97.5, 75.0]));
    }

    proptest! {
        #[test]
        fn shares_come_to_a_whole(values in prop::collection::vec((-1e4_f64..1e4, 0.01_f64..0.1), 1..200), whole: bool) {
            let values: Vec<(f64, f64)> =
                values.into_iter().map(|(value, s)| (if whole { value.round() } else { value }, s)).collect();
            let (_, lap) = bars(&histogram_figure(&histogram(whole, &values, &[])), 0);
            let sum: f64 = lap.iter().map(|[_, share]| share).sum();
            prop_assert!((sum - 100.0).abs() < 1e-6 && lap.len() < 60, "{sum}, {}", lap.len());
        }
    }
}
