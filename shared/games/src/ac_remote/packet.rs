//! Recognises packets by size and content.

use zerocopy::FromBytes;

use super::layout::{Answer, Lap, Update};
use crate::{Fields, Rejected, Value, neighbours};

/// The first byte of an update.
pub const UPDATE: u8 = b'a';
/// The identifier in the game's answer.
pub const ANSWER: i32 = 4242;
/// The protocol version.
pub const VERSION: i32 = 1;

/// Car numbers are below this.
const CARS: i32 = 255;
/// More laps than any session has.
const LAPS: i32 = 10_000;
/// Longer than any lap, milliseconds.
const LONGEST_LAP: i32 = 24 * 3_600_000;

/// A kind of packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// The game's answer to a handshake.
    Answer,
    /// The player's car at one moment.
    Update,
    /// A lap completed by any car of the session.
    Lap,
}

impl Kind {
    /// All kinds.
    pub const ALL: [Self; 3] = [Self::Answer, Self::Update, Self::Lap];

    /// The name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Answer => "handshake answer",
            Self::Update => "car update",
            Self::Lap => "lap",
        }
    }

    /// The size.
    pub const fn size(self) -> usize {
        match self {
            Self::Answer => size_of::<Answer>(),
            Self::Update => size_of::<Update>(),
            Self::Lap => size_of::<Lap>(),
        }
    }
}

/// A parsed datagram.
#[derive(Clone, Copy, Debug)]
pub enum Packet<'a> {
    /// The game's answer to a handshake.
    Answer(&'a Answer),
    /// The player's car at one moment.
    Update(&'a Update),
    /// A lap completed by any car of the session.
    Lap(&'a Lap),
}

impl<'a> Packet<'a> {
    /// Parses a datagram.
    pub fn read(datagram: &'a [u8]) -> Result<Self, Rejected> {
        let kind = recognise(datagram).map_err(|reason| neighbours::instead(reason, datagram))?;
        let read = match kind {
            Kind::Answer => Answer::ref_from_bytes(datagram).ok().map(Self::Answer),
            Kind::Update => Update::ref_from_bytes(datagram).ok().map(Self::Update),
            Kind::Lap => Lap::ref_from_bytes(datagram).ok().map(Self::Lap),
        };
        read.ok_or_else(|| Rejected::unknown(datagram))
    }

    /// The kind of packet.
    pub const fn kind(&self) -> Kind {
        match self {
            Self::Answer(_) => Kind::Answer,
            Self::Update(_) => Kind::Update,
            Self::Lap(_) => Kind::Lap,
        }
    }

    /// All fields by name.
    pub fn value(&self) -> Value {
        match self {
            Self::Answer(packet) => packet.value(),
            Self::Update(packet) => packet.value(),
            Self::Lap(packet) => packet.value(),
        }
    }
}

/// Returns a datagram's packet kind, or the reason why it is not one.
pub fn recognise(datagram: &[u8]) -> Result<Kind, Rejected> {
    if datagram.is_empty() {
        return Err(Rejected::Empty);
    }
    let known = || {
        if let Ok(answer) = Answer::ref_from_bytes(datagram) {
            return (answer.identifier.get() == ANSWER && answer.version.get() == VERSION)
                .then_some(Kind::Answer);
        }
        if let Ok(update) = Update::ref_from_bytes(datagram) {
            let size = usize::try_from(update.size.get());
            return (update.identifier == UPDATE && size == Ok(datagram.len())).then_some(Kind::Update);
        }
        Lap::ref_from_bytes(datagram).is_ok_and(is_lap).then_some(Kind::Lap)
    };
    known().ok_or_else(|| Rejected::unknown(datagram))
}

/// A lap packet has no marker: every field must be plausible.
fn is_lap(lap: &Lap) -> bool {
    (0..CARS).contains(&lap.car_identifier.get())
        && (0..LAPS).contains(&lap.lap.get())
        && (1..LONGEST_LAP).contains(&lap.time.get())
        && lap.driver_name.is_name()
        && lap.car_name.is_name()
}

/// The size in bytes of the first packet in a stream.
///
/// An update contains its size; the other kinds are recognised by their content.
pub fn datagram_size(stream: &[u8]) -> Result<usize, Rejected> {
    let fits = |kind: &Kind| {
        let packet = stream.get(..kind.size());
        packet.is_some_and(|packet| recognise(packet) == Ok(*kind))
    };
    match [Kind::Update, Kind::Answer, Kind::Lap].iter().find(|kind| fits(kind)) {
        Some(kind) => Ok(kind.size()),
        None => Err(Rejected::unknown(stream)),
    }
}

#[cfg(test)]
mod tests;
