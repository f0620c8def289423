//! What rows become: channels of the model.

use trailbrake_model::{Car, Channel, Moment, Sample, Sink, Slot, is_of_every_car};

use super::{Measure, Same, SentNumber};
use crate::decode::sample_numbers;

/// A record of a table, some of whose rows become channels.
pub trait Record {
    /// Adds the channels to `values`: all of them, or those that are kept of every car.
    fn channels<const ALL: bool>(&self, values: &mut Values);
}

/// Most values of a record.
const MOST: usize = 96;

/// The values of a record's channels, collected for a sample.
#[derive(Clone, Debug)]
pub struct Values {
    values: [(Slot, f32); MOST],
    count: usize,
    /// 0, or no number if one of them is infinite or no number: so many times 0 they are.
    nothing: f32,
}

impl Default for Values {
    fn default() -> Self {
        Self { values: [(Channel::Speed.slot(), 0.0); MOST], count: 0, nothing: 0.0 }
    }
}

impl Values {
    /// Takes the values of a record: all of them, or those that are kept of every car.
    #[inline(always)]
    pub fn fill<const ALL: bool>(&mut self, record: &impl Record) {
        self.clear();
        record.channels::<ALL>(self);
    }

    /// Removes all values.
    #[inline(always)]
    pub fn clear(&mut self) {
        (self.count, self.nothing) = (0, 0.0);
    }

    /// Adds the channels of a record.
    #[inline(always)]
    pub fn add_record(&mut self, record: &impl Record) {
        record.channels::<true>(self);
    }

    /// Adds the value of a channel that no row becomes by itself.
    #[inline(always)]
    pub fn put(&mut self, channel: Channel, value: impl Becomes) {
        value.put::<Same, true>(channel, self);
    }

    /// Gives the finite values as a sample. Returns how many are not finite.
    #[inline(always)]
    pub fn give(&self, sink: &mut dyn Sink, car: Car, moment: Moment) -> usize {
        if self.nothing != 0.0 {
            return sample_numbers(sink, car, moment, self.get());
        }
        if self.count > 0 {
            sink.sample(&Sample { car, moment, values: self.get() });
        }
        0
    }

    /// Adds a value that no row gives.
    #[inline]
    pub fn add(&mut self, slot: Slot, value: f32) {
        self.push(slot, value, true);
    }

    /// The values.
    #[inline]
    pub fn get(&self) -> &[(Slot, f32)] {
        self.values.get(..self.count).unwrap_or_default()
    }

    /// Leaves out the slots for which `keep` is false.
    pub fn retain(&mut self, keep: impl Fn(Slot) -> bool) {
        let mut kept = 0;
        for place in 0..self.count {
            let value = self.values.get(place).copied().filter(|(slot, _)| keep(*slot));
            if let Some((value, to)) = value.zip(self.values.get_mut(kept)) {
                *to = value;
                kept += 1;
            }
        }
        self.count = kept;
    }

    #[inline(always)]
    fn push(&mut self, slot: Slot, value: f32, may_be_odd: bool) {
        debug_assert!(self.count < MOST, "a record has more channels than there is room for");
        if may_be_odd {
            self.nothing += value * 0.0;
        }
        if let Some(place) = self.values.get_mut(self.count) {
            *place = (slot, value);
            self.count += 1;
        }
    }
}

/// A value that becomes a channel.
pub trait Becomes {
    /// Adds the channel's values, which were sent in a measure: all of them, or those that are kept of every car.
    fn put<M: Measure, const ALL: bool>(&self, channel: Channel, values: &mut Values);
}

#[inline(always)]
pub(crate) fn put<M: Measure, const ALL: bool>(slot: Slot, sent: impl SentNumber, values: &mut Values) {
    let number = sent.number();
    if (ALL || is_of_every_car(slot)) && M::is_value(number) {
        values.push(slot, M::from_sent(number), sent.may_be_odd());
    }
}

impl<T: SentNumber> Becomes for T {
    #[inline(always)]
    fn put<M: Measure, const ALL: bool>(&self, channel: Channel, values: &mut Values) {
        put::<M, ALL>(channel.slot(), *self, values);
    }
}

impl<T: Becomes> Becomes for Option<T> {
    #[inline(always)]
    fn put<M: Measure, const ALL: bool>(&self, channel: Channel, values: &mut Values) {
        if let Some(value) = self {
            value.put::<M, ALL>(channel, values);
        }
    }
}
