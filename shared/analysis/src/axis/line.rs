//! The reference line: the path of one lap around the track, smoothed and evenly spaced by arc length.

use trailbrake_model::Channel;

use super::LONGEST_M;
use super::hole::Holes;
use super::smooth::{Cloud, Fit};
use crate::LapColumns;

/// Distance between the line's points, about, metres.
const STEP_M: f64 = 2.0;
/// Half width of the window in which positions are smoothed, metres.
const PLACE_HALF_M: f64 = 14.0;
/// Half width for the curvature, which is more sensitive to noise, for one position per metre, metres.
const BEND_HALF_M: f64 = 26.0;
/// Standard deviation of the curvature for positions one metre apart with a noise of one metre, over a window of one
/// metre to either side; and the part of its own noise that a position contributes to the line, for positions one metre
/// apart. Both follow from the parabolas of a [`Cloud`].
const CURVATURE_NOISE: f64 = 8.0;
const LAID_PART: f64 = 1.85;
/// A larger step from one row to the next is a jump, metres.
const JUMP_M: f64 = 60.0;
/// A gap of up to the first length is bridged, metres. One of up to the second is, too, if the line goes straight on
/// there: its length and the speeds before and after agree within the share. Otherwise the path in the gap is unknown.
const BRIDGED_M: f64 = 100.0;
const STRAIGHT_M: f64 = 300.0;
const STRAIGHT_SHARE: f64 = 0.05;
/// A line is closed if its ends are nearer than this, metres, and lead the same way.
const CLOSED_M: f64 = 40.0;
/// Least number of positions and least length of a line, metres.
const LEAST_ROWS: usize = 50;
const LEAST_M: f64 = 200.0;
/// Positions nearer than this to the previous one are skipped, metres.
const APART_M: f64 = 0.2;

/// The path around a track, or along a stage.
#[derive(Clone, Debug)]
pub struct ReferenceLine {
    step_m: f64,
    knots: Vec<Knot>,
    closed: bool,
    residual_m: f64,
    /// Mean distance between the positions that the line was made from, metres.
    apart_m: f64,
    /// Whether the line bridges a gap.
    bridged: bool,
}

/// One point of the line.
#[derive(Clone, Copy, Debug, Default)]
struct Knot {
    position: [f64; 3],
    /// Unit vector along the line.
    ahead: [f64; 3],
    /// Curvature seen from above, 1/m, positive to the left.
    curvature: f64,
}

/// The line at one place.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pose {
    /// Position: x, y up, z, metres.
    pub position: [f64; 3],
    /// Unit vector along the line.
    pub ahead: [f64; 3],
    /// Curvature seen from above, 1/m, positive to the left.
    pub curvature: f64,
}

/// Why a lap gives no line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoLine {
    /// The game sends no positions.
    NoPosition,
    /// The lap was not received from its beginning to its end.
    Incomplete,
    /// A part of the lap that is too long to bridge has no data.
    Hole,
    /// The car was put somewhere else during the lap.
    Jump,
}

impl std::fmt::Display for NoLine {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::NoPosition => "the game sends no positions",
            Self::Incomplete => "data is missing at the lap's start or end",
            Self::Hole => "a part of the lap has no data",
            Self::Jump => "the car was put somewhere else during the lap",
        })
    }
}

impl ReferenceLine {
    /// The line that a lap drove.
    pub fn learn(lap: &LapColumns<'_>) -> Result<Self, NoLine> {
        let path = Path::of(lap)?;
        let long_m = path.end_m - path.begin_m;
        let count = (long_m / STEP_M).round().max(1.0);
        let cloud = Cloud::new(&path.odometer_m, &path.positions, PLACE_HALF_M);
        let place = |step: f64| path.begin_m + long_m * step / count;
        let laid: Vec<[f64; 3]> =
            (0..=count as usize).filter_map(|step| Some(cloud.at(place(step as f64))?.value)).collect();
        let off =
            |(odometer, position): (&f64, &[f64; 3])| Some(apart(cloud.at(*odometer)?.value, *position));
        let squares: Vec<f64> = path
            .odometer_m
            .iter()
            .zip(&path.positions)
            .filter(|(odometer, _)| (path.begin_m..=path.end_m).contains(*odometer))
            .filter_map(off)
            .map(|off| off * off)
            .collect();
        let residual_m = (squares.iter().sum::<f64>() / squares.len().max(1) as f64).sqrt();
        let apart_m = long_m / path.positions.len() as f64;
        let line = Self::evened(&laid, residual_m, apart_m).ok_or(NoLine::Incomplete)?;
        Ok(Self { bridged: path.bridged, ..line })
    }

