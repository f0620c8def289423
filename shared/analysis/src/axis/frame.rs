//! Moves positions from one game's world into another's: a rotation about the vertical and a translation.

use super::line::{Pose, ReferenceLine, apart, dot};

/// Two lines nearer to each other than this are in the same world, root mean square, metres.
const SAME_WORLD_M: f64 = 25.0;
/// Number of places at which two lines are compared.
const PLACES: usize = 400;
/// Number of refinement steps.
const ROUNDS: usize = 15;
/// The projection of a place is searched this far around where it is expected, metres.
const LOOK_M: f64 = 80.0;
/// Lower limit of the median offset, metres. Places with a larger offset weigh less: the drivers took different paths.
const SAME_WAY_M: f64 = 0.2;

/// A transformation from one world into another.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Frame {
    sin: f64,
    cos: f64,
    from: [f64; 3],
    to: [f64; 3],
}

impl Frame {
    /// The frame that moves `other` onto `line`, both of the same track. `other` begins `further_m` further on. `None`
    /// if it is in the same world already.
    pub fn between(other: &ReferenceLine, line: &ReferenceLine, further_m: f64) -> Option<Self> {
        let share = |place: usize| place as f64 / PLACES as f64;
        let theirs: Vec<[f64; 3]> =
            (0..PLACES).map(|place| other.at(share(place) * other.length_m()).position).collect();
        let place_m = |place: usize| further_m + share(place) * line.length_m();
        let ours: Vec<[f64; 3]> = (0..PLACES).map(|place| line.at(place_m(place)).position).collect();
        let squares: f64 = theirs.iter().zip(&ours).map(|(a, b)| apart(*a, *b).powi(2)).sum();
        if (squares / PLACES as f64).sqrt() < SAME_WORLD_M {
            return None;
        }
        let mut frame = Self::fit(&theirs, &ours);
        for _ in 0..ROUNDS {
            let found = theirs.iter().enumerate().filter_map(|(place, point)| {
                let moved = frame.apply(*point);
                let foot = line.at(line.place_of(moved, place_m(place), LOOK_M)?);
                Some(LinePoint { point: moved, off_m: foot.seen(moved).1, foot })
            });
            frame = frame.nearer(&found.collect::<Vec<_>>());
        }
        Some(frame)
    }

    /// The rotation and translation that bring points nearest to others in the least-squares sense.
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

    /// Rotates and moves the frame a little so that its points lie nearer to the line. Distances along the line do not
    /// count.
    ///
    /// Where drivers took different paths through a corner, the offset says nothing about the worlds, so it weighs
    /// less.
    fn nearer(self, places: &[LinePoint]) -> Self {
        let mut off: Vec<f64> = places.iter().map(|place| place.off_m.abs()).collect();
        off.sort_by(f64::total_cmp);
        let middle_m = off.get(off.len() / 2).copied().unwrap_or_default().max(SAME_WAY_M);
        let [mx, _, mz] = self.to;
        let (mut sums, mut off, mut up, mut all) = ([[0.0; 3]; 3], [0.0; 3], 0.0, 0.0);
        for LinePoint { point: [x, y, z], foot, off_m } in places {
            let weight = 1.0 / (1.0 + (off_m / middle_m).powi(2));
            let [ax, _, az] = foot.ahead;
            let level = ax.hypot(az).max(0.1);
            let (left_x, left_z) = (az / level, -ax / level);
            // The change of the offset to the left per metre along x, per metre along z, and per radian.
            let by = [left_x, left_z, left_z * (x - mx) - left_x * (z - mz)];
            for ((sums, off), one) in sums.iter_mut().zip(&mut off).zip(by) {
                *off -= weight * one * off_m;
                sums.iter_mut().zip(by).for_each(|(sum, other)| *sum += weight * one * other);
            }
            let [_, height, _] = foot.position;
            (up, all) = (up + weight * (height - y), all + weight);
        }
        let Some([x, z, turn]) = solved(sums, off) else { return self };
        let (sin, cos) = turn.sin_cos();
        let (sin, cos) = (self.sin * cos + self.cos * sin, self.cos * cos - self.sin * sin);
        let [a, b, c] = self.to;
        Self { sin, cos, from: self.from, to: [a + x, b + up / f64::max(all, f64::MIN_POSITIVE), c + z] }
    }

    /// Moves a point into the other world.
    pub fn apply(&self, [x, y, z]: [f64; 3]) -> [f64; 3] {
        let Self { from: [mx, my, mz], to: [ma, mb, mc], .. } = *self;
        let [x, y, z] = self.turn([x - mx, y - my, z - mz]);
        [ma + x, mb + y, mc + z]
    }

    /// Rotates a direction into the other world.
    pub fn turn(&self, [x, y, z]: [f64; 3]) -> [f64; 3] {
        let Self { sin, cos, .. } = *self;
        [x * cos - z * sin, y, x * sin + z * cos]
    }
}

/// A point beside a line.
struct LinePoint {
    point: [f64; 3],
    foot: Pose,
    /// Offset to the left, metres.
    off_m: f64,
}

/// Solves three linear equations. `None` if they are singular.
fn solved([a, b, c]: [[f64; 3]; 3], values: [f64; 3]) -> Option<[f64; 3]> {
    let cross = |[x, y, z]: [f64; 3], [u, v, w]: [f64; 3]| [y * w - z * v, z * u - x * w, x * v - y * u];
    let det = dot(a, cross(b, c));
    let size = dot(a, a) * dot(b, b) * dot(c, c);
    // The matrix is symmetric, so its rows are its columns.
    let found = [cross(b, c), cross(c, a), cross(a, b)].map(|row| dot(row, values) / det);
    (det.abs() > 1e-9 * size.sqrt() && found.iter().all(|value| value.is_finite())).then_some(found)
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
        assert_eq!(Frame::between(&line, &line, 0.0), None);
        let frame = Frame::between(&other, &line, 0.0).expect("another world");
        for (point, moved) in points.iter().zip(&moved) {
            assert!(apart(frame.apply(*moved), *point) < 0.1, "{:?} is not {point:?}", frame.apply(*moved));
        }
    }
}
