//! Projects positions on the reference line, and filters their noise with the car's speed.

use trailbrake_model::Channel;

use super::hole::Holes;
use super::line::{ReferenceLine, apart};
use super::smooth::Cloud;
use super::{Frame, line_crossings};
use crate::LapColumns;

/// A car nearer to the line than this is on the track, metres.
const ON_TRACK_M: f64 = 9.0;
/// How far behind and ahead of the expected place the projection is searched, on track and off it, metres.
const LOOK_ON: f64 = 40.0;
const LOOK_BACK_OFF: f64 = 80.0;
const LOOK_AHEAD_OFF: f64 = 600.0;
/// Each metre between a candidate and the expected place counts as this much distance from the line.
const STRAY: f64 = 0.06;
/// After a gap longer than this, seconds, the search goes as far as the second value allows, m/s, and the expected
/// place counts for less.
const LOST_S: f64 = 1.0;
const FASTEST_MS: f64 = 120.0;
const LOST_STRAY: f64 = 0.01;
/// The first position is searched within this distance of the start line, metres.
const FIRST_M: f64 = 300.0;
/// If the clock is later than this, the lap is past the start line for sure, seconds.
const PAST_S: f64 = 10.0 * line_crossings::LOOSE_S;
/// Half width of the window in which positions correct the odometer, seconds.
const HALF_S: f64 = 0.7;
/// Half width of the window without a speed, when positions are all there is, seconds.
const HALF_ALONE_S: f64 = 0.35;
/// A jump of the place by more than this beyond the distance driven restarts the smoothing, metres.
pub(super) const LEAP_M: f64 = 12.0;

/// A lap on a line, row by row.
pub(super) struct ProjectedLap {
    /// Metres from the start line. It decreases where the car went backwards.
    pub(super) distance_m: Vec<f64>,
    /// Metres to the left of the line.
    pub(super) offset_m: Vec<f64>,
    /// Root mean square distance along the line between the projected positions and the smoothed path, metres.
    pub(super) residual_m: f64,
}

/// One position, projected on the line.
#[derive(Clone, Copy, Debug)]
pub(super) struct ProjectedPoint {
    pub(super) clock_s: f64,
    pub(super) speed_ms: Option<f64>,
    pub(super) place_m: f64,
    pub(super) offset_m: f64,
    pub(super) curvature: f64,
}

/// Projects a lap's positions on a line. `frame` moves them into the line's world. `None` with fewer than two
/// positions.
pub(super) fn project(
    lap: &LapColumns<'_>,
    line: &ReferenceLine,
    frame: Option<&Frame>,
) -> Option<ProjectedLap> {
    let feet = feet(lap, line, frame);
    let clocks: Vec<f64> = feet.iter().map(|foot| foot.clock_s).collect();
    if feet.len() < 2 {
        return None;
    }
    let offsets: Vec<[f64; 1]> = feet.iter().map(|foot| [foot.offset_m]).collect();
    let across = Cloud::new(&clocks, &offsets, HALF_ALONE_S);
    let mut places: Vec<f64> = Vec::with_capacity(feet.len());
    let mut squares = 0.0;
    let holes = Holes::of(&clocks);
    let mut rest = feet.as_slice();
    while !rest.is_empty() {
        let (part, after) = rest.split_at(until_leap(rest, holes));
        for (foot, smooth) in part.iter().zip(smoothed(part, &across)) {
            squares += (foot.place_m - smooth).powi(2);
            places.push(smooth);
        }
        rest = after;
    }
    let residual_m = (squares / feet.len() as f64).sqrt();
    let between = |values: &[f64], clock: f64| {
        let after = clocks.partition_point(|other| *other <= clock).clamp(1, clocks.len() - 1);
        let (from_s, to_s) = (clocks.get(after - 1)?, clocks.get(after)?);
        let (from, to) = (values.get(after - 1)?, values.get(after)?);
        Some(from + (to - from) * (clock - from_s) / (to_s - from_s))
    };
    let offsets: Vec<f64> = feet.iter().map(|foot| foot.offset_m).collect();
    let rows = |values: &[f64]| lap.clock_s().iter().filter_map(|clock| between(values, *clock)).collect();
    Some(ProjectedLap { distance_m: rows(&places), offset_m: rows(&offsets), residual_m })
}

/// Projects each position, near the previous one.
fn feet(lap: &LapColumns<'_>, line: &ReferenceLine, frame: Option<&Frame>) -> Vec<ProjectedPoint> {
    let speeds = lap.values(Channel::Speed.slot());
    let mut feet: Vec<ProjectedPoint> = Vec::new();
    for (row, position) in lap.positions() {
        let Some(&clock_s) = lap.clock_s().get(row) else { continue };
        let position = frame.map_or(position, |frame| frame.apply(position));
        let speed_ms = speeds.as_ref().and_then(|speeds| speeds.get(row).copied());
        feet.extend(ProjectedPoint::of(line, position, feet.last(), clock_s, speed_ms));
    }
    feet
}

