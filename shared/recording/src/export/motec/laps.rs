//! Extracts the laps of a log from any program, in our channels and units.

use thiserror::Error;
use trailbrake_analysis::laps::LapFlags;
use trailbrake_model::time::{LapTime, Micros};
use trailbrake_model::units::Unit;
use trailbrake_model::{Car, Channel, Columns, Drawing, Moment, SectorTimes, Slot};

use super::ldx::{LapDetail, Ldx};
use super::names::{NamedUnit, channel_called, part_called, unit_called, unit_of_pedal};
use super::read::{LdChannel, LdFile, NotLd, read_ld};
use crate::export::date::moment;
use crate::export::{About, ImportedLap, ImportedLaps};

/// The largest number of values read from a log, over all laps: three hours of sixty channels at 60 Hz.
const MOST_VALUES: usize = 40_000_000;
/// The highest row rate, even if a channel claims a higher one.
const FASTEST_HZ: f64 = 1000.0;
/// The shortest lap; less time between two beacons is not a lap.
const SHORTEST_S: f64 = 5.0;
/// This long after the line, the distance is the new lap's; if it is counted from the line, it is at most this far by
/// then.
const SETTLE_S: f64 = 1.0;
const MOST_BEHIND_LINE_M: f32 = 150.0;
/// What the driver reads about a log without a distance.
const DISTANCE_FROM_SPEED: &str = "no distance was logged: places are reckoned from the speed";

/// Why a log has no usable lap.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum NoLap {
    /// The file is not a log, or is damaged.
    #[error(transparent)]
    NotLd(#[from] NotLd),
    /// The log has neither distance nor speed.
    #[error(
        "the log has neither a distance nor a speed in a unit that is known, so places can't be compared"
    )]
    NoPlace,
    /// The `.ldx` file is missing.
    #[error(
        "the .ldx file that belongs beside the log is missing, so nothing shows where laps begin and end"
    )]
    NoLdx,
    /// The `.ldx` file has too few beacons.
    #[error("the log has no complete lap: its .ldx file has fewer than two beacons")]
    NoBeacons,
}

/// Imports the laps of a log and its `.ldx` file.
pub fn import(ld: &[u8], ldx: Option<&str>) -> Result<ImportedLaps, NoLap> {
    let log = read_ld(ld)?;
    let ldx = ldx.map(Ldx::read).ok_or(NoLap::NoLdx)?;
    let mut laps = laps_of(&log, &ldx.seconds)?;
    // An `.ldx` file that Trailbrake wrote has details of each lap.
    if ldx.details.len() + 1 == ldx.seconds.len() {
        for lap in &mut laps {
            let detail = lap.number.checked_sub(1).and_then(|nth| ldx.details.get(usize::from(nth)));
            if let Some(LapDetail { number, time, sectors, flags }) = detail.cloned() {
                (lap.number, lap.time, lap.sectors, lap.flags) = (number, time, sectors, flags);
            }
        }
    }
    // The log may have started before the first complete lap.
    let first_s = laps.first().map_or(0.0, |lap| lap.began_s);
    let driven = moment(&log.date, &log.time).map(|began| began.plus_seconds(first_s));
    let LdFile { event, venue, vehicle, session, .. } = log;
    Ok(ImportedLaps {
        program: "MoTeC .ld",
        about: About { game: event, venue, vehicle, session },
        driven,
        note: laps.iter().any(|lap| lap.distance_from_speed).then_some(DISTANCE_FROM_SPEED),
        laps,
    })
}

/// The complete laps of a log. `beacons` are the line crossings, in seconds from the start of the log.
pub fn laps_of(log: &LdFile, beacons: &[f64]) -> Result<Vec<ImportedLap>, NoLap> {
    let mut channels: Vec<LogChannel<'_>> = log.channels.iter().filter_map(LogChannel::of).collect();
    // If several channels mean the same, keep the first.
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
        let Some(columns) = columns(&channels, &LogSpan { from, to }, room) else { continue };
        let Some(time) = LapTime::from_seconds((to - from) as f32) else { continue };
        room = room.saturating_sub(columns.len() * (channels.len() + 2));
        laps.push(ImportedLap {
            driver: log.driver.clone(),
            car: Car(0),
            number,
            began_s: from,
            time: Some(time),
            sectors: SectorTimes::default(),
            flags: LapFlags::NONE,
            columns,
            distance_from_speed: !has(Channel::LapDistance),
        });
    }
    if laps.is_empty() { Err(NoLap::NoBeacons) } else { Ok(laps) }
}

/// The time between two beacons, in seconds of the log.
struct LogSpan {
    from: f64,
    to: f64,
}

/// A channel of a log that matches one of ours.
struct LogChannel<'a> {
    slot: Slot,
    channel: &'a LdChannel,
    unit: NamedUnit,
}

