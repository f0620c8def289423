//! The state of one car.

use trailbrake_analysis::laps::CarLaps;
use trailbrake_model::{
    CarSetup, Channel, Columns, Flag, LapProgress, Line, ResultStatus, Sample, Slot, Vehicle,
};

use super::{Retention, Traces};

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
    /// Takes values. Columns get all channels if `closely`, else only those that are kept of every car.
    #[inline(always)]
    pub(super) fn take(&mut self, sample: &Sample<'_>, closely: bool, retention: &Retention) {
        self.latest.take(sample, self.traces.current());
        self.traces.push(sample, closely, retention);
    }

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
    /// By slot; NaN for one that was never received.
    values: Box<[f32; Slot::COUNT]>,
    /// When the newest of them were measured.
    newest_s: f64,
}

impl Default for Latest {
    fn default() -> Self {
        Self { values: Box::new([f32::NAN; Slot::COUNT]), newest_s: f64::NEG_INFINITY }
    }
}

impl Latest {
    /// A channel's latest value; `None` if it was never received.
    pub fn value(&self, slot: Slot) -> Option<f32> {
        self.values.get(slot.index()).copied().filter(|value| value.is_finite())
    }

    /// Stores values, unless `columns` have newer ones.
    #[inline]
    pub(super) fn take(&mut self, sample: &Sample<'_>, columns: &Columns) {
        let seconds = sample.moment.seconds();
        if seconds < self.newest_s {
            return self.take_late(seconds, sample.values, columns);
        }
        self.newest_s = seconds;
        for (slot, value) in sample.values {
            self.set(*slot, *value);
        }
    }

    #[cold]
    fn take_late(&mut self, seconds: f64, values: &[(Slot, f32)], columns: &Columns) {
        for (slot, value) in values {
            let last = columns.line(*slot).and_then(Line::last);
            let newest_s = last.and_then(|(row, _)| columns.seconds().get(row));
            if newest_s.is_none_or(|newest_s| *newest_s <= seconds) {
                self.set(*slot, *value);
            }
        }
    }

    #[inline]
    fn set(&mut self, slot: Slot, value: f32) {
        if let Some(known) = self.values.get_mut(slot.index()) {
            *known = value;
        }
    }

    /// The game's clock went back: the next values count as the latest.
    pub(super) fn clock_ran_back(&mut self) {
        self.newest_s = f64::NEG_INFINITY;
    }
}

#[cfg(test)]
mod tests {
    use trailbrake_model::time::Micros;
    use trailbrake_model::{Car, Moment};

    use super::*;

    #[test]
    fn a_late_packet_replaces_no_newer_value_and_gives_those_that_are_not_known_yet() {
        let (speed, fuel) = (Channel::Speed.slot(), Channel::Fuel.slot());
        let mut car = CarState::default();
        let mut take = |millis: u32, values: &[(Slot, f32)]| {
            let session_time = Some(f64::from(millis) / 1e3);
            let moment = Moment { at: Micros(millis.into()), session_time, frame: Some(millis) };
            car.take(&Sample { car: Car(0), moment, values }, true, &Retention::default());
            [Channel::Speed, Channel::Fuel].map(|channel| car.value(channel))
        };
        assert_eq!(take(1000, &[(speed, 10.0)]), [Some(10.0), None]);
        assert_eq!(take(1020, &[(speed, 12.0)]), [Some(12.0), None]);
        assert_eq!(take(1010, &[(speed, 11.0), (fuel, 5.0)]), [Some(12.0), Some(5.0)]);
        assert_eq!(take(1005, &[(speed, 10.5), (fuel, 6.0)]), [Some(12.0), Some(5.0)]);
        assert_eq!(take(1015, &[(fuel, 4.0)]), [Some(12.0), Some(4.0)]);
    }
}
