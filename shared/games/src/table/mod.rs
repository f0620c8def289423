//! Packets as tables: rows in byte order, from which reading, writing, sizes and field names come.
//!
//! A row has a name, how its value is [`Sent`], and the versions that have it. A row that changed its form has several
//! forms, each with its versions. A row that names a channel becomes that channel. What a version sends is never read with
//! the rows of another one.

mod channels;
mod entries;
mod forms;
mod measures;
mod number;
mod rows;
mod version;
mod wheels;

pub(crate) use channels::put;
pub use channels::{Becomes, Record, Values};
pub use entries::{Always, Count, Counted, Entries, Entry, LaidOut, Rest, Slots, SlotsBy, Visitor};
pub(crate) use forms::take;
pub use forms::{EitherOrder, In, Number, Short, Wide};
pub(crate) use measures::measures;
pub use measures::{
    Bar, Degrees, Direction, FromReverse, Kmh, Measure, Millimetres, Milliseconds, Mps2, Of255, Opposite,
    OppositeMps2, Percent, Psi, RadiansPerSecond, Released, Same, SentMeasure, SignedByte, Switch,
    Thousandths,
};
pub use number::SentNumber;
pub use rows::{Describe, Row, VersionRange, describe_list, describe_rows, place_in_rows};
pub use version::{
    Alike, MOST_VERSIONS, ONE_VERSION, ONLY_VERSION, Sizes, Version, Versions, alike, check_sizes, rows_with,
    same, sizes_filled, sizes_of, sizes_product, sizes_times, sizes_with,
};
pub use wheels::{FrontFirst, RearFirst};

use crate::Value;

/// How a value is sent: its bytes in each version.
pub trait Sent<'a> {
    /// The value as decoders and the simulator know it.
    type Value;
    /// The number of bytes in each version of the protocol, or the least number if it varies.
    const SIZES: Sizes;
    /// Whether the number of bytes depends on the value.
    const VARIES: bool = false;
    /// The number of bytes if it is the same in every version.
    const FIXED: Option<usize> = same(&Self::SIZES);
    /// Which versions are read alike. Most forms are the same in all.
    const ALIKE: Alike = [0; MOST_VERSIONS];

    /// Reads the value at `at`, which then stands behind it. Missing bytes are zero.
    fn read(bytes: &'a [u8], at: &mut usize, version: Version) -> Self::Value;

    /// Reads it with code of its own for the place where it is called, and for the version if the compiler knows it: for
    /// what is read often.
    #[inline(always)]
    fn read_inline(bytes: &'a [u8], at: &mut usize, version: Version) -> Self::Value {
        Self::read(bytes, at, version)
    }

    /// Appends the bytes of a value.
    fn write(value: &Self::Value, version: Version, out: &mut Vec<u8>);

    /// The value as sent, before any conversion.
    fn describe(bytes: &[u8], at: &mut usize, version: Version) -> Value;
}

/// A record or packet that is declared as a table.
pub trait Table {
    /// The versions of its protocol.
    const VERSIONS: Versions;
    /// Its rows in byte order: those of all versions, each in all its forms.
    const ROWS: &'static [Row];
}

