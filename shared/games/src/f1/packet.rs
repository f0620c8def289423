//! Recognises and reads the packets of all formats.

use super::layout::{
    self, CarSetups, Damage, Event, FinalClassification, Header, LapData, LapPositions, LobbyInfo, Motion,
    MotionEx, Participants, Session, SessionHistory, Status, Telemetry, Telemetry2, TimeTrial, TyreSets,
    YEARS,
};
use crate::table::{Sent, Version};
use crate::{Described, Rejected, neighbours};

/// The version of every packet; no other was ever seen.
pub const VERSION: u8 = 1;
/// Bytes of an event's code.
const CODE: usize = 4;
/// No event has more bytes.
const MOST_EVENT_BYTES: usize = 64;
/// The first format whose events may have another size than the description says: it changed within a year.
const EVENTS_VARY_FROM: u16 = 2019;

/// The game that a format belongs to, in messages.
pub(super) fn game(version: Version) -> &'static str {
    match version.number() {
        2018 => "F1 2018",
        2019 => "F1 2019",
        2020 => "F1 2020",
        2021 => "F1 2021",
        2022 => "F1 22",
        2023 => "F1 23",
        2024 => "F1 24",
        2025 => "F1 25",
        _ => "F1 25, season 2026",
    }
}

/// The game that sent a packet: a newer one may send an older format.
pub(super) fn name_of_game(header: &Header, version: Version) -> &'static str {
    let own_year = header.game_year.map(|year| 2000 + u16::from(year));
    let newer = own_year.filter(|year| *year > version.number()).and_then(|year| YEARS.find(year));
    game(newer.unwrap_or(version))
}

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

            /// Bytes of the whole packet; `None` if the format has no such kind.
            pub const fn size(self, version: Version) -> Option<usize> {
                match match self { $(Self::$kind => version.of(&<$layout as Sent<'static>>::SIZES),)* } {
                    0 => None,
                    size => Some(size),
                }
            }

            /// The name in the protocol's description.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$kind => $name,)* }
            }
        }

        /// The packet that a datagram holds.
        #[derive(Clone, Debug)]
        #[expect(clippy::large_enum_variant, reason = "a packet is read, used and dropped at once")]
        pub enum Packet<'a> {
            $(#[doc = $name] $kind($layout $(<$life>)?),)*
        }

        impl<'a> Packet<'a> {
            /// Reads a datagram, and says which format it has.
            pub fn read(datagram: &'a [u8]) -> Result<(Self, Version), Rejected> {
                let (kind, version) = recognise(datagram).map_err(|reason| neighbours::instead(reason, datagram))?;
                if kind == Kind::Event {
                    return Ok((Self::Event(read_event(datagram)), version));
                }
                Ok((match kind {
                    $(Kind::$kind => Self::$kind($layout::of_bytes(datagram, version)),)*
                }, version))
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
            let (kind, version) = recognise(datagram).map_err(|reason| neighbours::instead(reason, datagram))?;
            if kind == Kind::Event {
                let fields = layout::described_event(&whole_event(datagram), version);
                return Ok(Described { packet: kind.name(), fields });
            }
            let fields = match kind {
                $(Kind::$kind => $layout::described(datagram, version),)*
            };
            Ok(Described { packet: kind.name(), fields })
        }
    };
}

kinds! {
    0 Motion Motion<'a> "Motion";
    1 Session Session<'a> "Session";
    2 LapData LapData<'a> "Lap Data";
    3 Event Event "Event";
    4 Participants Participants<'a> "Participants";
    5 CarSetups CarSetups<'a> "Car Setups";
    6 CarTelemetry Telemetry<'a> "Car Telemetry";
    7 CarStatus Status<'a> "Car Status";
    8 FinalClassification FinalClassification<'a> "Final Classification";
    9 LobbyInfo LobbyInfo<'a> "Lobby Info";
    10 CarDamage Damage<'a> "Car Damage";
    11 SessionHistory SessionHistory<'a> "Session History";
    12 TyreSets TyreSets<'a> "Tyre Sets";
    13 MotionEx MotionEx "Motion Ex";
    14 TimeTrial TimeTrial "Time Trial";
    15 LapPositions LapPositions<'a> "Lap Positions";
    16 CarTelemetry2 Telemetry2<'a> "Car Telemetry 2";
}

