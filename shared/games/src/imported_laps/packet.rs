//! Recognises and reads the packets: the header holds mark, version, kind and size.

use trailbrake_model::Car;

use super::GAME;
use super::layout::{self, Header};
use crate::table::{ONLY_VERSION, Sent};
use crate::{Anonymise, Described, Rejected};

/// The first bytes of every packet.
pub const MARK: &[u8; 4] = b"TBIL";
/// The version that is written; higher ones are not read.
pub const VERSION: u8 = 1;

/// The longest packet, in bytes: short enough for a datagram that is not fragmented.
pub(super) const LONGEST: usize = 1400;
/// Bytes of the header.
const HEADER: usize = ONLY_VERSION.of(&Header::SIZES);

/// Drops every packet of other people's cars.
pub const LEAVE_OUT: Anonymise = Anonymise {
    others: |datagram, kept, _| {
        Packet::read(datagram).is_ok_and(|packet| kept.contains(&Car(packet.header().car)))
    },
};

/// Declares the kinds of packet: number in the header, variant with its layout, name.
macro_rules! kinds {
    ($($(#[$doc:meta])* $id:literal $kind:ident $(<$life:lifetime>)? $name:literal;)*) => {
        /// A kind of packet.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Kind { $($(#[$doc])* $kind,)* }

        impl Kind {
            /// All kinds.
            pub const ALL: &'static [Self] = &[$(Self::$kind,)*];

            /// The number in the header.
            pub const fn id(self) -> u8 {
                match self { $(Self::$kind => $id,)* }
            }

            /// The name.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$kind => $name,)* }
            }

            /// Whether a packet of this kind can have this many bytes.
            fn can_have(self, len: usize) -> bool {
                match self {$(
                    Self::$kind => {
                        let size = layout::$kind::size(ONLY_VERSION);
                        len == size || len > size && <layout::$kind as Sent<'static>>::VARIES
                    }
                )*}
            }
        }

        /// The packet that a datagram holds.
        #[derive(Clone, Debug)]
        #[expect(clippy::large_enum_variant, reason = "it is read and used at once, and never kept")]
        pub enum Packet<'a> { $($(#[$doc])* $kind(layout::$kind $(<$life>)?),)* }

        impl<'a> Packet<'a> {
            /// Reads a datagram.
            pub fn read(datagram: &'a [u8]) -> Result<Self, Rejected> {
                Ok(match recognise(datagram)? {
                    $(Kind::$kind => Self::$kind(layout::$kind::of_bytes(datagram, ONLY_VERSION)),)*
                })
            }

            /// The packet's header.
            pub const fn header(&self) -> &Header {
                match self { $(Self::$kind(packet) => &packet.header,)* }
            }
        }

        /// All fields of a datagram by name, with the values as sent.
        pub fn describe(datagram: &[u8]) -> Result<Described, Rejected> {
            let kind = recognise(datagram)?;
            let fields = match kind {
                $(Kind::$kind => layout::$kind::described(datagram, ONLY_VERSION),)*
            };
            Ok(Described { packet: kind.name(), fields })
        }
    };
}

kinds! {
    /// Driver, car, track and source of the laps.
    1 Head "head";
    /// The names of the channels that have values.
    2 Channels<'a> "channels";
    /// A lap's times and remarks.
    3 Lap "lap";
    /// The values of one moment.
    4 Values<'a> "values";
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
    /// It rained.
    Rain 13;
}

/// The kind of packet that a datagram holds, or why it holds none.
pub fn recognise(datagram: &[u8]) -> Result<Kind, Rejected> {
    let (header, len) = (header(datagram)?, datagram.len());
    let kind = Kind::ALL.iter().copied().find(|kind| kind.id() == header.kind);
    let kind = kind.ok_or(Rejected::UnknownPacket { game: GAME, id: header.kind })?;
    let want = usize::from(header.size);
    let is_torn = kind == Kind::Values && !(len - HEADER).is_multiple_of(size_of::<f32>());
    if want != len || len > LONGEST || is_torn || !kind.can_have(len) {
        return Err(Rejected::WrongSize { game: GAME, packet: kind.name(), len, want });
    }
    Ok(kind)
}

/// The size in bytes of the first packet in a stream.
pub fn datagram_size(stream: &[u8]) -> Result<usize, Rejected> {
    let size = usize::from(header(stream)?.size);
    // A size below the header's would make the reader of a stream never advance.
    if size < HEADER { Err(Rejected::unknown(stream)) } else { Ok(size) }
}

fn header(bytes: &[u8]) -> Result<Header, Rejected> {
    if bytes.is_empty() {
        return Err(Rejected::Empty);
    }
    if bytes.len() < HEADER {
        return Err(Rejected::TooShort { game: GAME, len: bytes.len(), header: HEADER });
    }
    let header = Header::of_bytes(bytes, ONLY_VERSION);
    match (&header.mark.0, header.version) {
        (MARK, VERSION) => Ok(header),
        (MARK, version) => Err(Rejected::UnknownVersion { game: GAME, version }),
        _ => Err(Rejected::unknown(bytes)),
    }
}