    /// A line through consecutive points, such as those of a stored line.
    pub fn through(points: &[[f64; 3]], residual_m: f64) -> Option<Self> {
        Self::evened(points, residual_m, STEP_M)
    }

    /// Like [`Self::through`], for points made from positions that were `apart_m` apart.
    fn evened(points: &[[f64; 3]], residual_m: f64, apart_m: f64) -> Option<Self> {
        let mut along_m = Vec::with_capacity(points.len());
        let mut far = 0.0;
        let mut before = *points.first()?;
        for point in points {
            far += apart(before, *point);
            before = *point;
            along_m.push(far);
        }
        if !(LEAST_M..LONGEST_M).contains(&far) {
            return None;
        }
        let count = (far / STEP_M).round().max(1.0);
        let step_m = far / count;
        // Rarer positions leave more noise, so the window is wider.
        let bend_half_m = BEND_HALF_M * apart_m.max(1.0).sqrt().sqrt();
        let places = Cloud::new(&along_m, points, 2.0 * STEP_M);
        let knot = |step: usize| {
            let near = places.at(step as f64 * step_m)?;
            Some(Knot { position: near.value, ahead: unit(near.slope), curvature: 0.0 })
        };
        let mut knots: Vec<Knot> = (0..=count as usize).filter_map(knot).collect();
        let (first, last) = (knots.first()?, knots.last()?);
        // Noise bends the last points of a line, so the directions at its ends come from a wider window.
        let ends = Cloud::new(&along_m, points, bend_half_m);
        let leads = |place_m: f64| Some(unit(ends.at(place_m)?.slope));
        let closed = apart(first.position, last.position) < CLOSED_M && dot(leads(0.0)?, leads(far)?) > 0.7;
        let way = Around::new(along_m, points.to_vec(), closed.then_some(bend_half_m));
        let wide = Cloud::new(&way.along_m, &way.positions, bend_half_m);
        for (step, knot) in knots.iter_mut().enumerate() {
            knot.curvature = curvature(&wide.at(step as f64 * step_m)?);
        }
        Some(Self { step_m, knots, closed, residual_m, apart_m, bridged: false })
    }

    /// Length, metres.
    pub fn length_m(&self) -> f64 {
        self.step_m * self.knots.len().saturating_sub(1) as f64
    }

    /// Whether the line ends where it begins.
    pub fn is_closed(&self) -> bool {
        self.closed
    }

    /// Distance between its end and its beginning, metres. For a closed line, the part along the line.
    pub(crate) fn gap_m(&self) -> f64 {
        let Some((first, last)) = self.knots.first().zip(self.knots.last()) else { return 0.0 };
        let away = minus(last.position, first.position);
        if self.closed { dot(away, first.ahead).abs() } else { dot(away, away).sqrt() }
    }

    /// The first `long_m` metres of the line.
    pub(crate) fn first(&self, long_m: f64) -> Option<Self> {
        self.part(&|place_m| place_m <= long_m)
    }

    /// The last `long_m` metres of the line.
    pub(crate) fn last(&self, long_m: f64) -> Option<Self> {
        let from_m = self.length_m() - long_m;
        self.part(&|place_m| place_m >= from_m)
    }

    fn part(&self, within: &dyn Fn(f64) -> bool) -> Option<Self> {
        let points = self.points().filter(|(place_m, _)| within(*place_m));
        Self::through(&points.map(|(_, pose)| pose.position).collect::<Vec<_>>(), self.residual_m)
    }

    /// Whether the line bridges a gap.
    pub(crate) fn is_bridged(&self) -> bool {
        self.bridged
    }

    /// Root mean square distance between the line and the positions that it was made from, metres.
    pub fn residual_m(&self) -> f64 {
        self.residual_m
    }

