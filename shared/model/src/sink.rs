//! The output of decoders.

use super::{Axis, Car, Channel, Event, Fact, LapProgress, Moment, Slot};

/// The channels that are shown or kept of every car, looked at closely or not.
pub const OF_EVERY_CAR: &[Slot] = &[
    Channel::LapDistance.slot(),
    Channel::LapClock.slot(),
    Channel::Position.along(Axis::X),
    Channel::Position.along(Axis::Y),
    Channel::Position.along(Axis::Z),
    Channel::Speed.slot(),
    Channel::Throttle.slot(),
    Channel::Brake.slot(),
    Channel::TyreCompound.slot(),
];

/// Whether a slot is among [`OF_EVERY_CAR`], without a search.
#[expect(clippy::indexing_slicing, reason = "computed by the compiler, where a bad index does not build")]
pub fn is_of_every_car(slot: Slot) -> bool {
    const TABLE: [bool; Slot::COUNT] = {
        let mut table = [false; Slot::COUNT];
        let mut place = 0;
        while place < OF_EVERY_CAR.len() {
            table[OF_EVERY_CAR[place].index()] = true;
            place += 1;
        }
        table
    };
    TABLE.get(slot.index()).is_some_and(|is_there| *is_there)
}

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
    /// Whether every channel of this car is wanted. Of the others, a decoder may leave out what is not among
    /// [`OF_EVERY_CAR`].
    fn wants_all(&self, car: Car) -> bool {
        let _ = car;
        true
    }
    /// A fact, true until the next of its kind.
    fn fact(&mut self, moment: Moment, fact: Fact);
}

/// Keeps nothing: for measuring what decoding alone costs.
impl Sink for () {
    fn sample(&mut self, _: &Sample<'_>) {}
    fn progress(&mut self, _: &LapProgress) {}
    fn event(&mut self, _: Event) {}
    fn fact(&mut self, _: Moment, _: Fact) {}
}
