//! From one game's world to another's: turned about the vertical and moved.

use super::line::{ReferenceLine, apart};

/// Lines nearer to one another than this, root of the mean square, lie in the same world, metres.
const SAME_WORLD_M: f64 = 25.0;
/// At how many places two lines are held against one another.
const PLACES: usize = 400;
/// How often the places are found anew in the turned line, each time better.
const ROUNDS: usize = 4;

/// How points of one world are found in another.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Frame {
    sin: f64,
    cos: f64,
    from: [f64; 3],
    to: [f64; 3],
}

impl Frame {
    /// How a line of the same track finds itself on another one; `None` where it lies on it already.
    pub fn between(other: &ReferenceLine, line: &ReferenceLine) -> Option<Self> {
        let share = |place: usize| place as f64 / PLACES as f64;
        let theirs: Vec<[f64; 3]> =
            (0..PLACES).map(|place| other.at(share(place) * other.length_m()).position).collect();
        let mut ours: Vec<[f64; 3]> =
            (0..PLACES).map(|place| line.at(share(place) * line.length_m()).position).collect();
        let squares: f64 = theirs.iter().zip(&ours).map(|(a, b)| apart(*a, *b).powi(2)).sum();
        if (squares / PLACES as f64).sqrt() < SAME_WORLD_M {
            return None;
        }
        let mut frame = Self::fit(&theirs, &ours);
        for _ in 0..ROUNDS {
            // Where two drivers took different ways, the nearest place is the same one rather than the same share.
            for (point, ours) in theirs.iter().zip(&mut ours) {
                let moved = frame.apply(*point);
                let near = line.nearest(moved, 0.0, line.length_m(), |_, far| far);
                *ours = near.map_or(*ours, |near| line.at(near).position);
            }
            frame = Self::fit(&theirs, &ours);
        }
        Some(frame)
    }

    /// The turn and the move that bring points nearest to others.
    fn fit(points: &[[f64; 3]], others: &[[f64; 3]]) -> Self {
        let (from, to) = (middle(points), middle(others));
        let (mut along, mut across) = (0.0, 0.0);
        for ([x, _, z], [a, _, b]) in points.iter().zip(others) {
            let ([mx, _, mz], [ma, _, mb]) = (from, to);
            let (x, z, a, b) = (x - mx, z - mz, a - ma, b - mb);
            along += x * a + z * b;
            across += x * b - z * a;
        }
        let length = along.hypot(across);
        let (sin, cos) = if length > 0.0 { (across / length, along / length) } else { (0.0, 1.0) };
        Self { sin, cos, from, to }
    }

    /// Where a point of the one world lies in the other.
    pub fn apply(&self, [x, y, z]: [f64; 3]) -> [f64; 3] {
        let Self { from: [mx, my, mz], to: [ma, mb, mc], .. } = *self;
        let [x, y, z] = self.turn([x - mx, y - my, z - mz]);
        [ma + x, mb + y, mc + z]
    }

    /// Where a direction of the one world leads in the other.
    pub fn turn(&self, [x, y, z]: [f64; 3]) -> [f64; 3] {
        let Self { sin, cos, .. } = *self;
        [x * cos - z * sin, y, x * sin + z * cos]
    }
}

fn middle(points: &[[f64; 3]]) -> [f64; 3] {
    let count = points.len().max(1) as f64;
    let [x, y, z] = points.iter().fold([0.0; 3], |[x, y, z], [a, b, c]| [x + a, y + b, z + c]);
    [x / count, y / count, z / count]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_turned_and_moved_line_is_found_again() {
        let point = |step: i32| {
            let angle = std::f64::consts::TAU * f64::from(step) / 1500.0;
            let radius = 500.0 * (1.0 + 0.3 * (3.0 * angle).sin() + 0.1 * (5.0 * angle).cos());
            [radius * angle.sin(), 10.0 + angle, radius * angle.cos()]
        };
        let (sin, cos) = 2.1_f64.sin_cos();
        let points: Vec<[f64; 3]> = (0..=1500).map(point).collect();
        let moved =
            points.iter().map(|[x, y, z]| [x * cos - z * sin + 4000.0, y - 77.0, x * sin + z * cos - 900.0]);
        let moved: Vec<[f64; 3]> = moved.collect();
        let [line, other] =
            [&points, &moved].map(|points| ReferenceLine::through(points, 0.0).expect("a line"));
        assert_eq!(Frame::between(&line, &line), None);
        let frame = Frame::between(&other, &line).expect("another world");
        for (point, moved) in points.iter().zip(&moved) {
            assert!(apart(frame.apply(*moved), *point) < 0.1, "{:?} is not {point:?}", frame.apply(*moved));
        }
    }
}
