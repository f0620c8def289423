//! Recognises packets by size and content.

use super::layout::{Answer, Lap, Update};
use crate::table::{ONLY_VERSION, Sent};
use crate::{Described, Rejected, neighbours};

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
            Self::Answer => ONLY_VERSION.of(&Answer::SIZES),
            Self::Update => ONLY_VERSION.of(&Update::SIZES),
            Self::Lap => ONLY_VERSION.of(&Lap::SIZES),
        }
    }

    /// Whether a datagram of this kind's size holds one.
    fn is_in(self, datagram: &[u8]) -> bool {
        match self {
            Self::Answer => {
                let answer = Answer::of_bytes(datagram, ONLY_VERSION);
                (answer.identifier, answer.version) == (ANSWER, VERSION)
            }
            Self::Update => {
                let update = Update::of_bytes(datagram, ONLY_VERSION);
                update.identifier == UPDATE && usize::try_from(update.size) == Ok(self.size())
            }
            Self::Lap => is_lap(&Lap::of_bytes(datagram, ONLY_VERSION)),
        }
    }
}

/// A parsed datagram.
#[derive(Clone, Debug)]
pub enum Packet {
    /// The game's answer to a handshake.
    Answer(Answer),
    /// The player's car at one moment.
    Update(Update),
    /// A lap completed by any car of the session.
    Lap(Lap),
}

impl Packet {
    /// Reads a datagram.
    pub fn read(datagram: &[u8]) -> Result<Self, Rejected> {
        let kind = recognise(datagram).map_err(|reason| neighbours::instead(reason, datagram))?;
        Ok(match kind {
            Kind::Answer => Self::Answer(Answer::of_bytes(datagram, ONLY_VERSION)),
            Kind::Update => Self::Update(Update::of_bytes(datagram, ONLY_VERSION)),
            Kind::Lap => Self::Lap(Lap::of_bytes(datagram, ONLY_VERSION)),
        })
    }
}

/// All fields of a datagram by name, as sent.
pub fn describe(datagram: &[u8]) -> Result<Described, Rejected> {
    let kind = recognise(datagram).map_err(|reason| neighbours::instead(reason, datagram))?;
    let fields = match kind {
        Kind::Answer => Answer::described(datagram, ONLY_VERSION),
        Kind::Update => Update::described(datagram, ONLY_VERSION),
        Kind::Lap => Lap::described(datagram, ONLY_VERSION),
    };
    Ok(Described { packet: kind.name(), fields })
}

/// Returns a datagram's packet kind, or the reason why it is not one.
pub fn recognise(datagram: &[u8]) -> Result<Kind, Rejected> {
    if datagram.is_empty() {
        return Err(Rejected::Empty);
    }
    let kind = Kind::ALL.into_iter().find(|kind| kind.size() == datagram.len());
    kind.filter(|kind| kind.is_in(datagram)).ok_or_else(|| Rejected::unknown(datagram))
}

/// A lap packet has no marker: every field must be plausible.
fn is_lap(lap: &Lap) -> bool {
    (0..CARS).contains(&lap.car_identifier)
        && (0..LAPS).contains(&lap.lap)
        && (1..LONGEST_LAP).contains(&lap.time)
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
