//! Live laps are in the recording under way, too: links name them as they are named there, so that they lead to them from
//! everywhere.

use trailbrake_shared::lap_catalogue::LapEntry;

use crate::analyse::LapKey;

/// The live laps, as they are named in recordings.
#[derive(Default)]
pub(crate) struct Underway {
    /// The lap here, and there.
    pub(super) laps: Vec<(LapKey, LapKey)>,
    /// The laps about which the relay has been asked.
    pub(super) asked: Vec<LapKey>,
}

impl Underway {
    /// Keeps the name of a lap in a recording.
    pub(crate) fn know(&mut self, live: LapKey, there: LapKey) {
        // What an earlier recording has is still there.
        match self.laps.iter_mut().find(|(other, _)| *other == live) {
            Some((_, known)) => *known = there,
            None => self.laps.push((live, there)),
        }
    }

    /// After a restart of the session its laps are others.
    pub(crate) fn forget(&mut self) {
        *self = Self::default();
    }
}

/// Whether a live lap is one that the recording under way lists: serials are counted from where each began.
pub(crate) fn is_same(live: &LapEntry, recorded: &LapEntry) -> bool {
    let facts = |entry: &LapEntry| (entry.id.car, entry.lap.number, entry.lap.run, entry.lap.time);
    facts(live) == facts(recorded)
}
