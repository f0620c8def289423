//! The output of decoders.

use super::{Car, Event, Fact, LapProgress, Moment, Slot};

/// Some channels of one car at one moment, without those the game did not send.
#[derive(Clone, Copy, Debug)]
pub struct Sample<'a> {
    /// The car.
    pub car: Car,
    /// When the values were measured.
    pub moment: Moment,
    /// The values, each in its channel's unit.
    pub values: &'a [(Slot, f32)],
}

/// Receives a decoder's output, in order.
///
/// A decoder emits the valid content of a packet even if it goes on to reject the rest.
pub trait Sink {
    /// Some channels of one car.
    fn sample(&mut self, sample: &Sample<'_>);
    /// A car's progress in its lap.
    fn progress(&mut self, progress: &LapProgress);
    /// An event.
    fn event(&mut self, event: Event);
    /// A fact, true until the next of its kind.
    fn fact(&mut self, moment: Moment, fact: Fact);
}
