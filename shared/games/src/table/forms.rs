//! The forms in which values are sent: numbers, texts, and numbers in a unit.

use core::marker::PhantomData;

use zerocopy::ByteOrder;

use super::{MOST_VERSIONS, Measure, Sent, Sizes, Version, sizes_times};
use crate::{Text, Value, Vec3};

/// The next `N` bytes; zeros where there are no more.
#[inline(always)]
fn take<const N: usize>(bytes: &[u8], at: &mut usize) -> [u8; N] {
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

            fn describe(bytes: &'a [u8], at: &mut usize, version: Version) -> Value {
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

            fn describe(bytes: &'a [u8], at: &mut usize, version: Version) -> Value {
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

impl<'a, const N: usize> Sent<'a> for Text<N> {
    type Value = Self;
    const SIZES: Sizes = [N; MOST_VERSIONS];

    #[inline(always)]
    fn read(bytes: &'a [u8], at: &mut usize, _: Version) -> Self {
        Self(take(bytes, at))
    }

    fn write(value: &Self, _: Version, out: &mut Vec<u8>) {
        out.extend_from_slice(&value.0);
    }

    fn describe(bytes: &'a [u8], at: &mut usize, version: Version) -> Value {
        Value::Text(<Self as Sent<'a>>::read(bytes, at, version).read())
    }
}

impl<'a, F: Sent<'a>, const N: usize> Sent<'a> for [F; N] {
    type Value = [F::Value; N];
    const SIZES: Sizes = sizes_times(F::SIZES, N);

    #[inline(always)]
    fn read(bytes: &'a [u8], at: &mut usize, version: Version) -> Self::Value {
        core::array::from_fn(|_| F::read(bytes, at, version))
    }

    fn write(value: &Self::Value, version: Version, out: &mut Vec<u8>) {
        value.iter().for_each(|one| F::write(one, version, out));
    }

    fn describe(bytes: &'a [u8], at: &mut usize, version: Version) -> Value {
        Value::List((0..N).map(|_| F::describe(bytes, at, version)).collect())
    }
}

/// Three values, along x, y and z.
impl<'a, F: Sent<'a>> Sent<'a> for Vec3<F> {
    type Value = Vec3<F::Value>;
    const SIZES: Sizes = sizes_times(F::SIZES, 3);

    #[inline(always)]
    fn read(bytes: &'a [u8], at: &mut usize, version: Version) -> Self::Value {
        let (x, y) = (F::read(bytes, at, version), F::read(bytes, at, version));
        Vec3 { x, y, z: F::read(bytes, at, version) }
    }

    fn write(value: &Self::Value, version: Version, out: &mut Vec<u8>) {
        [&value.x, &value.y, &value.z].into_iter().for_each(|one| F::write(one, version, out));
    }

    fn describe(bytes: &'a [u8], at: &mut usize, version: Version) -> Value {
        let fields = ["x", "y", "z"].into_iter().map(|name| (name, F::describe(bytes, at, version)));
        Value::Record(fields.collect())
    }
}

/// A value for each wheel in the order rear left, rear right, front left, front right.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct RearFirst<T>(pub [T; 4]);

impl<'a, F: Sent<'a>> Sent<'a> for RearFirst<F> {
    type Value = RearFirst<F::Value>;
    const SIZES: Sizes = sizes_times(F::SIZES, 4);

    #[inline(always)]
    fn read(bytes: &'a [u8], at: &mut usize, version: Version) -> Self::Value {
        let [first, second] = [F::read(bytes, at, version), F::read(bytes, at, version)];
        RearFirst([first, second, F::read(bytes, at, version), F::read(bytes, at, version)])
    }

    fn write(value: &Self::Value, version: Version, out: &mut Vec<u8>) {
        <[F; 4]>::write(&value.0, version, out);
    }

    fn describe(bytes: &'a [u8], at: &mut usize, version: Version) -> Value {
        <[F; 4]>::describe(bytes, at, version)
    }
}

/// A number in a unit of the protocol's, which becomes the model's unit.
#[derive(Clone, Copy, Debug)]
pub struct In<F, M>(PhantomData<(F, M)>);

impl<'a, F: Sent<'a, Value: SentNumber>, M: Measure> Sent<'a> for In<F, M> {
    type Value = f32;
    const SIZES: Sizes = F::SIZES;

    #[inline(always)]
    fn read(bytes: &'a [u8], at: &mut usize, version: Version) -> f32 {
        M::from_sent(F::read(bytes, at, version).number())
    }

    fn write(value: &f32, version: Version, out: &mut Vec<u8>) {
        F::write(&SentNumber::nearest(M::to_sent(*value)), version, out);
    }

    fn describe(bytes: &'a [u8], at: &mut usize, version: Version) -> Value {
        F::describe(bytes, at, version)
    }
}

/// A number of any size.
pub trait SentNumber: Copy {
    /// The number as the model has it.
    fn number(self) -> f32;
    /// The nearest number that can be sent.
    fn nearest(number: f32) -> Self;
    /// Whether it may be infinite or no number, as whole numbers never are.
    #[inline(always)]
    fn may_be_odd(self) -> bool {
        false
    }
}

impl SentNumber for f32 {
    #[inline(always)]
    fn number(self) -> f32 {
        self
    }

    fn nearest(number: f32) -> Self {
        number
    }

    #[inline(always)]
    fn may_be_odd(self) -> bool {
        true
    }
}

macro_rules! whole_numbers {
    ($($number:ident)*) => {$(
        impl SentNumber for $number {
            #[inline(always)]
            fn number(self) -> f32 {
                self as f32
            }

            fn nearest(number: f32) -> Self {
                number.round() as Self
            }
        }
    )*};
}

whole_numbers! { u8 i8 u16 i16 u32 i32 }
