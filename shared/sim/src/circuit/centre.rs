//! The centre line: pieces of known curvature joined end to end, closed, and raised to their heights.

use libm::{cos, sin};

use super::super::ring::{Curve, Ring};
use super::catalogue::{Piece, Plan, ease_m};

/// The largest distance between stored points, in metres.
const POINT_SPACING_M: f64 = 1.0;

/// The middle of the track, parametrised by its own length (heights included) from the start line.
#[derive(Clone, Debug)]
pub(super) struct CentreLine {
    bends: Vec<Bend>,
    /// For each whole metre, the last bend that starts there or before.
    bend_of_metre: Vec<usize>,
    points: Ring<Point>,
    heights: Curve,
    pub(super) length_m: f64,
    /// Road before the start of a stage, in metres.
    before_m: f64,
}

/// A piece whose curvature changes linearly: straight, arc or transition.
#[derive(Clone, Copy, Debug)]
struct Bend {
    start_m: f64,
    length_m: f64,
    heading: f64,
    curvature: f64,
    curvature_end: f64,
}

#[derive(Clone, Copy, Debug, Default)]
struct Point {
    x: f64,
    z: f64,
}

/// Position and direction of the centre line at one point.
///
/// The world is right-handed with y up: looking along z, x is to the left. Headings turn from z towards x.
#[derive(Clone, Copy, Debug, Default)]
pub struct Pose {
    /// Position, in metres.
    pub position: [f64; 3],
    /// Heading, in radians.
    pub heading: f64,
    /// Sine of the slope, uphill positive.
    pub slope: f64,
    /// Cosine of the slope.
    pub level: f64,
    /// Curvature, left positive, in 1/m.
    pub curvature: f64,
    /// Change of curvature per metre.
    pub curvature_rate: f64,
    /// Change of slope per metre, positive in a dip.
    pub dip: f64,
}

impl CentreLine {
    /// The centre line of a plan, closed unless the plan has ends.
    ///
    /// A road with ends is stored as a lap, too, which nobody drives to its end.
    pub(super) fn new(plan: &Plan) -> Self {
        match plan.ends {
            Some(ends) => Self { before_m: ends.before_m, ..Self::lay(&plan.pieces, &plan.heights_m).0 },
            None => Self::lay(&Self::closed(plan), &plan.heights_m).0,
        }
    }

    /// The plan's pieces with the two slack straights adjusted until the lap closes.
    pub(super) fn closed(plan: &Plan) -> Vec<Piece> {
        let mut pieces = plan.pieces.to_vec();
        // On level ground the gap is linear in the slack; with heights nearly so, and the iteration converges at once.
        for _ in 0..6 {
            let gap = Self::lay(&pieces, &plan.heights_m).1;
            let [along, across] = plan.slack.map(|slack| {
                let mut longer = pieces.clone();
                stretch(&mut longer, slack, 1.0);
                let moved = Self::lay(&longer, &plan.heights_m).1;
                Point { x: moved.x - gap.x, z: moved.z - gap.z }
            });
            let area = along.x * across.z - across.x * along.z;
            stretch(&mut pieces, plan.slack[0], (across.x * gap.z - across.z * gap.x) / area);
            stretch(&mut pieces, plan.slack[1], (along.z * gap.x - along.x * gap.z) / area);
        }
        pieces
    }

    /// Lays the pieces. Returns the line and the gap between its end and its start.
    fn lay(pieces: &[Piece], heights_m: &[f64]) -> (Self, Point) {
        let bends = bends(pieces);
        let length_m = bends.last().map_or(0.0, |last| last.start_m + last.length_m);
        let heights = Curve::new(Ring::new(heights_m.to_vec()));
        let begun = |metre: u32| bends.partition_point(|bend| bend.start_m <= f64::from(metre));
        let bend_of_metre = (0..=length_m as u32).map(|metre| begun(metre).saturating_sub(1)).collect();
        let mut line =
            Self { bends, bend_of_metre, points: Ring::default(), heights, length_m, before_m: 0.0 };
        let count = (length_m / POINT_SPACING_M).ceil().max(1.0);
        let spacing = length_m / count;
        let mut points = Vec::with_capacity(count as usize);
        let mut here = Point::default();
        for index in 0..count as usize {
            points.push(here);
            // Two-point Gauss quadrature makes the step exact to far below a micrometre.
            for part in [0.5 - GAUSS, 0.5 + GAUSS] {
                let pose = line.course((index as f64 + part) * spacing);
                here.x += 0.5 * spacing * pose.level * sin(pose.heading);
                here.z += 0.5 * spacing * pose.level * cos(pose.heading);
            }
        }
        line.points = Ring::new(points);
        (line, here)
    }

    /// The gap between end and start, in metres.
    pub(super) fn gap_m(&self) -> f64 {
        let spacing = self.length_m / self.points.len().max(1) as f64;
        let (last, first) = (self.points.at(-1), self.points.at(0));
        ((first.x - last.x).hypot(first.z - last.z) - spacing).abs()
    }