/// The kind and format of packet that a datagram holds, from its header and size, or why it holds none.
pub fn recognise(datagram: &[u8]) -> Result<(Kind, Version), Rejected> {
    if datagram.is_empty() {
        return Err(Rejected::Empty);
    }
    let (kind, version, want) = kind_in_header(datagram)?;
    let len = datagram.len();
    let may_vary = kind == Kind::Event && version.number() >= EVENTS_VARY_FROM;
    if len == want || may_vary && len >= Header::size(version) + CODE && len <= MOST_EVENT_BYTES {
        return Ok((kind, version));
    }
    Err(Rejected::WrongSize { game: game(version), packet: kind.name(), len, want })
}

/// Reads an event, as far as it reaches.
pub(super) fn read_event(datagram: &[u8]) -> Event {
    let year = datagram.first_chunk().map(|bytes| u16::from_le_bytes(*bytes));
    let version = year.and_then(|year| YEARS.find(year));
    version.map(|version| Event::of_bytes(&whole_event(datagram), version)).unwrap_or_default()
}

/// An event with zeros for what is missing.
fn whole_event(datagram: &[u8]) -> [u8; MOST_EVENT_BYTES] {
    let mut whole = [0; MOST_EVENT_BYTES];
    whole.iter_mut().zip(datagram).for_each(|(to, from)| *to = *from);
    whole
}

/// The size in bytes of the first packet in a stream of packets.
pub fn datagram_size(stream: &[u8]) -> Result<usize, Rejected> {
    kind_in_header(stream).map(|(_, _, size)| size)
}

/// The kind and format that a header names, and the packet's size.
fn kind_in_header(datagram: &[u8]) -> Result<(Kind, Version, usize), Rejected> {
    let year = datagram.first_chunk().map(|bytes| u16::from_le_bytes(*bytes));
    let Some(version) = year.and_then(|year| YEARS.find(year)) else {
        let shortest = Header::size(YEARS.at(0));
        return Err(match datagram.len() {
            len if len < shortest => Rejected::TooShort { game: game(YEARS.at(0)), len, header: shortest },
            _ => Rejected::unknown(datagram),
        });
    };
    let (game, size) = (game(version), Header::size(version));
    if datagram.len() < size {
        return Err(Rejected::TooShort { game, len: datagram.len(), header: size });
    }
    let header = Header::of_bytes(datagram, version);
    if header.packet_version != VERSION {
        return Err(Rejected::UnknownVersion { game, version: header.packet_version });
    }
    let kind = Kind::from_id(header.packet_id);
    let sized = kind.and_then(|kind| Some((kind, version, kind.size(version)?)));
    sized.ok_or(Rejected::UnknownPacket { game, id: header.packet_id })
}

#[cfg(test)]
mod tests {
    use super::super::layout::YEAR_2018;
    use super::*;

    fn header(format: u16, version: u8, id: u8) -> Header {
        Header { packet_format: format, packet_version: version, packet_id: id, ..Header::default() }
    }

    fn packet(format: u16, version: u8, id: u8, len: usize) -> Vec<u8> {
        let year = YEARS.find(format).unwrap_or(YEAR_2018);
        let mut bytes = header(format, version, id).bytes(year);
        bytes.resize(len, 0);
        bytes
    }

    fn check_rejected(datagram: &[u8], words: &str) {
        let reason = Packet::read(datagram).expect_err("a rejection").to_string();
        assert!(reason.contains(words), "{reason:?} does not say {words:?}");
    }

