//! The channels that a packet holds: a prefix of the list, as long as the game's setting says.

use std::mem::offset_of;

use zerocopy::{FromBytes, FromZeros, IntoBytes, LE};

use super::layout::Channels;

type F32 = zerocopy::F32<LE>;

/// The number of channels in the full list.
pub(super) const CHANNELS: usize = size_of::<Channels>() / FLOAT;
/// The fewest channels that a packet holds.
pub(super) const FEWEST: usize = 38;
/// Bytes per channel.
pub(super) const FLOAT: usize = size_of::<F32>();
/// Speed and the length of the velocity differ by at most this much in a real packet.
pub(super) const SPEED_TOLERANCE_MPS: f32 = 0.5;

/// The index of a channel in the list, by its field name in the layout.
macro_rules! place {
    ($field:ident) => {
        std::mem::offset_of!($crate::dirt_rally::layout::Channels, $field) / 4
    };
}
pub(super) use place;

/// The channels of one packet. Channels beyond its end are absent, never zero.
#[derive(Clone, Copy, Debug)]
pub struct ChannelPrefix<'a>(&'a [F32]);

impl<'a> ChannelPrefix<'a> {
    /// Reads a datagram whose length is that of a prefix of the list.
    pub fn read(datagram: &'a [u8]) -> Option<Self> {
        let numbers = <[F32]>::ref_from_bytes(datagram).ok()?;
        (FEWEST..=CHANNELS).contains(&numbers.len()).then_some(Self(numbers))
    }

    /// The number of channels in the packet.
    pub fn count(&self) -> usize {
        self.0.len()
    }

    /// A channel by its index; `None` when the packet ends before it.
    pub fn get(&self, place: usize) -> Option<f32> {
        self.0.get(place).map(|number| number.get())
    }

    /// Whether the game has no car: all channels except the clock are zero.
    pub fn is_empty(&self) -> bool {
        self.0.iter().skip(1).all(|number| number.get() == 0.0)
    }

    /// The channels as the layout's struct, padded with zeros: only the first [`ChannelPrefix::count`] are valid.
    pub(super) fn padded(&self) -> Channels {
        let mut channels = Channels::new_zeroed();
        for (to, from) in channels.as_mut_bytes().iter_mut().zip(self.0.as_bytes()) {
            *to = *from;
        }
        channels
    }

    /// A vector among the first [`FEWEST`] channels, which every packet holds.
    pub(super) fn vector(&self, place: usize) -> [f32; 3] {
        [place, place + 1, place + 2].map(|place| self.first(place))
    }

    /// A number among the first [`FEWEST`] channels, which every packet holds.
    pub(super) fn first(&self, place: usize) -> f32 {
        debug_assert!(place < FEWEST, "channel {place} may be absent");
        self.get(place).unwrap_or_default()
    }

    /// Why the game can't have sent these channels; `None` if they are plausible.
    pub(super) fn implausible(&self) -> Option<String> {
        if let Some(place) = self.0.iter().position(|number| !number.get().is_finite()) {
            return Some(format!("its channel {place} is no number"));
        }
        if self.is_empty() {
            return None;
        }
        self.first_misfit()
    }

    fn first_misfit(&self) -> Option<String> {
        let length = |place| self.vector(place).map(|part| part * part).iter().sum::<f32>().sqrt();
        let speed = self.first(place!(speed));
        let moved = length(place!(velocity));
        if (speed - moved).abs() > SPEED_TOLERANCE_MPS {
            return Some("its speed does not fit its velocity".to_owned());
        }
        let directions = [("right", place!(right)), ("forward", place!(forward))];
        let pedals = [("throttle", place!(throttle)), ("brake", place!(brake)), ("clutch", place!(clutch))];
        let gear = self.first(place!(gear));
        let long = directions.map(|(name, place)| (name, length(place), 0.9..=1.1));
        let pressed = pedals.map(|(name, place)| (name, self.first(place), -0.01..=1.01));
        let whole = |place| if self.count() == CHANNELS { self.get(place) } else { None };
        let mut ranges = long.into_iter().chain(pressed).chain([
            ("steer", self.first(place!(steer)), -1.01..=1.01),
            ("gear", gear, -1.0..=10.0),
            ("max_rpm", whole(place!(max_rpm)).unwrap_or(50.0), 50.0..=2500.0),
            ("max_gears", whole(place!(max_gears)).unwrap_or(1.0), 1.0..=10.0),
        ]);
        if gear.fract() != 0.0 {
            return Some(format!("its gear is {gear}"));
        }
        ranges
            .find(|(_, value, range)| !range.contains(value))
            .map(|(name, value, range)| format!("its {name} of {value} is not within {range:?}"))
    }
}

const _: () = assert!(offset_of!(Channels, native_sli_support) == FEWEST * FLOAT);
