//! Recognises and reads the packets: the default structure by its length and values, Trailbrake's by mark and length.

use super::fields::Field;
use super::structure::{Numbers, Structure};
use super::{ADVICE, GAME};
use crate::session_mark::SessionMark;
use crate::{Described, Rejected, Value, neighbours};

/// Engines of the game's cars, with room on both sides, rpm.
const RPM: core::ops::RangeInclusive<f64> = 500.0..=20_000.0;
/// The length of the direction ahead, by rounding.
const AHEAD: core::ops::RangeInclusive<f64> = 0.9..=1.1;
/// The name of the mark among the fields.
pub(super) const MARK: &str = "packet_4cc";
/// Year, short year and packet number in a packet of F1 24 that is as long as the default structure.
const F1_24: [(usize, u8); 4] = [(0, 0xe8), (1, 0x07), (2, 24), (6, 13)];

/// A kind of packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// Of the game's default structure.
    Default,
    /// Of Trailbrake's structure, with its mark.
    Marked(SessionMark),
}

impl Kind {
    /// The kind's name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Default => "wrc",
            Self::Marked(mark) => mark.name(),
        }
    }
}

/// Reads a datagram; names another game's packet in the error if it recognises one.
pub(super) fn read(datagram: &[u8]) -> Result<(Kind, Numbers), Rejected> {
    parse(datagram).map_err(|reason| neighbours::instead(reason, datagram))
}

/// The kind of packet that a datagram holds, or why it holds none.
pub fn recognise(datagram: &[u8]) -> Result<Kind, Rejected> {
    parse(datagram).map(|(kind, _)| kind)
}

/// All fields of a datagram by name, with the values as sent.
pub fn describe(datagram: &[u8]) -> Result<Described, Rejected> {
    let (kind, _) = read(datagram)?;
    let (structure, body) = parts(kind, datagram)?;
    let mut fields = structure.describe(body);
    if let (Kind::Marked(_), Some(mark)) = (kind, datagram.get(..SessionMark::SIZE)) {
        fields.insert(0, (MARK, Value::Text(String::from_utf8_lossy(mark).into_owned())));
    }
    Ok(Described { packet: kind.name(), fields: Value::Record(fields) })
}

/// The size in bytes of the first packet in a stream of packets. No packet contains its size.
pub fn datagram_size(stream: &[u8]) -> Result<usize, Rejected> {
    let sizes = [Structure::EVERYTHING, Structure::WITH_IDS]
        .map(|structure| structure.size() + SessionMark::SIZE)
        .into_iter()
        .chain([Structure::WRC.size()]);
    let is_size = |size: &usize| {
        let mut packets = stream.chunks(*size).take(2);
        packets.all(|packet| packet.len() == *size && recognise(packet).is_ok())
    };
    let is_whole = |size: &usize| stream.len().is_multiple_of(*size);
    let found = sizes.clone().filter(is_whole).find(is_size).or_else(|| sizes.clone().find(is_size));
    match found {
        Some(size) => Ok(size),
        None => recognise(stream).map(|_| stream.len()),
    }
}

/// What the pause detector compares: everything after the counters and clocks at the beginning.
pub(super) fn content(kind: Kind, datagram: &[u8]) -> &[u8] {
    let counters = [Field::PacketUid, Field::GameTotalTime, Field::GameDeltaTime, Field::GameFrameCount];
    let mark = if kind == Kind::Default { 0 } else { SessionMark::SIZE };
    datagram.get(mark + Structure(&counters).size()..).unwrap_or_default()
}

fn parse(datagram: &[u8]) -> Result<(Kind, Numbers), Rejected> {
    if datagram.is_empty() {
        return Err(Rejected::Empty);
    }
    let kind = SessionMark::of(datagram).map_or(Kind::Default, Kind::Marked);
    let (structure, body) = parts(kind, datagram)?;
    let numbers = structure.read(body);
    match kind {
        Kind::Default if !is_plausible(datagram, &numbers) => Err(Rejected::unknown(datagram)),
        _ => Ok((kind, numbers)),
    }
}