    /// The sizes in the protocol's table, by id and format; 0 where the format has no such packet.
    const SIZES: [[usize; 9]; 17] = [
        [1341, 1343, 1464, 1464, 1464, 1349, 1349, 1349, 1325],
        [147, 149, 251, 625, 632, 644, 753, 753, 926],
        [841, 843, 1190, 970, 972, 1131, 1285, 1285, 1399],
        [25, 32, 35, 36, 40, 45, 45, 45, 45],
        [1082, 1104, 1213, 1257, 1257, 1306, 1350, 1284, 1470],
        [841, 843, 1102, 1102, 1102, 1107, 1133, 1133, 1233],
        [1085, 1347, 1307, 1347, 1347, 1352, 1352, 1352, 1448],
        [1061, 1143, 1344, 1058, 1058, 1239, 1239, 1239, 1445],
        [0, 0, 839, 839, 1015, 1020, 1020, 1042, 1134],
        [0, 0, 1169, 1191, 1191, 1218, 1306, 954, 1062],
        [0, 0, 0, 882, 948, 953, 953, 1041, 1133],
        [0, 0, 0, 1155, 1155, 1460, 1460, 1460, 1460],
        [0, 0, 0, 0, 0, 231, 231, 231, 231],
        [0, 0, 0, 0, 0, 217, 237, 273, 273],
        [0, 0, 0, 0, 0, 0, 101, 101, 104],
        [0, 0, 0, 0, 0, 0, 0, 1131, 1231],
        [0, 0, 0, 0, 0, 0, 0, 0, 269],
    ];

    #[test]
    fn each_kind_of_each_year_is_known_by_id_and_size() {
        for (id, sizes) in (0..).zip(SIZES) {
            for (year, size) in (2018..).zip(sizes) {
                if size == 0 {
                    check_rejected(&packet(year, 1, id, 1000), &format!("packet id {id}"));
                    continue;
                }
                let (kind, version) = recognise(&packet(year, 1, id, size)).expect("a kind");
                assert_eq!((kind.id(), kind.size(version), version.number()), (id, Some(size), year));
                let datagram = packet(year, 1, id, size);
                let (read, as_version) = Packet::read(&datagram).expect("a packet");
                assert_eq!((read.kind(), as_version, read.header().packet_format), (kind, version, year));
                assert_eq!(datagram_size(&packet(year, 1, id, 2000)), Ok(size));
                if id != 3 || year == 2018 {
                    check_rejected(&packet(year, 1, id, size + 1), "wrong size");
                    check_rejected(&packet(year, 1, id, size.max(34) - 1), "wrong size");
                }
            }
        }
    }

    #[test]
    fn an_event_of_another_size_is_read_as_far_as_it_reaches() {
        let mut bytes = packet(2021, 1, 3, 33);
        bytes[24..33].copy_from_slice(b"FTLP\x05\0\0\xb4\x42");
        let (Packet::Event(event), version) = Packet::read(&bytes).expect("a packet") else {
            panic!("an event")
        };
        assert_eq!(
            (event.code.read().as_str(), event.detail[..5].to_vec()),
            ("FTLP", vec![5, 0, 0, 180, 66])
        );
        assert_eq!(version.number(), 2021);
        let fields = describe(&bytes).expect("a packet").fields;
        assert_eq!(fields.at("detail.lap_time"), Some(&crate::Value::Float(90.0)));
        check_rejected(&packet(2021, 1, 3, 27), "wrong size");
        check_rejected(&packet(2021, 1, 3, 65), "wrong size");
    }

    #[test]
    fn everything_else_is_rejected_in_words() {
        check_rejected(&[], "empty");
        check_rejected(&[0xe2], "too few");
        check_rejected(&packet(2018, 1, 0, 20), "too few");
        check_rejected(&packet(2025, 1, 0, 28), "too few");
        check_rejected(&packet(2018, 2, 0, 1341), "version 2");
        check_rejected(&packet(2018, 1, 8, 1341), "packet id 8");
        check_rejected(&packet(2025, 1, 6, 1400), "F1 25");
        check_rejected(&packet(2027, 1, 0, 1325), "newer than this version");
        check_rejected(&packet(7, 1, 0, 1289), "legacy");
        check_rejected(&packet(7, 1, 0, 1288), "unknown packet");
    }
}
