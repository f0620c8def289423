//! What an export says of itself besides its channels.

use crate::feed::Feed;
use crate::model::{Car, Participant, SessionInfo, Track, Vehicle};
use crate::session::Session;

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
        Self::new(session.game().unwrap_or(feed.info().game), session.info(), participant, vehicle)
    }

    /// What is known of a game, a session, a driver and a car.
    pub fn new(
        game: &str,
        info: Option<&SessionInfo>,
        participant: Option<&Participant>,
        vehicle: Option<&Vehicle>,
    ) -> Self {
        let track = info.and_then(|info| info.track.as_ref());
        let venue = track.map(Track::title);
        let team = participant.and_then(|participant| participant.team.name.clone());
        let name = vehicle.and_then(|vehicle| vehicle.name.clone());
        let vehicle = name.or(team).or_else(|| vehicle.and_then(Vehicle::title));
        Self {
            game: game.to_owned(),
            venue: venue.unwrap_or_default(),
            vehicle: vehicle.unwrap_or_default(),
            session: info.map(|info| info.kind.words()).unwrap_or_default(),
        }
    }
}
