//! Recognises the two packets, and the records that can be trusted.

use super::GAME;
use super::layout::{Driver, TELEMETRY, Telemetry, VERSION, Version};
use crate::table::{ONLY_VERSION, Sent};
use crate::{Described, Rejected, Value, neighbours};

/// The maximum number of records in a datagram.
pub const MOST_CARS: usize = (LARGEST - TYPE) / RECORD;

/// The largest UDP payload in bytes.
const LARGEST: usize = 65_507;
/// The packet's header is only its type, one byte.
const TYPE: usize = 1;
const RECORD: usize = ONLY_VERSION.of(&Driver::SIZES);
const VERSION_SIZE: usize = ONLY_VERSION.of(&Version::SIZES);
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
#[derive(Clone, Debug)]
pub enum Packet<'a> {
    /// One record per car; check each with [`Driver::is_marked`].
    Telemetry(Telemetry<'a>),
    /// Four bytes about the plugin's version.
    Version(Version),
}

impl<'a> Packet<'a> {
    /// Reads a datagram.
    pub fn read(datagram: &'a [u8]) -> Result<Self, Rejected> {
        let kind = recognise(datagram).map_err(|reason| neighbours::instead(reason, datagram))?;
        Ok(match kind {
            Kind::Telemetry => Self::Telemetry(Telemetry::of_bytes(datagram, ONLY_VERSION)),
            Kind::Version => Self::Version(Version::of_bytes(datagram, ONLY_VERSION)),
        })
    }
}

/// All fields of a datagram by name, as sent, including those of records that cannot be trusted.
pub fn describe(datagram: &[u8]) -> Result<Described, Rejected> {
    let kind = recognise(datagram).map_err(|reason| neighbours::instead(reason, datagram))?;
    let mut fields = match kind {
        Kind::Telemetry => Telemetry::described(datagram, ONLY_VERSION),
        Kind::Version => Version::described(datagram, ONLY_VERSION),
    };
    if let (Kind::Version, Value::Record(fields), Some(content)) = (kind, &mut fields, datagram.last_chunk())
    {
        fields.push(("as_u32", Value::Unsigned(u32::from_le_bytes(*content).into())));
        fields.push(("as_f32", Value::Float(f32::from_le_bytes(*content))));
    }
    Ok(Described { packet: kind.name(), fields })
}

/// Recognises a packet by its type, its length and the records' markers, or returns why it is none.
pub fn recognise(datagram: &[u8]) -> Result<Kind, Rejected> {
    let len = datagram.len();
    match datagram {
        [] => Err(Rejected::Empty),
        [VERSION, ..] if len == VERSION_SIZE => Ok(Kind::Version),
        [TELEMETRY, records @ ..] if !records.is_empty() && records.len().is_multiple_of(RECORD) => {
            if records.chunks(RECORD).any(is_marked) {
                return Ok(Kind::Telemetry);
            }
            Err(Rejected::Implausible {
                game: GAME,
                len,
                what: "no record has its markers 666.666 and 666 in their places".to_owned(),
                advice: ADVICE,
            })
        }
        [TELEMETRY, records @ ..] if is_marked(records) => Err(Rejected::WrongSize {
            game: GAME,
            packet: Kind::Telemetry.name(),
            len,
            want: TYPE + records.len().div_ceil(RECORD) * RECORD,
        }),
        _ => Err(Rejected::unknown(datagram)),
    }
}

/// The size in bytes of the first packet in a stream: as many records as are marked.
pub fn datagram_size(stream: &[u8]) -> Result<usize, Rejected> {
    match stream {
        [VERSION, ..] => Ok(VERSION_SIZE),
        [TELEMETRY, rest @ ..] if is_marked(rest) => {
            let marked = rest.chunks(RECORD).take(MOST_CARS).take_while(|record| is_marked(record));
            Ok(TYPE + marked.count() * RECORD)
        }
        _ => recognise(stream).map(|_| stream.len()),
    }
}

/// Whether bytes begin with a record that has its markers.
fn is_marked(bytes: &[u8]) -> bool {
    Driver::of_bytes(bytes, ONLY_VERSION).is_marked()
}

#[cfg(test)]
mod tests;