    /// The points of the line, each with its distance from the start line, metres.
    pub fn points(&self) -> impl Iterator<Item = (f64, Pose)> + use<'_> {
        self.knots.iter().enumerate().map(|(step, knot)| (step as f64 * self.step_m, Pose::from(*knot)))
    }

    /// The curvature at each point, 1/m, smoothed over `half_m` to either side.
    pub(crate) fn curvature_over(&self, half_m: f64) -> Vec<f64> {
        let along_m: Vec<f64> = self.points().map(|(place_m, _)| place_m).collect();
        let positions: Vec<[f64; 3]> = self.knots.iter().map(|knot| knot.position).collect();
        let way = Around::new(along_m.clone(), positions, self.closed.then_some(half_m));
        let cloud = Cloud::new(&way.along_m, &way.positions, half_m);
        along_m.iter().map(|place_m| cloud.at(*place_m).map_or(0.0, |fit| curvature(&fit))).collect()
    }

    /// Standard deviation of [`Self::curvature_over`] that the noise of the positions leaves, 1/m.
    pub(crate) fn curvature_noise(&self, half_m: f64) -> f64 {
        // The line follows rare positions more closely, so that a part of their noise does not show in the residual.
        let unseen = (LAID_PART * self.apart_m / PLACE_HALF_M).min(0.8);
        let noise_m = self.residual_m / 3.0_f64.sqrt() / (1.0 - unseen).sqrt();
        CURVATURE_NOISE * noise_m * self.apart_m.sqrt() / (half_m * half_m * half_m.sqrt())
    }

    /// The line at a place. A closed line continues around; an open one continues straight beyond its ends.
    pub fn at(&self, place_m: f64) -> Pose {
        let length_m = self.length_m();
        let within_m = if self.closed { self.around(place_m) } else { place_m.clamp(0.0, length_m) };
        let beyond_m = if self.closed { 0.0 } else { place_m - within_m };
        let step = (within_m / self.step_m).floor().max(0.0).min(self.knots.len().saturating_sub(2) as f64);
        let t = within_m / self.step_m - step;
        let at = |step: usize| self.knots.get(step).copied().unwrap_or_default();
        let (from, to) = (at(step as usize), at(step as usize + 1));
        let mut position = [0.0; 3];
        let ends = from.position.iter().zip(to.position).zip(from.ahead.iter().zip(to.ahead));
        for (value, ((a, b), (slope_a, slope_b))) in position.iter_mut().zip(ends) {
            // A cubic Hermite spline through both points.
            let (u, chord) = (1.0 - t, b - a);
            let (p, q) = (slope_a * self.step_m - chord, chord - slope_b * self.step_m);
            *value = u * a + t * b + t * u * (u * p + t * q);
        }
        let ahead = unit(mixed(from.ahead, to.ahead, t));
        let curvature = from.curvature + (to.curvature - from.curvature) * t;
        Pose { position: plus(position, ahead, beyond_m), ahead, curvature }
    }

    /// Wraps a place beyond the ends of a closed line into the lap.
    pub fn around(&self, place_m: f64) -> f64 {
        if (0.0..=self.length_m()).contains(&place_m) || !self.closed {
            return place_m;
        }
        place_m.rem_euclid(self.length_m())
    }

    /// The place of the line's point with the least `cost` between two places. `cost` receives the place and the
    /// square of the distance.
    pub(super) fn nearest(
        &self,
        position: [f64; 3],
        from_m: f64,
        to_m: f64,
        cost: impl Fn(f64, f64) -> f64,
    ) -> Option<f64> {
        let count = self.knots.len().saturating_sub(1) as i64;
        let [mut from, mut to] = [(from_m / self.step_m).floor() as i64, (to_m / self.step_m).ceil() as i64];
        if !self.closed {
            (from, to) = (from.clamp(0, count), to.clamp(0, count));
        }
        let to = to.min(from.saturating_add(count));
        let places = (from..=to).filter_map(|step| {
            let index = if (0..=count).contains(&step) { step } else { step.rem_euclid(count.max(1)) };
            let away = minus(self.knots.get(index as usize)?.position, position);
            let place_m = step as f64 * self.step_m;
            Some((place_m, cost(place_m, dot(away, away))))
        });
        places.min_by(|(_, a), (_, b)| a.total_cmp(b)).map(|(place_m, _)| place_m)
    }

    /// The place of the line's point nearest to a position, searched within a distance of a place.
    pub fn place_of(&self, position: [f64; 3], near_m: f64, within_m: f64) -> Option<f64> {
        let near = self.nearest(position, near_m - within_m, near_m + within_m, |_, square| square)?;
        Some(self.refine(position, near))
    }

    /// Refines the place of a position to a fraction of the line's step, by Newton's method.
    pub(super) fn refine(&self, position: [f64; 3], near_m: f64) -> f64 {
        let mut place_m = near_m;
        for _ in 0..4 {
            let pose = self.at(place_m);
            let (ahead, left) = pose.seen(position);
            // On the inside of a bend, a step along the car's path is a longer step along the line.
            let step = ahead / (1.0 - left * pose.curvature).max(0.3);
            place_m += step.clamp(-4.0, 4.0);
        }
        place_m
    }
}

