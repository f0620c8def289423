//! A layout's path, seen from above.

use std::ops::Range;

use trailbrake_model::Bounds;

/// The number of pieces in a run.
const PIECES: usize = 8;

/// A point, x and z, in metres.
pub(super) type Point = [f32; 2];

/// The path of a layout from the start line on.
#[derive(Debug)]
pub(super) struct Outline {
    /// The ends of its straight pieces. Those of a loop end where they begin.
    ends: Vec<PieceEnd>,
    runs: Vec<Run>,
    is_loop: bool,
}

/// Some pieces one after the other.
#[derive(Clone, Debug)]
struct Run {
    /// The rectangle around them.
    bounds: Bounds,
    /// The places of their ends.
    places: Range<usize>,
}

/// The end of a straight piece.
#[derive(Clone, Copy, Debug)]
struct PieceEnd {
    point: Point,
    /// Metres from the start line.
    at_m: f32,
}

/// A place on an outline.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Place {
    /// Metres from the start line.
    pub(super) at_m: f32,
    /// How far beside it the point is, metres.
    pub(super) off_m: f32,
}

impl Outline {
    pub(super) fn new(points: &[Point], is_loop: bool) -> Self {
        let mut ends: Vec<PieceEnd> = Vec::new();
        let closing = points.first().filter(|_| is_loop);
        for &point in points.iter().chain(closing) {
            let at_m = ends.last().map_or(0.0, |last| last.at_m + apart(last.point, point));
            ends.push(PieceEnd { point, at_m });
        }
        // Neighbours share an end.
        let pieces = ends.len().saturating_sub(1);
        let runs = (0..pieces).step_by(PIECES).filter_map(|first| {
            let places = first..(first + PIECES + 1).min(ends.len());
            let mut points = ends.get(places.clone())?.iter().map(|end| end.point);
            let mut bounds = Bounds::at(points.next()?);
            points.for_each(|point| bounds.hold(point));
            Some(Run { bounds, places })
        });
        Self { runs: runs.collect(), ends, is_loop }
    }

    pub(super) fn is_loop(&self) -> bool {
        self.is_loop
    }

    pub(super) fn length_m(&self) -> f32 {
        self.ends.last().map_or(0.0, |end| end.at_m)
    }

    /// The point on the start line.
    pub(super) fn start(&self) -> Point {
        self.ends.first().map_or([0.0, 0.0], |end| end.point)
    }

    /// The point at a place; a loop goes on past its line.
    pub(super) fn point(&self, at_m: f32) -> Point {
        let at_m = if self.is_loop { at_m.rem_euclid(self.length_m().max(1.0)) } else { at_m };
        let next = self.ends.partition_point(|end| end.at_m <= at_m);
        match (next.checked_sub(1).and_then(|before| self.ends.get(before)), self.ends.get(next)) {
            (Some(from), Some(to)) => {
                between(from.point, to.point, (at_m - from.at_m) / (to.at_m - from.at_m))
            }
            (Some(end), None) | (None, Some(end)) => end.point,
            (None, None) => [0.0, 0.0],
        }
    }

    /// The place nearest to a point within a part of the path; in a loop the part may reach past the line.
    pub(super) fn nearest(&self, here: Point, part: Range<f32>) -> Option<Place> {
        let length_m = self.length_m();
        let turns: &[f32] = if self.is_loop { &[0.0, 1.0, -1.0] } else { &[0.0] };
        let mut nearest: Option<Place> = None;
        for turn in turns {
            let (from_m, to_m) = (part.start - turn * length_m, part.end - turn * length_m);
            if to_m < 0.0 || from_m > length_m {
                continue;
            }
            let first = self.ends.partition_point(|end| end.at_m <= from_m).saturating_sub(1);
            let pieces = self.ends.iter().skip(first).zip(self.ends.iter().skip(first + 1));
            for (from, to) in pieces.take_while(|(from, _)| from.at_m <= to_m) {
                let piece_m = to.at_m - from.at_m;
                if piece_m <= 0.0 {
                    continue;
                }
                let share = |at_m: f32| ((at_m - from.at_m) / piece_m).clamp(0.0, 1.0);
                let share = share_of(here, from.point, to.point).clamp(share(from_m), share(to_m));
                let off_m = apart(here, between(from.point, to.point, share));
                if nearest.is_none_or(|nearest| off_m < nearest.off_m) {
                    nearest = Some(Place { at_m: from.at_m + piece_m * share, off_m });
                }
            }
        }
        nearest
    }

    /// The nearest places within `within_m` of a point where the path leads the way of `heading`, and where it leads
    /// against it.
    pub(super) fn passing(&self, here: Point, heading: Point, within_m: f32) -> [Option<Place>; 2] {
        let mut nearest: [Option<Place>; 2] = [None, None];
        for run in self.runs.iter().filter(|run| is_within(here, &run.bounds, within_m)) {
            let ends = self.ends.get(run.places.clone()).unwrap_or_default();
            for (from, to) in ends.iter().zip(ends.iter().skip(1)) {
                let share = share_of(here, from.point, to.point).clamp(0.0, 1.0);
                let off_m = apart(here, between(from.point, to.point, share));
                if off_m > within_m {
                    continue;
                }
                let piece_m = to.at_m - from.at_m;
                let along = [to.point[0] - from.point[0], to.point[1] - from.point[1]];
                let same_way = along[0] * heading[0] + along[1] * heading[1];
                let [ahead, against] = &mut nearest;
                let of_way = if same_way > 0.0 { ahead } else { against };
                let is_nearer = of_way.is_none_or(|nearest| off_m < nearest.off_m);
                if is_nearer && same_way.abs() >= SAME_WAY * piece_m && piece_m > 0.0 {
                    *of_way = Some(Place { at_m: from.at_m + piece_m * share, off_m });
                }
            }
        }
        nearest
    }
}

/// The cosine of the angle up to which a car follows a path: half a right angle, since it steers and is set right.
const SAME_WAY: f32 = 0.7;

/// The distance of two points.
pub(super) fn apart([ax, az]: Point, [bx, bz]: Point) -> f32 {
    let (dx, dz) = (bx - ax, bz - az);
    (dx * dx + dz * dz).sqrt()
}

/// The direction from one point to another, of length 1; `None` where they coincide.
pub(super) fn heading(from: Point, to: Point) -> Option<Point> {
    let length = apart(from, to);
    (length > 0.0).then(|| [(to[0] - from[0]) / length, (to[1] - from[1]) / length])
}

fn between([ax, az]: Point, [bx, bz]: Point, share: f32) -> Point {
    [ax + (bx - ax) * share, az + (bz - az) * share]
}

/// How far along a piece a point is, as a share of it.
fn share_of([x, z]: Point, [ax, az]: Point, [bx, bz]: Point) -> f32 {
    let (dx, dz) = (bx - ax, bz - az);
    let square = dx * dx + dz * dz;
    if square > 0.0 { ((x - ax) * dx + (z - az) * dz) / square } else { 0.0 }
}

fn is_within([x, z]: Point, bounds: &Bounds, within_m: f32) -> bool {
    let ([low_x, low_z], [high_x, high_z]) = (bounds.low, bounds.high);
    (low_x - within_m..=high_x + within_m).contains(&x) && (low_z - within_m..=high_z + within_m).contains(&z)
}
