//! Recognises and reads the packet. There is no header: the length and the plausibility of the content decide.

use core::f32::consts::PI;

use super::layout::{LENGTHS, Packet};
use crate::table::Version;
use crate::{Described, Rejected, neighbours};

/// The fastest engine of any game, with room above, rpm.
const MOST_RPM: f32 = 30_000.0;
/// A yaw may be this much above π, by rounding.
const YAW_TOLERANCE: f32 = 1e-3;
/// The length of a Horizon packet, and that without its last, unused byte, which some programs that pass packets on cut.
const HORIZON: [usize; 2] = [324, 323];

/// A form of the packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// Motion and car only, for motion platforms.
    Sled,
    /// What dashboards show as well, of Motorsport 7.
    Dash,
    /// The only form of the Horizon games.
    Horizon,
    /// The dashboards' form of Motorsport 2023, with tyre wear and track.
    Dash2023,
}

impl Kind {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Sled, Self::Dash, Self::Horizon, Self::Dash2023];

    /// The name of the form in the games' settings.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Sled => "Sled",
            Self::Dash => "Car Dash",
            Self::Horizon => "Horizon",
            Self::Dash2023 => "Dash",
        }
    }

    /// The games that send it.
    pub const fn game(self) -> &'static str {
        match self {
            Self::Sled => "Forza Motorsport",
            Self::Dash => "Forza Motorsport 7",
            Self::Horizon => "Forza Horizon",
            Self::Dash2023 => "Forza Motorsport (2023)",
        }
    }

    /// Its version in the layout.
    pub const fn version(self) -> Version {
        LENGTHS.at(match self {
            Self::Sled => 0,
            Self::Dash => 1,
            Self::Horizon => 2,
            Self::Dash2023 => 3,
        })
    }

    fn of_length(len: usize) -> Option<Self> {
        if HORIZON.contains(&len) {
            return Some(Self::Horizon);
        }
        Self::ALL.into_iter().find(|kind| Packet::size(kind.version()) == len)
    }
}

/// Reads a datagram; names another game's packet in the error if it recognises one.
pub(super) fn read(datagram: &[u8]) -> Result<(Kind, Packet), Rejected> {
    parse(datagram).map_err(|reason| neighbours::instead(reason, datagram))
}

/// The form of the packet that a datagram holds, or why it holds none.
pub fn recognise(datagram: &[u8]) -> Result<Kind, Rejected> {
    parse(datagram).map(|(kind, _)| kind)
}

/// All fields of a datagram by name, with the values as sent.
pub fn describe(datagram: &[u8]) -> Result<Described, Rejected> {
    let (kind, _) = read(datagram)?;
    let version = kind.version();
    let fields = match whole(datagram, kind) {
        Some(whole) => Packet::described(&whole, version),
        None => Packet::described(datagram, version),
    };
    Ok(Described { packet: kind.name(), fields })
}

/// The size in bytes of the first packet in a stream of packets.
///
/// No packet contains its size. A size is accepted if the next packet has the same size or the stream ends.
pub fn datagram_size(stream: &[u8]) -> Result<usize, Rejected> {
    let sizes = [331, 324, 323, 311, 232].into_iter();
    let is_size = |size: &usize| {
        let mut packets = stream.chunks(*size).take(2);
        packets.all(|packet| packet.len() == *size && recognise(packet).is_ok())
    };
    let is_whole = |size: &usize| stream.len().is_multiple_of(*size);
    let found = sizes.clone().filter(is_whole).find(is_size).or_else(|| sizes.into_iter().find(is_size));
    match found {
        Some(size) => Ok(size),
        None => recognise(stream).map(|_| stream.len()),
    }
}