impl From<Knot> for Pose {
    fn from(Knot { position, ahead, curvature }: Knot) -> Self {
        Self { position, ahead, curvature }
    }
}

impl Pose {
    /// How far a point is ahead of here, and how far to the left, metres.
    pub fn seen(&self, point: [f64; 3]) -> (f64, f64) {
        let away = minus(point, self.position);
        let [ax, _, az] = self.ahead;
        let [dx, _, dz] = away;
        let level = ax.hypot(az).max(0.1);
        (dot(away, self.ahead), (dx * az - dz * ax) / level)
    }

    /// The heading, from z towards x, radians.
    pub fn heading(&self) -> f64 {
        let [x, _, z] = self.ahead;
        x.atan2(z)
    }
}

/// Consecutive positions, on a closed line extended beyond both ends.
struct Around {
    along_m: Vec<f64>,
    positions: Vec<[f64; 3]>,
}

impl Around {
    /// Extends positions by `beyond_m` around each end. A lap does not end exactly where it began, so the extension is
    /// moved by the difference, and the path has no step.
    fn new(along_m: Vec<f64>, positions: Vec<[f64; 3]>, beyond_m: Option<f64>) -> Self {
        let same = Self { along_m, positions };
        let Some(beyond_m) = beyond_m else { return same };
        let points = || same.along_m.iter().copied().zip(same.positions.iter().copied());
        let Some((far, last)) = points().next_back() else { return same };
        let Some((_, first)) = points().next() else { return same };
        let off = minus(first, last);
        let moved = |turns: f64| move |(at_m, point)| (at_m + turns * far, plus(point, off, -turns));
        let before = points().filter(|(at_m, _)| (far - beyond_m..far).contains(at_m)).map(moved(-1.0));
        let behind = points().filter(|(at_m, _)| *at_m > 0.0 && *at_m <= beyond_m).map(moved(1.0));
        let (along_m, positions) = before.chain(points()).chain(behind).unzip();
        Self { along_m, positions }
    }
}

/// A lap's positions over the distance driven.
struct Path {
    odometer_m: Vec<f64>,
    positions: Vec<[f64; 3]>,
    /// The odometer at the beginning and at the end of the lap's clock.
    begin_m: f64,
    end_m: f64,
    /// Whether the path bridges a gap.
    bridged: bool,
}

