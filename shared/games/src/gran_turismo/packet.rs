//! Recognises packets by game and size, and deciphers them.

use super::GAME;
use super::cipher::{MAGIC_BIG, MAGIC_LITTLE, Opening, Scheme};
use super::layout::{Packet, SIZES};
use crate::table::Version;
use crate::{Described, Rejected};

/// The largest known packet size, in bytes.
const LARGEST: usize = Letter::C.size();

/// Declares the letters, in the order of their packets' sizes: variant, byte, GT7's usual scheme, name.
macro_rules! letters {
    ($($(#[$doc:meta])* $letter:ident $byte:literal $scheme:ident $name:literal;)*) => {
        /// The content of a heartbeat. It decides how much data the console sends.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Letter { $($(#[$doc])* $letter,)* }

        impl Letter {
            /// Every letter, the one with the least data first.
            pub const ALL: &'static [Self] = &[$(Self::$letter,)*];

            /// The heartbeat's only byte.
            pub const fn byte(self) -> u8 {
                match self { $(Self::$letter => $byte,)* }
            }

            /// GT7's encryption of the requested packets.
            pub const fn scheme(self) -> Scheme {
                match self { $(Self::$letter => Scheme::$scheme,)* }
            }

            /// The letter's name.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$letter => $name,)* }
            }
        }
    };
}

letters! {
    /// Every game knows this letter.
    A b'A' Gt7A "A";
    /// Adds steering and accelerations.
    B b'B' Gt7BC "B";
    /// Adds the pedals after the driving aids, and the powertrain.
    Tilde b'~' Gt7Tilde "~";
    /// Adds surfaces, lap clock and class.
    C b'C' Gt7BC "C";
}

impl Letter {
    /// The version of the requested packets.
    pub const fn version(self) -> Version {
        SIZES.at(self as usize)
    }

    /// Bytes of the requested packets.
    pub const fn size(self) -> usize {
        self.version().number() as usize
    }

    /// The letter with the largest packets that fit into `len` bytes.
    fn within(len: usize) -> Option<Self> {
        Self::ALL.iter().rev().copied().find(|letter| letter.size() <= len)
    }
}

/// The sending game. Unencrypted packets of GT Sport and GT7 can't be told apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Game {
    /// Gran Turismo 7.
    Gt7,
    /// Gran Turismo Sport.
    Sport,
    /// Gran Turismo 6.
    Gt6,
}

impl Game {
    /// The game's common name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Gt7 => "Gran Turismo 7",
            Self::Sport => "Gran Turismo Sport",
            Self::Gt6 => "Gran Turismo 6",
        }
    }
}

/// The kind of a packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Kind {
    /// The game that sent it.
    pub game: Game,
    /// The amount of data: the letter that requests it.
    pub letter: Letter,
    /// The encryption; `None` if the packet is not encrypted, as some programs record it.
    pub sealed: Option<Scheme>,
}

impl Kind {
    /// The name in messages.
    pub const fn name(self) -> &'static str {
        match (self.game, self.letter, self.sealed.is_some()) {
            (Game::Gt7, Letter::A, true) => "GT7 A",
            (Game::Gt7, Letter::B, true) => "GT7 B",
            (Game::Gt7, Letter::Tilde, true) => "GT7 ~",
            (Game::Gt7, Letter::C, true) => "GT7 C",
            (Game::Gt7, Letter::A, false) => "GT7 A, not encrypted",
            (Game::Gt7, Letter::B, false) => "GT7 B, not encrypted",
            (Game::Gt7, Letter::Tilde, false) => "GT7 ~, not encrypted",
            (Game::Gt7, Letter::C, false) => "GT7 C, not encrypted",
            (Game::Sport, ..) => "GT Sport A",
            (Game::Gt6, _, true) => "GT6 A",
            (Game::Gt6, _, false) => "GT6 A, not encrypted",
        }
    }
}

