//! Recognises and reads the packets: the header holds mark, version, kind and size.

use trailbrake_model::Car;
use zerocopy::FromBytes;

use super::GAME;
use super::layout::{ChannelsHeader, Head, Header, Lap};
use crate::{Anonymise, Fields, Rejected, Value};

/// The first bytes of every packet.
pub const MARK: &[u8; 4] = b"TBIL";
/// The version that is written; higher ones are not read.
pub const VERSION: u8 = 1;

/// The longest packet, in bytes: short enough for a datagram that is not fragmented.
pub(super) const LONGEST: usize = 1400;

/// Drops every packet of other people's cars.
pub const LEAVE_OUT: Anonymise = Anonymise {
    others: |datagram, kept, _| {
        Packet::read(datagram).is_ok_and(|packet| kept.contains(&Car(packet.header().car)))
    },
};

/// A kind of packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// Driver, car, track and source of the laps.
    Head,
    /// The names of the channels that have values.
    Channels,
    /// A lap's times and remarks.
    Lap,
    /// The values of one moment.
    Values,
}

impl Kind {
    /// All kinds.
    pub const ALL: [Self; 4] = [Self::Head, Self::Channels, Self::Lap, Self::Values];

    /// The number in the header.
    pub const fn id(self) -> u8 {
        match self {
            Self::Head => 1,
            Self::Channels => 2,
            Self::Lap => 3,
            Self::Values => 4,
        }
    }

    /// The name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Head => "head",
            Self::Channels => "channels",
            Self::Lap => "lap",
            Self::Values => "values",
        }
    }

    /// Whether a packet of this kind can have this many bytes.
    const fn can_have(self, len: usize) -> bool {
        match self {
            Self::Head => len == size_of::<Head>(),
            Self::Channels => len >= size_of::<ChannelsHeader>(),
            Self::Lap => len == size_of::<Lap>(),
            Self::Values => len >= size_of::<Header>() && (len - size_of::<Header>()).is_multiple_of(4),
        }
    }
}

