//! Recognises and reads the eight packets.

use super::GAME;
use super::layout::{
    CarSetups, Event, Header, LapData, Motion, Participants, Session, Status, Telemetry, YEAR,
};
use crate::table::Sent;
use crate::{Described, Rejected, neighbours};

/// The packet format that this module reads.
pub const FORMAT: u16 = 2018;
/// The version of every packet; no other was ever seen.
pub const VERSION: u8 = 1;

/// Bytes of the header.
const HEADER: usize = YEAR.of(&Header::SIZES);

/// Declares the kinds of packet: id, variant, layout, name.
macro_rules! kinds {
    ($($id:literal $kind:ident $layout:ident $(<$life:lifetime>)? $name:literal;)*) => {
        /// A kind of packet.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Kind {
            $(#[doc = $name] $kind,)*
        }

        impl Kind {
            /// Every kind, by id.
            pub const ALL: &'static [Self] = &[$(Self::$kind,)*];

            /// The kind with a given id.
            pub const fn from_id(id: u8) -> Option<Self> {
                match id { $($id => Some(Self::$kind),)* _ => None }
            }

            /// The id in the header.
            pub const fn id(self) -> u8 {
                match self { $(Self::$kind => $id,)* }
            }

            /// Bytes of the whole packet.
            pub const fn size(self) -> usize {
                match self { $(Self::$kind => YEAR.of(&<$layout as Sent<'static>>::SIZES),)* }
            }

            /// The name in the protocol's description.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$kind => $name,)* }
            }
        }

        /// The packet that a datagram holds.
        #[derive(Clone, Debug)]
        pub enum Packet<'a> {
            $(#[doc = $name] $kind($layout $(<$life>)?),)*
        }

        impl<'a> Packet<'a> {
            /// Reads a datagram.
            pub fn read(datagram: &'a [u8]) -> Result<Self, Rejected> {
                let kind = recognise(datagram).map_err(|reason| neighbours::instead(reason, datagram))?;
                Ok(match kind {
                    $(Kind::$kind => Self::$kind($layout::of_bytes(datagram, YEAR)),)*
                })
            }

            /// The packet's header.
            pub fn header(&self) -> &Header {
                match self { $(Self::$kind(packet) => &packet.header,)* }
            }

            /// The kind of packet.
            pub fn kind(&self) -> Kind {
                match self { $(Self::$kind(_) => Kind::$kind,)* }
            }
        }

        /// All fields of a datagram by name, with the values as sent.
        pub fn describe(datagram: &[u8]) -> Result<Described, Rejected> {
            let kind = recognise(datagram).map_err(|reason| neighbours::instead(reason, datagram))?;
            let fields = match kind {
                $(Kind::$kind => $layout::described(datagram, YEAR),)*
            };
            Ok(Described { packet: kind.name(), fields })
        }
    };
}

kinds! {
    0 Motion Motion<'a> "Motion";
    1 Session Session "Session";
    2 LapData LapData<'a> "Lap Data";
    3 Event Event "Event";
    4 Participants Participants<'a> "Participants";
    5 CarSetups CarSetups<'a> "Car Setups";
    6 CarTelemetry Telemetry<'a> "Car Telemetry";
    7 CarStatus Status<'a> "Car Status";
}

/// The kind of packet that a datagram holds, from its header and size, or why it holds none.
pub fn recognise(datagram: &[u8]) -> Result<Kind, Rejected> {
    if datagram.is_empty() {
        return Err(Rejected::Empty);
    }
    let kind = kind_in_header(datagram)?;
    if datagram.len() == kind.size() { Ok(kind) } else { Err(wrong_size(kind, datagram.len())) }
}

/// The size in bytes of the first packet in a stream of packets.
pub fn datagram_size(stream: &[u8]) -> Result<usize, Rejected> {
    kind_in_header(stream).map(Kind::size)
}

fn kind_in_header(datagram: &[u8]) -> Result<Kind, Rejected> {
    let too_short = Rejected::TooShort { game: GAME, len: datagram.len(), header: HEADER };
    if datagram.len() < HEADER {
        return Err(too_short);
    }
    let header = Header::of_bytes(datagram, YEAR);
    if header.packet_format != FORMAT {
        return Err(Rejected::unknown(datagram));
    }
    if header.packet_version != VERSION {
        return Err(Rejected::UnknownVersion { game: GAME, version: header.packet_version });
    }
    Kind::from_id(header.packet_id).ok_or(Rejected::UnknownPacket { game: GAME, id: header.packet_id })
}

fn wrong_size(kind: Kind, len: usize) -> Rejected {
    Rejected::WrongSize { game: GAME, packet: kind.name(), len, want: kind.size() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn header(format: u16, version: u8, id: u8) -> Header {
        Header { packet_format: format, packet_version: version, packet_id: id, ..Header::default() }
    }

    fn packet(format: u16, version: u8, id: u8, len: usize) -> Vec<u8> {
        let mut bytes = header(format, version, id).bytes(YEAR);
        bytes.resize(len, 0);
        bytes
    }

    fn check_rejected(datagram: &[u8], words: &str) {
        let reason = Packet::read(datagram).expect_err("a rejection").to_string();
        assert!(reason.contains(words), "{reason:?} does not say {words:?}");
    }

    #[test]
    fn each_kind_is_known_by_id_and_size() {
        let table = [(0, 1341), (1, 147), (2, 841), (3, 25), (4, 1082), (5, 841), (6, 1085), (7, 1061)];
        for (id, size) in table {
            let kind = recognise(&packet(2018, 1, id, size)).expect("a kind");
            assert_eq!((kind.id(), kind.size()), (id, size));
            assert_eq!(Packet::read(&packet(2018, 1, id, size)).expect("a packet").kind(), kind);
            check_rejected(&packet(2018, 1, id, size + 1), "wrong size");
            check_rejected(&packet(2018, 1, id, size.max(22) - 1), "wrong size");
        }
    }

    #[test]
    fn everything_else_is_rejected_in_words() {
        check_rejected(&[], "empty");
        check_rejected(&[0xe2], "too few");
        check_rejected(&packet(2018, 1, 0, 20), "too few");
        check_rejected(&packet(2018, 2, 0, 1341), "version 2");
        check_rejected(&packet(2018, 1, 8, 1341), "packet id 8");
        check_rejected(&packet(2020, 1, 0, 1464), "looks like F1 2020");
        check_rejected(&packet(2020, 1, 0, 1464), "set UDP Format to 2018 in the game");
        check_rejected(&packet(7, 1, 0, 1289), "legacy");
        check_rejected(&packet(7, 1, 0, 1288), "unknown packet");
    }
}
