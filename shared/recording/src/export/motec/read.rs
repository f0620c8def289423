//! Reads `.ld` files, from any program.

use thiserror::Error;
use zerocopy::{FromBytes, Immutable, KnownLayout, Unaligned};

use super::layout::{Channel, Event, FLOAT, Header, INTEGERS, MARK, Vehicle, Venue};

/// No device logs more channels.
const MOST_CHANNELS: usize = 4096;

/// The content of an `.ld` file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LdFile {
    /// The driver's name.
    pub driver: String,
    /// The car.
    pub vehicle: String,
    /// The track.
    pub venue: String,
    /// The date as text: day, month, year.
    pub date: String,
    /// The time of day as text.
    pub time: String,
    /// The event.
    pub event: String,
    /// The session.
    pub session: String,
    /// The channels.
    pub channels: Vec<LdChannel>,
}

/// A channel of a log.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LdChannel {
    /// The name.
    pub name: String,
    /// The unit's name.
    pub unit: String,
    /// Samples per second.
    pub rate_hz: u16,
    /// The samples, in the channel's unit.
    pub samples: Vec<f32>,
}

/// Why a file can't be read as a log.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum NotLd {
    /// The file starts with another magic number.
    #[error("this is no MoTeC .ld file: it begins with {found:#010x} and not with 0x00000040")]
    Mark {
        /// The number found.
        found: u32,
    },
    /// A part of the file lies beyond its end.
    #[error("the .ld file ends before {part}, which it says is at byte {at}")]
    Cut {
        /// The part.
        part: &'static str,
        /// Its offset.
        at: usize,
    },
    /// The list of channels is too long or loops.
    #[error("the .ld file lists more than {most} channels, or the same ones again and again")]
    Endless {
        /// The most channels that are read.
        most: usize,
    },
    /// A channel with an unknown number type.
    #[error("the channel {name} of the .ld file has samples of kind {family}.{width}, which is not known")]
    Kind {
        /// The channel.
        name: String,
        /// The number family.
        family: u16,
        /// Bytes per sample.
        width: u16,
    },
    /// More samples than the file has room for.
    #[error("the channels of the .ld file share their samples, as those of no real one do")]
    Shared,
}

/// Reads an `.ld` file.
pub fn read_ld(file: &[u8]) -> Result<LdFile, NotLd> {
    let header: &Header = part(file, 0, "its header")?;
    if header.mark.get() != MARK {
        return Err(NotLd::Mark { found: header.mark.get() });
    }
    let mut log = LdFile {
        driver: header.driver.text(),
        vehicle: header.vehicle.text(),
        venue: header.venue.text(),
        date: header.date.text(),
        time: header.time.text(),
        ..LdFile::default()
    };
    log.take_descriptions(file, header);
    let mut at = header.channels_at.get() as usize;
    // In a real file each sample has its own bytes.
    let mut room = file.len();
    while at != 0 {
        if log.channels.len() >= MOST_CHANNELS {
            return Err(NotLd::Endless { most: MOST_CHANNELS });
        }
        let channel: &Channel = part(file, at, "a channel")?;
        let read = LdChannel::read(file, channel)?;
        let bytes = read.samples.len() * usize::from(channel.width.get());
        room = room.checked_sub(bytes).ok_or(NotLd::Shared)?;
        log.channels.push(read);
        at = channel.next_at.get() as usize;
    }
    Ok(log)
}

impl LdFile {
    /// The channel with this name.
    pub fn channel(&self, name: &str) -> Option<&LdChannel> {
        self.channels.iter().find(|channel| channel.name == name)
    }

    /// The length of the log in seconds.
    pub fn seconds(&self) -> f64 {
        self.channels.iter().map(LdChannel::seconds).fold(0.0, f64::max)
    }

