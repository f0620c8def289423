//! Laps that somebody has left out: they are listed, and count nowhere.

use trailbrake_shared::recording::RecordingId;

use super::address;
use super::{Analyse, Aspect, Key, Name, Origin};
use crate::browser;
use crate::cockpit::Cockpit;

/// Where the browser keeps which laps of a recording are left out: the recording's id stands behind it.
const KEPT: &str = "trailbrake-excluded-";

/// The laps that are left out.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Excluded {
    laps: Vec<Key>,
    /// The recordings of which it is known already.
    known: Vec<RecordingId>,
}

impl Excluded {
    /// All of them.
    pub(super) fn laps(&self) -> &[Key] {
        &self.laps
    }

    /// Takes what an address says of its recordings, in the place of what the browser has kept.
    pub(super) fn take(&mut self, laps: Vec<Key>) {
        for key in &laps {
            let Name::Recording(id) = key.of else { continue };
            if !self.known.contains(&id) {
                self.known.push(id);
            }
        }
        let named = |of: Name| laps.iter().any(|key| key.of == of);
        self.laps.retain(|key| !named(key.of));
        self.laps.extend(laps);
    }

    /// Remembers what was left out of a recording that is seen for the first time, and marks the laps of an origin.
    pub(super) fn mark(&mut self, origin: &mut Origin) {
        if let Name::Recording(id) = origin.name
            && !self.known.contains(&id)
        {
            self.known.push(id);
            let kept = browser::kept(&key_of(id)).unwrap_or_default();
            self.laps.extend(address::read_laps(&kept, origin.name));
        }
        let keys: Vec<Key> = origin.catalogue.laps().iter().map(|entry| origin.key(entry)).collect();
        for key in keys {
            let excluded = self.laps.contains(&key);
            // The session that is driven excludes laps by itself.
            if excluded || key.of != Name::Live {
                origin.catalogue.exclude(key.id, excluded);
            }
        }
    }

    /// Leaves a lap out or takes it in again; whether it is out now.
    fn turn(&mut self, key: Key) -> bool {
        let before = self.laps.len();
        self.laps.retain(|other| *other != key);
        let out = self.laps.len() == before;
        if out {
            self.laps.push(key);
        }
        out
    }

    /// The laps of a live session that began anew mean others.
    pub(super) fn forget_live(&mut self) {
        self.laps.retain(|key| key.of != Name::Live);
    }

    fn keep(&self, of: Name) {
        if let Name::Recording(id) = of {
            let own = self.laps.iter().copied().filter(|key| key.of == of);
            browser::keep(&key_of(id), &address::write_laps(own, of));
        }
    }
}

impl Analyse {
    /// Leaves a lap out, or takes it in again.
    pub(crate) fn exclude(&self, cockpit: Cockpit, key: Key) {
        let mut out = false;
        self.change(&[Aspect::List], |state| {
            out = state.excluded.turn(key);
            let origin = state.origins.iter_mut().find(|origin| origin.name == key.of);
            origin.into_iter().for_each(|origin| origin.catalogue.exclude(key.id, out));
            state.excluded.keep(key.of);
            if !state.chosen.by_hand {
                state.choose_latest();
            }
        });
        if key.of == Name::Live {
            // The driver is not to be compared with it either.
            cockpit.tell(|session| {
                if session.player() == Some(key.id.car) {
                    session.exclude_lap(key.id.serial, out);
                }
            });
        }
        self.settle(cockpit);
        self.say_address();
    }
}

fn key_of(id: RecordingId) -> String {
    format!("{KEPT}{id}")
}

#[cfg(test)]
mod tests {
    use trailbrake_shared::model::Car;
    use trailbrake_shared::session::LapId;

    use super::*;

    #[test]
    fn an_address_says_all_of_its_recordings_and_nothing_of_others() {
        let key = |id, serial| Key {
            of: Name::Recording(RecordingId(id)),
            id: LapId { session: 0, car: Car(0), serial },
        };
        let mut excluded = Excluded { laps: vec![key(1, 1), key(2, 1)], known: Vec::new() };
        excluded.take(vec![key(1, 5)]);
        assert_eq!(excluded.laps, [key(2, 1), key(1, 5)]);
        assert!(excluded.turn(key(1, 1)) && !excluded.turn(key(2, 1)));
        assert_eq!(excluded.laps(), [key(1, 5), key(1, 1)]);
        let live = Key { of: Name::Live, ..key(0, 3) };
        assert!(excluded.turn(live));
        excluded.forget_live();
        assert!(excluded.turn(live), "it was forgotten");
    }
}