/// The structure of a packet, and its bytes behind the mark.
fn parts(kind: Kind, datagram: &[u8]) -> Result<(Structure<'static>, &[u8]), Rejected> {
    let Kind::Marked(mark) = kind else {
        let fits = datagram.len() == Structure::WRC.size();
        return if fits { Ok((Structure::WRC, datagram)) } else { Err(Rejected::unknown(datagram)) };
    };
    let body = datagram.get(SessionMark::SIZE..).unwrap_or_default();
    let structures = [Structure::EVERYTHING, Structure::WITH_IDS];
    match structures.into_iter().find(|structure| structure.size() == body.len()) {
        Some(structure) => Ok((structure, body)),
        None => Err(Rejected::BadContent {
            game: GAME,
            packet: mark.name(),
            what: format!("its {} bytes are of another program's structure; {ADVICE}", datagram.len()),
        }),
    }
}

/// Whether a packet without a mark can be the game's: a car ahead of which there is something, with an engine.
fn is_plausible(datagram: &[u8], numbers: &Numbers) -> bool {
    let is_f1 = F1_24.iter().all(|(place, byte)| datagram.get(*place) == Some(byte));
    let [x, y, z] = [Field::ForwardDirectionX, Field::ForwardDirectionY, Field::ForwardDirectionZ]
        .map(|field| numbers.of(field));
    !is_f1
        && RPM.contains(&numbers.of(Field::EngineRpmMax))
        && AHEAD.contains(&(x * x + y * y + z * z).sqrt())
        && numbers.iter().all(|(_, number)| number.is_finite())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A packet of zeros, except for the given parts at their offsets.
    fn packet(len: usize, parts: &[(usize, &[u8])]) -> Vec<u8> {
        let mut bytes = vec![0; len];
        for (place, part) in parts {
            bytes[*place..place + part.len()].copy_from_slice(part);
        }
        bytes
    }

    /// The default structure with an engine of 7 000 rpm, and the car headed along x.
    fn default_with(parts: &[(usize, &[u8])]) -> Vec<u8> {
        let car: [(usize, &[u8]); 2] = [(97, &1.0_f32.to_le_bytes()), (185, &7000.0_f32.to_le_bytes())];
        packet(237, &[&car, parts].concat())
    }

    #[test]
    fn the_default_structure_is_recognised_by_its_values() {
        assert_eq!(recognise(&default_with(&[])), Ok(Kind::Default));
        let number = |place: usize, number: f32| recognise(&default_with(&[(place, &number.to_le_bytes())]));
        assert!(
            number(185, 499.0).is_err() && number(185, 20_001.0).is_err() && number(185, f32::NAN).is_err()
        );
        assert!(number(97, 1.2).is_err() && number(97, 0.0).is_err());
        assert!(number(41, f32::INFINITY).is_err(), "a speed that is no number");
        assert!(recognise(&default_with(&[(221, &f64::NAN.to_le_bytes())])).is_err());
        for len in [0, 236, 238, 240] {
            assert!(recognise(&vec![0; len]).is_err(), "{len}");
        }
    }

    #[test]
    fn the_header_of_f1_24_is_stronger() {
        let header = [0xe8, 0x07, 24, 1, 0, 1, 13];
        assert!(recognise(&default_with(&[(0, &header)])).is_err());
        // A counter alone may have some of its bytes.
        assert!(recognise(&default_with(&[(0, &[0xe8, 0x07, 24, 0, 0, 0, 0])])).is_ok());
    }

    #[test]
    fn marked_packets_are_recognised_by_their_length() {
        for mark in SessionMark::ALL {
            for len in [252, 275] {
                let bytes = packet(len, &[(0, &mark.bytes())]);
                assert_eq!(recognise(&bytes), Ok(Kind::Marked(mark)));
            }
            let other = recognise(&packet(100, &[(0, &mark.bytes())])).expect_err("another structure");
            assert!(other.to_string().contains("trailbrake setup ea-wrc"), "{other}");
        }
    }

    #[test]
    fn a_stream_is_cut_into_packets() {
        let marked = |len: usize| packet(len, &[(0, b"SESU")]);
        for one in [default_with(&[]), marked(252), marked(275)] {
            for count in 1..4 {
                assert_eq!(datagram_size(&one.repeat(count)), Ok(one.len()), "{count} of {}", one.len());
            }
        }
        assert!(datagram_size(&[7; 400]).is_err());
    }

    #[test]
    fn fields_have_the_names_of_the_game() {
        let described = describe(&packet(275, &[(0, b"USES"), (4, &[7])])).expect("a packet");
        assert_eq!(described.packet, "session_update");
        assert_eq!(described.fields.at("packet_4cc"), Some(&Value::Text("USES".to_owned())));
        assert_eq!(described.fields.at("packet_uid"), Some(&Value::Unsigned(7)));
        assert_eq!(described.fields.at("game_mode"), Some(&Value::Unsigned(0)));
    }
}
