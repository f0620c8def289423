//! Values of the four wheels, in the order of the protocol.

use trailbrake_model::{Channel, Wheel};

use super::{Alike, Becomes, Measure, Sent, SentNumber, Sizes, Values, Version, put, sizes_times};
use crate::Value;

macro_rules! orders {
    ($($(#[$doc:meta])* $order:ident: $($value:ident $wheel:ident),*;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq)]
        pub struct $order<T>(pub [T; 4]);

        impl<'a, F: Sent<'a>> Sent<'a> for $order<F> {
            type Value = $order<F::Value>;
            const SIZES: Sizes = sizes_times(F::SIZES, 4);
            const ALIKE: Alike = F::ALIKE;

            #[inline(always)]
            fn read(bytes: &'a [u8], at: &mut usize, version: Version) -> Self::Value {
                $(let $value = F::read(bytes, at, version);)*
                $order([$($value),*])
            }

            fn write(value: &Self::Value, version: Version, out: &mut Vec<u8>) {
                <[F; 4]>::write(&value.0, version, out);
            }

            fn describe(bytes: &[u8], at: &mut usize, version: Version) -> Value {
                <[F; 4]>::describe(bytes, at, version)
            }
        }

        impl<T: SentNumber> Becomes for $order<T> {
            #[inline(always)]
            fn put<M: Measure, const ALL: bool>(&self, channel: Channel, values: &mut Values) {
                let Self([$($value),*]) = self;
                $(put::<M, ALL>(channel.of(Wheel::$wheel), *$value, values);)*
            }
        }
    )*};
}

orders! {
    /// A value for each wheel, the front ones first, left before right: the model's order.
    FrontFirst: front_left FrontLeft, front_right FrontRight, rear_left RearLeft, rear_right RearRight;
    /// A value for each wheel, the rear ones first, left before right.
    RearFirst: rear_left RearLeft, rear_right RearRight, front_left FrontLeft, front_right FrontRight;
}
