//! Where laps come from: the live session and the open recordings, one of which is listed.

mod all_time_best;
mod excluded;
mod find_best;
mod find_laps;
mod find_underway;
mod key;
mod lap_source;
mod listing;
mod recorded;
mod underway;

use trailbrake_shared::lap_catalogue::LapEntry;
use trailbrake_shared::laps::Lap;
use trailbrake_shared::recording::RecordingId;

use crate::analyse::LoadedLap;
use excluded::Excluded;
use underway::Underway;

pub(crate) use all_time_best::AllTimeBest;
pub(crate) use key::{LapKey, SourceId};
pub(crate) use lap_source::LapSource;
pub(super) use lap_source::live_lap;
#[cfg(test)]
pub(super) use lap_source::tests;
pub(super) use underway::is_same;

/// All sources of laps.
#[derive(Default)]
pub(crate) struct Sources {
    pub(crate) all: Vec<LapSource>,
    /// The source whose laps are listed.
    pub(crate) listed: Option<SourceId>,
    pub(crate) excluded: Excluded,
    pub(crate) all_time_best: AllTimeBest,
    /// The source whose all-time best was searched by the shape of its track.
    pub(crate) best_by_shape: Option<SourceId>,
    /// The files of recordings, as addresses name them.
    files: Vec<(RecordingId, String)>,
    /// The keys of live laps in the recording under way.
    pub(crate) underway: Underway,
    /// The recording in playback when `find_laps` last ran.
    pub(crate) played: Option<SourceId>,
    /// The telemetry's generation when `find_laps` last ran. It rises when serials start again.
    pub(crate) generation: u32,
}

impl Sources {
    /// All sources, in the order in which they were opened.
    pub(crate) fn all(&self) -> &[LapSource] {
        &self.all
    }

    pub(crate) fn get(&self, name: SourceId) -> Option<&LapSource> {
        self.all.iter().find(|source| source.name == name)
    }

    pub(crate) fn get_mut(&mut self, name: SourceId) -> Option<&mut LapSource> {
        self.all.iter_mut().find(|source| source.name == name)
    }

    /// The source whose laps are listed.
    pub(crate) fn listed(&self) -> Option<&LapSource> {
        self.get(self.listed?)
    }

    /// A lap's source and its catalogue entry.
    pub(crate) fn entry(&self, key: LapKey) -> Option<(&LapSource, &LapEntry)> {
        let source = self.get(key.of)?;
        Some((source, source.entry(key)?))
    }

    /// The all-time best for the listed source.
    pub(crate) fn all_time_best(&self) -> &AllTimeBest {
        &self.all_time_best
    }

    /// A decoded lap with its official times.
    pub(crate) fn lap(&self, loaded: &LoadedLap) -> Lap {
        self.entry(loaded.key).map_or_else(|| loaded.lap.clone(), |(_, entry)| entry.lap.clone())
    }

    /// Whether two laps are of one driver in one car and session.
    pub(crate) fn is_same_seat(&self, one: LapKey, other: LapKey) -> bool {
        let entries = self.entry(one).zip(self.entry(other).filter(|_| one.of == other.of));
        entries.is_some_and(|((_, one), (_, other))| one.is_of_seat(other))
    }

    /// Whether a lap may exist: `false` only if its source is open and does not have it.
    pub(crate) fn may_have(&self, key: LapKey) -> bool {
        self.get(key.of).is_none() || self.entry(key).is_some()
    }

    /// The source for a recording in an address: the recording itself, otherwise a clip that was cut out of it.
    pub(crate) fn of_recording(&self, id: RecordingId) -> Option<SourceId> {
        let is_clip = |source: &&LapSource| {
            source.opened.as_ref().is_some_and(|opened| opened.recording.info().parent == Some(id))
        };
        let own = self.get(SourceId::Recording(id));
        own.or_else(|| self.all.iter().find(is_clip)).map(|source| source.name)
    }

    /// Lists the laps of the seat in which a lap was driven.
    pub(crate) fn list_seat_of(&mut self, key: LapKey) {
        self.get_mut(key.of).into_iter().for_each(|source| source.pick(key.id));
    }

    /// Marks the excluded laps in every source.
    pub(crate) fn mark_excluded(&mut self) {
        self.all.iter_mut().for_each(|source| self.excluded.mark(source));
    }

    /// Adds a source, or replaces its older version. A seat that was picked by hand stays listed.
    pub(crate) fn put(&mut self, mut source: LapSource) {
        self.excluded.mark(&mut source);
        if let Some(seat) = self.get(source.name).and_then(LapSource::picked_seat) {
            source.pick(seat);
        }
        match self.get_mut(source.name) {
            Some(known) => *known = source,
            None => self.all.push(source),
        }
    }

    /// The file name of a recording, if it is known.
    pub(crate) fn file(&self, id: RecordingId) -> Option<String> {
        let opened = self.get(SourceId::Recording(id)).and_then(|source| source.opened.as_ref());
        let named = || self.files.iter().find(|(other, _)| *other == id).map(|(_, file)| file.clone());
        opened.map(|opened| opened.source.name()).or_else(named)
    }

    /// Keeps the name of a recording's file.
    pub(crate) fn name_file(&mut self, id: RecordingId, file: &str) {
        match self.files.iter_mut().find(|(other, _)| *other == id) {
            Some((_, known)) => file.clone_into(known),
            None => self.files.push((id, file.to_owned())),
        }
    }
}
