//! What an export says of itself besides its channels.

use crate::feed::Feed;
use crate::model::{Car, Track};
use crate::session::{Session, car_words};

/// The game, the place, the car and the occasion, as far as they are known.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct About {
    /// The game.
    pub game: String,
    /// The track or the stage.
    pub venue: String,
    /// The car.
    pub vehicle: String,
    /// What was driven: practice, race, a stage.
    pub session: String,
}

impl About {
    /// What a session says of a car in it.
    pub fn of(feed: Feed, session: &Session, car: Car) -> Self {
        let participant = session.participants().iter().find(|participant| participant.car == car);
        let vehicle = session.car(car).and_then(|state| state.vehicle.as_deref());
        let info = session.info();
        let venue = info.and_then(|info| info.track.as_ref()).map(Track::title);
        Self {
            game: session.game().unwrap_or(feed.info().game).to_owned(),
            venue: venue.unwrap_or_default(),
            vehicle: car_words(vehicle, participant).unwrap_or_default(),
            session: info.map(|info| info.kind.words()).unwrap_or_default(),
        }
    }
}
