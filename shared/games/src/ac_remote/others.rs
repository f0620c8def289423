//! Laps of all cars, and which of the cars is the player's.
//!
//! Updates describe the player's own laps better. The game numbers cars by their place in the session and never says
//! which one is the player's: the driver's name identifies it, or a lap with exactly the same time.

use std::collections::BTreeMap;

use trailbrake_model::time::LapTime;
use trailbrake_model::{Car, Fact, LapProgress, Moment, Participant, ResultStatus, Sink};

use super::facts::{SessionFacts, vehicle};
use super::layout::Lap;

/// The player's car. Other cars have the numbers after it.
pub(super) const PLAYER: Car = Car(0);
/// A lap attributed to another driver can be recognised as the player's for this long, seconds.
const MISTAKEN_S: f64 = 2.0;

/// The drivers and laps received so far.
#[derive(Debug, Default)]
pub(super) struct OtherCars {
    drivers: BTreeMap<Car, Driver>,
    /// The player's place in the session, once known.
    player: Option<i32>,
    /// The last lap that may be the player's: car, session time in seconds, lap time.
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
    /// Names the player's driver and car from the game's answer.
    pub(super) fn player_is(&mut self, facts: &SessionFacts, moment: Moment, sink: &mut dyn Sink) {
        self.name(PLAYER, &facts.driver, &facts.car, moment, sink);
    }

    /// Handles a lap packet. `last` is the time of the player's last lap; `facts` is the game's answer, if received.
    pub(super) fn take(
        &mut self,
        lap: &Lap,
        facts: Option<&SessionFacts>,
        last: Option<LapTime>,
        moment: Moment,
        sink: &mut dyn Sink,
    ) {
        let place = lap.car_identifier;
        let Some(time) = lap_time(lap.time) else { return };
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
        self.finish(Car(number), lap.lap, time, moment, sink);
    }

    /// The player has finished a lap: a lap received just before may have been this one.
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
            // The lap was the player's own, so this car does not exist.
            sink.progress(&LapProgress {
                car,
                moment,
                result: ResultStatus::Invalid,
                ..LapProgress::default()
            });
            self.name(PLAYER, &driver.name, &driver.vehicle, moment, sink);
        }
    }

    /// Restarts the session: drivers stay, laps are cleared.
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

    /// Sends a completed lap of another car. Its position on track is unknown.
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

/// Converts a lap time; `None` if there is none.
pub(super) fn lap_time(millis: i32) -> Option<LapTime> {
    u32::try_from(millis).ok().filter(|&millis| millis > 0).map(LapTime)
}
