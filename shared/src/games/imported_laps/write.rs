//! Laps → packets: the layouts, filled.

use zerocopy::{FromZeros, IntoBytes};

use super::layout::{ChannelsHeader, Head, Header, Lap};
use super::packet::{Kind, LONGEST, MARK, VERSION};
use crate::games::Text;
use crate::model::Slot;
use crate::time::LapTime;

/// What stands in the header of every packet besides what it is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stamp {
    /// Tells laps of one file from those of others.
    pub session: u32,
    /// Whose.
    pub car: u8,
    /// How often the session had been started anew before.
    pub run: u8,
    /// The lap, as the game counted.
    pub lap: u16,
    /// When, on the session's clock.
    pub time_us: u64,
}

/// Whose laps these are, and where they were driven. What is not known is empty.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Heading<'a> {
    /// What wrote the file.
    pub program: &'a str,
    /// The game.
    pub game: &'a str,
    /// Who drove.
    pub driver: &'a str,
    /// What.
    pub vehicle: &'a str,
    /// Where.
    pub track: &'a str,
    /// On which occasion: practice, race, a stage.
    pub occasion: &'a str,
    /// Whether the driver is the one whose file it is.
    pub player: bool,
}

/// What is known of a lap as a whole.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LapSummary {
    /// When it began, on the session's clock.
    pub began_us: u64,
    /// Its official time.
    pub time: Option<LapTime>,
    /// Those of its sectors.
    pub sectors: [Option<LapTime>; 3],
    /// The bits of what is remarked on it.
    pub remarks: u16,
    /// Whether it has ended, and none follows it at once.
    pub over: bool,
}

/// The packet that says whose laps follow.
pub fn head(stamp: Stamp, heading: &Heading<'_>) -> Vec<u8> {
    let mut packet = Head::new_zeroed();
    packet.header = header(stamp, Kind::Head, size_of::<Head>());
    packet.program = Text::write(heading.program);
    packet.game = Text::write(heading.game);
    packet.driver = Text::write(heading.driver);
    packet.vehicle = Text::write(heading.vehicle);
    packet.track = Text::write(heading.track);
    packet.occasion = Text::write(heading.occasion);
    packet.player = heading.player.into();
    packet.as_bytes().to_vec()
}

/// The packets that name a car's channels, in the order of their values.
pub fn channels(stamp: Stamp, slots: &[Slot]) -> Vec<Vec<u8>> {
    let (mut packets, mut names) = (Vec::new(), Vec::new());
    let mut first = 0_u16;
    for (place, slot) in (0_u16..).zip(slots) {
        let name = slot.heading();
        if size_of::<ChannelsHeader>() + names.len() + 1 + name.len() > LONGEST {
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
    let size = size_of::<ChannelsHeader>() + names.len();
    let packet = ChannelsHeader { header: header(stamp, Kind::Channels, size), first: first.into() };
    [packet.as_bytes(), names].concat()
}

/// The packet that tells of a lap as a whole.
pub fn lap(stamp: Stamp, said: &LapSummary) -> Vec<u8> {
    let millis = |time: Option<LapTime>| time.map_or(0, |time| time.0);
    let packet = Lap {
        header: header(stamp, Kind::Lap, size_of::<Lap>()),
        began_us: said.began_us.into(),
        time_ms: millis(said.time).into(),
        sectors_ms: said.sectors.map(|time| millis(time).into()),
        remarks: said.remarks.into(),
        over: said.over.into(),
    };
    packet.as_bytes().to_vec()
}

/// The packet of one moment's values, in the order of the car's channels.
pub fn values(stamp: Stamp, values: impl ExactSizeIterator<Item = Option<f32>>) -> Vec<u8> {
    let size = size_of::<Header>() + values.len() * size_of::<f32>();
    let mut packet = Vec::with_capacity(size);
    packet.extend(header(stamp, Kind::Values, size).as_bytes());
    packet.extend(values.flat_map(|value| value.unwrap_or(f32::NAN).to_le_bytes()));
    packet
}

fn header(stamp: Stamp, kind: Kind, size: usize) -> Header {
    Header {
        mark: Text(*MARK),
        version: VERSION,
        kind: kind.id(),
        size: (size as u16).into(),
        session: stamp.session.into(),
        car: stamp.car,
        run: stamp.run,
        lap: stamp.lap.into(),
        time_us: stamp.time_us.into(),
    }
}
