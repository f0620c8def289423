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
        let tracks = self.track.as_ref().zip(other.track.as_ref());
        differ(&self.uid, &other.uid)
            || tracks.is_some_and(|(one, other)| !may_be_same(one, other))
            || differ(&self.car, &other.car)
    }

    /// Updates the values that are now known.
    pub(super) fn learn(&mut self, now: Self) {
        self.uid = now.uid.or(self.uid);
        self.track = now.track.or_else(|| self.track.take());
        self.car = now.car.or_else(|| self.car.take());
    }
}

/// Whether two ids may be of one track. Where a stage begins is added to its id, after an `@`, once the car was at the start.
fn may_be_same(one: &str, other: &str) -> bool {
    let is_completed = |id: &str, by: &str| by.strip_prefix(id).is_some_and(|rest| rest.starts_with('@'));
    one == other || is_completed(one, other) || is_completed(other, one)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stage_whose_start_becomes_known_is_the_same() {
        for (one, other, differ) in [
            ("3901.00", "3901.00@16", false),
            ("3901.00@16", "3901.00", false),
            ("3901.00@16", "3901.00@16", false),
            ("3901.00@16", "3901.00@-80", true),
            ("3901.00", "390", true),
            ("3", "31", true),
        ] {
            let of = |track: &str| Identity { track: Some(track.to_owned()), ..Identity::default() };
            assert_eq!(of(one).differs(&of(other)), differ, "{one} {other}");
        }
        assert!(
            !Identity::default().differs(&Identity { track: Some("3".to_owned()), ..Identity::default() })
        );
    }
}
