//! Which laps are exported, and what is known of each.

use crate::laps::Lap;
use crate::model::{Car, Columns, Slot};
use crate::session::ArchivedSession;
use crate::time::Micros;

/// A lap with everything that an export tells of it.
#[derive(Clone, Debug)]
pub struct DrivenLap<'a> {
    /// Who drove it.
    pub driver: String,
    /// In which car.
    pub car: Car,
    /// The lap.
    pub lap: &'a Lap,
    /// Its channels.
    pub columns: &'a Columns,
    /// When its beginning was received.
    pub received: Micros,
}

/// Whose laps are meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Whose {
    /// The player's; where the game names none, those of the car that is watched.
    Player,
    /// One car's.
    Car(Car),
    /// Everyone's.
    All,
}

/// Which laps are meant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picked {
    /// Whose.
    pub whose: Whose,
    /// Their numbers, as the game counts; all when empty.
    pub laps: Vec<u16>,
}

/// The laps of a session that are meant and of which there are channels, each car's in order.
pub fn driven_laps<'a>(archived: &'a ArchivedSession, picked: &Picked) -> Vec<DrivenLap<'a>> {
    let session = &archived.session;
    let whose = match picked.whose {
        Whose::Player => session.player().or(session.watched()),
        Whose::Car(car) => Some(car),
        Whose::All => None,
    };
    let meant = |car: Car| picked.whose == Whose::All || whose == Some(car);
    let mut driven = Vec::new();
    for (car, state) in session.cars().filter(|(car, _)| meant(*car)) {
        for lap in state.laps.finished().iter().chain(state.laps.current()) {
            if !picked.laps.is_empty() && !picked.laps.contains(&lap.number) {
                continue;
            }
            let columns = state.traces.lap(lap.serial).filter(|columns| !columns.is_empty());
            let Some(columns) = columns else { continue };
            let received = archived.received(car, lap.serial).map(|span| *span.start());
            let (driver, received) = (session.name(car), received.unwrap_or_default());
            driven.push(DrivenLap { driver, car, lap, columns, received });
        }
    }
    driven
}

impl DrivenLap<'_> {
    /// How long it took, in seconds: the official time where there is one, else as long as there are samples.
    pub fn seconds(&self) -> f64 {
        let official = self.lap.time.map(|time| time.seconds());
        let ended = || self.lap.ended_s.or(self.columns.seconds().last().copied());
        official.or_else(|| Some(ended()? - self.lap.began_s)).unwrap_or_default().max(0.0)
    }
}

/// All numbers that some of the laps have, in the channel table's order.
pub(super) fn slots_of(laps: &[DrivenLap<'_>]) -> Vec<Slot> {
    let mut slots: Vec<Slot> = laps.iter().flat_map(|lap| lap.columns.slots()).collect();
    slots.sort_unstable();
    slots.dedup();
    slots
}
