//! Values of the four wheels in a packet that may end between them.

use trailbrake_model::{Channel, Wheel};
use zerocopy::LE;

use super::layout::LAST_CHANNELS;
use crate::Value;
use crate::table::{
    Becomes, MOST_VERSIONS, Measure, Sent, Sizes, Values, Version, describe_list, put, sizes_with,
};

type F32 = zerocopy::F32<LE>;

/// A value for each wheel, rear wheels first, of those that are sent. `FIRST` is the channel of the first wheel.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SentWheels<const FIRST: u16>(pub [Option<f32>; 4]);

impl<const FIRST: u16> SentWheels<FIRST> {
    const fn count(version: Version) -> usize {
        match (version.number() + 1).saturating_sub(FIRST) {
            sent @ ..4 => sent as usize,
            _ => 4,
        }
    }
}

impl<'a, const FIRST: u16> Sent<'a> for SentWheels<FIRST> {
    type Value = Self;
    const SIZES: Sizes = {
        let (mut sizes, mut place) = ([0; MOST_VERSIONS], 0);
        while place < LAST_CHANNELS.len() {
            let version = LAST_CHANNELS.at(place);
            sizes = sizes_with(sizes, version, Self::count(version) * size_of::<f32>());
            place += 1;
        }
        sizes
    };

    #[inline(always)]
    fn read(bytes: &'a [u8], at: &mut usize, version: Version) -> Self {
        let count = Self::count(version);
        Self(core::array::from_fn(|wheel| (wheel < count).then(|| F32::read(bytes, at, version))))
    }

    fn write(value: &Self, version: Version, out: &mut Vec<u8>) {
        let sent = value.0.iter().take(Self::count(version));
        sent.for_each(|wheel| F32::write(&wheel.unwrap_or_default(), version, out));
    }

    fn describe(bytes: &[u8], at: &mut usize, version: Version) -> Value {
        describe_list(Self::count(version), F32::describe, bytes, at, version)
    }
}

impl<const FIRST: u16> Becomes for SentWheels<FIRST> {
    #[inline(always)]
    fn put<M: Measure, const ALL: bool>(&self, channel: Channel, values: &mut Values) {
        let order = [Wheel::RearLeft, Wheel::RearRight, Wheel::FrontLeft, Wheel::FrontRight];
        for (wheel, value) in order.into_iter().zip(self.0) {
            if let Some(value) = value {
                put::<M, ALL>(channel.of(wheel), value, values);
            }
        }
    }
}
