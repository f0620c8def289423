//! Drivers and cars, sent when they change, since every record repeats them.

use std::collections::BTreeMap;

use trailbrake_model::{Car, Fact, Moment, NamedId, Participant, Presence, SessionInfo, Sink, Vehicle};

use super::layout::{Driver, Words};
use crate::assetto_corsa;
use crate::table::Entry;

/// The player's car. The plugin does not name the player; the game's first car is its own driver's.
pub(super) const PLAYER: Car = Car(0);

/// A record that is trusted, with its car.
pub(super) type Record<'a> = (Car, Entry<'a, Driver>);

/// The identifying fields of a record, as sent.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Label {
    name: Words<33>,
    nationality: Words<4>,
    car: Words<33>,
    tyres: Words<10>,
    connected: bool,
}

/// The facts already sent.
#[derive(Debug, Default)]
pub(super) struct SessionFacts {
    labels: BTreeMap<Car, Label>,
    session: Option<SessionInfo>,
    player: bool,
}

impl SessionFacts {
    /// Whether the player's driver or car has changed.
    pub(super) fn is_another_player(&self, driver: &Driver) -> bool {
        let now = Label::of(driver);
        self.labels.get(&PLAYER).is_some_and(|sent| (sent.name, sent.car) != (now.name, now.car))
    }

    /// Sends changes of the participants.
    pub(super) fn cars(&mut self, records: &[Record<'_>], moment: Moment, sink: &mut dyn Sink) {
        if !self.player && records.iter().any(|(car, _)| *car == PLAYER) {
            self.player = true;
            sink.fact(moment, Fact::Player(Some(PLAYER)));
        }
        let mut news = false;
        for (car, driver) in records {
            let now = Label::of(&driver.read());
            let previous = self.labels.insert(*car, now);
            if previous == Some(now) {
                continue;
            }
            news = true;
            if previous.is_none_or(|sent| (sent.car, sent.tyres) != (now.car, now.tyres)) {
                sink.fact(moment, Fact::Vehicle(*car, Box::new(now.vehicle())));
            }
        }
        if news {
            let participants = self.labels.iter().map(|(car, label)| label.participant(*car));
            sink.fact(moment, Fact::Participants(participants.collect()));
        }
    }

    /// Marks a car that is no longer in the packets as disconnected.
    pub(super) fn left(&mut self, car: Car) {
        if let Some(label) = self.labels.get_mut(&car) {
            label.connected = false;
        }
    }

    /// Sends session information if it has changed.
    pub(super) fn session(&mut self, cars: usize, paused: bool, moment: Moment, sink: &mut dyn Sink) {
        let now =
            SessionInfo { cars: u8::try_from(cars).ok(), paused: Some(paused), ..SessionInfo::default() };
        if self.session.as_ref() != Some(&now) {
            sink.fact(moment, Fact::Session(Box::new(now.clone())));
            self.session = Some(now);
        }
    }
}

impl Label {
    fn of(driver: &Driver) -> Self {
        Self {
            name: driver.driver_name,
            nationality: driver.nationality,
            car: driver.car_name,
            tyres: driver.tyre_compound,
            connected: driver.connected != 0,
        }
    }

    fn participant(&self, car: Car) -> Participant {
        Participant {
            car,
            name: self.name.read(),
            presence: Some(if self.connected { Presence::There } else { Presence::Gone }),
            nationality: NamedId::word(&self.nationality.read()),
            ..Participant::default()
        }
    }

    fn vehicle(&self) -> Vehicle {
        let word = |word: String| Some(word).filter(|word| !word.is_empty());
        let name = assetto_corsa::car_name(&self.car.read()).map(str::to_owned);
        Vehicle { id: word(self.car.read()), name, tyres: word(self.tyres.read()), ..Vehicle::default() }
    }
}
