//! Values of the four wheels, in the order of the protocol.

use trailbrake_model::{Channel, Wheel};

use super::{Alike, Becomes, Measure, Sent, SentNumber, Sizes, Values, Version, put, sizes_times};
use crate::Value;

/// A value for each wheel in the order rear left, rear right, front left, front right.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct RearFirst<T>(pub [T; 4]);

impl<'a, F: Sent<'a>> Sent<'a> for RearFirst<F> {
    type Value = RearFirst<F::Value>;
    const SIZES: Sizes = sizes_times(F::SIZES, 4);
    const ALIKE: Alike = F::ALIKE;

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

impl<T: SentNumber> Becomes for RearFirst<T> {
    #[inline(always)]
    fn put<M: Measure, const ALL: bool>(&self, channel: Channel, values: &mut Values) {
        let Self([rear_left, rear_right, front_left, front_right]) = self;
        put::<M, ALL>(channel.of(Wheel::RearLeft), *rear_left, values);
        put::<M, ALL>(channel.of(Wheel::RearRight), *rear_right, values);
        put::<M, ALL>(channel.of(Wheel::FrontLeft), *front_left, values);
        put::<M, ALL>(channel.of(Wheel::FrontRight), *front_right, values);
    }
}
