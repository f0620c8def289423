//! Texts of messages, each behind its length in one byte, and empty content.

use crate::Value;
use crate::table::{MOST_VERSIONS, Sent, Sizes, Version};

/// The maximum number of characters in a text: its length is one byte.
pub const LONGEST_TEXT: usize = u8::MAX as usize;

/// Text with one byte per character, or UTF-8, behind its length in bytes.
#[derive(Clone, Copy, Debug)]
pub struct ByteText;

/// Text with four bytes per character, behind its length in characters.
#[derive(Clone, Copy, Debug)]
pub struct Utf32Text;

macro_rules! texts {
    ($($text:ident, $size:literal bytes, $read:ident, $write:ident;)*) => {$(
        impl<'a> Sent<'a> for $text {
            type Value = String;
            const SIZES: Sizes = [1; MOST_VERSIONS];
            const VARIES: bool = true;

            fn read(bytes: &'a [u8], at: &mut usize, version: Version) -> String {
                let length = usize::from(u8::read(bytes, at, version)) * $size;
                let begin = *at;
                *at += length;
                $read(bytes.get(begin..*at).unwrap_or_default())
            }

            fn write(value: &String, _: Version, out: &mut Vec<u8>) {
                $write(value, out);
            }

            fn describe(bytes: &[u8], at: &mut usize, version: Version) -> Value {
                Value::Text(Self::read(bytes, at, version))
            }
        }
    )*};
}

texts! {
    ByteText, 1 bytes, narrow, write_narrow;
    Utf32Text, 4 bytes, wide, write_wide;
}

/// UTF-8 if valid, otherwise one byte per character.
fn narrow(bytes: &[u8]) -> String {
    match std::str::from_utf8(bytes) {
        Ok(text) => text.to_owned(),
        Err(_) => bytes.iter().map(|&byte| char::from(byte)).collect(),
    }
}

fn wide(bytes: &[u8]) -> String {
    let (letters, _) = bytes.as_chunks();
    let letter = |bytes: &[u8; 4]| char::from_u32(u32::from_le_bytes(*bytes));
    letters.iter().map(|bytes| letter(bytes).unwrap_or(char::REPLACEMENT_CHARACTER)).collect()
}

/// Cuts at a character boundary so that the length fits in a byte.
fn write_narrow(text: &str, out: &mut Vec<u8>) {
    let end = text.floor_char_boundary(LONGEST_TEXT);
    let text = text.get(..end).unwrap_or_default();
    out.push(u8::try_from(text.len()).unwrap_or(u8::MAX));
    out.extend(text.as_bytes());
}

fn write_wide(text: &str, out: &mut Vec<u8>) {
    let letters = text.chars().take(LONGEST_TEXT);
    out.push(u8::try_from(letters.clone().count()).unwrap_or(u8::MAX));
    letters.for_each(|letter| out.extend(u32::from(letter).to_le_bytes()));
}

/// Empty content.
impl<'a> Sent<'a> for () {
    type Value = Self;
    const SIZES: Sizes = [0; MOST_VERSIONS];

    fn read(_: &'a [u8], _: &mut usize, _: Version) -> Self {}

    fn write((): &Self, _: Version, _: &mut Vec<u8>) {}

    fn describe(_: &[u8], _: &mut usize, _: Version) -> Value {
        Value::Record(Vec::new())
    }
}
