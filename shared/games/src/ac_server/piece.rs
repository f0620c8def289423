//! The elements of messages, parsed and written in sequence.

use crate::Value;

/// The maximum number of characters in a text: its length is one byte.
pub const LONGEST_TEXT: usize = u8::MAX as usize;

/// A server program's encoding of messages.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Flavour {
    /// The server that comes with the game.
    #[default]
    Vanilla,
    /// AssettoServer: the weather has four bytes per character, the report's name has one.
    AssettoServer,
    /// Servers before protocol version 4, whose leaderboard does not say who has finished.
    Early,
}

impl Flavour {
    /// Every flavour, most common first.
    pub const ALL: [Self; 3] = [Self::Vanilla, Self::AssettoServer, Self::Early];
}

/// The bytes still to be parsed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reader<'a> {
    pub(super) rest: &'a [u8],
    pub(super) flavour: Flavour,
}

impl<'a> Reader<'a> {
    fn bytes(&mut self, count: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.rest.split_at_checked(count)?;
        self.rest = rest;
        Some(taken)
    }

    fn array<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (taken, rest) = self.rest.split_first_chunk()?;
        self.rest = rest;
        Some(*taken)
    }
}

/// The bytes written so far.
#[derive(Clone, Debug, Default)]
pub(super) struct Writer {
    pub(super) bytes: Vec<u8>,
    pub(super) flavour: Flavour,
}

/// An element of a message.
pub(super) trait Piece: Sized {
    /// Parses it; `None` if there are too few bytes.
    fn read(from: &mut Reader<'_>) -> Option<Self>;
    fn write(&self, to: &mut Writer);
    /// The value as sent.
    fn value(&self) -> Value;
    /// Whether all floats in it are finite.
    fn is_number(&self) -> bool {
        true
    }
}

macro_rules! numbers {
    ($($number:ident => $value:ident;)*) => {$(
        impl Piece for $number {
            fn read(from: &mut Reader<'_>) -> Option<Self> {
                from.array().map(Self::from_le_bytes)
            }

            fn write(&self, to: &mut Writer) {
                to.bytes.extend(self.to_le_bytes());
            }

            fn value(&self) -> Value {
                Value::$value((*self).into())
            }
        }
    )*};
}

numbers! {
    u8 => Unsigned;
    u16 => Unsigned;
    u32 => Unsigned;
    i16 => Signed;
    i32 => Signed;
}

impl Piece for f32 {
    fn read(from: &mut Reader<'_>) -> Option<Self> {
        from.array().map(Self::from_le_bytes)
    }

    fn write(&self, to: &mut Writer) {
        to.bytes.extend(self.to_le_bytes());
    }

    fn value(&self) -> Value {
        Value::Float(*self)
    }

    fn is_number(&self) -> bool {
        self.is_finite()
    }
}

/// Empty content.
impl Piece for () {
    fn read(_: &mut Reader<'_>) -> Option<Self> {
        Some(())
    }

    fn write(&self, _: &mut Writer) {}

    fn value(&self) -> Value {
        Value::Record(Vec::new())
    }
}

/// x, y and z.
impl Piece for [f32; 3] {
    fn read(from: &mut Reader<'_>) -> Option<Self> {
        Some([f32::read(from)?, f32::read(from)?, f32::read(from)?])
    }

    fn write(&self, to: &mut Writer) {
        self.iter().for_each(|number| number.write(to));
    }

    fn value(&self) -> Value {
        let [x, y, z] = *self;
        Value::Record(vec![("x", x.value()), ("y", y.value()), ("z", z.value())])
    }

