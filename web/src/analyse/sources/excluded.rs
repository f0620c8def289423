//! Excluded laps, which are listed but not counted.

use trailbrake_shared::recording::RecordingId;

use super::LapKey;
use super::{LapSource, SourceId};
use crate::analyse::link_laps::{read_laps, write_laps};
use crate::browser::{self, keys};

/// The excluded laps.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Excluded {
    laps: Vec<LapKey>,
    /// The recordings whose excluded laps have been read, from a link or from the browser.
    known: Vec<RecordingId>,
}

impl Excluded {
    /// All excluded laps.
    pub(crate) fn laps(&self) -> &[LapKey] {
        &self.laps
    }

    /// Takes the excluded laps of a link. For its recordings they replace those that the browser kept.
    pub(crate) fn take(&mut self, laps: Vec<LapKey>) {
        for key in &laps {
            let SourceId::Recording(id) = key.of else { continue };
            if !self.known.contains(&id) {
                self.known.push(id);
            }
        }
        let named = |of: SourceId| laps.iter().any(|key| key.of == of);
        self.laps.retain(|key| !named(key.of));
        self.laps.extend(laps);
    }

    /// Marks the excluded laps of a source. For a new recording, reads them from the browser first.
    pub(crate) fn mark(&mut self, source: &mut LapSource) {
        if let SourceId::Recording(id) = source.name
            && !self.known.contains(&id)
        {
            self.known.push(id);
            let kept = browser::kept(&key_of(id)).unwrap_or_default();
            self.laps.extend(read_laps(&kept, source.name));
        }
        let keys: Vec<LapKey> = source.catalogue.laps().iter().map(|entry| source.key(entry)).collect();
        for key in keys {
            let excluded = self.laps.contains(&key);
            // The live session also excludes laps by itself.
            if excluded || key.of != SourceId::Live {
                source.catalogue.exclude(key.id, excluded);
            }
        }
    }

    /// Excludes a lap or includes it again. Returns whether it is excluded now.
    pub(super) fn toggle(&mut self, key: LapKey) -> bool {
        let before = self.laps.len();
        self.laps.retain(|other| *other != key);
        let is_excluded = self.laps.len() == before;
        if is_excluded {
            self.laps.push(key);
        }
        is_excluded
    }

    /// Forgets the excluded live laps: after a restart of the live session its serials belong to other laps.
    pub(crate) fn forget_live(&mut self) {
        self.laps.retain(|key| key.of != SourceId::Live);
    }

    /// Keeps the excluded laps of a recording in the browser.
    pub(super) fn keep(&self, of: SourceId) {
        if let SourceId::Recording(id) = of {
            let own = self.laps.iter().copied().filter(|key| key.of == of);
            browser::keep(&key_of(id), &write_laps(own, of));
        }
    }
}

fn key_of(id: RecordingId) -> String {
    format!("{}{id}", keys::EXCLUDED)
}

#[cfg(test)]
mod tests {
    use trailbrake_shared::model::Car;
    use trailbrake_shared::session::LapId;

    use super::*;

    #[test]
    fn an_address_says_all_of_its_recordings_and_nothing_of_others() {
        let key = |id, serial| LapKey {
            of: SourceId::Recording(RecordingId(id)),
            id: LapId { session: 0, car: Car(0), serial },
        };
        let mut excluded = Excluded { laps: vec![key(1, 1), key(2, 1)], known: Vec::new() };
        excluded.take(vec![key(1, 5)]);
        assert_eq!(excluded.laps, [key(2, 1), key(1, 5)]);
        assert!(excluded.toggle(key(1, 1)) && !excluded.toggle(key(2, 1)));
        assert_eq!(excluded.laps(), [key(1, 5), key(1, 1)]);
        let live = LapKey { of: SourceId::Live, ..key(0, 3) };
        assert!(excluded.toggle(live));
        excluded.forget_live();
        assert!(excluded.toggle(live), "it was forgotten");
    }
}
