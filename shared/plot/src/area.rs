//! Tints the area between a line and its zero: a rising delta loses time, a falling one gains it.

use super::samples::gallop;
use super::{Polyline, Samples, Series, View};

/// Areas as closed polygons, sorted by the trend of the line above them.
#[derive(Clone, Debug, Default)]
pub struct Tint {
    /// Where the line rises.
    pub rising: Polyline,
    /// Where the line falls.
    pub falling: Polyline,
    edge: Vec<[f32; 2]>,
}

impl Tint {
    /// Removes all areas but keeps the memory.
    pub fn clear(&mut self) {
        self.rising.clear();
        self.falling.clear();
    }

    /// Closes the area between the collected edge and the base.
    fn close(&mut self, trend: Trend, base: f32) {
        let area = match trend {
            Trend::Rising => &mut self.rising,
            Trend::Falling => &mut self.falling,
            Trend::Level => return self.edge.clear(),
        };
        if let (Some([from, _]), Some([to, _]), true) =
            (self.edge.first(), self.edge.last(), self.edge.len() > 1)
        {
            area.move_to(*from, base);
            self.edge.iter().for_each(|[x, y]| area.line_to(*x, *y));
            area.line_to(*to, base);
        }
        self.edge.clear();
    }
}

#[derive(Clone, Copy, PartialEq)]
enum Trend {
    Rising,
    Falling,
    Level,
}

impl Trend {
    fn of(from: f64, to: f64) -> Self {
        match to.partial_cmp(&from) {
            Some(std::cmp::Ordering::Greater) => Self::Rising,
            Some(std::cmp::Ordering::Less) => Self::Falling,
            _ => Self::Level,
        }
    }
}

/// Adds the areas between a series and the value `base`, pixel by pixel, split where the trend changes.
pub fn tint<X, Y>(series: &Series<'_, X, Y>, view: &View, base: f64, tint: &mut Tint)
where
    X: Samples<Value: Into<f64>> + ?Sized,
    Y: Samples<Value = f32> + ?Sized,
{
    let (left, right) = view.x.pixels();
    let base = view.y.pixel(base);
    let span = series.x.span();
    let place = |index| series.x.at(index).map(Into::<f64>::into);
    let value = |index| series.y.at(index).filter(|value| value.is_finite()).map(f64::from);

    let mut after = span.start;
    let mut value_at = |at: f64| {
        after = gallop(after..span.end, 0, |index| place(index).is_some_and(|place| place <= at));
        let before = after.checked_sub(1).filter(|before| span.contains(before))?;
        let (from, start) = (place(before)?, value(before)?);
        if from == at {
            return Some(start);
        }
        let (to, end) = (place(after)?, value(after)?);
        (to - from <= view.bridge).then(|| start + (at - from) / (to - from) * (end - start))
    };

    tint.edge.clear();
    let mut trend = Trend::Level;
    let mut last: Option<([f32; 2], f64)> = None;
    for x in edges(left, right) {
        let Some(value) = value_at(view.x.invert(x)) else {
            tint.close(trend, base);
            (trend, last) = (Trend::Level, None);
            continue;
        };
        let point = [x, view.y.pixel(value)];
        if let Some((from, before)) = last {
            let now = Trend::of(before, value);
            if now != trend {
                tint.close(trend, base);
                trend = now;
                tint.edge.push(from);
            }
            tint.edge.push(point);
        }
        last = Some((point, value));
    }
    tint.close(trend, base);
}

/// The left edge, every whole pixel after it, and the right edge.
fn edges(left: f32, right: f32) -> impl Iterator<Item = f32> {
    let first = left.floor() + 1.0;
    let whole = (0..).map(move |count| first + count as f32).take_while(move |&x| x < right);
    [left].into_iter().chain(whole).chain([right])
}

#[cfg(test)]
mod tests {
    use trailbrake_model::Drawing;

    use super::super::{Domain, Pyramid, Scale};
    use super::*;

    fn tinted(x: &[f64], y: &[f32]) -> Tint {
        let view = View {
            x: Scale::new(Domain::new(0.0, 10.0), 0.0, 10.0),
            y: Scale::new(Domain::new(0.0, 10.0), 10.0, 0.0),
            bridge: 5.0,
            drawing: Drawing::Line,
        };
        let mut areas = Tint::default();
        tint(&Series { x, y, extents: &Pyramid::over(y) }, &view, 0.0, &mut areas);
        areas
    }

    #[test]
    fn areas_split_where_the_trend_turns() {
        let areas = tinted(&[0.0, 4.0, 6.0, 10.0], &[0.0, 4.0, 4.0, 2.0]);
        let rising: Vec<_> = areas.rising.runs().collect();
        let expected =
            [[0.0, 10.0], [0.0, 10.0], [1.0, 9.0], [2.0, 8.0], [3.0, 7.0], [4.0, 6.0], [4.0, 10.0]];
        assert_eq!(rising, [&expected]);
        let falling: Vec<_> = areas.falling.runs().collect();
        assert_eq!(falling.len(), 1);
        assert_eq!((falling[0][0], falling[0][falling[0].len() - 1]), ([6.0, 10.0], [10.0, 10.0]));
    }

    #[test]
    fn a_gap_has_no_area() {
        let areas = tinted(&[0.0, 2.0, 8.0, 10.0], &[1.0, 2.0, 5.0, 6.0]);
        let runs: Vec<_> = areas.rising.runs().map(|run| (run[0][0], run[run.len() - 1][0])).collect();
        assert_eq!(runs, [(0.0, 2.0), (8.0, 10.0)]);
        assert!(areas.falling.is_empty());
        assert!(tinted(&[], &[]).rising.is_empty());
    }
}
