use proptest::prelude::*;

use super::super::{Domain, Extent};
use super::*;

const LEFT: f32 = 118.0;

/// A random column along an axis, with gaps in x and missing values.
#[derive(Clone, Debug)]
struct TestColumn {
    x: Vec<f64>,
    y: Vec<f32>,
}

const BRIDGE: f64 = 1.0;

fn made(most: usize) -> impl Strategy<Value = TestColumn> {
    let step = prop_oneof![20 => 0f64..0.1, 2 => Just(0.0), 1 => 1.5f64..40.0];
    let value = prop_oneof![20 => -1f32..1.0, 2 => Just(100.0), 1 => Just(f32::NAN)];
    proptest::collection::vec((step, value), 1..most).prop_map(|steps| {
        let mut at = 0.0;
        let x = steps
            .iter()
            .map(|(step, _)| {
                at += step;
                at
            })
            .collect();
        TestColumn { x, y: steps.into_iter().map(|(_, value)| value).collect() }
    })
}

fn view(domain: Domain, width: f32, drawing: Drawing) -> View {
    View {
        x: Scale::new(domain, LEFT, LEFT + width),
        y: Scale::new(Domain::new(-1.0, 1.0), 200.0, 0.0),
        bridge: BRIDGE,
        drawing,
    }
}

fn whole(made: &TestColumn, width: f32, drawing: Drawing) -> View {
    view(Domain::new(made.x[0], made.x[made.x.len() - 1]), width, drawing)
}

fn drawn(made: &TestColumn, view: &View) -> Polyline {
    let extents = Pyramid::over(&made.y);
    let mut line = Polyline::default();
    trace(&Series { x: &made.x, y: &made.y, extents: &extents }, view, &mut line);
    line
}

/// The lowest and highest point of each pixel, from left to right.
fn by_pixel(points: impl Iterator<Item = [f32; 2]>) -> Vec<(f32, Extent)> {
    let mut pixels: std::collections::BTreeMap<i64, Extent> = std::collections::BTreeMap::new();
    for [x, y] in points {
        let extent = pixels.entry(x.floor() as i64).or_insert(Extent::EMPTY);
        *extent = extent.including(y);
    }
    pixels.into_iter().map(|(pixel, extent)| (pixel as f32, extent)).collect()
}

/// The position on screen of every sample with a value.
fn places<'a>(made: &'a TestColumn, view: &'a View) -> impl Iterator<Item = [f32; 2]> + 'a {
    let pairs = made.x.iter().zip(&made.y).filter(|(_, y)| y.is_finite());
    pairs.map(|(&x, &y)| [view.x.pixel(x), view.y.pixel(f64::from(y))])
}

/// Whether a run covers `from..to` without interruption.
fn covered(line: &Polyline, from: f32, to: f32) -> bool {
    line.runs().any(|run| run[0][0] <= from && run[run.len() - 1][0] >= to)
}

