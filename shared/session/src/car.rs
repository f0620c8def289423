//! The state of one car.

use trailbrake_analysis::laps::CarLaps;
use trailbrake_model::{CarSetup, Channel, Flag, LapProgress, Moment, ResultStatus, Slot, Vehicle};

use super::Traces;

/// The state of one car in the session.
#[derive(Clone, Debug, Default)]
pub struct CarState {
    /// The latest value of every channel.
    pub latest: Latest,
    /// Its laps.
    pub laps: CarLaps,
    /// The columns of its laps, as far as they are kept.
    pub traces: Traces,
    /// Its setup, where the game sends it.
    pub setup: Option<Box<CarSetup>>,
    /// The car model, where the game sends it.
    pub vehicle: Option<Box<Vehicle>>,
    /// Whether the game reports that this car does not exist.
    pub(super) absent: bool,
}

impl CarState {
    /// A channel's latest value.
    pub fn value(&self, channel: Channel) -> Option<f32> {
        self.latest.value(channel.slot())
    }

    /// Its latest progress in the lap.
    pub fn progress(&self) -> Option<&LapProgress> {
        self.laps.last_progress()
    }

    /// Whether the car exists and is still in the session. Only these are drawn on the map.
    pub fn takes_part(&self) -> bool {
        let result = self.progress().map(|progress| progress.result);
        let out = matches!(
            result,
            Some(ResultStatus::Inactive | ResultStatus::Disqualified | ResultStatus::Retired)
        );
        !self.absent && !out
    }

    /// The flag that is shown to its driver.
    pub(super) fn flag(&self) -> Flag {
        let flag = self.value(Channel::Flag).map(|number| Flag::from_number(number as i8));
        flag.filter(|flag| *flag != Flag::Unknown).unwrap_or(Flag::None)
    }

    /// Whether the car is in the pits.
    pub fn in_pits(&self) -> bool {
        self.progress().is_some_and(|progress| progress.pit.is_in_pits())
    }
}

/// The latest value of every channel of one car.
#[derive(Clone, Debug)]
pub struct Latest {
    values: Box<[LatestValue; Slot::COUNT]>,
    /// When the newest of them were measured.
    newest_s: f64,
}

#[derive(Clone, Copy, Debug)]
struct LatestValue {
    value: f32,
    seconds: f64,
}

impl Default for Latest {
    fn default() -> Self {
        let none = LatestValue { value: f32::NAN, seconds: f64::NEG_INFINITY };
        Self { values: Box::new([none; Slot::COUNT]), newest_s: f64::NEG_INFINITY }
    }
}

impl Latest {
    /// A channel's latest value; `None` if it was never received.
    pub fn value(&self, slot: Slot) -> Option<f32> {
        self.values.get(slot.index()).map(|known| known.value).filter(|value| value.is_finite())
    }

    /// Stores values, unless newer ones were received before.
    pub(super) fn take(&mut self, moment: Moment, values: &[(Slot, f32)]) {
        let seconds = moment.seconds();
        let is_newest = seconds >= self.newest_s;
        let all = &mut *self.values;
        for &(slot, value) in values {
            if let Some(known) = all.get_mut(slot.index())
                && (is_newest || known.seconds <= seconds)
            {
                *known = LatestValue { value, seconds };
            }
        }
        if is_newest {
            self.newest_s = seconds;
        }
    }

    /// The game's clock went back: the next values count as the latest.
    pub(super) fn clock_ran_back(&mut self) {
        self.values.iter_mut().for_each(|known| known.seconds = f64::NEG_INFINITY);
        self.newest_s = f64::NEG_INFINITY;
    }
}
