//! The track outline, learnt from a driven lap.

use trailbrake_games::listed_path;
use trailbrake_model::{Axis, Channel, Columns, SessionInfo, Track};

/// Minimum distance between points of the outline.
const STEP_M: f32 = 3.0;
/// A car that moves further than this between two rows was moved by the game.
const JUMP_M: f32 = 60.0;

/// Identifies a layout of a track, by the game's id or what was recognised, and by its length.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct TrackKey {
    layout: Option<String>,
    length_m: Option<u32>,
}

impl TrackKey {
    /// The key of a session's track.
    pub(super) fn of(info: Option<&SessionInfo>) -> Self {
        let layout = info.and_then(|info| info.track.as_ref()?.layout()).map(str::to_owned);
        let length_m = info.and_then(|info| info.track_length_m).map(|length| length.round() as u32);
        Self { layout, length_m }
    }

    /// Whether the layout is known by more than its length.
    pub(super) fn names_layout(&self) -> bool {
        self.layout.is_some()
    }
}

/// The path around the track as one car drove it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Outline {
    /// The points in driving order.
    pub points: Vec<OutlinePoint>,
    /// Whether the points cover the lap from line to line.
    pub complete: bool,
}

/// A point of the outline.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OutlinePoint {
    /// Metres from the line.
    pub distance_m: f32,
    /// Position in the game's world, in metres: x, y up, z.
    pub position: [f32; 3],
}

impl Outline {
    /// The outline that is built in for a track, once its layout is recognised.
    pub fn listed(track: &Track) -> Option<Self> {
        let (points, is_loop) = listed_path(track)?;
        Some(Self::of_path(&points, is_loop))
    }

    /// The path of a lap's columns.
    pub(super) fn of(columns: &Columns, complete: bool) -> Self {
        let mut points: Vec<OutlinePoint> = Vec::new();
        for row in 0..columns.len() {
            let value = |slot| columns.value(slot, row);
            let axes = Axis::ALL.map(|axis| value(Channel::Position.along(axis)));
            let [Some(x), Some(y), Some(z)] = axes else { continue };
            let position = [x, y, z];
            let step = points.last().map(|last| apart(last.position, position));
            if step.is_some_and(|step| step < STEP_M) {
                continue;
            }
            let sent = value(Channel::LapDistance.slot());
            let driven = points.last().map_or(0.0, |last| last.distance_m) + step.unwrap_or(0.0);
            let point = OutlinePoint { distance_m: sent.unwrap_or(driven), position };
            let behind = points.last().is_some_and(|last| point.distance_m <= last.distance_m);
            if point.distance_m >= 0.0 && !behind {
                points.push(point);
            }
        }
        Self { points, complete }
    }

    /// A path of points of x and z; `is_loop` if the last leads to the first.
    pub(super) fn of_path(points: &[[f32; 2]], is_loop: bool) -> Self {
        let mut outline: Vec<OutlinePoint> = Vec::new();
        for [x, z] in points {
            let position = [*x, 0.0, *z];
            let distance_m =
                outline.last().map_or(0.0, |last| last.distance_m + apart(last.position, position));
            outline.push(OutlinePoint { distance_m, position });
        }
        Self { points: outline, complete: is_loop }
    }

    /// The path since the game last moved the car, from the pits to the grid for instance.
    pub(super) fn since_jump(mut self) -> Self {
        let jumps = self.points.windows(2).rposition(|pair| match pair {
            [a, b] => apart(a.position, b.position) >= JUMP_M,
            _ => false,
        });
        self.points.drain(..jumps.map_or(0, |last| last + 1));
        self
    }

    /// The position at a distance from the line.
    pub fn position_at(&self, distance_m: f32) -> Option<[f32; 3]> {
        let after = self.points.partition_point(|point| point.distance_m <= distance_m);
        let before = self.points.get(after.checked_sub(1)?)?;
        // After the last point a complete lap leads back to its first.
        let next = self.points.get(after).or(self.points.first().filter(|_| self.complete))?;
        let step = apart(before.position, next.position);
        let share = if step > 0.0 { ((distance_m - before.distance_m) / step).clamp(0.0, 1.0) } else { 0.0 };
        let [from, to] = [before.position, next.position];
        Some([0, 1, 2].map(|axis: usize| {
            let (from, to) = (from.get(axis).copied().unwrap_or(0.0), to.get(axis).copied().unwrap_or(0.0));
            from + (to - from) * share
        }))
    }

    /// Whether the outline has enough points and no jump, and closes if it is complete.
    pub(super) fn is_whole(&self) -> bool {
        let steps = self.points.iter().zip(self.points.iter().skip(1));
        let ends = if self.complete { self.points.first().zip(self.points.last()) } else { None };
        self.points.len() > 20 && steps.chain(ends).all(|(a, b)| apart(a.position, b.position) < JUMP_M)
    }
}

fn apart(a: [f32; 3], b: [f32; 3]) -> f32 {
    a.iter().zip(b).map(|(a, b)| (a - b) * (a - b)).sum::<f32>().sqrt()
}

#[cfg(test)]
mod tests {
    use trailbrake_model::time::Micros;
    use trailbrake_model::{Moment, Slot};

    use super::*;

    /// A round track of 1 km, driven at 50 m/s and sampled at 60 Hz.
    fn round(seconds: f64, sends_distance: bool) -> Columns {
        let mut columns = Columns::default();
        for frame in 0..(seconds * 60.0) as u32 {
            let session_time = f64::from(frame) / 60.0;
            let moment = Moment { at: Micros(0), session_time: Some(session_time), frame: Some(frame) };
            let metres = session_time as f32 * 50.0;
            let angle = metres / 1000.0 * std::f32::consts::TAU;
            let radius = 1000.0 / std::f32::consts::TAU;
            let mut values: Vec<(Slot, f32)> = vec![
                (Channel::Position.along(Axis::X), radius * angle.cos()),
                (Channel::Position.along(Axis::Y), 7.0),
                (Channel::Position.along(Axis::Z), radius * angle.sin()),
            ];
            if sends_distance {
                values.push((Channel::LapDistance.slot(), metres));
            }
            columns.push(moment, values);
        }
        columns
    }

    #[test]
    fn a_whole_lap_is_an_outline() {
        for sends_distance in [true, false] {
            let outline = Outline::of(&round(20.0, sends_distance), true);
            assert!(outline.is_whole());
            assert!((250..340).contains(&outline.points.len()), "{}", outline.points.len());
            let end = outline.points.last().expect("a point").distance_m;
            assert!((990.0..1001.0).contains(&end), "{end}");
            let [x, y, z] = outline.position_at(250.0).expect("a place");
            assert!(x.abs() < 2.0 && y == 7.0 && (z - 159.15).abs() < 1.0, "{x} {y} {z}");
            assert!(outline.position_at(999.9).is_some());
        }
    }

    #[test]
    fn a_path_begins_after_the_last_jump() {
        let mut outline = Outline::of(&round(10.0, true), false);
        let points = outline.points.clone();
        assert_eq!(outline.clone().since_jump(), outline);
        outline.points.drain(60..120);
        assert_eq!(outline.since_jump().points, points[120..]);
        assert!(Outline::default().since_jump().points.is_empty());
    }

    #[test]
    fn half_a_lap_is_none() {
        assert!(!Outline::of(&round(10.0, true), true).is_whole());
        assert!(!Outline::of(&Columns::default(), true).is_whole());
        assert_eq!(Outline::default().position_at(3.0), None);
    }
}