/// The kind of packet that a datagram holds, or why it holds none. Only the start of an encrypted packet is deciphered.
pub fn recognise(datagram: &[u8]) -> Result<Kind, Rejected> {
    recognise_and_begin(datagram).map(|(kind, _)| kind)
}

/// The kind of packet that a datagram holds, and what deciphers it if it is encrypted.
fn recognise_and_begin(datagram: &[u8]) -> Result<(Kind, Option<Opening>), Rejected> {
    let (game, opening) = owner(datagram)?;
    let sealed = opening.as_ref().map(|opening| opening.scheme);
    let letter = match game {
        Game::Gt7 => Letter::within(datagram.len()),
        // The older games know one letter; bytes after its packet are ignored.
        Game::Sport | Game::Gt6 => Some(Letter::A).filter(|letter| letter.size() <= datagram.len()),
    };
    match letter {
        Some(letter) => Ok((Kind { game, letter, sealed }, opening)),
        None => Err(Rejected::WrongSize {
            game: GAME,
            packet: Letter::A.name(),
            len: datagram.len(),
            want: Letter::A.size(),
        }),
    }
}

/// The game and encryption of a datagram, by its first bytes.
fn owner(datagram: &[u8]) -> Result<(Game, Option<Opening>), Rejected> {
    if datagram.starts_with(&MAGIC_LITTLE) {
        return Ok((Game::Gt7, None));
    }
    if datagram.starts_with(&MAGIC_BIG) {
        return Ok((Game::Gt6, None));
    }
    let likely = match Letter::ALL.iter().find(|letter| letter.size() == datagram.len()) {
        Some(letter) => letter.scheme(),
        None => Scheme::Gt7A,
    };
    let opening = Opening::of(datagram, likely).ok_or_else(|| Rejected::unknown(datagram))?;
    let game = match opening.scheme {
        Scheme::Gt7A | Scheme::Gt7BC | Scheme::Gt7Tilde => Game::Gt7,
        Scheme::Sport => Game::Sport,
        Scheme::Gt6 => Game::Gt6,
    };
    Ok((game, Some(opening)))
}

/// The size in bytes of the first packet in a stream of packets. No packet contains its size: the size is right if the
/// stream ends there or the next packet begins there.
pub fn datagram_size(stream: &[u8]) -> Result<usize, Rejected> {
    let kind = recognise(stream)?;
    let fits = |size: usize| match stream.get(size..) {
        Some([]) => true,
        Some(rest) => owner(rest).is_ok(),
        None => false,
    };
    let sizes = Letter::ALL.iter().map(|letter| letter.size()).filter(|&size| size <= kind.letter.size());
    sizes.into_iter().find(|&size| fits(size)).ok_or(Rejected::BadContent {
        game: GAME,
        packet: kind.letter.name(),
        what: "no other packet follows where one should".into(),
    })
}

/// A deciphered datagram, up to the largest known size.
#[derive(Clone, Copy, Debug)]
pub struct DecipheredPacket {
    /// The kind of packet.
    pub kind: Kind,
    bytes: [u8; LARGEST],
}

impl DecipheredPacket {
    /// Deciphers a datagram. Bytes beyond the largest known packet are ignored.
    pub fn read(datagram: &[u8]) -> Result<Self, Rejected> {
        let (kind, opening) = recognise_and_begin(datagram)?;
        let mut bytes = [0; LARGEST];
        let known = datagram.get(..kind.letter.size()).unwrap_or(datagram);
        for (to, from) in bytes.iter_mut().zip(known) {
            *to = *from;
        }
        if let Some(opening) = opening {
            opening.open(bytes.get_mut(..kind.letter.size()).unwrap_or_default());
        }
        Ok(Self { kind, bytes })
    }

    /// The packet's bytes, deciphered.
    pub fn bytes(&self) -> &[u8] {
        self.bytes.get(..self.kind.letter.size()).unwrap_or_default()
    }

    /// The packet's rows.
    pub fn rows(&self) -> Packet {
        Packet::of_bytes(self.bytes(), self.version())
    }

