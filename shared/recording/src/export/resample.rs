//! Resamples channels: a value at any time, and the time at any lap distance.

use trailbrake_model::units::Unit;
use trailbrake_model::{Channel, Columns, Drawing, Slot};

/// A channel over time, read in ascending order of time.
pub(super) struct Curve {
    points: Vec<(f64, f32)>,
    kind: Kind,
    /// The index reached by the last call of [`Curve::at`].
    place: usize,
}

/// How to interpolate between two samples.
#[derive(Clone, Copy, PartialEq)]
enum Kind {
    /// Holds the earlier value.
    Held,
    /// Linear.
    Straight,
    /// Linear, except where an angle wraps by a full turn.
    Angle,
}

impl Curve {
    /// The curve of a slot; `None` if the lap has no values for it.
    pub(super) fn of(columns: &Columns, slot: Slot) -> Option<Self> {
        let seconds = columns.seconds();
        let line = columns.line(slot)?;
        let points = line.iter().filter_map(|(row, value)| Some((*seconds.get(row)?, value))).collect();
        let channel = slot.channel();
        let kind = match (channel.drawing(), channel.unit()) {
            (Drawing::Step, _) => Kind::Held,
            (_, Unit::Radians) => Kind::Angle,
            _ => Kind::Straight,
        };
        Some(Self { points, kind, place: 0 })
    }

    /// Mean samples per second between the first and the last one.
    pub(super) fn rate(&self) -> f64 {
        let (Some((first, _)), Some((last, _))) = (self.points.first(), self.points.last()) else {
            return 0.0;
        };
        let span = last - first;
        if span > 0.0 { (self.points.len() - 1) as f64 / span } else { 0.0 }
    }

    /// The value at a time, which must not decrease from call to call; `None` before the first and after the last
    /// sample.
    pub(super) fn at(&mut self, seconds: f64) -> Option<f32> {
        let after = |place: usize| self.points.get(place).is_none_or(|(time, _)| *time > seconds);
        let mut place = self.place;
        while !after(place) {
            place += 1;
        }
        self.place = place;
        let (from, value) = *self.points.get(place.checked_sub(1)?)?;
        let Some((to, next)) = self.points.get(place).copied() else {
            // A held value lasts to the end of the lap; other channels end at their last sample.
            return (self.kind == Kind::Held || from == seconds).then_some(value);
        };
        let share = ((seconds - from) / (to - from)) as f32;
        let jumps = self.kind == Kind::Angle && (next - value).abs() > std::f32::consts::PI;
        Some(match self.kind {
            Kind::Held => value,
            _ if jumps => {
                if share < 0.5 {
                    value
                } else {
                    next
                }
            }
            _ => value + (next - value) * share,
        })
    }

    /// The value at a time. Outside the samples, that of the first or last one if it is within two sample intervals,
    /// or a second if that is longer.
    pub(super) fn near(&mut self, seconds: f64) -> Option<f32> {
        let reach_s = (2.0 / self.rate()).max(1.0);
        let ends = [self.points.first(), self.points.last()].into_iter().flatten();
        let ends = ends.map(|(time, value)| ((time - seconds).abs(), *value));
        let nearest = ends.min_by(|one, other| one.0.total_cmp(&other.0));
        self.at(seconds).or_else(|| nearest.filter(|(away_s, _)| *away_s <= reach_s).map(|(_, value)| value))
    }
}

/// The most positions per lap.
const MOST_PLACES: u32 = 1_000_000;
/// This long after the line, the distance is certainly the new lap's.
const SETTLE_S: f64 = 1.0;

/// Lap distance and time at which the car passed it, every `every_m` metres from the line.
pub(super) fn times_by_place(columns: &Columns, every_m: f32) -> Vec<(f32, f64)> {
    let Some(line) = columns.line(Channel::LapDistance.slot()) else { return Vec::new() };
    let seconds = columns.seconds();
    let Some(began) = seconds.first().copied() else { return Vec::new() };
    let mut came = Vec::new();
    let mut before: Option<(f32, f64)> = None;
    let mut step = 0_u32;
    for (row, distance) in line.iter() {
        let Some(time) = seconds.get(row).copied() else { continue };
        if before.is_some_and(|(last, _)| distance <= last) && time - began < SETTLE_S {
            // The previous lap's distance can last a little longer than its clock.
            (before, step) = (None, 0);
            came.clear();
        }
        if before.is_some_and(|(last, _)| distance <= last) || distance < 0.0 {
            continue;
        }
        while step < MOST_PLACES {
            let place = step as f32 * every_m;
            if place > distance {
                break;
            }
            if let Some((from, from_s)) = before.filter(|(from, _)| *from <= place) {
                let share = f64::from((place - from) / (distance - from));
                came.push((place, from_s + (time - from_s) * share));
            } else if place == distance {
                came.push((place, time));
            }
            step += 1;
        }
        before = Some((distance, time));
    }
    came
}
