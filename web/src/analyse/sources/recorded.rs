//! The keys of live laps in the recording under way.

use trailbrake_shared::lap_catalogue::LapCatalogue;
use trailbrake_shared::recording::RecordingId;

use super::{SourceId, Sources, is_same};
use crate::analyse::LapKey;

impl Sources {
    /// The key of a lap that links can use anywhere; `None` for a live lap that is not known to be in a recording.
    pub(crate) fn recorded(&self, key: LapKey) -> Option<LapKey> {
        match key.of {
            SourceId::Recording(_) => Some(key),
            SourceId::Live => {
                self.underway.laps.iter().find(|(live, _)| *live == key).map(|(_, there)| *there)
            }
        }
    }

    /// Stores the keys of live laps in the recording under way, whose laps are `recorded`.
    pub(crate) fn name_underway(&mut self, id: RecordingId, file: &str, recorded: &LapCatalogue) {
        self.name_file(id, file);
        let Some(live) = self.all.iter().find(|source| source.name == SourceId::Live) else { return };
        for entry in live.catalogue.laps() {
            // If two recorded laps match, it is the later one.
            if let Some(there) = recorded.laps().iter().rfind(|recorded| is_same(entry, recorded)) {
                self.underway.know(live.key(entry), LapKey { of: SourceId::Recording(id), id: there.id });
            }
        }
    }
}