    /// The full pose at a lap distance.
    pub(super) fn pose(&self, lap_m: f64) -> Pose {
        let mut pose = self.course(lap_m);
        let lap_m = lap_m + self.before_m;
        let spacing = self.length_m / self.points.len().max(1) as f64;
        let index = (lap_m / spacing).floor();
        let t = lap_m / spacing - index;
        let (from, to) = (self.points.at(index as i64), self.points.at(index as i64 + 1));
        let [start, end] = [index * spacing, (index + 1.0) * spacing].map(|m| self.course(m - self.before_m));
        // A cubic through both points with the known directions there.
        let blend = |a: f64, b: f64, slope_a: f64, slope_b: f64| {
            let (u, chord) = (1.0 - t, b - a);
            let (p, q) = (slope_a * spacing - chord, chord - slope_b * spacing);
            u * a + t * b + t * u * (u * p + t * q)
        };
        pose.position[0] =
            blend(from.x, to.x, start.level * sin(start.heading), end.level * sin(end.heading));
        pose.position[2] =
            blend(from.z, to.z, start.level * cos(start.heading), end.level * cos(end.heading));
        pose
    }

    /// Heading, curvature and height at a lap distance; x and z are not computed.
    pub(super) fn course(&self, lap_m: f64) -> Pose {
        let lap_m = lap_m + self.before_m;
        let is_within = (0.0..self.length_m).contains(&lap_m);
        let lap_m = if is_within { lap_m } else { lap_m.rem_euclid(self.length_m) };
        let height = self.heights.at(lap_m, self.length_m);
        let mut pose = Pose {
            position: [0.0, height.value, 0.0],
            slope: height.rate,
            level: (1.0 - height.rate * height.rate).max(0.0).sqrt(),
            dip: height.bend,
            ..Pose::default()
        };
        if let Some(bend) = self.bend(lap_m) {
            let along = lap_m - bend.start_m;
            pose.curvature_rate = (bend.curvature_end - bend.curvature) / bend.length_m;
            pose.curvature = bend.curvature + pose.curvature_rate * along;
            pose.heading = bend.heading + (bend.curvature + 0.5 * pose.curvature_rate * along) * along;
        }
        pose
    }

    /// The bend at a distance within the lap.
    fn bend(&self, lap_m: f64) -> Option<&Bend> {
        let index = self.bend_of_metre.get(lap_m as usize).copied().unwrap_or_default();
        let begun = self.bends.get(index..)?.iter().take_while(|bend| bend.start_m <= lap_m);
        begun.last()
    }

    /// Start, end (with transitions) and left-handedness of each corner.
    pub(super) fn corners(&self) -> Vec<(f64, f64, bool)> {
        let mut corners: Vec<(f64, f64, bool)> = Vec::new();
        let mut inside = false;
        for bend in &self.bends {
            let turning = bend.curvature + bend.curvature_end;
            let start_m = bend.start_m - self.before_m;
            let end = start_m + bend.length_m;
            match corners.last_mut() {
                _ if turning == 0.0 => inside = false,
                // An entry transition starts a new corner, even directly after another one.
                Some(corner) if inside && bend.curvature != 0.0 => corner.1 = end,
                _ => {
                    corners.push((start_m, end, turning > 0.0));
                    inside = true;
                }
            }
        }
        corners
    }
}

/// The offset of the two Gauss points from the middle, in steps.
const GAUSS: f64 = 0.288_675_134_594_812_9;

fn stretch(pieces: &mut [Piece], index: usize, by_m: f64) {
    if let Some(Piece::Straight(length_m)) = pieces.get_mut(index) {
        *length_m += by_m;
    }
}

fn bends(pieces: &[Piece]) -> Vec<Bend> {
    let mut bends = Vec::with_capacity(pieces.len() * 2);
    let (mut start_m, mut heading) = (0.0, 0.0);
    let mut lay = |length_m: f64, curvature: f64, curvature_end: f64| {
        bends.push(Bend { start_m, length_m, heading, curvature, curvature_end });
        start_m += length_m;
        heading += 0.5 * (curvature + curvature_end) * length_m;
    };
    for piece in pieces {
        match *piece {
            Piece::Straight(length_m) => lay(length_m, 0.0, 0.0),
            Piece::Turn(degrees, radius_m) => {
                let arc_m = radius_m * degrees.abs().to_radians();
                let ease_m = ease_m(arc_m);
                let curvature = degrees.signum() / radius_m;
                lay(ease_m, 0.0, curvature);
                lay(arc_m - ease_m, curvature, curvature);
                lay(ease_m, curvature, 0.0);
            }
            Piece::Bend(degrees, radius_m) => {
                let half_m = radius_m * degrees.abs().to_radians();
                let curvature = degrees.signum() / radius_m;
                lay(half_m, 0.0, curvature);
                lay(half_m, curvature, 0.0);
            }
        }
    }
    bends
}
