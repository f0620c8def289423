//! The laps that the game tells of all cars: whose they are, and what follows from them.
//!
//! The player's own are told better by the updates. The game numbers cars by their places in the session and never says
//! which of them the player's is: that is known by the driver's name, or by a lap of the very same time.

use std::collections::BTreeMap;

use super::facts::{SessionFacts, vehicle};
use super::layout::Lap;
use crate::model::{Car, Fact, LapProgress, Moment, Participant, ResultStatus, Sink};
use crate::time::LapTime;

/// The player's car. The other cars are numbered behind it.
pub(super) const PLAYER: Car = Car(0);
/// A lap that was taken for another driver's turns out to be the player's within so many seconds, or never.
const MISTAKEN_S: f64 = 2.0;

/// What has been told of all cars.
#[derive(Debug, Default)]
pub(super) struct OtherCars {
    drivers: BTreeMap<Car, Driver>,
    /// The player's place in the session, once it is known.
    player: Option<i32>,
    /// The last lap that nobody's name belongs to for sure: whose, when, how long.
    doubtful: Option<(i32, f64, LapTime)>,
}

#[derive(Debug, Default)]
struct Driver {
    name: String,
    vehicle: String,
    lap: u16,
    best: Option<LapTime>,
}

impl OtherCars {
    /// The player is whom the game's answer names.
    pub(super) fn player_is(&mut self, facts: &SessionFacts, moment: Moment, sink: &mut dyn Sink) {
        self.name(PLAYER, &facts.driver, &facts.car, moment, sink);
    }

    /// Takes a lap. `last` is the time of the player's last lap; whether anybody has said who the player is.
    pub(super) fn take(
        &mut self,
        lap: &Lap,
        facts: Option<&SessionFacts>,
        last: Option<LapTime>,
        moment: Moment,
        sink: &mut dyn Sink,
    ) {
        let place = lap.car_identifier.get();
        let Some(time) = lap_time(lap.time.get()) else { return };
        let (driver, car) = (lap.driver_name.read(), lap.car_name.read());
        let player = match (self.player, facts) {
            (Some(player), _) => player == place,
            (None, Some(facts)) => facts.driver == driver && facts.car == car,
            (None, None) => last == Some(time),
        };
        if player {
            self.player = Some(place);
            return self.name(PLAYER, &driver, &car, moment, sink);
        }
        if self.player.is_none() && facts.is_none() {
            self.doubtful = Some((place, moment.seconds(), time));
        }
        let Some(number) = u8::try_from(place).ok().and_then(|place| place.checked_add(1)) else { return };
        self.name(Car(number), &driver, &car, moment, sink);
        self.finish(Car(number), lap.lap.get(), time, moment, sink);
    }

    /// The player has finished a lap: one that was told before may have been this one.
    pub(super) fn player_finished(&mut self, time: Option<LapTime>, moment: Moment, sink: &mut dyn Sink) {
        let Some((place, seconds, facts)) = self.doubtful.take() else { return };
        if time != Some(facts) || moment.seconds() - seconds > MISTAKEN_S {
            return;
        }
        self.player = Some(place);
        let Some(car) = u8::try_from(place).ok().and_then(|place| place.checked_add(1)).map(Car) else {
            return;
        };
        if let Some(driver) = self.drivers.remove(&car) {
            // There is no such car beside the player's.
            sink.progress(&LapProgress {
                car,
                moment,
                result: ResultStatus::Invalid,
                ..LapProgress::default()
            });
            self.name(PLAYER, &driver.name, &driver.vehicle, moment, sink);
        }
    }

    /// The session was started anew: the drivers are the same, their laps are not.
    pub(super) fn restart(&mut self) {
        self.drivers.values_mut().for_each(|driver| (driver.lap, driver.best) = (0, None));
        self.doubtful = None;
    }

    fn name(&mut self, car: Car, name: &str, model: &str, moment: Moment, sink: &mut dyn Sink) {
        let driver = self.drivers.entry(car).or_default();
        if driver.vehicle != model {
            model.clone_into(&mut driver.vehicle);
            sink.fact(moment, Fact::Vehicle(car, vehicle(model)));
        }
        if driver.name != name {
            name.clone_into(&mut driver.name);
            let participants = self.drivers.iter().map(|(&car, driver)| Participant {
                car,
                name: driver.name.clone(),
                ..Participant::default()
            });
            sink.fact(moment, Fact::Participants(participants.collect()));
        }
    }

    /// A lap of another car ended now. Of the car's place nothing is known.
    fn finish(&mut self, car: Car, number: i32, time: LapTime, moment: Moment, sink: &mut dyn Sink) {
        let Some(driver) = self.drivers.get_mut(&car) else { return };
        let number = u16::try_from(number).unwrap_or_default().max(1);
        if driver.lap != number {
            let began = moment.seconds() - time.seconds();
            let moment = Moment { session_time: Some(began), ..moment };
            sink.progress(&LapProgress { car, moment, lap: number, ..LapProgress::default() });
        }
        driver.lap = number.saturating_add(1);
        driver.best = driver.best.map_or(Some(time), |best| Some(best.min(time)));
        sink.progress(&LapProgress {
            car,
            moment,
            lap: driver.lap,
            last_lap: Some(time),
            best_lap: driver.best,
            ..LapProgress::default()
        });
    }
}

/// A lap's time, where there is one.
pub(super) fn lap_time(millis: i32) -> Option<LapTime> {
    u32::try_from(millis).ok().filter(|&millis| millis > 0).map(LapTime)
}
