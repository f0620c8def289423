//! Where decoders put what they understood.

use super::{Car, Event, Fact, LapProgress, Moment, Slot};

/// Some channels of one car at one moment. What a game did not send is not in it.
#[derive(Clone, Copy, Debug)]
pub struct Sample<'a> {
    /// Whose values these are.
    pub car: Car,
    /// When they were true.
    pub moment: Moment,
    /// The values, each in its channel's unit.
    pub values: &'a [(Slot, f32)],
}

/// Takes what a decoder understood, in the order in which it was understood.
///
/// A decoder hands over a packet's valid content even when it goes on to reject the rest.
pub trait Sink {
    /// Some channels of one car.
    fn sample(&mut self, sample: &Sample<'_>);
    /// How far a car is in its lap, and what its game says of the lap.
    fn progress(&mut self, progress: &LapProgress);
    /// Something that happened.
    fn event(&mut self, event: Event);
    /// Something that is true of the session until the next fact of its kind.
    fn fact(&mut self, moment: Moment, fact: Fact);
}