impl Path {
    fn of(lap: &LapColumns<'_>) -> Result<Self, NoLine> {
        let positioned_s: Vec<f64> =
            lap.positions().filter_map(|(row, _)| lap.clock_s().get(row).copied()).collect();
        let holes = Holes::of(&positioned_s);
        let mut bridged = false;
        let speeds = lap.values(Channel::Speed.slot());
        let (mut odometer_m, mut positions) = (Vec::new(), Vec::new());
        let (mut clocks, mut paces) = (Vec::new(), Vec::new());
        let mut before: Option<(f64, [f64; 3])> = None;
        let mut far = 0.0;
        for (row, position) in lap.positions() {
            let Some(&clock) = lap.clock_s().get(row) else { continue };
            let speed = speeds.as_ref().and_then(|speeds| speeds.get(row).copied());
            if let Some((last, from)) = before {
                let step = apart(from, position);
                let pace = paces.last().copied().flatten();
                let seconds = clock - last;
                let driven = speed.zip(pace).map(|(to, from): (f64, f64)| (from + to) / 2.0 * seconds);
                let way = driven.unwrap_or(step).max(0.0);
                let hole = holes.is_between(last, clock);
                let straight = step <= STRAIGHT_M && (way - step).abs() <= STRAIGHT_SHARE * step;
                if hole && step > BRIDGED_M && !straight {
                    return Err(NoLine::Hole);
                }
                if !hole && step > JUMP_M.max(3.0 * driven.unwrap_or_default()) {
                    return Err(NoLine::Jump);
                }
                bridged |= hole;
                // By speed, a standing car does not move although its position trembles. In a gap the speed is unknown.
                far += if hole { step } else { way };
            }
            if odometer_m.last().is_none_or(|last| far >= *last + APART_M) {
                odometer_m.push(far);
                positions.push(position);
                clocks.push(clock);
            }
            paces.push(speed);
            before = Some((clock, position));
        }
        if odometer_m.is_empty() {
            return Err(NoLine::NoPosition);
        }
        if odometer_m.len() < LEAST_ROWS || far < LEAST_M {
            return Err(NoLine::Incomplete);
        }
        let led = |clock: f64| led_on(&clocks, &odometer_m, clock);
        let (begin_m, end_m) = (led(0.0), led(lap.seconds()));
        let (begin_m, end_m) = begin_m.zip(end_m).ok_or(NoLine::Incomplete)?;
        // Extrapolating from two rows with almost the same clock can give any value.
        if !(LEAST_M..LONGEST_M).contains(&(end_m - begin_m)) {
            return Err(NoLine::Incomplete);
        }
        Ok(Self { odometer_m, positions, begin_m, end_m, bridged })
    }
}

/// A lap is incomplete if more than this is missing at its beginning or end, seconds.
const UNHEARD_S: f64 = 1.0;

/// The value at a time, extrapolated by at most [`UNHEARD_S`] beyond the ends.
fn led_on(times: &[f64], values: &[f64], time: f64) -> Option<f64> {
    let (first, last) = (*times.first()?, *times.last()?);
    if time < first - UNHEARD_S || time > last + UNHEARD_S {
        return None;
    }
    let after = times.partition_point(|other| *other <= time).clamp(1, times.len().max(2) - 1);
    let (from_s, to_s) = (times.get(after - 1)?, times.get(after)?);
    let (from, to) = (values.get(after - 1)?, values.get(after)?);
    Some(from + (to - from) * (time - from_s) / (to_s - from_s))
}

/// The curvature of a fit, seen from above, 1/m. A heading turns from z towards x.
fn curvature(fit: &Fit<3>) -> f64 {
    let ([dx, _, dz], [ddx, _, ddz]) = (fit.slope, fit.bend);
    let level = dx.hypot(dz).max(0.1);
    (dz * ddx - dx * ddz) / (level * level * level)
}

pub(super) fn apart(a: [f64; 3], b: [f64; 3]) -> f64 {
    let [x, y, z] = minus(a, b);
    (x * x + y * y + z * z).sqrt()
}

fn minus([a, b, c]: [f64; 3], [x, y, z]: [f64; 3]) -> [f64; 3] {
    [a - x, b - y, c - z]
}

fn plus([a, b, c]: [f64; 3], [x, y, z]: [f64; 3], times: f64) -> [f64; 3] {
    [a + x * times, b + y * times, c + z * times]
}

fn mixed([a, b, c]: [f64; 3], [x, y, z]: [f64; 3], share: f64) -> [f64; 3] {
    [a + (x - a) * share, b + (y - b) * share, c + (z - c) * share]
}

pub(super) fn dot([a, b, c]: [f64; 3], [x, y, z]: [f64; 3]) -> f64 {
    a * x + b * y + c * z
}

fn unit([x, y, z]: [f64; 3]) -> [f64; 3] {
    let length = (x * x + y * y + z * z).sqrt();
    if length > 0.0 { [x / length, y / length, z / length] } else { [0.0, 0.0, 1.0] }
}