fn parse(datagram: &[u8]) -> Result<(Kind, Packet), Rejected> {
    if datagram.is_empty() {
        return Err(Rejected::Empty);
    }
    let Some(kind) = Kind::of_length(datagram.len()) else { return Err(Rejected::unknown(datagram)) };
    let packet = match whole(datagram, kind) {
        Some(whole) => Packet::of_bytes(&whole, kind.version()),
        None => Packet::of_bytes(datagram, kind.version()),
    };
    if is_plausible(kind, &packet) { Ok((kind, packet)) } else { Err(Rejected::unknown(datagram)) }
}

/// A Horizon packet that arrived without its last byte, with that byte.
fn whole(datagram: &[u8], kind: Kind) -> Option<[u8; HORIZON[0]]> {
    if kind != Kind::Horizon || datagram.len() == HORIZON[0] {
        return None;
    }
    let mut whole = [0; HORIZON[0]];
    whole.iter_mut().zip(datagram).for_each(|(to, from)| *to = *from);
    Some(whole)
}

fn is_plausible(kind: Kind, packet: &Packet) -> bool {
    let is_engine = (0.0..=MOST_RPM).contains(&packet.engine_max_rpm);
    let is_yaw = packet.yaw.abs() <= PI + YAW_TOLERANCE;
    // As many zeros as the sled has are also DiRT Rally's without a car.
    let is_own = kind != Kind::Sled || packet.engine_max_rpm > 0.0;
    matches!(packet.is_race_on, 0 | 1) && is_engine && is_yaw && is_own
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

    #[test]
    fn the_length_says_the_form() {
        let driving: &[(usize, &[u8])] = &[(0, &[1]), (8, &7000.0_f32.to_le_bytes())];
        let forms = [
            (232, Kind::Sled),
            (311, Kind::Dash),
            (323, Kind::Horizon),
            (324, Kind::Horizon),
            (331, Kind::Dash2023),
        ];
        for (len, kind) in forms {
            assert_eq!(recognise(&packet(len, driving)), Ok(kind));
            assert_eq!(read(&packet(len, driving)).map(|(_, packet)| packet.engine_max_rpm), Ok(7000.0));
        }
        for len in [0, 231, 233, 310, 312, 322, 325, 330, 332] {
            assert!(recognise(&packet(len, &driving[..usize::from(len > 0) * 2])).is_err(), "{len}");
        }
    }

    #[test]
    fn what_makes_no_sense_in_its_place_is_not_recognised() {
        let yaw = |yaw: f32| recognise(&packet(331, &[(0, &[1]), (56, &yaw.to_le_bytes())])).is_ok();
        assert!(yaw(PI) && yaw(-PI) && !yaw(3.2) && !yaw(-3.2) && !yaw(f32::NAN));
        let rpm = |rpm: f32| recognise(&packet(331, &[(0, &[1]), (8, &rpm.to_le_bytes())])).is_ok();
        assert!(rpm(0.0) && rpm(30_000.0) && !rpm(-1.0) && !rpm(30_001.0) && !rpm(f32::NAN));
        for on in [[2, 0, 0, 0], [0, 1, 0, 0], [255; 4]] {
            assert!(recognise(&packet(331, &[(0, &on)])).is_err(), "{on:?}");
        }
    }

    #[test]
    fn zeros_are_a_menu_but_not_where_another_game_sends_as_many() {
        for len in [311, 323, 324, 331] {
            assert!(recognise(&packet(len, &[])).is_ok(), "{len}");
        }
        assert!(recognise(&packet(232, &[])).is_err());
        assert_eq!(recognise(&packet(232, &[(8, &9000.0_f32.to_le_bytes())])), Ok(Kind::Sled));
    }

    #[test]
    fn a_stream_is_cut_into_packets() {
        for len in [232, 311, 323, 324, 331] {
            let one = packet(len, &[(0, &[1]), (8, &7000.0_f32.to_le_bytes())]);
            for count in 1..4 {
                assert_eq!(datagram_size(&one.repeat(count)), Ok(len), "{count} of {len}");
            }
        }
        assert!(datagram_size(&[7; 400]).is_err());
    }
}