    fn is_number(&self) -> bool {
        self.iter().all(|number| number.is_finite())
    }
}

/// Text with one byte per character, or UTF-8, after its length in bytes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ByteText(pub String);

/// Text with four bytes per character, after its length in characters.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Utf32Text(pub String);

/// The weather's name: one byte per character in most programs, four in AssettoServer.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WeatherText(pub String);

/// The name of a report file: four bytes per character in most programs, one in AssettoServer.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReportText(pub String);

macro_rules! texts {
    ($($text:ident, wide in $flavours:expr;)*) => {$(
        impl Piece for $text {
            fn read(from: &mut Reader<'_>) -> Option<Self> {
                let length = usize::from(u8::read(from)?);
                let is_wide = $flavours.contains(&from.flavour);
                Some(Self(if is_wide { wide(from.bytes(length * 4)?) } else { narrow(from.bytes(length)?) }))
            }

            fn write(&self, to: &mut Writer) {
                let is_wide = $flavours.contains(&to.flavour);
                if is_wide { write_wide(&self.0, to) } else { write_narrow(&self.0, to) }
            }

            fn value(&self) -> Value {
                Value::Text(self.0.clone())
            }
        }

        impl<T: Into<String>> From<T> for $text {
            fn from(text: T) -> Self {
                Self(text.into())
            }
        }
    )*};
}

texts! {
    ByteText, wide in [];
    Utf32Text, wide in Flavour::ALL;
    WeatherText, wide in [Flavour::AssettoServer];
    ReportText, wide in [Flavour::Vanilla, Flavour::Early];
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
fn write_narrow(text: &str, to: &mut Writer) {
    let end = text.floor_char_boundary(LONGEST_TEXT);
    let text = text.get(..end).unwrap_or_default();
    to.bytes.push(u8::try_from(text.len()).unwrap_or(u8::MAX));
    to.bytes.extend(text.as_bytes());
}

fn write_wide(text: &str, to: &mut Writer) {
    let letters = text.chars().take(LONGEST_TEXT);
    to.bytes.push(u8::try_from(letters.clone().count()).unwrap_or(u8::MAX));
    letters.for_each(|letter| to.bytes.extend(u32::from(letter).to_le_bytes()));
}

/// Declares structs of pieces: parsing, writing and field names follow from the declaration.
macro_rules! pieces {
    ($($(#[$doc:meta])* struct $name:ident { $($field:ident: $type:ty,)* })*) => {$(
        $(#[$doc])*
        #[derive(Clone, Debug, Default, PartialEq)]
        #[expect(missing_docs, reason = "the fields carry the names of the protocol's description, which explains them")]
        pub struct $name { $(pub $field: $type,)* }

        impl $crate::ac_server::piece::Piece for $name {
            fn read(from: &mut $crate::ac_server::piece::Reader<'_>) -> Option<Self> {
                Some(Self { $($field: $crate::ac_server::piece::Piece::read(from)?,)* })
            }

            fn write(&self, to: &mut $crate::ac_server::piece::Writer) {
                $($crate::ac_server::piece::Piece::write(&self.$field, to);)*
            }

            fn value(&self) -> $crate::Value {
                $crate::Value::Record(vec![
                    $((stringify!($field), $crate::ac_server::piece::Piece::value(&self.$field)),)*
                ])
            }

            fn is_number(&self) -> bool {
                true $(&& $crate::ac_server::piece::Piece::is_number(&self.$field))*
            }
        }
    )*};
}

/// Declares messages: leading bytes, content and the protocol's name.
macro_rules! messages {
    ($(#[$doc:meta])* enum $all:ident { $($message:ident($content:ty) [$($mark:literal),+] $name:literal;)* }) => {
        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq)]
        pub enum $all { $(#[doc = $name] $message($content),)* }

        impl $all {
            /// The leading bytes of each message.
            #[allow(dead_code, reason = "only what comes in streams has to be found in them")]
            const MARKS: &'static [&'static [u8]] = &[$(&[$($mark),+],)*];

            /// The protocol's name of the message.
            pub const fn name(&self) -> &'static str {
                match self { $(Self::$message(_) => $name,)* }
            }

            /// Its fields by name.
            pub fn value(&self) -> $crate::Value {
                match self {
                    $(Self::$message(content) => $crate::ac_server::piece::Piece::value(content),)*
                }
            }

            /// The datagram in the encoding of a server program.
            pub fn write(&self, flavour: $crate::ac_server::piece::Flavour) -> Vec<u8> {
                let mut to = $crate::ac_server::piece::Writer { bytes: Vec::new(), flavour };
                match self {$(
                    Self::$message(content) => {
                        to.bytes.extend([$($mark),+]);
                        $crate::ac_server::piece::Piece::write(content, &mut to);
                    }
                )*}
                to.bytes
            }

            /// The message at the start of `bytes` and the remaining bytes; `None` if the bytes are too short or begin
            /// no message.
            fn begins(
                bytes: &[u8],
                flavour: $crate::ac_server::piece::Flavour,
            ) -> Option<(Self, &[u8])> {
                $(if let Some(rest) = bytes.strip_prefix(&[$($mark),+]) {
                    let mut from = $crate::ac_server::piece::Reader { rest, flavour };
                    let content = $crate::ac_server::piece::Piece::read(&mut from)?;
                    return Some((Self::$message(content), from.rest));
                })*
                None
            }

            /// Whether all floats in it are finite.
            #[allow(dead_code, reason = "requests hold no numbers that could be none")]
            fn is_number(&self) -> bool {
                match self {
                    $(Self::$message(content) => $crate::ac_server::piece::Piece::is_number(content),)*
                }
            }
        }
    };
}

pub(super) use {messages, pieces};
