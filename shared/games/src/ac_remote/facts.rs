//! Car, driver, track and layout, from the game's answer to the handshake.

use trailbrake_model::{Fact, Moment, SessionInfo, Sink, Vehicle};

use super::GAME;
use super::layout::Answer;
use crate::assetto_corsa;

/// The content of an answer.
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

    /// Whether the car, track or layout differs, which makes this another session.
    pub(super) fn is_another(&self, before: &Self) -> bool {
        (&self.car, &self.track, &self.layout) != (&before.car, &before.track, &before.layout)
    }

    /// Sends the session fact to the sink.
    pub(super) fn send(&self, moment: Moment, sink: &mut dyn Sink) {
        let track = assetto_corsa::track(&self.track, &self.layout);
        sink.fact(moment, Fact::Session(Box::new(SessionInfo { track, ..SessionInfo::default() })));
    }
}

/// A vehicle by its folder name.
pub(super) fn vehicle(car: &str) -> Box<Vehicle> {
    let name = assetto_corsa::car_name(car).map(str::to_owned);
    Box::new(Vehicle { id: Some(car.to_owned()), name, ..Vehicle::default() })
}

/// The fact that names the game.
pub(super) fn game() -> Fact {
    Fact::Game(GAME.to_owned())
}