    fn version(&self) -> Version {
        let version = self.kind.letter.version();
        match self.kind.game {
            Game::Gt7 | Game::Sport => version,
            Game::Gt6 => version.in_big_endian(),
        }
    }
}

/// All fields of a datagram by name, with the values as sent once deciphered.
pub fn describe(datagram: &[u8]) -> Result<Described, Rejected> {
    let packet = DecipheredPacket::read(datagram)?;
    let fields = Packet::described(packet.bytes(), packet.version());
    Ok(Described { packet: packet.kind.name(), fields })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn packet(magic: [u8; 4], len: usize, scheme: Option<Scheme>) -> Vec<u8> {
        let mut bytes = magic.to_vec();
        bytes.resize(len, 0);
        if let Some(scheme) = scheme {
            scheme.seal([9, 8, 7, 6], &mut bytes);
        }
        bytes
    }

    fn check(len: usize, scheme: Scheme, name: &str) {
        let datagram = packet(scheme.magic(), len, Some(scheme));
        let kind = recognise(&datagram).expect("a kind");
        assert_eq!((kind.name(), kind.sealed), (name, Some(scheme)));
        assert_eq!(DecipheredPacket::read(&datagram).expect("a packet").bytes()[..4], scheme.magic());
    }

    #[test]
    fn each_size_is_known_whatever_its_mask() {
        for (len, name) in [(296, "GT7 A"), (316, "GT7 B"), (344, "GT7 ~"), (368, "GT7 C")] {
            for scheme in [Scheme::Gt7A, Scheme::Gt7BC, Scheme::Gt7Tilde] {
                check(len, scheme, name);
                check(len + 3, scheme, name);
            }
        }
        check(296, Scheme::Sport, "GT Sport A");
        check(296, Scheme::Gt6, "GT6 A");
        check(400, Scheme::Gt6, "GT6 A");
    }

    #[test]
    fn open_packets_are_known_by_their_magic() {
        for (magic, len, name) in [
            (MAGIC_LITTLE, 296, "GT7 A, not encrypted"),
            (MAGIC_LITTLE, 316, "GT7 B, not encrypted"),
            (MAGIC_LITTLE, 344, "GT7 ~, not encrypted"),
            (MAGIC_LITTLE, 500, "GT7 C, not encrypted"),
            (MAGIC_BIG, 296, "GT6 A, not encrypted"),
        ] {
            assert_eq!(recognise(&packet(magic, len, None)).map(Kind::name), Ok(name));
        }
    }

    #[test]
    fn torn_and_foreign_packets_are_rejected_in_words() {
        let words = |datagram: &[u8]| recognise(datagram).expect_err("a rejection").to_string();
        for scheme in Scheme::ALL {
            for len in [0x44, 148, 295] {
                assert!(words(&packet(scheme.magic(), len, Some(*scheme))).contains("wrong size"));
            }
        }
        assert!(words(&packet(MAGIC_LITTLE, 4, None)).contains("wrong size"));
        assert!(words(&[]).contains("empty"));
        assert!(words(&[0x30; 296]).contains("unknown packet"));
        assert!(words(&packet(MAGIC_LITTLE, 296, Some(Scheme::Gt7A))[..0x43]).contains("unknown packet"));
    }

    #[test]
    fn streams_are_cut_where_packets_begin() {
        for scheme in Scheme::ALL {
            for letter in [Letter::A, Letter::B, Letter::Tilde, Letter::C] {
                if letter != Letter::A && matches!(scheme, Scheme::Sport | Scheme::Gt6) {
                    continue;
                }
                let one = packet(scheme.magic(), letter.size(), Some(*scheme));
                for stream in [one.clone(), one.repeat(3)] {
                    assert_eq!(datagram_size(&stream), Ok(letter.size()), "{scheme:?} {letter:?}");
                }
            }
        }
        let mut odd = packet(MAGIC_LITTLE, 296, None);
        odd.push(1);
        assert!(datagram_size(&odd).is_err());
    }
}
