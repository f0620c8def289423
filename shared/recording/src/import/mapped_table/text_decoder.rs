//! Turns a table's bytes into bytes of which all that separates fields is ASCII.

/// The mark at the beginning of a text in UTF-8.
const MARK: &[u8] = b"\xef\xbb\xbf";
/// How many bytes show the encoding.
const HEAD: usize = 4;

/// Decodes a text piece by piece.
#[derive(Default)]
pub(super) struct TextDecoder {
    /// The first bytes, until there are enough of them to know the encoding.
    head: Vec<u8>,
    encoding: Option<Encoding>,
    /// What is left of UTF-16 from the piece before: a byte, and the first half of a letter.
    odd: Option<u8>,
    half: Option<u16>,
    out: Vec<u8>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Encoding {
    /// UTF-8, or any other encoding whose first half is ASCII.
    Bytes,
    Utf16 {
        is_big: bool,
    },
}

impl TextDecoder {
    /// The decoded bytes of the next piece. The last piece is empty.
    pub(super) fn decoded<'a>(&'a mut self, piece: &'a [u8]) -> &'a [u8] {
        let is_end = piece.is_empty();
        match self.encoding {
            Some(Encoding::Bytes) => piece,
            Some(Encoding::Utf16 { is_big }) => {
                self.out.clear();
                self.take(piece, is_big);
                &self.out
            }
            None => {
                self.head.extend(piece);
                if self.head.len() < HEAD && !is_end {
                    return &[];
                }
                let head = std::mem::take(&mut self.head);
                let (encoding, mark) = Encoding::of(&head);
                self.encoding = Some(encoding);
                self.out.clear();
                let rest = head.get(mark..).unwrap_or_default();
                match encoding {
                    Encoding::Bytes => self.out.extend(rest),
                    Encoding::Utf16 { is_big } => self.take(rest, is_big),
                }
                &self.out
            }
        }
    }

    fn take(&mut self, piece: &[u8], is_big: bool) {
        for byte in piece {
            let Some(first) = self.odd.take() else {
                self.odd = Some(*byte);
                continue;
            };
            let pair = [first, *byte];
            let unit = if is_big { u16::from_be_bytes(pair) } else { u16::from_le_bytes(pair) };
            if (0xd800..0xdc00).contains(&unit) {
                self.half = Some(unit);
                continue;
            }
            let units = self.half.take().into_iter().chain([unit]);
            for letter in
                char::decode_utf16(units).map(|letter| letter.unwrap_or(char::REPLACEMENT_CHARACTER))
            {
                self.out.extend(letter.encode_utf8(&mut [0; 4]).as_bytes());
            }
        }
    }
}

impl Encoding {
    /// The encoding of a text that begins so, and the length of its mark.
    fn of(head: &[u8]) -> (Self, usize) {
        match head {
            [0xff, 0xfe, ..] => (Self::Utf16 { is_big: false }, 2),
            [0xfe, 0xff, ..] => (Self::Utf16 { is_big: true }, 2),
            [first, 0, second, 0, ..] if *first > 0 && *second > 0 => (Self::Utf16 { is_big: false }, 0),
            [0, first, 0, second, ..] if *first > 0 && *second > 0 => (Self::Utf16 { is_big: true }, 0),
            _ if head.starts_with(MARK) => (Self::Bytes, MARK.len()),
            _ => (Self::Bytes, 0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decoded(bytes: &[u8], piece: usize) -> String {
        let mut decoder = TextDecoder::default();
        let mut out = Vec::new();
        for piece in bytes.chunks(piece).chain([&[][..]]) {
            out.extend(decoder.decoded(piece));
        }
        String::from_utf8(out).expect("a text")
    }

    #[test]
    fn every_encoding_is_read_in_any_pieces() {
        let text = "Öl [°C];\u{1f3c1}\r\n1,5;2";
        let units: Vec<u16> = text.encode_utf16().collect();
        let little: Vec<u8> = units.iter().flat_map(|unit| unit.to_le_bytes()).collect();
        let big: Vec<u8> = units.iter().flat_map(|unit| unit.to_be_bytes()).collect();
        let marked = |mark: &[u8], bytes: &[u8]| [mark, bytes].concat();
        for bytes in [
            text.as_bytes().to_vec(),
            marked(MARK, text.as_bytes()),
            marked(&[0xff, 0xfe], &little),
            marked(&[0xfe, 0xff], &big),
        ] {
            for piece in [1, 2, 3, 5, 1000] {
                assert_eq!(decoded(&bytes, piece), text);
            }
        }
        assert_eq!(decoded(b"T\0i\0m\0e\0", 3), "Time");
        assert_eq!(decoded(b"ab", 1), "ab");
        assert_eq!(decoded(b"", 1), "");
    }
}
