//! Which of the two packets a datagram is, and which of its records can be believed.

use zerocopy::FromBytes;

use super::GAME;
use super::layout::{Driver, TELEMETRY, TEST_FLOAT, TEST_INT, VERSION, Version};
use crate::games::{Fields, Rejected, Value, neighbours};

/// No datagram has room for more records.
pub const MOST_CARS: usize = (LARGEST - TYPE) / RECORD;

/// Bytes of the largest datagram that UDP carries.
const LARGEST: usize = 65_507;
/// Bytes of the packet's type, which is all of its header.
const TYPE: usize = 1;
const RECORD: usize = size_of::<Driver>();
/// How far the floating-point marker may be from what it should be.
const MARKER_TOLERANCE: f32 = 0.01;
const ADVICE: &str =
    "a plugin of another version may send other records; its packets are passed on as they came";

/// A kind of packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// A record for each car.
    Telemetry,
    /// Four bytes about the plugin's version.
    Version,
}

impl Kind {
    /// The name in the protocol's description.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Telemetry => "Telemetry",
            Self::Version => "Version",
        }
    }
}

/// A datagram seen as the packet that it is.
#[derive(Clone, Copy, Debug)]
pub enum Packet<'a> {
    /// A record for each car; each shows for itself whether it can be believed.
    Telemetry(&'a [Driver]),
    /// Four bytes about the plugin's version.
    Version(&'a Version),
}

impl<'a> Packet<'a> {
    /// Reads a datagram in place.
    pub fn read(datagram: &'a [u8]) -> Result<Self, Rejected> {
        let kind = recognise(datagram).map_err(|reason| neighbours::instead(reason, datagram))?;
        let read = match kind {
            Kind::Telemetry => records(datagram).map(Self::Telemetry),
            Kind::Version => Version::ref_from_bytes(datagram).ok().map(Self::Version),
        };
        read.ok_or_else(|| Rejected::unknown(datagram))
    }

    /// The kind of packet.
    pub fn kind(&self) -> Kind {
        match self {
            Self::Telemetry(_) => Kind::Telemetry,
            Self::Version(_) => Kind::Version,
        }
    }

    /// All fields by name, of records that can't be believed too.
    pub fn value(&self) -> Value {
        match self {
            Self::Telemetry(drivers) => Value::Record(vec![
                ("packet_type", TELEMETRY.value()),
                ("drivers", Value::List(drivers.iter().map(Fields::value).collect())),
            ]),
            Self::Version(version) => Value::Record(vec![
                ("packet_type", version.packet_type.value()),
                ("content", version.content.value()),
                ("as_u32", Value::Unsigned(u32::from_le_bytes(version.content).into())),
                ("as_f32", Value::Float(f32::from_le_bytes(version.content))),
            ]),
        }
    }
}

impl Driver {
    /// Whether both markers stand where they should: else the plugin's records are others than these.
    pub fn is_marked(&self) -> bool {
        (self.test_float.get() - TEST_FLOAT).abs() < MARKER_TOLERANCE && self.test_int.get() == TEST_INT
    }
}

/// Tells which kind of packet a datagram is, or why it is none: by its type, its length and the records' markers.
pub fn recognise(datagram: &[u8]) -> Result<Kind, Rejected> {
    let len = datagram.len();
    match datagram {
        [] => Err(Rejected::Empty),
        [VERSION, ..] if len == size_of::<Version>() => Ok(Kind::Version),
        [TELEMETRY, rest @ ..] => match records(datagram) {
            Some(drivers) if drivers.iter().any(Driver::is_marked) => Ok(Kind::Telemetry),
            Some(_) => Err(Rejected::Implausible {
                game: GAME,
                len,
                what: "no record has its markers 666.666 and 666 in their places".to_owned(),
                advice: ADVICE,
            }),
            None if begins_marked(rest) => Err(Rejected::WrongSize {
                game: GAME,
                packet: Kind::Telemetry.name(),
                len,
                want: TYPE + rest.len().div_ceil(RECORD) * RECORD,
            }),
            None => Err(Rejected::unknown(datagram)),
        },
        _ => Err(Rejected::unknown(datagram)),
    }
}

/// How many bytes the packet at the start of a stream of packets has: as many records as are marked.
pub fn datagram_size(stream: &[u8]) -> Result<usize, Rejected> {
    match stream {
        [VERSION, ..] => Ok(size_of::<Version>()),
        [TELEMETRY, rest @ ..] if begins_marked(rest) => {
            let marked = rest.chunks(RECORD).take(MOST_CARS).take_while(|record| begins_marked(record));
            Ok(TYPE + marked.count() * RECORD)
        }
        _ => recognise(stream).map(|_| stream.len()),
    }
}

/// The records of a telemetry packet, if its length is one that whole records add up to.
fn records(datagram: &[u8]) -> Option<&[Driver]> {
    let rest = datagram.get(TYPE..).filter(|rest| !rest.is_empty() && rest.len().is_multiple_of(RECORD))?;
    <[Driver]>::ref_from_bytes(rest).ok()
}

fn begins_marked(bytes: &[u8]) -> bool {
    Driver::ref_from_prefix(bytes).is_ok_and(|(driver, _)| driver.is_marked())
}

#[cfg(test)]
mod tests;
