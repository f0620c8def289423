//! What a session tells of a lap besides its channels.

use super::{LogKind, Session};
use crate::laps::Lap;
use crate::model::{Car, CarSetup, EventKind};

/// What is told of a lap besides its channels.
#[derive(Clone, Debug, Default)]
pub struct Besides {
    /// How the car was set up, where the game tells.
    pub setup: Option<Box<CarSetup>>,
    /// Landings and hits that the game's decoder told of the car, each with its time on the lap's clock; what lies outside
    /// of the lap too.
    pub events: Vec<(f64, EventKind)>,
}

impl Besides {
    /// What a session tells of a car's lap.
    pub fn of(session: &Session, car: Car, lap: &Lap) -> Self {
        let mut events = Vec::new();
        for entry in session.log() {
            let kind = match &entry.kind {
                LogKind::Game(EventKind::Landed { millis, centimetres }) => {
                    EventKind::Landed { millis: *millis, centimetres: *centimetres }
                }
                LogKind::Game(EventKind::Hit { milli_g }) => EventKind::Hit { milli_g: *milli_g },
                _ => continue,
            };
            if entry.car == Some(car) {
                events.push((entry.seconds - lap.began_s, kind));
            }
        }
        Self { setup: session.car(car).and_then(|car| car.setup.clone()), events }
    }
}
