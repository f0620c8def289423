//! The forms in which values are sent: numbers, arrays, and numbers in a unit.

use core::marker::PhantomData;

use zerocopy::ByteOrder;

use super::{
    Alike, MOST_VERSIONS, Same, Sent, SentMeasure, SentNumber, Sizes, Version, describe_list, sizes_times,
};
use crate::Value;

/// The next `N` bytes; zeros where there are no more.
#[inline(always)]
pub(crate) fn take<const N: usize>(bytes: &[u8], at: &mut usize) -> [u8; N] {
    let taken = bytes.get(*at..).and_then(<[u8]>::first_chunk).copied().unwrap_or([0; N]);
    *at += N;
    taken
}

macro_rules! bytes {
    ($($number:ident $value:ident;)*) => {$(
        impl<'a> Sent<'a> for $number {
            type Value = Self;
            const SIZES: Sizes = [1; MOST_VERSIONS];

            #[inline(always)]
            fn read(bytes: &'a [u8], at: &mut usize, _: Version) -> Self {
                Self::from_le_bytes(take(bytes, at))
            }

            fn write(value: &Self, _: Version, out: &mut Vec<u8>) {
                out.extend_from_slice(&value.to_le_bytes());
            }

            fn describe(bytes: &[u8], at: &mut usize, version: Version) -> Value {
                Value::$value(Self::read(bytes, at, version).into())
            }
        }
    )*};
}

bytes! {
    u8 Unsigned;
    i8 Signed;
}

macro_rules! numbers {
    ($($form:ident $number:ident $value:ident;)*) => {$(
        impl<'a, O: ByteOrder> Sent<'a> for zerocopy::$form<O> {
            type Value = $number;
            const SIZES: Sizes = [size_of::<$number>(); MOST_VERSIONS];

            #[inline(always)]
            fn read(bytes: &'a [u8], at: &mut usize, _: Version) -> $number {
                Self::from_bytes(take(bytes, at)).get()
            }

            fn write(value: &$number, _: Version, out: &mut Vec<u8>) {
                out.extend_from_slice(&Self::new(*value).to_bytes());
            }

            fn describe(bytes: &[u8], at: &mut usize, version: Version) -> Value {
                Value::$value(Self::read(bytes, at, version).into())
            }
        }
    )*};
}

numbers! {
    U16 u16 Unsigned;
    I16 i16 Signed;
    U32 u32 Unsigned;
    I32 i32 Signed;
    U64 u64 Unsigned;
    F32 f32 Float;
    F64 f64 Double;
}

impl<'a, F: Sent<'a>, const N: usize> Sent<'a> for [F; N] {
    type Value = [F::Value; N];
    const SIZES: Sizes = sizes_times(F::SIZES, N);
    const ALIKE: Alike = F::ALIKE;

    #[inline(always)]
    fn read(bytes: &'a [u8], at: &mut usize, version: Version) -> Self::Value {
        core::array::from_fn(|_| F::read(bytes, at, version))
    }

    fn write(value: &Self::Value, version: Version, out: &mut Vec<u8>) {
        value.iter().for_each(|one| F::write(one, version, out));
    }

    fn describe(bytes: &[u8], at: &mut usize, version: Version) -> Value {
        describe_list(N, F::describe, bytes, at, version)
    }
}

/// A number in a unit of the protocol's, which becomes the model's unit.
#[derive(Clone, Copy, Debug)]
pub struct In<F, M>(PhantomData<(F, M)>);

impl<'a, F: Sent<'a, Value: SentNumber>, M: SentMeasure> Sent<'a> for In<F, M> {
    type Value = f32;
    const SIZES: Sizes = F::SIZES;

    #[inline(always)]
    fn read(bytes: &'a [u8], at: &mut usize, version: Version) -> f32 {
        M::from_sent(F::read(bytes, at, version).number())
    }

    fn write(value: &f32, version: Version, out: &mut Vec<u8>) {
        F::write(&SentNumber::nearest(M::to_sent(*value)), version, out);
    }

    fn describe(bytes: &[u8], at: &mut usize, version: Version) -> Value {
        F::describe(bytes, at, version)
    }
}

/// A number of any size whose unit is the model's.
pub type Number<F> = In<F, Same>;

/// A number that other versions send with two bytes.
#[derive(Clone, Copy, Debug)]
pub struct Wide<F>(PhantomData<F>);

impl<'a, F: Sent<'a, Value: Into<u16> + TryFrom<u16, Error: core::fmt::Debug>>> Sent<'a> for Wide<F> {
    type Value = u16;
    const SIZES: Sizes = F::SIZES;

    #[inline(always)]
    fn read(bytes: &'a [u8], at: &mut usize, version: Version) -> u16 {
        F::read(bytes, at, version).into()
    }

    fn write(value: &u16, version: Version, out: &mut Vec<u8>) {
        // A number that has no room is sent as the largest that has.
        let largest = || F::Value::try_from(u16::from(u8::MAX));
        if let Ok(value) = F::Value::try_from(*value).or_else(|_| largest()) {
            F::write(&value, version, out);
        }
    }

    fn describe(bytes: &[u8], at: &mut usize, version: Version) -> Value {
        F::describe(bytes, at, version)
    }
}

/// `N` bytes where other versions have `M`.
#[derive(Clone, Copy, Debug)]
pub struct Short<const N: usize, const M: usize>;

impl<'a, const N: usize, const M: usize> Sent<'a> for Short<N, M> {
    type Value = [u8; M];
    const SIZES: Sizes = [N; MOST_VERSIONS];

    fn read(bytes: &'a [u8], at: &mut usize, _: Version) -> [u8; M] {
        let mut room = [0; M];
        room.iter_mut().zip(take::<N>(bytes, at)).for_each(|(to, from)| *to = from);
        room
    }

    fn write(value: &[u8; M], _: Version, out: &mut Vec<u8>) {
        let end = out.len() + N;
        out.extend(value.iter().take(N));
        out.resize(end, 0);
    }

    fn describe(bytes: &[u8], at: &mut usize, version: Version) -> Value {
        <[u8; N]>::describe(bytes, at, version)
    }
}

/// A number that is sent in either byte order: its forms in little and in big endian.
#[derive(Clone, Copy, Debug)]
pub struct EitherOrder<L, B>(PhantomData<(L, B)>);

impl<'a, L: Sent<'a>, B: Sent<'a, Value = L::Value>> Sent<'a> for EitherOrder<L, B> {
    type Value = L::Value;
    const SIZES: Sizes = L::SIZES;

    #[inline(always)]
    fn read(bytes: &'a [u8], at: &mut usize, version: Version) -> L::Value {
        if version.is_big_endian() { B::read(bytes, at, version) } else { L::read(bytes, at, version) }
    }

    fn write(value: &L::Value, version: Version, out: &mut Vec<u8>) {
        if version.is_big_endian() { B::write(value, version, out) } else { L::write(value, version, out) }
    }

    fn describe(bytes: &[u8], at: &mut usize, version: Version) -> Value {
        if version.is_big_endian() {
            B::describe(bytes, at, version)
        } else {
            L::describe(bytes, at, version)
        }
    }
}
