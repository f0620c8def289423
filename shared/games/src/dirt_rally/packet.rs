//! Recognises and reads the packets. There is no header: the size and the plausibility of the content decide.

use zerocopy::FromBytes;

use super::channel_prefix::{CHANNELS, ChannelPrefix, FEWEST, FLOAT, SPEED_TOLERANCE_MPS};
use super::layout::{
    Channels, Motion, OlderControls, OlderMotion, OlderSingle, OlderTelemetry, OlderTelemetryShort,
};
use super::{ADVICE, GAME};
use crate::{Fields, Rejected, Value, neighbours};

/// The sizes that the game sends for the values of its setting `extradata`.
pub const SIZES: [usize; 4] = [68, 152, 252, 264];

/// The older description's single packet has 173 bytes by its table and "about 175" by its text.
const OLDER_SINGLE: [usize; 2] = [size_of::<OlderSingle>(), 175];
/// Packet ids of the older description that have no fields.
const OLDER_BARE: [u8; 6] = [1, 2, 3, 4, 5, 7];

/// A kind of packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// The first channels of the list: this many.
    Channels(usize),
    /// Motion only: the game's default.
    Motion,
    /// The single packet of the first game in the older description.
    OlderSingle,
    /// Packet 0 of the second game in the older description.
    OlderMotion,
    /// Packet 6 of the second game in the older description.
    OlderTelemetry,
}

impl Kind {
    /// The kind's name: the setting that makes the game send it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Channels(CHANNELS) => "extradata 3",
            Self::Channels(63) => "extradata 2",
            Self::Channels(FEWEST) => "extradata 1",
            Self::Channels(_) => "channels",
            Self::Motion => "extradata 0",
            Self::OlderSingle => "unverified older layout",
            Self::OlderMotion => "unverified older layout, id 0",
            Self::OlderTelemetry => "unverified older layout, id 6",
        }
    }
}