impl ProjectedPoint {
    /// Projects a position on the line, near the previous one.
    pub(super) fn of(
        line: &ReferenceLine,
        position: [f64; 3],
        before: Option<&Self>,
        clock_s: f64,
        speed_ms: Option<f64>,
    ) -> Option<Self> {
        let near = match before {
            Some(before) => next(line, position, before, clock_s, speed_ms),
            None => first(line, position, clock_s),
        };
        let place_m = line.refine(position, near?);
        let pose = line.at(place_m);
        let (_, offset_m) = pose.seen(position);
        Some(Self { clock_s, speed_ms, place_m, offset_m, curvature: pose.curvature })
    }

    /// Speed along the line, m/s: on the inside of a bend the car passes the line faster than it drives.
    pub(super) fn along_ms(&self, speed_ms: f64) -> f64 {
        speed_ms / (1.0 - self.offset_m * self.curvature).max(0.3)
    }
}

/// The place of a lap's first position: near the start line, else wherever the line is nearest.
fn first(line: &ReferenceLine, position: [f64; 3], clock_s: f64) -> Option<f64> {
    let plain = |_: f64, square: f64| square;
    if clock_s > PAST_S {
        return line.nearest(position, 0.0, line.length_m(), plain);
    }
    let near = line.nearest(position, -FIRST_M, FIRST_M, plain)?;
    if apart(line.at(near).position, position) < ON_TRACK_M {
        return Some(near);
    }
    line.nearest(position, -FIRST_M, line.length_m() - FIRST_M, plain)
}

/// The place of the next position, near where the speed predicts it.
fn next(
    line: &ReferenceLine,
    position: [f64; 3],
    before: &ProjectedPoint,
    clock_s: f64,
    speed_ms: Option<f64>,
) -> Option<f64> {
    let speed_ms = speed_ms.or(before.speed_ms).unwrap_or(30.0);
    let seconds = (clock_s - before.clock_s).max(0.0);
    let driven_m = speed_ms * seconds;
    let expected = before.place_m + driven_m;
    if seconds > LOST_S {
        let furthest = before.place_m + FASTEST_MS * seconds + LOOK_ON;
        let cost = |place: f64, square: f64| square + (LOST_STRAY * (place - expected)).powi(2);
        return line.nearest(position, before.place_m - LOOK_ON, furthest, cost);
    }
    let cost = |place: f64, square: f64| square + (STRAY * (place - expected)).powi(2);
    let on = line.nearest(position, expected - LOOK_ON - driven_m, expected + LOOK_ON, cost)?;
    if apart(line.at(on).position, position) < ON_TRACK_M {
        return Some(on);
    }
    line.nearest(position, expected - LOOK_BACK_OFF - driven_m, expected + LOOK_AHEAD_OFF, cost)
}

/// The number of projections before the first jump or gap.
fn until_leap(feet: &[ProjectedPoint], holes: Holes) -> usize {
    let leaps = |pair: &[ProjectedPoint]| {
        let [from, to] = pair else { return false };
        let driven = from.speed_ms.unwrap_or(30.0) * (to.clock_s - from.clock_s);
        holes.is_between(from.clock_s, to.clock_s)
            || (to.place_m - from.place_m - driven).abs() > LEAP_M + 0.5 * driven
    };
    feet.windows(2).position(leaps).map_or(feet.len(), |pair| pair + 1)
}

/// The places, filtered: the odometer plus the smoothed difference between projections and odometer.
fn smoothed(feet: &[ProjectedPoint], across: &Cloud<'_, 1>) -> Vec<f64> {
    let clocks: Vec<f64> = feet.iter().map(|foot| foot.clock_s).collect();
    let reckoned = reckoned(feet, across);
    let half = if reckoned.is_some() { HALF_S } else { HALF_ALONE_S };
    let reckoned = reckoned.unwrap_or_else(|| vec![0.0; feet.len()]);
    let off: Vec<[f64; 1]> = feet.iter().zip(&reckoned).map(|(foot, way)| [foot.place_m - way]).collect();
    let cloud = Cloud::new(&clocks, &off, half);
    let smooth = |(clock, way): (&f64, &f64)| {
        let [off] = cloud.at(*clock)?.value;
        Some(way + off)
    };
    clocks.iter().zip(&reckoned).filter_map(smooth).collect()
}

/// The distance driven along the line by speed, metres. `None` without a speed.
fn reckoned(feet: &[ProjectedPoint], across: &Cloud<'_, 1>) -> Option<Vec<f64>> {
    let mut far = 0.0;
    let mut before: Option<(f64, f64)> = None;
    feet.iter()
        .map(|foot| {
            let speed = foot.speed_ms?;
            let (offset, drift) = across.at(foot.clock_s).map_or((foot.offset_m, 0.0), |fit| {
                let ([offset], [drift]) = (fit.value, fit.slope);
                (offset, drift)
            });
            let aslant = (speed * speed - drift * drift).max(0.0).sqrt();
            let along = aslant / (1.0 - offset * foot.curvature).max(0.3);
            let (from, from_s) = before.replace((along, foot.clock_s)).unwrap_or((along, foot.clock_s));
            far += (from + along) / 2.0 * (foot.clock_s - from_s);
            Some(far)
        })
        .collect()
}
