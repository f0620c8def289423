//! The game's text format: UTF-16, with arbitrary memory after the end.

/// Terminates a text, unless a zero or the end of the field comes first.
const END: u16 = b'%' as u16;

/// UTF-16 text in `BYTES` bytes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WideText<const BYTES: usize>(pub [u8; BYTES]);

text! { WideText }

impl<const BYTES: usize> WideText<BYTES> {
    /// The text up to its end. Invalid units become U+FFFD; control characters are dropped.
    pub fn read(&self) -> String {
        let text = char::decode_utf16(self.units()).map(|unit| unit.unwrap_or(char::REPLACEMENT_CHARACTER));
        text.filter(|letter| !letter.is_control()).collect()
    }

    /// Encodes the text, cut at a character boundary so that it fits with its terminator; the rest is zero.
    pub fn write(text: &str) -> Self {
        let mut room = [0; BYTES];
        let mut units: Vec<u16> = Vec::new();
        for letter in text.chars() {
            if (units.len() + letter.len_utf16() + 1) * 2 > BYTES {
                break;
            }
            units.extend_from_slice(letter.encode_utf16(&mut [0; 2]));
        }
        units.push(END);
        let bytes = units.into_iter().flat_map(u16::to_le_bytes);
        room.iter_mut().zip(bytes).for_each(|(to, from)| *to = from);
        Self(room)
    }

    /// Whether this can be a name: not empty, valid UTF-16 and without control characters.
    pub(super) fn is_name(&self) -> bool {
        let mut letters = char::decode_utf16(self.units());
        let proper = letters.all(|unit| unit.is_ok_and(|letter| !letter.is_control()));
        proper && self.units().next().is_some()
    }

    fn units(&self) -> impl Iterator<Item = u16> {
        let (pairs, _) = self.0.as_chunks();
        pairs.iter().map(|&pair| u16::from_le_bytes(pair)).take_while(|&unit| unit != END && unit != 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn units<const BYTES: usize>(units: &[u16]) -> WideText<BYTES> {
        let mut room = [0xcd; BYTES];
        room.iter_mut()
            .zip(units.iter().flat_map(|unit| unit.to_le_bytes()))
            .for_each(|(to, from)| *to = from);
        WideText(room)
    }

    #[test]
    fn a_text_ends_at_its_mark_a_zero_or_with_its_room() {
        assert_eq!(units::<12>(&[b'a'.into(), b'b'.into(), b'%'.into(), 0x4444]).read(), "ab");
        assert_eq!(units::<12>(&[b'a'.into(), 0, b'c'.into()]).read(), "a");
        assert_eq!(units::<6>(&[b'a'.into(), b'b'.into(), b'c'.into()]).read(), "abc");
        assert_eq!(units::<6>(&[b'%'.into()]).read(), "");
    }

    #[test]
    fn what_is_no_character_is_replaced_and_no_name() {
        let broken = units::<8>(&[0xd800, b'x'.into(), 0]);
        assert_eq!((broken.read().as_str(), broken.is_name()), ("\u{fffd}x", false));
        let control = units::<8>(&[0x1b, b'x'.into(), 0]);
        assert_eq!((control.read().as_str(), control.is_name()), ("x", false));
        assert!(!units::<6>(&[0]).is_name() && WideText::<20>::write("Jörg 🏁").is_name());
    }

    #[test]
    fn a_text_is_written_with_its_mark_and_zeros_and_never_in_half() {
        assert_eq!(WideText::<8>::write("ab").0, *b"a\0b\0%\0\0\0");
        assert_eq!(WideText::<8>::write("ab🏁").read(), "ab");
        assert_eq!(WideText::<8>::write("abcdef").0, *b"a\0b\0c\0%\0");
        assert_eq!(WideText::<100>::write("Kościelniak 🏁").read(), "Kościelniak 🏁");
    }
}