impl<'a> LogChannel<'a> {
    fn of(channel: &'a LdChannel) -> Option<Self> {
        let (name, part) = part_called(&channel.name);
        let ours = channel_called(name)?;
        let parts = usize::from(ours.scope().width());
        let slot = (0..parts).filter_map(|part| Slot::from_index(ours.slot().index() + part));
        let slot = slot.into_iter().find(|slot| match part {
            Some(part) => slot.id().ends_with(part) && parts > 1,
            None => parts == 1,
        })?;
        let without_unit = channel.unit.trim().is_empty() && ours.unit() == Unit::Ratio;
        let unit = match without_unit {
            true => unit_of_pedal(&channel.samples),
            false => unit_called(&channel.unit, ours)?,
        };
        (channel.rate_hz > 0).then_some(Self { slot, channel, unit })
    }

    /// The value at a time, linearly interpolated, unless the channel is a step or a neighbouring sample belongs to
    /// another lap.
    fn at(&self, seconds: f64, stretch: &LogSpan) -> Option<f32> {
        let rate = f64::from(self.channel.rate_hz);
        let place = seconds * rate;
        // A row at a sample takes its value, despite rounding of its time.
        let nearest = place.round();
        let whole = (place - nearest).abs() < 1e-6;
        let before = if whole { nearest } else { place.floor() };
        let sample = |place: f64| {
            let value = self.channel.samples.get(place as usize).copied()?;
            Some(self.unit.kept(value)).filter(|value| value.is_finite())
        };
        if whole {
            return sample(before);
        }
        let within = |place: f64| (stretch.from..stretch.to).contains(&(place / rate));
        let (first, second) = (sample(before), sample(before + 1.0));
        match (within(before), within(before + 1.0)) {
            (false, true) => second,
            (true, false) => first,
            _ if self.slot.channel().drawing() == Drawing::Step => first,
            _ => {
                let (first, second) = (first?, second?);
                let turns = self.slot.channel().unit() == Unit::Radians
                    && (second - first).abs() > std::f32::consts::PI;
                let share = (place - before) as f32;
                Some(if turns { first } else { first + (second - first) * share })
            }
        }
    }
}

/// The rows of a lap, one per sample of the fastest channel; `None` if they have more than `most` values.
fn columns(channels: &[LogChannel<'_>], stretch: &LogSpan, most: usize) -> Option<Columns> {
    let rate =
        channels.iter().map(|known| f64::from(known.channel.rate_hz)).fold(0.0, f64::max).min(FASTEST_HZ);
    let rows = ((stretch.to - stretch.from) * rate).ceil() as usize;
    // Lap clock and lap distance are added to the logged channels.
    if rows.saturating_mul(channels.len() + 2) > most {
        return None;
    }
    let first_row = (stretch.from * rate - 1e-6).ceil();
    let times = (0..rows).map(|row| (first_row + row as f64) / rate).filter(|at_s| *at_s < stretch.to);
    let found = |channel: Channel| channels.iter().find(|known| known.slot == channel.slot());
    let (logged, speed) = (found(Channel::LapDistance), found(Channel::Speed));
    let place = Place::new(logged, stretch);
    let (mut columns, mut driven_m) = (Columns::default(), Some(0.0_f64));
    for at_s in times {
        let clock_s = (at_s - stretch.from).max(0.0);
        let distance = match logged {
            Some(known) => known.at(at_s, stretch).and_then(|logged| place.metres(logged, clock_s)),
            None => driven_m.map(|metres| metres as f32),
        };
        // After a gap in the speed the distance is unknown.
        let added = speed.and_then(|known| known.at(at_s, stretch));
        driven_m = driven_m.zip(added).map(|(metres, speed)| metres + f64::from(speed.max(0.0)) / rate);
        let ours =
            [(Channel::LapClock.slot(), Some(clock_s as f32)), (Channel::LapDistance.slot(), distance)];
        let own = |slot: Slot| ours.iter().any(|(other, _)| *other == slot);
        let others = channels.iter().filter(|known| !own(known.slot));
        let others = others.map(|known| (known.slot, known.at(at_s, stretch)));
        let values: Vec<_> =
            ours.into_iter().chain(others).filter_map(|(slot, value)| Some((slot, value?))).collect();
        let moment = Moment { at: Micros::default(), session_time: Some(at_s), frame: None };
        columns.push(moment, values);
    }
    Some(columns)
}

/// Converts logged distance to metres from the line.
struct Place {
    /// The distance at the line, if it accumulates from lap to lap.
    began_m: Option<f32>,
}

impl Place {
    /// A distance that is large soon after the line accumulates from lap to lap. At the line itself it may still be
    /// the previous lap's.
    fn new(logged: Option<&LogChannel<'_>>, stretch: &LogSpan) -> Self {
        let at = |at_s: f64| logged.and_then(|known| known.at(at_s, stretch)).unwrap_or_default();
        let counts_on = at(stretch.from + SETTLE_S) > MOST_BEHIND_LINE_M;
        Self { began_m: counts_on.then(|| at(stretch.from)) }
    }

    fn metres(&self, logged: f32, clock_s: f64) -> Option<f32> {
        match self.began_m {
            Some(began) => Some(logged - began),
            None => (clock_s > SETTLE_S || logged <= MOST_BEHIND_LINE_M).then_some(logged),
        }
    }
}
