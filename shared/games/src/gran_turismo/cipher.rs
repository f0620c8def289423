//! The games' encryption: Salsa20, with a key per generation and a mask per letter.

use std::ops::Range;

use salsa20::Salsa20;
use salsa20::cipher::{KeyIvInit, StreamCipher};

use crate::Seals;

/// The position of the seed in an encrypted packet. After deciphering, these bytes are meaningless.
pub const SEED: Range<usize> = 0x40..0x44;

const GT7_KEY: &[u8; 32] = b"Simulator Interface Packet GT7 v";
const OLDER_KEY: &[u8; 32] = b"Simulator Interface Packet ver 0";

/// The first bytes of a deciphered packet of GT Sport and GT7.
pub const MAGIC_LITTLE: [u8; 4] = *b"0S7G";
/// The first bytes of a deciphered packet of GT6.
pub const MAGIC_BIG: [u8; 4] = *b"G6S0";

/// Declares the schemes: key, mask, byte order of the seed, first bytes of the deciphered packet.
macro_rules! schemes {
    ($($(#[$doc:meta])* $scheme:ident $key:ident $mask:literal $seed:ident $magic:ident;)*) => {
        /// An encryption scheme.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Scheme { $($(#[$doc])* $scheme,)* }

        impl Scheme {
            /// Every scheme, the most common first.
            pub const ALL: &'static [Self] = &[$(Self::$scheme,)*];

            /// The first bytes of a deciphered packet.
            pub const fn magic(self) -> [u8; 4] {
                match self { $(Self::$scheme => $magic,)* }
            }

            fn keystream(self, seed: [u8; 4]) -> Salsa20 {
                match self { $(Self::$scheme => keystream($key, $mask, u32::$seed(seed)),)* }
            }
        }
    };
}

schemes! {
    /// GT7, letter `A`.
    Gt7A GT7_KEY 0xDEAD_BEAF from_le_bytes MAGIC_LITTLE;
    /// GT7, letters `B` and `C`.
    Gt7BC GT7_KEY 0xDEAD_BEEF from_le_bytes MAGIC_LITTLE;
    /// GT7, letter `~`.
    Gt7Tilde GT7_KEY 0x55FA_BB4F from_le_bytes MAGIC_LITTLE;
    /// GT Sport.
    Sport OLDER_KEY 0xDEAD_BEAF from_le_bytes MAGIC_LITTLE;
    /// GT6, big endian throughout.
    Gt6 OLDER_KEY 0xDEAD_BEAF from_be_bytes MAGIC_BIG;
}

impl Scheme {
    /// Encrypts a packet with `seed` in it. An [`Opening`] reverses this, except for the bytes at the seed's position.
    pub fn seal(self, seed: [u8; 4], bytes: &mut [u8]) {
        self.keystream(seed).apply_keystream(bytes);
        if let Some(place) = bytes.get_mut(SEED) {
            place.copy_from_slice(&seed);
        }
    }
}

/// The bytes of a datagram that are deciphered to recognise its scheme: the cipher makes so many at once.
const START: usize = 64;

/// An encrypted datagram whose scheme is known, since its start is deciphered.
pub struct Opening {
    /// The scheme.
    pub scheme: Scheme,
    start: [u8; START],
    rest: Salsa20,
}

impl Opening {
    /// Recognises the scheme of an encrypted datagram, trying `likely` first.
    pub fn of(datagram: &[u8], likely: Scheme) -> Option<Self> {
        let seed = seed(datagram)?;
        let sealed = *datagram.first_chunk::<START>()?;
        let others = Scheme::ALL.iter().copied().filter(|&scheme| scheme != likely);
        std::iter::once(likely).chain(others).find_map(|scheme| {
            let (mut start, mut rest) = (sealed, scheme.keystream(seed));
            rest.apply_keystream(&mut start);
            start.starts_with(&scheme.magic()).then_some(Self { scheme, start, rest })
        })
    }

    /// Deciphers the datagram, or its beginning.
    pub fn open(mut self, datagram: &mut [u8]) {
        if let Some((start, rest)) = datagram.split_first_chunk_mut() {
            *start = self.start;
            self.rest.apply_keystream(rest);
        }
    }
}

/// The seed in an encrypted packet.
pub fn seed(datagram: &[u8]) -> Option<[u8; 4]> {
    datagram.get(SEED)?.try_into().ok()
}

/// Stores encrypted packets deciphered, with the seed at its position. A seal's number is the scheme's index in
/// [`Scheme::ALL`], counted from 1. Recordings contain it, so new schemes go to the end only.
pub const SEALS: Seals = Seals { open, close, reads_opened };

fn open(datagram: &mut [u8]) -> Option<u8> {
    let seed = seed(datagram)?;
    let opening = Opening::of(datagram, Scheme::Gt7A)?;
    let scheme = opening.scheme;
    opening.open(datagram);
    if let Some(place) = datagram.get_mut(SEED) {
        place.copy_from_slice(&seed);
    }
    (1..).zip(Scheme::ALL).find(|(_, known)| **known == scheme).map(|(number, _)| number)
}

fn close(number: u8, opened: &mut [u8]) -> bool {
    let Some((scheme, seed)) = numbered(number).zip(seed(opened)) else { return false };
    scheme.seal(seed, opened);
    true
}

/// Deciphered, a packet of GT Sport looks like one of GT7.
fn reads_opened(number: u8) -> bool {
    numbered(number).is_some_and(|scheme| scheme != Scheme::Sport)
}

fn numbered(number: u8) -> Option<Scheme> {
    usize::from(number).checked_sub(1).and_then(|place| Scheme::ALL.get(place)).copied()
}

fn keystream(key: &[u8; 32], mask: u32, seed: u32) -> Salsa20 {
    let [a, b, c, d] = (seed ^ mask).to_le_bytes();
    let [e, f, g, h] = seed.to_le_bytes();
    Salsa20::new(key.into(), &[a, b, c, d, e, f, g, h].into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gran_turismo::packet::{DecipheredPacket, Letter};

    fn check_keystream(scheme: Scheme, seed: [u8; 4], expected: &str) {
        let mut stream = [0; 16];
        scheme.keystream(seed).apply_keystream(&mut stream);
        let hex: String = stream.iter().map(|byte| format!("{byte:02x}")).collect();
        assert_eq!(hex, expected, "{scheme:?}");
    }

    /// Test vectors of the protocol's description, for the seed 0x01234567.
    #[test]
    fn keystreams_are_those_of_the_description() {
        let little = 0x0123_4567_u32.to_le_bytes();
        check_keystream(Scheme::Gt7A, little, "f42ee5afd1ed24ba4e345b358470e114");
        check_keystream(Scheme::Gt7BC, little, "aeefd9700c313fbd5ee21274576d8f08");
        check_keystream(Scheme::Gt7Tilde, little, "b54dfaa592899bc71474338e301fdbb5");
        check_keystream(Scheme::Sport, little, "5fc25c0fbf9fa99cd5c6e4ea77f69fa0");
        check_keystream(Scheme::Gt6, 0x0123_4567_u32.to_be_bytes(), "5fc25c0fbf9fa99cd5c6e4ea77f69fa0");
    }

    /// The start of a real GT7 packet, with its seed.
    #[test]
    fn a_real_beginning_opens() {
        let mut bytes = 0x541f_f80c_31b2_a39c_61a0_31b7_7943_ba05_u128.to_be_bytes();
        Scheme::Gt7A.keystream(0x32DF_792A_u32.to_le_bytes()).apply_keystream(&mut bytes);
        assert_eq!(bytes, 0x3053_3747_5ac2_bbc3_91e6_8241_1788_4743_u128.to_be_bytes());
    }

    #[test]
    fn sealing_and_opening_undo_one_another() {
        for &scheme in Scheme::ALL {
            for likely in Scheme::ALL {
                let mut packet: Vec<u8> = (0..=255).cycle().take(400).collect();
                packet[..4].copy_from_slice(&scheme.magic());
                let mut sealed = packet.clone();
                scheme.seal([1, 2, 3, 4], &mut sealed);
                let opening = Opening::of(&sealed, *likely).expect("a scheme");
                assert_eq!((seed(&sealed), opening.scheme), (Some([1, 2, 3, 4]), scheme));
                let mut opened = sealed.clone();
                opening.open(&mut opened);
                let mut again = opened.clone();
                scheme.seal([1, 2, 3, 4], &mut again);
                assert_eq!(again, sealed);
                opened[SEED].copy_from_slice(&packet[SEED]);
                assert_eq!(opened, packet);
            }
        }
    }

    #[test]
    fn what_was_opened_for_keeping_is_closed_to_the_same_bytes() {
        for (number, scheme) in (1..).zip(Scheme::ALL) {
            let mut sealed: Vec<u8> = (0..=255).cycle().take(300).collect();
            sealed[..4].copy_from_slice(&scheme.magic());
            scheme.seal([9, 8, 7, 6], &mut sealed);
            let mut kept = sealed.clone();
            assert_eq!((open(&mut kept), seed(&kept)), (Some(number), Some([9, 8, 7, 6])));
            assert_eq!(kept[..4], scheme.magic());
            assert!(close(number, &mut kept));
            assert_eq!(kept, sealed);
        }
        assert_eq!(open(&mut [7; 300]), None);
        assert!(!close(0, &mut [7; 300]) && !close(6, &mut [7; 300]) && !close(1, &mut [7; 20]));
    }

    #[test]
    fn packets_are_kept_open_where_they_are_read_like_the_encrypted_ones() {
        for (number, scheme) in (1..).zip(Scheme::ALL) {
            let mut sealed: Vec<u8> = (0..=255).cycle().take(Letter::A.size()).collect();
            sealed[..4].copy_from_slice(&scheme.magic());
            scheme.seal([9, 8, 7, 6], &mut sealed);
            let mut opened = sealed.clone();
            open(&mut opened);
            let [one, other] =
                [&sealed, &opened].map(|packet| DecipheredPacket::read(packet).expect("a packet"));
            let same_kind = (one.kind.game, one.kind.letter) == (other.kind.game, other.kind.letter);
            assert_eq!(reads_opened(number), same_kind, "{scheme:?}");
            let beside_seed = |packet: &DecipheredPacket| {
                [&packet.bytes()[..SEED.start], &packet.bytes()[SEED.end..]].concat()
            };
            assert_eq!(beside_seed(&one), beside_seed(&other), "{scheme:?}");
        }
    }

    #[test]
    fn noise_is_sealed_in_no_way() {
        assert!(Opening::of(&[0; 400], Scheme::Gt7A).is_none());
        assert!(Opening::of(&[7; 0x43], Scheme::Gt7A).is_none());
    }
}
