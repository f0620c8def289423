//! Laps out of a log, as a reference for one's own: whoever drove them, in whatever program.

use thiserror::Error;

use super::names::{channel_called, unit_called};
use super::read::{LdChannel, LdFile};
use crate::analysis::{NoDelta, Reference};
use crate::model::{Channel, Columns, Moment, Slot};
use crate::time::{LapTime, Micros};

/// The laps of a log have no more values than this, all together: three hours of sixty channels at 60 Hz.
const MOST_VALUES: usize = 40_000_000;
/// No lap is read with more rows a second than this, however fast a channel claims to be.
const FASTEST_HZ: f64 = 1000.0;
/// A stretch shorter than this between two beacons is no lap.
const SHORTEST_S: f64 = 5.0;

/// A lap out of a log.
#[derive(Clone, Debug)]
pub struct ImportedLap {
    /// Which of the log's laps it is, counted from 1.
    pub number: u16,
    /// From beacon to beacon.
    pub time: LapTime,
    /// Its channels, in our units; the distance and the clock are always among them.
    pub columns: Columns,
    /// Whether the distance was not logged, and is the speed added up.
    pub distance_from_speed: bool,
}

/// Why a log has no lap to compare with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum NoLap {
    /// Nothing tells where on the track the car was.
    #[error(
        "the log has neither a distance nor a speed in a unit that is known, so places can't be compared"
    )]
    NoPlace,
    /// Nothing tells where laps end.
    #[error("the log has no whole lap: its .ldx file tells of fewer than two beacons")]
    NoBeacons,
}

impl ImportedLap {
    /// The lap as others are compared with it.
    pub fn reference(&self) -> Result<Reference, NoDelta> {
        let (distance, clock) = (Channel::LapDistance.slot(), Channel::LapClock.slot());
        let rows = 0..self.columns.len();
        let points = rows
            .filter_map(|row| Some((self.columns.value(distance, row)?, self.columns.value(clock, row)?)));
        Reference::new(points, self.time)
    }
}

/// The whole laps of a log, given when the car crossed the line, in seconds from the log's beginning.
pub fn laps_of(log: &LdFile, beacons: &[f64]) -> Result<Vec<ImportedLap>, NoLap> {
    let mut channels: Vec<Known<'_>> = log.channels.iter().filter_map(Known::of).collect();
    // Where several mean the same, the first one is taken.
    channels.sort_by_key(|known| known.slot);
    channels.dedup_by_key(|known| known.slot);
    let has = |channel: Channel| channels.iter().any(|known| known.slot == channel.slot());
    if !has(Channel::LapDistance) && !has(Channel::Speed) {
        return Err(NoLap::NoPlace);
    }
    let stretches =
        beacons.iter().zip(beacons.iter().skip(1)).map(|(from, to)| (*from, to.min(log.seconds())));
    let (mut laps, mut room) = (Vec::new(), MOST_VALUES);
    for (number, (from, to)) in (1..).zip(stretches) {
        if to - from < SHORTEST_S {
            continue;
        }
        let Some(lap) = lap(&channels, number, from, to, room) else { continue };
        room = room.saturating_sub(lap.columns.len() * (channels.len() + 2));
        laps.push(lap);
    }
    if laps.is_empty() { Err(NoLap::NoBeacons) } else { Ok(laps) }
}

/// A channel of a log that is one of ours.
struct Known<'a> {
    slot: Slot,
    channel: &'a LdChannel,
    unit: super::names::Named,
}

impl<'a> Known<'a> {
    fn of(channel: &'a LdChannel) -> Option<Self> {
        let (name, part) = split(&channel.name);
        let ours = channel_called(name)?;
        let parts = usize::from(ours.scope().width());
        let slot = (0..parts).filter_map(|part| Slot::from_index(ours.slot().index() + part));
        let slot = slot.into_iter().find(|slot| match part {
            Some(part) => slot.id().ends_with(&format!("_{}", part.to_lowercase())) && parts > 1,
            None => parts == 1,
        })?;
        let unit = unit_called(&channel.unit, ours)?;
        (channel.rate_hz > 0).then_some(Self { slot, channel, unit })
    }

    fn at(&self, seconds: f64) -> Option<f32> {
        let place = seconds * f64::from(self.channel.rate_hz);
        let value = self.channel.samples.get(place.round() as usize)?;
        Some(self.unit.kept(*value)).filter(|value| value.is_finite())
    }
}

/// A name, and which wheel or axis of it: `Tyre Pressure FL`.
fn split(name: &str) -> (&str, Option<&str>) {
    const PARTS: [&str; 7] = ["FL", "FR", "RL", "RR", "X", "Y", "Z"];
    match name.rsplit_once(' ') {
        Some((name, part)) if PARTS.contains(&part) => (name, Some(part)),
        _ => (name, None),
    }
}

/// A lap of at most so many values; `None` where it has more.
fn lap(channels: &[Known<'_>], number: u16, from_s: f64, to_s: f64, most: usize) -> Option<ImportedLap> {
    let time = LapTime::from_seconds((to_s - from_s) as f32)?;
    let rate =
        channels.iter().map(|known| f64::from(known.channel.rate_hz)).fold(0.0, f64::max).min(FASTEST_HZ);
    let rows = ((to_s - from_s) * rate).ceil() as usize;
    // The clock and the distance come to those that are logged.
    if rows.saturating_mul(channels.len() + 2) > most {
        return None;
    }
    let logged = channels.iter().find(|known| known.slot == Channel::LapDistance.slot());
    let speed = channels.iter().find(|known| known.slot == Channel::Speed.slot());
    let logged_m = |at_s: f64| logged.and_then(|known| known.at(at_s)).unwrap_or_default();
    // A distance that counts on from lap to lap says so by not being small behind the line. At the line itself it may
    // still be that of the lap before.
    let counts_on = logged_m(from_s + SETTLE_S) > MOST_BEHIND_LINE_M;
    let began_m = logged_m(from_s);
    let (mut columns, mut driven_m) = (Columns::default(), 0.0_f64);
    for row in 0..rows {
        let clock = row as f64 / rate;
        let distance = match logged {
            Some(known) => known.at(from_s + clock).map(|at| if counts_on { at - began_m } else { at }),
            None => Some(driven_m as f32),
        };
        let added = speed.and_then(|known| known.at(from_s + clock)).unwrap_or_default();
        driven_m += f64::from(added.max(0.0)) / rate;
        let ours = [(Channel::LapClock.slot(), Some(clock as f32)), (Channel::LapDistance.slot(), distance)];
        let own = |slot: Slot| ours.iter().any(|(other, _)| *other == slot);
        let others = channels.iter().filter(|known| !own(known.slot));
        let others = others.map(|known| (known.slot, known.at(from_s + clock)));
        let values: Vec<_> =
            ours.into_iter().chain(others).filter_map(|(slot, value)| Some((slot, value?))).collect();
        let moment = Moment { at: Micros::default(), session_time: Some(from_s + clock), frame: None };
        columns.push(moment, values);
    }
    Some(ImportedLap { number, time, columns, distance_from_speed: logged.is_none() })
}

/// This long behind the line the distance is the new lap's, and where it is counted from the line not more than this.
const SETTLE_S: f64 = 1.0;
const MOST_BEHIND_LINE_M: f32 = 150.0;