/// Declares the remarks on a lap, one bit each.
macro_rules! remarks {
    ($($(#[$doc:meta])* $remark:ident $bit:literal;)*) => {
        /// A remark on a lap.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Remark { $($(#[$doc])* $remark,)* }

        impl Remark {
            /// All remarks.
            pub const ALL: &'static [Self] = &[$(Self::$remark,)*];

            /// The remark's bit.
            pub const fn bit(self) -> u16 {
                match self { $(Self::$remark => 1 << $bit,)* }
            }
        }
    };
}

remarks! {
    /// Invalidated by the game.
    Invalid 0;
    /// Out lap: began in the pits.
    Out 1;
    /// In lap: ended in the pits.
    In 2;
    /// The car was in the pit lane.
    Pit 3;
    /// The game was rewound.
    Rewound 4;
    /// Ended early by a session restart.
    Restarted 5;
    /// The game did not time it: its time is that of its last row.
    Inferred 6;
    /// Its beginning or its end is missing.
    Incomplete 7;
    /// The game was paused during the lap.
    Paused 8;
    /// Excluded by the driver.
    Excluded 9;
    /// Nothing shows that the game counted it.
    Unconfirmed 10;
    /// Recorded from a replay.
    Replay 11;
    /// The car was reset to the track.
    Reset 12;
}

/// A datagram, borrowed as the packet it holds.
#[derive(Clone, Copy, Debug)]
pub enum Packet<'a> {
    /// Driver, car, track and source of the laps.
    Head(&'a Head),
    /// Channel names, each preceded by its length in one byte.
    Channels(&'a ChannelsHeader, &'a [u8]),
    /// A lap's times and remarks.
    Lap(&'a Lap),
    /// The values of one moment, in the order of the channels; NaN for a missing value.
    Values(&'a Header, &'a [[u8; 4]]),
}

impl<'a> Packet<'a> {
    /// Reads a datagram.
    pub fn read(datagram: &'a [u8]) -> Result<Self, Rejected> {
        let read = match recognise(datagram)? {
            Kind::Head => Head::ref_from_bytes(datagram).ok().map(Self::Head),
            Kind::Channels => ChannelsHeader::ref_from_prefix(datagram)
                .ok()
                .map(|(header, names)| Self::Channels(header, names)),
            Kind::Lap => Lap::ref_from_bytes(datagram).ok().map(Self::Lap),
            Kind::Values => Header::ref_from_prefix(datagram)
                .ok()
                .map(|(header, values)| Self::Values(header, values.as_chunks().0)),
        };
        read.ok_or_else(|| Rejected::unknown(datagram))
    }

    /// The kind of packet.
    pub const fn kind(&self) -> Kind {
        match self {
            Self::Head(_) => Kind::Head,
            Self::Channels(..) => Kind::Channels,
            Self::Lap(_) => Kind::Lap,
            Self::Values(..) => Kind::Values,
        }
    }

    /// The packet's header.
    pub const fn header(&self) -> &'a Header {
        match self {
            Self::Head(head) => &head.header,
            Self::Channels(channels, _) => &channels.header,
            Self::Lap(lap) => &lap.header,
            Self::Values(header, _) => header,
        }
    }

    /// All fields by name.
    pub(super) fn value(&self) -> Value {
        match self {
            Self::Head(head) => head.value(),
            Self::Lap(lap) => lap.value(),
            Self::Channels(channels, names) => Value::Record(vec![
                ("header", channels.header.value()),
                ("first", channels.first.value()),
                (
                    "names",
                    Value::List(
                        texts(names).map(|name| Value::Text(name.unwrap_or_default().to_owned())).collect(),
                    ),
                ),
            ]),
            Self::Values(header, values) => Value::Record(vec![
                ("header", header.value()),
                (
                    "values",
                    Value::List(
                        values.iter().map(|value| Value::Float(f32::from_le_bytes(*value))).collect(),
                    ),
                ),
            ]),
        }
    }
}

/// Consecutive texts, each preceded by its length in one byte; `None` for one that is not UTF-8 or is cut off.
pub(super) fn texts(mut rest: &[u8]) -> impl Iterator<Item = Option<&str>> {
    std::iter::from_fn(move || {
        let (len, behind) = rest.split_first()?;
        let Some((text, behind)) = behind.split_at_checked((*len).into()) else {
            rest = &[];
            return Some(None);
        };
        rest = behind;
        Some(std::str::from_utf8(text).ok())
    })
}

/// The kind of packet that a datagram holds, or why it holds none.
pub fn recognise(datagram: &[u8]) -> Result<Kind, Rejected> {
    let (header, len) = (header(datagram)?, datagram.len());
    let kind = Kind::ALL.into_iter().find(|kind| kind.id() == header.kind);
    let kind = kind.ok_or(Rejected::UnknownPacket { game: GAME, id: header.kind })?;
    let want = usize::from(header.size.get());
    if want != len || len > LONGEST || !kind.can_have(len) {
        return Err(Rejected::WrongSize { game: GAME, packet: kind.name(), len, want });
    }
    Ok(kind)
}

/// The size in bytes of the first packet in a stream.
pub fn datagram_size(stream: &[u8]) -> Result<usize, Rejected> {
    let size = usize::from(header(stream)?.size.get());
    // A size below the header's would make the reader of a stream never advance.
    if size < size_of::<Header>() { Err(Rejected::unknown(stream)) } else { Ok(size) }
}

fn header(bytes: &[u8]) -> Result<&Header, Rejected> {
    if bytes.is_empty() {
        return Err(Rejected::Empty);
    }
    let too_short = Rejected::TooShort { game: GAME, len: bytes.len(), header: size_of::<Header>() };
    let (header, _) = Header::ref_from_prefix(bytes).map_err(|_| too_short)?;
    match (&header.mark.0, header.version) {
        (MARK, VERSION) => Ok(header),
        (MARK, version) => Err(Rejected::UnknownVersion { game: GAME, version }),
        _ => Err(Rejected::unknown(bytes)),
    }
}
