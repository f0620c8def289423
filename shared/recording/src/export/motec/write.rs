//! Writes laps as one log: lap after lap, each channel at a constant rate.

use zerocopy::IntoBytes;

use super::layout::{
    CHANNELS_AT, Channel, EVENT_AT, Event, FLOAT, Header, MARK, Text, VEHICLE_AT, VENUE_AT, Vehicle, Venue,
};
use super::ldx::Ldx;
use super::names::written;
use crate::export::date::date_and_time;
use crate::export::exported_lap::slots_of;
use crate::export::resample::Curve;
use crate::export::{About, ExportedLap};

/// Rates in samples per second. A channel gets the first that is at least 90 % of its own.
const RATES: [u16; 7] = [1, 2, 5, 10, 20, 60, 100];
/// The rate of channels faster than [`RATES`].
const FASTEST: u16 = 360;
/// The most samples of a channel; an hour at 360 Hz has a third of them.
const MOST_SAMPLES: usize = 4_000_000;
/// The logging device. i2 opens the file only with a known one.
const DEVICE: (u32, &str, u16) = (8004, "ADL", 420);
/// Constants of unknown meaning that every file has.
const CONSTANTS: [u16; 4] = [1, 0x4240, 0x000f, 0xadb0];
/// Makes i2 offer all its functions for the file.
const PRO_LOGGING: u32 = 0x000c_81a4;
/// The counter of the first channel.
const FIRST_COUNTER: u16 = 0x2ee1;

/// Both files of a log.
#[derive(Clone, Debug, PartialEq)]
pub struct Log {
    /// The `.ld` file: the channels.
    pub ld: Vec<u8>,
    /// The `.ldx` file: the laps.
    pub ldx: String,
}

/// Writes one car's laps one after another; `None` if there are none.
pub fn write(laps: &[ExportedLap<'_>], about: &About) -> Option<Log> {
    let first = laps.first()?;
    let channels: Vec<Samples> = slots_of(laps).into_iter().map(|slot| Samples::of(laps, slot)).collect();
    let samples_at = CHANNELS_AT + channels.len() * size_of::<Channel>();

    let mut ld = Vec::new();
    put(&mut ld, 0, &header(first, about, samples_at, channels.len()));
    put(&mut ld, EVENT_AT, &event(about));
    put(
        &mut ld,
        VENUE_AT,
        &Venue { name: Text::of(&about.venue), vehicle_at: (VEHICLE_AT as u16).into(), ..Venue::default() },
    );
    put(&mut ld, VEHICLE_AT, &Vehicle { id: Text::of(&about.vehicle), ..Vehicle::default() });
    let mut at = samples_at;
    for (nth, samples) in channels.iter().enumerate() {
        let place = |nth: usize| CHANNELS_AT + nth * size_of::<Channel>();
        let is_last = nth + 1 == channels.len();
        put(
            &mut ld,
            place(nth),
            &Channel {
                previous_at: pointer(if nth == 0 { 0 } else { place(nth - 1) }).into(),
                next_at: pointer(if is_last { 0 } else { place(nth + 1) }).into(),
                samples_at: pointer(at).into(),
                ..samples.described(nth)
            },
        );
        at += samples.values.len() * size_of::<f32>();
    }
    ld.resize(samples_at, 0);
    for samples in &channels {
        ld.extend(samples.values.iter().flat_map(|value| value.to_le_bytes()));
    }
    Some(Log { ld, ldx: Ldx::of(laps).to_string() })
}

fn header(first: &ExportedLap<'_>, about: &About, samples_at: usize, channels: usize) -> Header {
    let [one, two, three, four] = CONSTANTS;
    let (date, time) = date_and_time(first.received);
    Header {
        mark: MARK.into(),
        channels_at: pointer(CHANNELS_AT).into(),
        samples_at: pointer(samples_at).into(),
        event_at: pointer(EVENT_AT).into(),
        constant_40: one.into(),
        constant_42: two.into(),
        constant_44: three.into(),
        device_serial: DEVICE.0.into(),
        device_type: Text::of(DEVICE.1),
        device_version: DEVICE.2.into(),
        constant_54: four.into(),
        channel_count: pointer(channels).into(),
        date: Text::of(&date),
        time: Text::of(&time),
        driver: Text::of(&first.driver),
        vehicle: Text::of(&about.vehicle),
        venue: Text::of(&about.venue),
        pro_logging: PRO_LOGGING.into(),
        short_comment: Text::of(&about.game),
        ..Header::default()
    }
}

fn event(about: &About) -> Event {
    Event {
        name: Text::of(&about.game),
        session: Text::of(&about.session),
        comment: Text::of("Written by Trailbrake"),
        venue_at: (VENUE_AT as u16).into(),
    }
}

/// An offset in the file. Files above 4 GB are not supported: offsets of their samples would not fit.
fn pointer(at: usize) -> u32 {
    u32::try_from(at).unwrap_or(u32::MAX)
}

fn put(file: &mut Vec<u8>, at: usize, part: &(impl IntoBytes + zerocopy::Immutable)) {
    let bytes = part.as_bytes();
    let end = at + bytes.len();
    if file.len() < end {
        file.resize(end, 0);
    }
    if let Some(place) = file.get_mut(at..end) {
        place.copy_from_slice(bytes);
    }
}

/// One channel over all laps.
struct Samples {
    slot: trailbrake_model::Slot,
    rate_hz: u16,
    values: Vec<f32>,
}

impl Samples {
    fn of(laps: &[ExportedLap<'_>], slot: trailbrake_model::Slot) -> Self {
        let mut curves: Vec<_> = laps.iter().map(|lap| Curve::of(lap.columns, slot)).collect();
        let fastest = curves.iter().flatten().map(Curve::rate).fold(0.0, f64::max);
        let rate_hz = RATES.into_iter().find(|rate| f64::from(*rate) >= fastest * 0.9);
        let rate_hz = rate_hz.unwrap_or(FASTEST);
        let unit = written(slot).unit;
        let (mut values, mut ended_s) = (Vec::new(), 0.0);
        for (lap, curve) in laps.iter().zip(&mut curves) {
            let began_s = ended_s;
            ended_s += lap.seconds();
            // The sample clock runs on across laps, even if a lap ends between two samples.
            while (values.len() as f64) < ended_s * f64::from(rate_hz) && values.len() < MOST_SAMPLES {
                let seconds = lap.lap.began_s + values.len() as f64 / f64::from(rate_hz) - began_s;
                // NaN is the format's only way to mark a missing value; any number would be taken as real.
                let value = curve.as_mut().and_then(|curve| curve.near(seconds)).unwrap_or(f32::NAN);
                values.push(unit.written(value));
            }
        }
        Self { slot, rate_hz, values }
    }

    fn described(&self, nth: usize) -> Channel {
        let written = written(self.slot);
        Channel {
            sample_count: pointer(self.values.len()).into(),
            counter: FIRST_COUNTER.wrapping_add(nth as u16).into(),
            family: FLOAT.into(),
            width: (size_of::<f32>() as u16).into(),
            rate_hz: self.rate_hz.into(),
            multiplier: 1.into(),
            scale: 1.into(),
            name: Text::of(&written.name),
            short_name: Text::of(&written.short),
            unit: Text::of(written.unit.name),
            ..Channel::default()
        }
    }
}
