//! Recognises the two packets, and the records that can be trusted.

use zerocopy::FromBytes;

use super::GAME;
use super::layout::{Driver, TELEMETRY, TEST_FLOAT, TEST_INT, VERSION, Version};
use crate::{Fields, Rejected, Value, neighbours};

/// The maximum number of records in a datagram.
pub const MOST_CARS: usize = (LARGEST - TYPE) / RECORD;

/// The largest UDP payload in bytes.
const LARGEST: usize = 65_507;
/// The packet's header is only its type, one byte.
const TYPE: usize = 1;
const RECORD: usize = size_of::<Driver>();
/// Tolerance of the floating-point marker.
const MARKER_TOLERANCE: f32 = 0.01;
const ADVICE: &str =
    "a plugin of another version may send other records; its packets are passed on as they came";

/// A kind of packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// One record per car.
    Telemetry,
    /// Four bytes about the plugin's version.
    Version,
}

impl Kind {
    /// The name in the protocol's documentation.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Telemetry => "Telemetry",
            Self::Version => "Version",
        }
    }
}

/// A parsed datagram.
#[derive(Clone, Copy, Debug)]
pub enum Packet<'a> {
    /// One record per car; check each with [`Driver::is_marked`].
    Telemetry(&'a [Driver]),
    /// Four bytes about the plugin's version.
    Version(&'a Version),
}

impl<'a> Packet<'a> {
    /// Parses a datagram in place.
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

    /// All fields by name, including those of records that cannot be trusted.
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
    /// Whether both markers are in place; otherwise the plugin uses another record layout.
    pub fn is_marked(&self) -> bool {
        (self.test_float.get() - TEST_FLOAT).abs() < MARKER_TOLERANCE && self.test_int.get() == TEST_INT
    }
}

/// Recognises a packet by its type, its length and the records' markers, or returns why it is none.
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

/// The size in bytes of the first packet in a stream: as many records as are marked.
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

/// The records of a telemetry packet, if its length is a multiple of the record size.
fn records(datagram: &[u8]) -> Option<&[Driver]> {
    let rest = datagram.get(TYPE..).filter(|rest| !rest.is_empty() && rest.len().is_multiple_of(RECORD))?;
    <[Driver]>::ref_from_bytes(rest).ok()
}

fn begins_marked(bytes: &[u8]) -> bool {
    Driver::ref_from_prefix(bytes).is_ok_and(|(driver, _)| driver.is_marked())
}

#[cfg(test)]
mod tests;
