//! What distinguishes one recording from the next: the game's session, the track and the car.

use trailbrake_session::Session;

/// The identity of a session. It is completed bit by bit.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Identity {
    /// The game's own id of the session.
    uid: Option<u64>,
    /// The game's own id of the track.
    track: Option<String>,
    /// The car's model, or its team.
    car: Option<String>,
}

impl Identity {
    pub(super) fn of(session: &Session) -> Self {
        let info = session.info();
        let player = session.player();
        let vehicle = player.and_then(|car| session.car(car)).and_then(|car| car.vehicle.as_ref());
        let entry = session.participants().iter().find(|entry| Some(entry.car) == player);
        let team = || entry.and_then(|entry| entry.team.number).map(|number| format!("team {number}"));
        Self {
            uid: info.and_then(|info| info.uid),
            track: info.and_then(|info| info.track.as_ref()).map(|track| track.id.clone()),
            car: vehicle.and_then(|vehicle| vehicle.id.clone()).or_else(team),
        }
    }

    /// Whether the game identifies its sessions.
    pub(super) fn has_session_id(&self) -> bool {
        self.uid.is_some()
    }

    /// Whether a value that both have differs.
    pub(super) fn differs(&self, other: &Self) -> bool {
        fn differ<T: PartialEq>(one: &Option<T>, other: &Option<T>) -> bool {
            one.as_ref().zip(other.as_ref()).is_some_and(|(one, other)| one != other)
        }
        differ(&self.uid, &other.uid) || differ(&self.track, &other.track) || differ(&self.car, &other.car)
    }

    /// Updates the values that are now known.
    pub(super) fn learn(&mut self, now: Self) {
        self.uid = now.uid.or(self.uid);
        self.track = now.track.or_else(|| self.track.take());
        self.car = now.car.or_else(|| self.car.take());
    }
}
