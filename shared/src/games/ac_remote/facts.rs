//! What the game's answer to a handshake says: car, driver, track and layout.

use super::GAME;
use super::layout::Answer;
use crate::games::assetto_corsa;
use crate::model::{Fact, Moment, SessionInfo, Sink, Vehicle};

/// What the game answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct SessionFacts {
    pub(super) car: String,
    pub(super) driver: String,
    track: String,
    layout: String,
}

impl SessionFacts {
    pub(super) fn of(answer: &Answer) -> Self {
        Self {
            car: answer.car_name.read(),
            driver: answer.driver_name.read(),
            track: answer.track_name.read(),
            layout: answer.track_config.read(),
        }
    }

    /// Whether another car or track makes this another session.
    pub(super) fn is_another(&self, before: &Self) -> bool {
        (&self.car, &self.track, &self.layout) != (&before.car, &before.track, &before.layout)
    }

    /// Tells what the session is like.
    pub(super) fn tell(&self, moment: Moment, sink: &mut dyn Sink) {
        let track = assetto_corsa::track(&self.track, &self.layout);
        sink.fact(moment, Fact::Session(Box::new(SessionInfo { track, ..SessionInfo::default() })));
    }
}

/// What is known of a car by its folder's name.
pub(super) fn vehicle(car: &str) -> Box<Vehicle> {
    let name = assetto_corsa::car_name(car).map(str::to_owned);
    Box::new(Vehicle { id: Some(car.to_owned()), name, ..Vehicle::default() })
}

/// The fact that names the game.
pub(super) fn game() -> Fact {
    Fact::Game(GAME.to_owned())
}
