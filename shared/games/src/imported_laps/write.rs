//! Writes laps as packets.

use trailbrake_model::Slot;
use trailbrake_model::time::LapTime;

use super::layout::{Channels, Head, Header, Lap, Values};
use super::packet::{Kind, LONGEST, MARK, VERSION};
use crate::Text;
use crate::table::{Entries, ONLY_VERSION};

/// The header fields that identify a packet's file, car, lap and time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stamp {
    /// Distinguishes the laps of one file from those of others.
    pub session: u32,
    /// The car.
    pub car: u8,
    /// The number of session restarts before.
    pub run: u8,
    /// The lap number, as the game counted.
    pub lap: u16,
    /// The time on the session's clock, in microseconds.
    pub time_us: u64,
}

/// Driver, car, track and source of the laps. An unknown value is empty.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Heading<'a> {
    /// The program that wrote the file.
    pub program: &'a str,
    /// The game.
    pub game: &'a str,
    /// The driver's name.
    pub driver: &'a str,
    /// The car's name.
    pub vehicle: &'a str,
    /// The track's name.
    pub track: &'a str,
    /// The kind of session: practice, race, a stage.
    pub occasion: &'a str,
    /// Whether the driver is the owner of the file.
    pub player: bool,
}

/// A lap's times and remarks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LapSummary {
    /// The start of the lap on the session's clock, in microseconds.
    pub began_us: u64,
    /// The official lap time.
    pub time: Option<LapTime>,
    /// The sector times.
    pub sectors: [Option<LapTime>; 3],
    /// The bits of the lap's remarks.
    pub remarks: u16,
    /// Whether the lap has ended and no other lap directly follows.
    pub over: bool,
}

/// The packet with driver, car, track and source of the laps.
pub fn head(stamp: Stamp, heading: &Heading<'_>) -> Vec<u8> {
    let packet = Head {
        header: header(stamp, Kind::Head, Head::size(ONLY_VERSION)),
        program: Text::write(heading.program),
        game: Text::write(heading.game),
        driver: Text::write(heading.driver),
        vehicle: Text::write(heading.vehicle),
        track: Text::write(heading.track),
        occasion: Text::write(heading.occasion),
        player: heading.player.into(),
    };
    packet.bytes(ONLY_VERSION)
}

/// The packets that name a car's channels, in the order of their values.
pub fn channels(stamp: Stamp, slots: &[Slot]) -> Vec<Vec<u8>> {
    let (mut packets, mut names) = (Vec::new(), Vec::new());
    let mut first = 0_u16;
    for (place, slot) in (0_u16..).zip(slots) {
        let name = slot.heading();
        if Channels::size(ONLY_VERSION) + names.len() + 1 + name.len() > LONGEST {
            packets.push(named(stamp, first, &names));
            names.clear();
            first = place;
        }
        names.push(name.len() as u8);
        names.extend(name.bytes());
    }
    packets.push(named(stamp, first, &names));
    packets
}

fn named(stamp: Stamp, first: u16, names: &[u8]) -> Vec<u8> {
    let size = Channels::size(ONLY_VERSION) + names.len();
    Channels { header: header(stamp, Kind::Channels, size), first, names }.bytes(ONLY_VERSION)
}

/// The packet with a lap's times and remarks.
pub fn lap(stamp: Stamp, summary: &LapSummary) -> Vec<u8> {
    let millis = |time: Option<LapTime>| time.map_or(0, |time| time.0);
    let packet = Lap {
        header: header(stamp, Kind::Lap, Lap::size(ONLY_VERSION)),
        began_us: summary.began_us,
        time_ms: millis(summary.time),
        sectors_ms: summary.sectors.map(millis),
        remarks: summary.remarks,
        over: summary.over.into(),
    };
    packet.bytes(ONLY_VERSION)
}

/// The packet of one moment's values, in the order of the car's channels.
pub fn values(stamp: Stamp, values: impl ExactSizeIterator<Item = Option<f32>>) -> Vec<u8> {
    let size = Values::size(ONLY_VERSION) + values.len() * size_of::<f32>();
    let values = Entries::Made(values.map(|value| value.unwrap_or(f32::NAN)).collect());
    Values { header: header(stamp, Kind::Values, size), values }.bytes(ONLY_VERSION)
}

fn header(stamp: Stamp, kind: Kind, size: usize) -> Header {
    Header {
        mark: Text(*MARK),
        version: VERSION,
        kind: kind.id(),
        size: size as u16,
        session: stamp.session,
        car: stamp.car,
        run: stamp.run,
        lap: stamp.lap,
        time_us: stamp.time_us,
    }
}