    /// Reads the descriptions; a file without them is valid.
    fn take_descriptions(&mut self, file: &[u8], header: &Header) {
        let behind = |at: usize| (at != 0).then_some(at);
        let Some(event) =
            behind(header.event_at.get() as usize).and_then(|at| part::<Event>(file, at, "").ok())
        else {
            return;
        };
        (self.event, self.session) = (event.name.text(), event.session.text());
        let Some(venue) = behind(event.venue_at.get().into()).and_then(|at| part::<Venue>(file, at, "").ok())
        else {
            return;
        };
        fill(&mut self.venue, venue.name.text());
        let vehicle = behind(venue.vehicle_at.get().into()).and_then(|at| part::<Vehicle>(file, at, "").ok());
        if let Some(vehicle) = vehicle {
            fill(&mut self.vehicle, vehicle.id.text());
        }
    }
}

fn fill(text: &mut String, with: String) {
    if text.is_empty() {
        *text = with;
    }
}

impl LdChannel {
    /// The length of the channel in seconds.
    pub fn seconds(&self) -> f64 {
        if self.rate_hz == 0 { 0.0 } else { self.samples.len() as f64 / f64::from(self.rate_hz) }
    }

    fn read(file: &[u8], channel: &Channel) -> Result<Self, NotLd> {
        let (name, family, width) = (channel.name.text(), channel.family.get(), channel.width.get());
        let (at, count) = (channel.samples_at.get() as usize, channel.sample_count.get() as usize);
        let bytes = count.checked_mul(width.into()).and_then(|len| file.get(at..at.checked_add(len)?));
        let bytes = bytes.ok_or(NotLd::Cut { part: "a channel's samples", at })?;
        let raw: Vec<f64> = match (family, width) {
            (FLOAT, 2) => numbers(bytes, half),
            (FLOAT, 4) => numbers(bytes, |bytes| f32::from_le_bytes(bytes).into()),
            (family, 2) if INTEGERS.contains(&family) => {
                numbers(bytes, |bytes| i16::from_le_bytes(bytes).into())
            }
            (family, 4) if INTEGERS.contains(&family) => {
                numbers(bytes, |bytes| i32::from_le_bytes(bytes).into())
            }
            _ => return Err(NotLd::Kind { name, family, width }),
        };
        // A zero means that the field was never set.
        let set = |number: i16| if number == 0 { 1.0 } else { f64::from(number) };
        let (scale, multiplier) = (set(channel.scale.get()), set(channel.multiplier.get()));
        let decimals = libm::pow(10.0, -f64::from(channel.decimals.get()));
        let shift = f64::from(channel.shift.get());
        let value = |raw: f64| ((raw / scale * decimals + shift) * multiplier) as f32;
        let samples = raw.into_iter().map(value).collect();
        Ok(Self { name, unit: channel.unit.text(), rate_hz: channel.rate_hz.get(), samples })
    }
}

fn numbers<const WIDTH: usize>(bytes: &[u8], number: impl Fn([u8; WIDTH]) -> f64) -> Vec<f64> {
    let (chunks, _) = bytes.as_chunks::<WIDTH>();
    chunks.iter().map(|chunk| number(*chunk)).collect()
}

/// A 16-bit float: sign, five bits of exponent, ten of fraction.
fn half(bytes: [u8; 2]) -> f64 {
    let bits = u16::from_le_bytes(bytes);
    let sign = if bits & 0x8000 == 0 { 1.0 } else { -1.0 };
    let (exponent, fraction) = (i32::from(bits >> 10 & 0x1f), f64::from(bits & 0x03ff) / 1024.0);
    sign * match exponent {
        0 => libm::ldexp(fraction, -14),
        31 if fraction == 0.0 => f64::INFINITY,
        31 => f64::NAN,
        _ => libm::ldexp(1.0 + fraction, exponent - 15),
    }
}

fn part<'a, P>(file: &'a [u8], at: usize, part: &'static str) -> Result<&'a P, NotLd>
where
    P: FromBytes + Immutable + KnownLayout + Unaligned,
{
    let bytes = file.get(at..).ok_or(NotLd::Cut { part, at })?;
    P::ref_from_prefix(bytes).map(|(part, _)| part).map_err(|_| NotLd::Cut { part, at })
}
