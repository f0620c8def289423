//! Signals for scripts about the followed car, derived from each value and the previous one.

use trailbrake_model::time::LapTime;
use trailbrake_model::{Channel as C, LapProgress, ResultStatus, Signal as S, Slot};

type SignalValue = (S, Option<i32>);

/// Watched channels: the channel, its signal, the factor for the signal's value, and whether only a change from zero
/// gives a signal. Otherwise every change does.
const WATCHED: [(C, S, f32, bool); 13] = [
    (C::Gear, S::GearChange, 1.0, false),
    (C::Brake, S::Brake, 255.0, true),
    (C::Throttle, S::Throttle, 255.0, true),
    (C::Drs, S::Drs, 1.0, false),
    (C::DrsAllowed, S::DrsAllowed, 1.0, false),
    (C::PitLimiter, S::PitLimiter, 1.0, false),
    (C::RacePosition, S::PositionChange, 1.0, false),
    (C::TyreCompound, S::TyreCompound, 1.0, false),
    (C::FuelMix, S::FuelMix, 1.0, false),
    (C::ErsMode, S::ErsMode, 1.0, false),
    (C::BrakeBias, S::BrakeBias, 100.0, false),
    (C::TractionControl, S::TractionControl, 1.0, false),
    (C::Buttons, S::Buttons, 1.0, false),
];

/// How many channels are looked at: those, the rev lights, and the revs that go with these.
const LOOKED_AT: usize = WATCHED.len() + 2;

/// For each slot its place among the channels that are looked at, or a place behind them.
#[expect(clippy::indexing_slicing, reason = "computed by the compiler, where a bad index does not build")]
const PLACES: [u8; Slot::COUNT] = {
    let mut places = [u8::MAX; Slot::COUNT];
    let mut place = 0;
    while place < WATCHED.len() {
        places[WATCHED[place].0.slot().index()] = place as u8;
        place += 1;
    }
    places[C::RevLights.slot().index()] = place as u8;
    places[C::Rpm.slot().index()] = place as u8 + 1;
    places
};

/// The nearest whole number. Rounding in the library takes longer than all the rest.
fn nearest(value: f32) -> i32 {
    // From there on every number is whole, and half of one is lost.
    const WHOLE: f32 = 8_388_608.0;
    if value.abs() >= WHOLE { value as i32 } else { (value + 0.5_f32.copysign(value)) as i32 }
}

/// The signals of the rev lights, each with the lit share at which it is given.
const LIGHTS: [(S, f32); 2] = [(S::ShiftLightLow, 0.01), (S::ShiftLightHigh, 1.0)];

/// Derives the signals of one car. The caller passes each channel's values in order of time.
#[derive(Debug, Default)]
pub(super) struct Signals {
    known: [Option<i32>; WATCHED.len()],
    lights: Option<f32>,
    progress: Option<LapProgress>,
}

impl Signals {
    /// Processes the car's newest values.
    pub(super) fn channels(&mut self, values: &[(Slot, f32)], mut give: impl FnMut(S, Option<i32>)) {
        // Signals come in the order of the table, whatever the order of the values.
        let mut sent = [None; LOOKED_AT];
        for (slot, value) in values {
            let place = PLACES.get(slot.index()).and_then(|place| sent.get_mut(usize::from(*place)));
            if let Some(place) = place.filter(|_| value.is_finite()) {
                *place = Some(*value);
            }
        }
        let [sent @ .., lights, rpm] = sent;
        for (((_, signal, scale, from_zero), known), sent) in WATCHED.iter().zip(&mut self.known).zip(sent) {
            let Some(now) = sent.map(|value| nearest(value * scale)) else { continue };
            let before = known.replace(now);
            if before.is_some_and(|before| if *from_zero { before == 0 && now > 0 } else { before != now }) {
                give(*signal, Some(now));
            }
        }
        let Some(now) = lights else { return };
        let Some(before) = self.lights.replace(now) else { return };
        for (signal, _) in LIGHTS.iter().filter(|(_, from)| before < *from && now >= *from) {
            give(*signal, rpm.map(|rpm| rpm as i32));
        }
    }

