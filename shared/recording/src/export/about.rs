//! The session details that an export contains besides its channels.

use trailbrake_games::feed::Feed;
use trailbrake_model::{Car, Track};
use trailbrake_session::{Session, car_words};

/// Game, track, car and session; unknown ones are empty.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct About {
    /// The game.
    pub game: String,
    /// The track or stage.
    pub venue: String,
    /// The car.
    pub vehicle: String,
    /// The session type: practice, race, a stage.
    pub session: String,
}

impl About {
    /// Reads the details of one car from a session.
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