proptest! {
    #[test]
    fn every_pixel_shows_exactly_its_own_lowest_and_highest(made in made(800), width in 2f32..300.0) {
        let view = whole(&made, width, Drawing::Line);
        prop_assert_eq!(by_pixel(drawn(&made, &view).points().iter().copied()), by_pixel(places(&made, &view)));
    }

    #[test]
    fn a_zoomed_pixel_shows_its_own_too(made in made(800), width in 2f32..300.0, a in 0f64..1.0, b in 0f64..1.0) {
        let (low, high) = (made.x[0], made.x[made.x.len() - 1]);
        let at = |share| low + share * (high - low);
        let view = view(Domain::new(at(a), at(b)), width, Drawing::Line);
        let (left, right) = view.x.pixels();
        let line = drawn(&made, &view);
        // At the two edges the line also shows where it comes from and goes to.
        let inner = |&(pixel, _): &(f32, Extent)| pixel > left.floor() && pixel < right.floor();
        let shown: Vec<_> = by_pixel(line.points().iter().copied()).into_iter().filter(inner).collect();
        let expected: Vec<_> = by_pixel(places(&made, &view)).into_iter().filter(inner).collect();
        prop_assert_eq!(shown, expected);
        prop_assert!(line.points().iter().all(|[x, _]| (left..=right).contains(x)));
    }

    #[test]
    fn lines_run_from_left_to_right(made in made(800), width in 2f32..300.0, held in any::<bool>()) {
        let drawing = if held { Drawing::Step } else { Drawing::Line };
        let line = drawn(&made, &whole(&made, width, drawing));
        for pair in line.points().windows(2) {
            prop_assert!(pair[0][0] <= pair[1][0], "{pair:?}");
        }
        for run in line.runs() {
            prop_assert!(!run.is_empty());
        }
    }

    #[test]
    fn the_ends_are_drawn_exactly_where_they_are(made in made(800), width in 2f32..300.0) {
        let view = whole(&made, width, Drawing::Line);
        let line = drawn(&made, &view);
        let (first, last) = (made.y[0], made.y[made.y.len() - 1]);
        let place = |x: f64, y: f32| [view.x.pixel(x), view.y.pixel(f64::from(y))];
        if first.is_finite() {
            prop_assert_eq!(line.points()[0], place(made.x[0], first));
        }
        if last.is_finite() {
            prop_assert_eq!(line.points()[line.points().len() - 1], place(made.x[made.x.len() - 1], last));
        }
    }

    #[test]
    fn gaps_stay_gaps(made in made(300), width in 2f32..3000.0) {
        let view = whole(&made, width, Drawing::Line);
        let line = drawn(&made, &view);
        let x = |index: usize| view.x.pixel(made.x[index]);
        for index in 1..made.x.len() {
            let (before, after) = (x(index - 1), x(index));
            let missing = !made.y[index - 1].is_finite() || !made.y[index].is_finite();
            let jump = made.x[index] - made.x[index - 1] > BRIDGE;
            // Within one pixel there is no room to show a gap.
            let wide = before.floor() != after.floor();
            if wide && (missing || jump) {
                prop_assert!(!covered(&line, before, after), "a line crosses from {before} to {after}");
            } else if wide {
                prop_assert!(covered(&line, before, after), "the line breaks between {before} and {after}");
            }
        }
    }

    #[test]
    fn spikes_stay_spikes(count in 1000usize..20_000, at in 0f64..1.0, up in any::<bool>()) {
        let mut made = TestColumn {
            x: (0..count).map(|index| index as f64 / 60.0).collect(),
            y: vec![0.0; count],
        };
        let at = ((count - 1) as f64 * at) as usize;
        made.y[at] = if up { 1.0 } else { -1.0 };
        let view = whole(&made, 200.0, Drawing::Line);
        let tip = view.y.pixel(f64::from(made.y[at]));
        let pixel = view.x.pixel(made.x[at]).floor();
        let line = drawn(&made, &view);
        prop_assert!(line.points().iter().any(|&[x, y]| y == tip && x.floor() == pixel));
    }

    #[test]
    fn the_number_of_points_follows_the_pixels(count in 10_000usize..40_000, width in 10f32..400.0) {
        let made = TestColumn {
            x: (0..count).map(|index| index as f64).collect(),
            y: (0..count).map(|index| (index as f32 * 0.37).sin()).collect(),
        };
        let view = View { bridge: 2.0, ..whole(&made, width, Drawing::Line) };
        let line = drawn(&made, &view);
        prop_assert_eq!(line.runs().count(), 1);
        prop_assert!(line.points().len() <= 4 * (width as usize + 2));
    }

    #[test]
    fn a_rolling_column_draws_like_the_same_samples_kept(made in made(600), width in 2f32..200.0) {
        let (mut x, mut y) = (super::super::Ring::rolling(100), Column::rolling(100));
        for (&at, &value) in made.x.iter().zip(&made.y) {
            x.push(at);
            y.push(value);
        }
        let kept = x.span();
        let tail = TestColumn { x: made.x[kept.clone()].to_vec(), y: made.y[kept].to_vec() };
        let view = whole(&tail, width, Drawing::Line);
        let mut line = Polyline::default();
        trace(&Series::live(&x, &y), &view, &mut line);
        prop_assert_eq!(line, drawn(&tail, &view));
    }
}

fn runs(made: &TestColumn, view: &View) -> Vec<Vec<[f32; 2]>> {
    drawn(made, view).runs().map(<[_]>::to_vec).collect()
}

/// A view in which a value's pixel is the value: x to the right, y downwards.
fn plain(to: f32, drawing: Drawing) -> View {
    let across = Scale::new(Domain::new(0.0, f64::from(to)), 0.0, to);
    View { x: across, y: across, bridge: 5.0, drawing }
}

#[test]
fn gears_are_held_until_the_next_sample() {
    let made = TestColumn { x: vec![0.0, 3.0, 6.0, 20.0], y: vec![3.0, 4.0, 4.0, 5.0] };
    let expected = vec![vec![[0.0, 3.0], [3.0, 3.0], [3.0, 4.0], [6.0, 4.0]], vec![[20.0, 5.0]]];
    assert_eq!(runs(&made, &plain(20.0, Drawing::Step)), expected);
}

#[test]
fn a_line_that_only_passes_through_is_cut_at_the_edges() {
    let made = TestColumn { x: vec![0.0, 4.0], y: vec![0.0, 8.0] };
    let x = Scale::new(Domain::new(1.0, 3.0), 10.0, 30.0);
    let view = View { x, ..plain(10.0, Drawing::Line) };
    assert_eq!(runs(&made, &view), vec![vec![[10.0, 2.0], [30.0, 6.0]]]);
    let held = View { drawing: Drawing::Step, ..view };
    assert_eq!(runs(&made, &held), vec![vec![[10.0, 0.0], [30.0, 0.0]]]);
}

#[test]
fn nothing_is_drawn_of_nothing() {
    let view = plain(10.0, Drawing::Line);
    assert!(runs(&TestColumn { x: vec![], y: vec![] }, &view).is_empty());
    assert!(runs(&TestColumn { x: vec![1.0, 2.0], y: vec![f32::NAN; 2] }, &view).is_empty());
    let outside = TestColumn { x: vec![20.0, 21.0], y: vec![1.0, 1.0] };
    assert!(runs(&outside, &view).is_empty());
}
