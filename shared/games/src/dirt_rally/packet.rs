//! Recognises and reads the packets. There is no header: the size and the plausibility of the content decide.

use super::layout::{
    Channels, LAST_CHANNELS, Motion, OlderMotion, OlderSingle, OlderTelemetry, TELEMETRY_SIZES,
};
use super::plausible::{fits, implausible};
use super::{ADVICE, GAME};
use crate::session_mark::SessionMark;
use crate::table::{ONLY_VERSION, Version};
use crate::{Described, Rejected, neighbours};

/// Bytes per channel.
const FLOAT: usize = 4;
/// The sizes that the game sends for the values of its setting `extradata`.
const SIZES: [usize; 4] = [68, 152, 252, 264];
/// The older description's single packet has 173 bytes by its table and "about 175" by its text.
const OLDER_SINGLE: [usize; 2] = [173, 175];
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
            Self::Channels(66) => "extradata 3",
            Self::Channels(63) => "extradata 2",
            Self::Channels(38) => "extradata 1",
            Self::Channels(_) => "channels",
            Self::Motion => "extradata 0",
            Self::OlderSingle => "unverified older layout",
            Self::OlderMotion => "unverified older layout, id 0",
            Self::OlderTelemetry => "unverified older layout, id 6",
        }
    }
}

/// The packet that a datagram holds. Channels and telemetry are sent in several sizes.
#[derive(Clone, Copy, Debug)]
#[expect(clippy::large_enum_variant, reason = "the largest is the one that the games send")]
pub enum Packet {
    /// The first channels of the list.
    Channels(Channels, Version),
    /// Motion only.
    Motion(Motion),
    /// The single packet of the first game in the older description.
    OlderSingle(OlderSingle),
    /// Packet 0 in the older description.
    OlderMotion(OlderMotion),
    /// Packet 6 in the older description.
    OlderTelemetry(OlderTelemetry, Version),
}

impl Packet {
    /// Reads a datagram; names another game's packet in the error if it recognises one.
    pub fn read(datagram: &[u8]) -> Result<Self, Rejected> {
        Self::recognise(datagram).map_err(|reason| neighbours::instead(reason, datagram))
    }

    fn recognise(datagram: &[u8]) -> Result<Self, Rejected> {
        let len = datagram.len();
        Ok(match datagram {
            [] => return Err(Rejected::Empty),
            // At the end of a stage, a marked packet of EA SPORTS WRC may hold nothing but zeros, as one without a car does.
            _ if is_json(datagram) || SessionMark::of(datagram).is_some() => {
                return Err(Rejected::unknown(datagram));
            }
            _ if let Some(version) = version_of(len) => {
                let channels = Channels::of_bytes(datagram, version);
                if let Some(what) = implausible(datagram, &channels) {
                    return Err(Rejected::Implausible { game: GAME, len, what, advice: ADVICE });
                }
                Self::Channels(channels, version)
            }
            [.., b'T', b'o', b'C', b'A'] if len == 68 => {
                Self::Motion(Motion::of_bytes(datagram, ONLY_VERSION))
            }
            _ if let Some(single) = older_single(datagram) => Self::OlderSingle(single),
            [0, ..] if len == 154 => Self::OlderMotion(OlderMotion::of_bytes(datagram, ONLY_VERSION)),
            [6, ..]
                if let Some(version) = u16::try_from(len).ok().and_then(|len| TELEMETRY_SIZES.find(len)) =>
            {
                Self::OlderTelemetry(OlderTelemetry::of_bytes(datagram, version), version)
            }
            [id, _, _, ..] if OLDER_BARE.contains(id) => {
                let layout = "the unverified older layout of DiRT Rally 2.0";
                return Err(Rejected::no_layout(layout, *id, datagram));
            }
            _ => return Err(Rejected::unknown(datagram)),
        })
    }

    /// The kind of packet.
    pub fn kind(&self) -> Kind {
        match self {
            Self::Channels(_, version) => Kind::Channels(usize::from(version.number()) + 1),
            Self::Motion(_) => Kind::Motion,
            Self::OlderSingle(_) => Kind::OlderSingle,
            Self::OlderMotion(_) => Kind::OlderMotion,
            Self::OlderTelemetry(..) => Kind::OlderTelemetry,
        }
    }
}

/// All fields of a datagram by name, with the values as sent; of the channels, only the sent ones.
pub fn describe(datagram: &[u8]) -> Result<Described, Rejected> {
    let packet = Packet::read(datagram)?;
    let fields = match packet {
        Packet::Channels(_, version) => Channels::described(datagram, version),
        Packet::Motion(_) => Motion::described(datagram, ONLY_VERSION),
        Packet::OlderSingle(_) => OlderSingle::described(datagram, ONLY_VERSION),
        Packet::OlderMotion(_) => OlderMotion::described(datagram, ONLY_VERSION),
        Packet::OlderTelemetry(_, version) => OlderTelemetry::described(datagram, version),
    };
    Ok(Described { packet: packet.kind().name(), fields })
}

/// The kind of packet that a datagram holds, or why it holds none.
pub fn recognise(datagram: &[u8]) -> Result<Kind, Rejected> {
    Packet::recognise(datagram).map(|packet| packet.kind())
}

/// The size in bytes of the first packet in a stream of packets.
///
/// No packet contains its size. A size is accepted if the next packet has the same size or the stream ends.
pub fn datagram_size(stream: &[u8]) -> Result<usize, Rejected> {
    let lengths = (0..LAST_CHANNELS.len()).rev().map(|place| Channels::size(LAST_CHANNELS.at(place)));
    let sizes = SIZES.iter().rev().copied().chain(lengths);
    let is_size = |size: &usize| {
        let mut packets = stream.chunks(*size).take(2);
        packets.all(|packet| packet.len() == *size && recognise(packet).is_ok())
    };
    let whole = |size: &usize| stream.len().is_multiple_of(*size);
    let found = sizes.clone().filter(whole).find(is_size).or_else(|| sizes.into_iter().find(is_size));
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

/// The version of the list that has this size.
fn version_of(len: usize) -> Option<Version> {
    let count = if len.is_multiple_of(FLOAT) { len / FLOAT } else { 0 };
    LAST_CHANNELS.find(count.checked_sub(1)?.try_into().ok()?)
}

fn older_single(datagram: &[u8]) -> Option<OlderSingle> {
    if !OLDER_SINGLE.contains(&datagram.len()) {
        return None;
    }
    let packet = OlderSingle::of_bytes(datagram, ONLY_VERSION);
    // Text and length fields, read as floats, give times too short to be real.
    let is_time = |seconds: f32| seconds == 0.0 || (1e-6..1e7).contains(&seconds.abs());
    let is_timed = is_time(packet.total_time) && is_time(packet.lap_time);
    (is_timed && fits(packet.speed, packet.velocity.into())).then_some(packet)
}

#[cfg(test)]
mod tests;
