//! Live laps in the recording under way. Links use their keys there, so that they lead to the laps from any page.

use trailbrake_shared::lap_catalogue::LapEntry;

use crate::analyse::LapKey;

/// The keys of live laps in recordings.
#[derive(Default)]
pub(crate) struct Underway {
    /// The live key and the key in the recording.
    laps: Vec<(LapKey, LapKey)>,
    /// The laps about which the relay has been asked.
    pub(super) asked: Vec<LapKey>,
}

impl Underway {
    /// The key of a live lap in a recording, if it is known.
    pub(super) fn recorded(&self, live: LapKey) -> Option<LapKey> {
        self.laps.iter().find(|(other, _)| *other == live).map(|(_, there)| *there)
    }

    /// Stores the key of a live lap in a recording.
    pub(crate) fn know(&mut self, live: LapKey, there: LapKey) {
        match self.laps.iter_mut().find(|(other, _)| *other == live) {
            Some((_, known)) => *known = there,
            None => self.laps.push((live, there)),
        }
    }

    /// Forgets all keys: after a restart of the session its serials belong to other laps.
    pub(crate) fn forget(&mut self) {
        *self = Self::default();
    }
}

/// Whether a live lap and a recorded one are the same. Their serials may differ, as each counts from where it began.
pub(crate) fn is_same(live: &LapEntry, recorded: &LapEntry) -> bool {
    let facts = |entry: &LapEntry| (entry.id.car, entry.lap.number, entry.lap.run, entry.lap.time);
    facts(live) == facts(recorded)
}
