//! Forms of packets that are no numbers: vectors and texts.

use trailbrake_model::{Axis, Channel};

use super::Value;
use super::table::{
    Alike, Becomes, MOST_VERSIONS, Measure, Sent, SentNumber, Short, Sizes, Values, Version, put, sizes_times,
};

/// Makes a type that holds the bytes of a text a form of tables.
macro_rules! text {
    ($text:ident) => {
        impl<const N: usize> Default for $text<N> {
            fn default() -> Self {
                Self([0; N])
            }
        }

        impl<'a, const N: usize> $crate::table::Sent<'a> for $text<N> {
            type Value = Self;
            const SIZES: $crate::table::Sizes = [N; $crate::table::MOST_VERSIONS];

            #[inline(always)]
            fn read(bytes: &'a [u8], at: &mut usize, _: $crate::table::Version) -> Self {
                Self($crate::table::take(bytes, at))
            }

            fn write(value: &Self, _: $crate::table::Version, out: &mut Vec<u8>) {
                out.extend_from_slice(&value.0);
            }

            fn describe(bytes: &[u8], at: &mut usize, version: $crate::table::Version) -> $crate::Value {
                $crate::Value::Text(<Self as $crate::table::Sent<'_>>::read(bytes, at, version).read())
            }
        }
    };
}

/// Three numbers, shown as x, y and z.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Vec3<T> {
    /// Along x.
    pub x: T,
    /// Along y.
    pub y: T,
    /// Along z.
    pub z: T,
}

impl<T> From<[T; 3]> for Vec3<T> {
    fn from([x, y, z]: [T; 3]) -> Self {
        Self { x, y, z }
    }
}

impl<T> From<Vec3<T>> for [T; 3] {
    fn from(Vec3 { x, y, z }: Vec3<T>) -> Self {
        [x, y, z]
    }
}

impl<'a, F: Sent<'a>> Sent<'a> for Vec3<F> {
    type Value = Vec3<F::Value>;
    const SIZES: Sizes = sizes_times(F::SIZES, 3);
    const ALIKE: Alike = F::ALIKE;

    #[inline(always)]
    fn read(bytes: &'a [u8], at: &mut usize, version: Version) -> Self::Value {
        let (x, y) = (F::read(bytes, at, version), F::read(bytes, at, version));
        Vec3 { x, y, z: F::read(bytes, at, version) }
    }

    fn write(value: &Self::Value, version: Version, out: &mut Vec<u8>) {
        [&value.x, &value.y, &value.z].into_iter().for_each(|one| F::write(one, version, out));
    }

    fn describe(bytes: &[u8], at: &mut usize, version: Version) -> Value {
        let fields = ["x", "y", "z"].into_iter().map(|name| (name, F::describe(bytes, at, version)));
        Value::Record(fields.collect())
    }
}

impl<T: SentNumber> Becomes for Vec3<T> {
    #[inline(always)]
    fn put<M: Measure, const ALL: bool>(&self, channel: Channel, values: &mut Values) {
        put::<M, ALL>(channel.along(Axis::X), self.x, values);
        put::<M, ALL>(channel.along(Axis::Y), self.y, values);
        put::<M, ALL>(channel.along(Axis::Z), self.z, values);
    }
}

/// Text in `N` bytes, ended by a zero byte or by the end of the field.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Text<const N: usize>(pub [u8; N]);

impl<const N: usize> Text<N> {
    /// The text up to its end; invalid UTF-8 becomes U+FFFD.
    pub fn read(&self) -> String {
        ended_by_zero(&self.0)
    }

    /// Encodes the text, cut at a character boundary so that it fits with its terminating zero.
    pub fn write(text: &str) -> Self {
        let mut room = [0; N];
        let mut end = text.len().min(N.saturating_sub(1));
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        for (to, from) in room.iter_mut().zip(text.as_bytes().iter().take(end)) {
            *to = *from;
        }
        Self(room)
    }
}

text! { Text }

/// The text up to the first zero byte. One function serves texts of all lengths.
#[inline(never)]
fn ended_by_zero(bytes: &[u8]) -> String {
    let text = bytes.split(|byte| *byte == 0).next().unwrap_or_default();
    String::from_utf8_lossy(text).into_owned()
}

/// Text in `N` bytes that has room for `M` in other versions.
#[derive(Clone, Copy, Debug)]
pub struct ShortText<const N: usize, const M: usize>;

impl<'a, const N: usize, const M: usize> Sent<'a> for ShortText<N, M> {
    type Value = Text<M>;
    const SIZES: Sizes = [N; MOST_VERSIONS];

    fn read(bytes: &'a [u8], at: &mut usize, version: Version) -> Text<M> {
        Text(Short::<N, M>::read(bytes, at, version))
    }

    fn write(value: &Text<M>, version: Version, out: &mut Vec<u8>) {
        Short::<N, M>::write(&value.0, version, out);
    }

    fn describe(bytes: &[u8], at: &mut usize, version: Version) -> Value {
        Value::Text(Self::read(bytes, at, version).read())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_ends_at_its_zero_and_is_cut_at_whole_characters() {
        assert_eq!(Text(*b"HAM\0xyz").read(), "HAM");
        assert_eq!(Text(*b"FULL").read(), "FULL");
        assert_eq!(Text([b'a', 0xff, 0]).read(), "a\u{fffd}");
        let cut = Text::<6>::write("RÄIKÖ");
        assert_eq!((cut.read().as_str(), cut.0[5]), ("RÄIK", 0));
        assert_eq!(Text::<4>::write("aÄÖ").read(), "aÄ");
    }
}
