//! A channel's value at any time, and the time at any place.

use crate::model::{Channel, Columns, Drawing, Slot};
use crate::units::Unit;

/// A channel over time.
pub(super) struct Curve {
    points: Vec<(f64, f32)>,
    kind: Kind,
    /// Where the last look was: looks go forward.
    place: usize,
}

/// What is between two samples.
#[derive(Clone, Copy, PartialEq)]
enum Kind {
    /// The first of them, until the second comes.
    Held,
    /// A straight line.
    Straight,
    /// A straight line, unless an angle jumps from one half turn to the other.
    Angle,
}

impl Curve {
    /// A channel of a lap; `None` where it was never sent.
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

    /// Samples a second, over the stretch in which there are some.
    pub(super) fn rate(&self) -> f64 {
        let (Some((first, _)), Some((last, _))) = (self.points.first(), self.points.last()) else {
            return 0.0;
        };
        let span = last - first;
        if span > 0.0 { (self.points.len() - 1) as f64 / span } else { 0.0 }
    }

    /// The value at a time, not before the last look's; `None` before the first sample and after the last.
    pub(super) fn at(&mut self, seconds: f64) -> Option<f32> {
        let after = |place: usize| self.points.get(place).is_none_or(|(time, _)| *time > seconds);
        let mut place = self.place;
        while !after(place) {
            place += 1;
        }
        self.place = place;
        let (from, value) = *self.points.get(place.checked_sub(1)?)?;
        let Some((to, next)) = self.points.get(place).copied() else {
            // A value that is held holds to the lap's end; of others the last sample is the last that is known.
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

    /// The value at a time, where need be that of the first or the last sample if it is near: no more than two samples
    /// away, or a second.
    pub(super) fn near(&mut self, seconds: f64) -> Option<f32> {
        let reach_s = (2.0 / self.rate()).max(1.0);
        let ends = [self.points.first(), self.points.last()].into_iter().flatten();
        let ends = ends.map(|(time, value)| ((time - seconds).abs(), *value));
        let nearest = ends.min_by(|one, other| one.0.total_cmp(&other.0));
        self.at(seconds).or_else(|| nearest.filter(|(away_s, _)| *away_s <= reach_s).map(|(_, value)| value))
    }
}

/// No lap has more places than this.
const MOST_PLACES: u32 = 1_000_000;
/// This long after the line the distance is the new lap's for sure.
const SETTLE_S: f64 = 1.0;

/// The times at which a lap came by, place by place: every so many metres from the line on.
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
            // The distance of the lap before can stand a little longer than its clock.
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