/// Declares the records and packets of a protocol: name, size in each version, and the rows in order. A size that differs
/// from the sum of the rows does not compile.
///
/// ```text
/// packets! {
///     YEARS;
///     record CarTelemetry [53, 66] {
///         speed: U16 => Speed in Kmh,
///         throttle: In<u8, Percent> [..2019] | F32 [2019..] => Throttle,
///         surface_type: [u8; 4] [2019..],
///     }
/// }
/// ```
///
/// A record has the values as they are sent, and a channel is in the model's unit. A row whose unit changed names the unit
/// in its forms, and its value is in the model's unit. A row of some versions only is an `Option`. An array may become a
/// channel for each of its numbers: `=> [RideHeightFront, RideHeightRear]`. A packet is a record that borrows its entries
/// from the datagram, and a message one that owns its texts and lists. A size of 0 says that a version has no such record.
///
/// A size that is the same in every version is written once. That of a row whose size varies, and so of its record, is the
/// least.
macro_rules! packets {
    ($versions:path; $($(#[$doc:meta])* $what:ident $name:ident [$($size:literal),+] { $($rows:tt)* })*) => {$(
        packets! { @$what $versions; $(#[$doc])* $name [$($size),+] { $($rows)* } }
    )*};
    (@record $versions:path; $(#[$doc:meta])* $name:ident $sizes:tt $rows:tt) => {
        packets! { @table $versions; $(#[$doc])* #[derive(Copy)] [$name] [$name] ['static] $sizes $rows }
    };
    (@message $versions:path; $(#[$doc:meta])* $name:ident $sizes:tt $rows:tt) => {
        packets! { @table $versions; $(#[$doc])* [$name] [$name] ['static] $sizes $rows }
    };
    (@packet $versions:path; $(#[$doc:meta])* $name:ident $sizes:tt $rows:tt) => {
        packets! { @table $versions; $(#[$doc])* [$name<'a>] [$name<'static>] ['a] $sizes $rows }
    };
    (@table $versions:path; $(#[$doc:meta])* [$($name:tt)+] [$($checked:tt)+] [$life:lifetime] [$($size:literal),+] { $(
        $field:ident: $form:ty $([$($years:tt)+])? $(| $other:ty [$($other_years:tt)+])* $(=> $channel:tt $(in $measure:ident)?)?,
    )* }) => {
        $(#[$doc])*
        #[derive(Clone, Debug, Default, PartialEq)]
        #[allow(missing_docs, reason = "the fields carry the names of the protocol's description, which explains them")]
        pub struct $($name)+ {
            $(pub $field: packets!(@type $life $form $([$($years)+])? $(| $other [$($other_years)+])*),)*
        }

        const _: () =
            $crate::table::check_sizes($versions, &<$($checked)+ as $crate::table::Sent<'static>>::SIZES, &[$($size),+]);

        impl<'a> $crate::table::Sent<'a> for $($name)+ {
            type Value = Self;
            const SIZES: $crate::table::Sizes = {
                let (mut sizes, mut place) = ([0; $crate::table::MOST_VERSIONS], 0);
                while place < $versions.len() {
                    let version = $versions.at(place);
                    place += 1;
                    if !version.is_in(&[$($size),+]) {
                        continue;
                    }
                    let size = 0 $(+ packets!(@size version; $form $([$($years)+])? $(| $other [$($other_years)+])*))*;
                    $(packets!(@once version; $form $([$($years)+])? $(| $other [$($other_years)+])*);)*
                    sizes = $crate::table::sizes_with(sizes, version, size);
                }
                $crate::table::sizes_filled(sizes, $versions)
            };

            const ALIKE: $crate::table::Alike = {
                let (mut rows, mut place) = ([0; $crate::table::MOST_VERSIONS], 0);
                while place < $versions.len() {
                    let version = $versions.at(place);
                    // A version that has no such record is like no other.
                    let row = if version.is_in(&[$($size),+]) { 1_u128 } else { 0 };
                    $(let row = packets!(@sign row version; $form $([$($years)+])? $(| $other [$($other_years)+])*);)*
                    rows = $crate::table::rows_with(rows, version, row);
                    place += 1;
                }
                $crate::table::alike(rows, &[$(
                    <$form as $crate::table::Sent<'static>>::ALIKE,
                    $(<$other as $crate::table::Sent<'static>>::ALIKE,)*
                )*])
            };

            const VARIES: bool = false $(|| packets!(@varies $form $(| $other)*))*;

            fn read(bytes: &'a [u8], at: &mut usize, version: $crate::table::Version) -> Self {
                <Self as $crate::table::Sent<'a>>::read_inline(bytes, at, version)
            }

            #[inline(always)]
            fn read_inline(bytes: &'a [u8], at: &mut usize, version: $crate::table::Version) -> Self {
                let _ = version;
                let (begin, mut inside) = (*at, 0);
                let (bytes, at) = if Self::VARIES {
                    (bytes, at)
                } else {
                    *at += Self::FIXED.unwrap_or_else(|| version.of(&Self::SIZES));
                    // One look at the length instead of one for each row.
                    let Some(bytes) = bytes.get(begin..*at) else { return Self::default() };
                    (bytes, &mut inside)
                };
                $(let $field = packets!(@read bytes at version; $form $([$($years)+])? $(| $other [$($other_years)+])*);)*
                Self { $($field,)* }
            }

            fn write(value: &Self, version: $crate::table::Version, out: &mut Vec<u8>) {
                $(packets!(@write value.$field, version out; $form $([$($years)+])? $(| $other [$($other_years)+])*);)*
            }

            fn describe(bytes: &[u8], at: &mut usize, version: $crate::table::Version) -> $crate::Value {
                $crate::table::describe_rows(<Self as $crate::table::Table>::ROWS, bytes, at, version)
            }
        }

        #[allow(dead_code, reason = "not every record is read, written and edited by itself")]
        impl<'a> $($name)+ {
            /// The number of bytes, or the least number if it varies.
            pub fn size(version: $crate::table::Version) -> usize {
                version.of(&<Self as $crate::table::Sent<'a>>::SIZES)
            }

            /// Reads it from the beginning of some bytes.
            #[inline]
            pub fn of_bytes(bytes: &'a [u8], version: $crate::table::Version) -> Self {
                <Self as $crate::table::Sent<'a>>::read_inline(bytes, &mut 0, version)
            }

            /// Its bytes.
            pub fn bytes(&self, version: $crate::table::Version) -> Vec<u8> {
                let mut bytes = Vec::with_capacity(Self::size(version));
                <Self as $crate::table::Sent<'a>>::write(self, version, &mut bytes);
                bytes
            }

            /// The fields by name, as sent.
            pub fn described(bytes: &[u8], version: $crate::table::Version) -> $crate::Value {
                <Self as $crate::table::Sent<'a>>::describe(bytes, &mut 0, version)
            }

            /// Where a field stands; `None` if this version has none of that name.
            pub fn place_of(field: &str, version: $crate::table::Version) -> Option<core::ops::Range<usize>> {
                $crate::table::place_in_rows(<Self as $crate::table::Table>::ROWS, field, version)
            }
        }

        impl<'a> $crate::table::Table for $($name)+ {
            const VERSIONS: $crate::table::Versions = $versions;
            const ROWS: &'static [$crate::table::Row] = &[
                $(packets!(@row $field $form $([$($years)+])?), $(packets!(@row $field $other [$($other_years)+]),)*)*
            ];
        }

        impl<'a> $crate::table::Record for $($name)+ {
            #[inline(always)]
            fn channels<const ALL: bool>(&self, values: &mut $crate::table::Values) {
                let _ = &values;
                $($(packets!(@put self.$field, values, packets!(@measure $($measure)?); $channel);)?)*
            }
        }
    };

    (@put $value:expr, $values:ident, $measure:ty; [$($channel:ident),+]) => {
        for (value, channel) in $value.iter().zip([$(trailbrake_model::Channel::$channel),+]) {
            $crate::table::Becomes::put::<$measure, ALL>(value, channel, $values);
        }
    };
    (@put $value:expr, $values:ident, $measure:ty; $channel:ident) => {
        $crate::table::Becomes::put::<$measure, ALL>(&$value, trailbrake_model::Channel::$channel, $values)
    };

    (@measure) => { $crate::table::Same };
    (@measure $measure:ident) => { $measure };

    (@type $life:lifetime $form:ty) => { <$form as $crate::table::Sent<$life>>::Value };
    (@type $life:lifetime $form:ty [$($years:tt)+]) => { Option<<$form as $crate::table::Sent<$life>>::Value> };
    (@type $life:lifetime $form:ty [$($years:tt)+] | $($others:tt)+) => {
        <$form as $crate::table::Sent<$life>>::Value
    };

    (@has $version:ident; $($years:tt)+) => { packets!(@versions $($years)+).contains($version) };

    (@versions ..$to:literal) => { $crate::table::VersionRange { first: 0, last: $to - 1 } };
    (@versions ..=$to:literal) => { $crate::table::VersionRange { first: 0, last: $to } };
    (@versions $from:literal..) => { $crate::table::VersionRange { first: $from, last: u16::MAX } };
    (@versions $from:literal..=$to:literal) => { $crate::table::VersionRange { first: $from, last: $to } };
    (@versions $from:literal..$to:literal) => { $crate::table::VersionRange { first: $from, last: $to - 1 } };
    (@versions $only:literal) => { $crate::table::VersionRange { first: $only, last: $only } };
    (@versions) => { $crate::table::VersionRange::ALL };

    (@row $field:ident $form:ty $([$($years:tt)+])?) => {
        $crate::table::Row {
            name: stringify!($field),
            versions: packets!(@versions $($($years)+)?),
            sizes: &<$form as $crate::table::Sent<'static>>::SIZES,
            describe: <$form as $crate::table::Sent<'static>>::describe,
        }
    };

    (@size $version:ident; $form:ty) => { $version.of(&<$form as $crate::table::Sent<'_>>::SIZES) };
    (@size $version:ident; $($form:ty [$($years:tt)+])|+) => {
        0 $(+ if packets!(@has $version; $($years)+) {
            $version.of(&<$form as $crate::table::Sent<'_>>::SIZES)
        } else {
            0
        })+
    };

    // A bit for each form that only some versions have.
    (@sign $row:ident $version:ident; $form:ty) => { $row };
    (@sign $row:ident $version:ident; $($form:ty [$($years:tt)+])|+) => {{
        let row = $row;
        $(let row = row * 2 + if packets!(@has $version; $($years)+) { 1 } else { 0 };)+
        row
    }};

    (@varies $($form:ty)|+) => { $(<$form as $crate::table::Sent<'_>>::VARIES)||+ };

    (@once $version:ident; $form:ty $([$($years:tt)+])?) => {};
    (@once $version:ident; $($form:ty [$($years:tt)+])|+) => {
        let forms = 0 $(+ packets!(@has $version; $($years)+) as u8)+;
        assert!(forms <= 1, "a row has no more than one form in a version");
    };

    (@read $bytes:ident $at:ident $version:ident; $form:ty) => {
        <$form as $crate::table::Sent<'a>>::read($bytes, $at, $version)
    };
    (@read $bytes:ident $at:ident $version:ident; $form:ty [$($years:tt)+]) => {
        packets!(@has $version; $($years)+).then(|| <$form as $crate::table::Sent<'a>>::read($bytes, $at, $version))
    };
    (@read $bytes:ident $at:ident $version:ident; $($form:ty [$($years:tt)+])|+) => {
        'read: {
            $(if packets!(@has $version; $($years)+) {
                break 'read <$form as $crate::table::Sent<'a>>::read($bytes, $at, $version);
            })+
            Default::default()
        }
    };

    (@write $value:expr, $version:ident $out:ident; $form:ty) => {
        <$form as $crate::table::Sent<'a>>::write(&$value, $version, $out)
    };
    (@write $value:expr, $version:ident $out:ident; $form:ty [$($years:tt)+]) => {
        if packets!(@has $version; $($years)+) {
            <$form as $crate::table::Sent<'a>>::write(&$value.clone().unwrap_or_default(), $version, $out);
        }
    };
    (@write $value:expr, $version:ident $out:ident; $($form:ty [$($years:tt)+])|+) => {$(
        if packets!(@has $version; $($years)+) {
            <$form as $crate::table::Sent<'a>>::write(&$value, $version, $out);
        }
    )+};
}

#[cfg(test)]
mod made_up_game;
#[cfg(test)]
mod tests;
