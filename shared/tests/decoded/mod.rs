//! What tests of several games look up in a decoded session.

use trailbrake_shared::laps::Lap;
use trailbrake_shared::model::{Car, EventKind};
use trailbrake_shared::session::{LogKind, Session};

/// The timed laps of a car in one run.
pub(crate) fn timed_laps(session: &Session, car: Car, run: u16) -> Vec<&Lap> {
    let laps = session.car(car).expect("the car").laps.finished();
    laps.iter().filter(|lap| lap.run == run && lap.time.is_some()).collect()
}

/// The number of events from the game for which `kind` is true.
pub(crate) fn count_events(session: &Session, kind: impl Fn(&EventKind) -> bool) -> usize {
    session.log().filter(|entry| matches!(&entry.kind, LogKind::Game(event) if kind(event))).count()
}