    /// Processes the car's newest progress. A race starts when the clock of its first lap starts.
    pub(super) fn progress(&mut self, now: &LapProgress, race: bool, mut give: impl FnMut(S, Option<i32>)) {
        let Some(before) = self.progress.replace(*now) else { return };
        let stood = |progress: &LapProgress| progress.clock.is_some_and(|clock| clock <= 0.0);
        let lap = Some(i32::from(now.lap));
        let start = race && now.lap == 1 && stood(&before) && !stood(now);
        let finish = before.result != now.result && now.result == ResultStatus::Finished;
        let given: [Option<SignalValue>; 6] = [
            start.then_some((S::RaceStart, lap)),
            (before.lap != now.lap).then_some((S::LapChange, lap)),
            (before.sector != now.sector).then_some((S::SectorChange, Some(i32::from(now.sector) + 1))),
            (before.last_lap != now.last_lap).then_some((S::LastLapTime, millis(now.last_lap))),
            (before.best_lap != now.best_lap).then_some((S::BestLapTime, millis(now.best_lap))),
            finish.then_some((S::RaceFinish, lap)),
        ];
        given.into_iter().flatten().for_each(|(signal, value)| give(signal, value));
    }
}

fn millis(time: Option<LapTime>) -> Option<i32> {
    time.and_then(|time| i32::try_from(time.0).ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(values: &[&[(C, f32)]], expected: &[(S, i32)]) {
        let mut signals = Signals::default();
        let mut given = Vec::new();
        for values in values {
            let values: Vec<_> = values.iter().map(|(channel, value)| (channel.slot(), *value)).collect();
            signals.channels(&values, |signal, value| given.push((signal, value.expect("a value"))));
        }
        assert_eq!(given, expected);
    }

    #[test]
    fn the_first_value_is_no_change_and_every_other_one_is() {
        check(
            &[&[(C::Gear, 3.0)], &[(C::Gear, 3.0)], &[(C::Drs, 1.0)], &[(C::Gear, 4.0)], &[(C::Gear, -1.0)]],
            &[(S::GearChange, 4), (S::GearChange, -1)],
        );
        check(&[&[(C::BrakeBias, 0.56)], &[(C::BrakeBias, 0.57)]], &[(S::BrakeBias, 57)]);
        check(&[&[(C::DrsAllowed, -1.0)], &[(C::DrsAllowed, 1.0)]], &[(S::DrsAllowed, 1)]);
    }

    #[test]
    fn numbers_are_rounded_to_the_nearest() {
        let numbers = [0.4, 0.5, -0.5, -1.4, 56.500_004, 8_388_609.0, -8_388_611.0, 16_777_214.0];
        assert_eq!(numbers.map(nearest), [0, 1, -1, -1, 57, 8_388_609, -8_388_611, 16_777_214]);
    }

    #[test]
    fn a_pedal_counts_when_it_is_first_pressed() {
        let pressed = |share: f32| [(C::Brake, share)];
        check(
            &[&pressed(0.0), &pressed(0.2), &pressed(1.0), &pressed(0.0), &pressed(1.0)],
            &[(S::Brake, 51), (S::Brake, 255)],
        );
    }

    #[test]
    fn the_shift_lights_follow_the_revs() {
        let lights = |share: f32, rpm: f32| [(C::RevLights, share), (C::Rpm, rpm)];
        check(
            &[
                &lights(0.0, 9000.0),
                &lights(0.1, 10_300.0),
                &lights(0.9, 11_000.0),
                &lights(1.0, 11_950.0),
                &lights(0.0, 8000.0),
                &lights(1.0, 12_000.0),
            ],
            &[
                (S::ShiftLightLow, 10_300),
                (S::ShiftLightHigh, 11_950),
                (S::ShiftLightLow, 12_000),
                (S::ShiftLightHigh, 12_000),
            ],
        );
    }

    #[test]
    fn laps_sectors_times_start_and_finish_are_signalled() {
        let mut signals = Signals::default();
        let mut given = Vec::new();
        let (last, best) = (Some(LapTime(90_123)), Some(LapTime(89_000)));
        let waiting = LapProgress { lap: 1, clock: Some(0.0), ..LapProgress::default() };
        let driving = LapProgress { clock: Some(0.1), ..waiting };
        let second = LapProgress { sector: 1, ..driving };
        let next = LapProgress { lap: 2, sector: 0, last_lap: last, best_lap: best, ..driving };
        let over = LapProgress { result: ResultStatus::Finished, ..next };
        for progress in [waiting, driving, driving, second, next, over, over] {
            signals.progress(&progress, true, |signal, value| given.push((signal, value)));
        }
        assert_eq!(
            given,
            [
                (S::RaceStart, Some(1)),
                (S::SectorChange, Some(2)),
                (S::LapChange, Some(2)),
                (S::SectorChange, Some(1)),
                (S::LastLapTime, Some(90_123)),
                (S::BestLapTime, Some(89_000)),
                (S::RaceFinish, Some(2)),
            ]
        );
    }
}