/// A datagram, borrowed as the packet it holds.
#[derive(Clone, Copy, Debug)]
pub enum Packet<'a> {
    /// The first channels of the list.
    Channels(ChannelPrefix<'a>),
    /// Motion only.
    Motion(&'a Motion),
    /// The single packet of the first game in the older description.
    OlderSingle(&'a OlderSingle),
    /// Packet 0 in the older description.
    OlderMotion(&'a OlderMotion),
    /// Packet 6 in the older description.
    OlderTelemetry(&'a OlderTelemetry),
    /// Packet 6 with the sizes that the older description prints.
    OlderTelemetryShort(&'a OlderTelemetryShort),
}

impl<'a> Packet<'a> {
    /// Reads a datagram; names another game's packet in the error if it recognises one.
    pub fn read(datagram: &'a [u8]) -> Result<Self, Rejected> {
        let kind = recognise(datagram).map_err(|reason| neighbours::instead(reason, datagram))?;
        let read = match (kind, datagram.len()) {
            (Kind::Channels(_), _) => ChannelPrefix::read(datagram).map(Self::Channels),
            (Kind::Motion, _) => Motion::ref_from_bytes(datagram).ok().map(Self::Motion),
            (Kind::OlderSingle, _) => {
                OlderSingle::ref_from_prefix(datagram).ok().map(|(packet, _)| Self::OlderSingle(packet))
            }
            (Kind::OlderMotion, _) => OlderMotion::ref_from_bytes(datagram).ok().map(Self::OlderMotion),
            (Kind::OlderTelemetry, SHORT) => {
                OlderTelemetryShort::ref_from_bytes(datagram).ok().map(Self::OlderTelemetryShort)
            }
            (Kind::OlderTelemetry, _) => {
                OlderTelemetry::ref_from_bytes(datagram).ok().map(Self::OlderTelemetry)
            }
        };
        read.ok_or_else(|| Rejected::unknown(datagram))
    }

    /// The kind of packet.
    pub fn kind(&self) -> Kind {
        match self {
            Self::Channels(sent) => Kind::Channels(sent.count()),
            Self::Motion(_) => Kind::Motion,
            Self::OlderSingle(_) => Kind::OlderSingle,
            Self::OlderMotion(_) => Kind::OlderMotion,
            Self::OlderTelemetry(_) | Self::OlderTelemetryShort(_) => Kind::OlderTelemetry,
        }
    }

    /// All fields by name; of the channels, only the sent ones.
    pub fn value(&self) -> Value {
        match self {
            Self::Channels(sent) => beginning(sent.padded().value(), &mut sent.count()).unwrap_or(NOTHING),
            Self::Motion(packet) => packet.value(),
            Self::OlderSingle(packet) => packet.value(),
            Self::OlderMotion(packet) => packet.value(),
            Self::OlderTelemetry(packet) => packet.value(),
            Self::OlderTelemetryShort(packet) => packet.value(),
        }
    }
}

const SHORT: usize = size_of::<OlderTelemetryShort>();
const NOTHING: Value = Value::Record(Vec::new());

/// The kind of packet that a datagram holds, or why it holds none.
pub fn recognise(datagram: &[u8]) -> Result<Kind, Rejected> {
    let kind = match datagram.len() {
        0 => return Err(Rejected::Empty),
        _ if is_json(datagram) => return Err(Rejected::unknown(datagram)),
        len if let Some(sent) = ChannelPrefix::read(datagram) => match sent.implausible() {
            None => Some(Kind::Channels(sent.count())),
            Some(what) => return Err(Rejected::Implausible { game: GAME, len, what, advice: ADVICE }),
        },
        68 if datagram.ends_with(b"ToCA") => Some(Kind::Motion),
        len if OLDER_SINGLE.contains(&len) && is_older_single(datagram) => Some(Kind::OlderSingle),
        154 if datagram.first() == Some(&0) => Some(Kind::OlderMotion),
        62 | 78 if datagram.first() == Some(&6) => Some(Kind::OlderTelemetry),
        _ => None,
    };
    kind.ok_or_else(|| match datagram {
        [id, _, _, ..] if OLDER_BARE.contains(id) => {
            Rejected::no_layout("the unverified older layout of DiRT Rally 2.0", *id, datagram)
        }
        _ => Rejected::unknown(datagram),
    })
}

/// The size in bytes of the first packet in a stream of packets.
///
/// No packet contains its size. A size is accepted if the next packet has the same size or the stream ends.
pub fn datagram_size(stream: &[u8]) -> Result<usize, Rejected> {
    let lengths = (FEWEST..=CHANNELS).rev().map(|count| count * FLOAT);
    let sizes = SIZES.iter().rev().copied().chain(lengths);
    let fits = |size: &usize| {
        let mut packets = stream.chunks(*size).take(2);
        packets.all(|packet| packet.len() == *size && recognise(packet).is_ok())
    };
    let whole = |size: &usize| stream.len().is_multiple_of(*size);
    let found = sizes.clone().filter(whole).find(fits).or_else(|| sizes.into_iter().find(fits));
    match found {
        Some(size) => Ok(size),
        None => recognise(stream).map(|_| stream.len()),
    }
}

/// Whether the datagram is the text of a JSON object. Its letters read as numbers near zero, so they pass as plausible
/// channels.
fn is_json(datagram: &[u8]) -> bool {
    let text = datagram.iter().all(|byte| byte.is_ascii_graphic() || byte.is_ascii_whitespace());
    text && datagram.trim_ascii_start().starts_with(b"{")
}

fn is_older_single(datagram: &[u8]) -> bool {
    // Text and length fields, read as floats, give times too short to be real.
    let is_time = |seconds: f32| seconds == 0.0 || (1e-6..1e7).contains(&seconds.abs());
    OlderSingle::ref_from_prefix(datagram).is_ok_and(|(packet, _)| {
        let velocity = [packet.velocity.x, packet.velocity.y, packet.velocity.z];
        let moved = velocity.map(|part| part.get() * part.get()).iter().sum::<f32>().sqrt();
        let timed = is_time(packet.total_time.get()) && is_time(packet.lap_time.get());
        timed && (packet.speed.get() - moved).abs() <= SPEED_TOLERANCE_MPS
    })
}

/// The first `left` numbers of a value, with their names.
fn beginning(value: Value, left: &mut usize) -> Option<Value> {
    if *left == 0 {
        return None;
    }
    Some(match value {
        Value::Record(fields) => Value::Record(
            fields.into_iter().map_while(|(name, value)| Some((name, beginning(value, left)?))).collect(),
        ),
        Value::List(items) => {
            Value::List(items.into_iter().map_while(|item| beginning(item, left)).collect())
        }
        number => {
            *left -= 1;
            number
        }
    })
}

const _: () = assert!(size_of::<Channels>() == CHANNELS * FLOAT && CHANNELS == 66);
const _: () = assert!(size_of::<OlderControls>() == 46);

#[cfg(test)]
mod tests;
