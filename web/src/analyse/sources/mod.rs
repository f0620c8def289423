//! Where laps come from: the live session and the open recordings, one of which is listed.

mod all_time_best;
mod excluded;
mod find_best;
mod find_laps;
mod key;
mod lap_source;
mod name_live;
mod underway;

use trailbrake_shared::lap_catalogue::{LapCatalogue, LapEntry};
use trailbrake_shared::laps::Lap;
use trailbrake_shared::recording::RecordingId;

use crate::analyse::LoadedLap;
use crate::laps::number;
use crate::laps::seats;
use excluded::Excluded;
use underway::Underway;

pub(crate) use all_time_best::AllTimeBest;
pub(crate) use find_best::BestStore;
pub(crate) use find_laps::LapFinder;
pub(crate) use key::{LapKey, SourceId};
pub(crate) use lap_source::LapSource;
pub(super) use lap_source::live_lap;
#[cfg(test)]
pub(super) use lap_source::tests;
pub(super) use name_live::name_live_laps;
pub(super) use underway::is_same;

/// All sources of laps.
#[derive(Default)]
pub(crate) struct Sources {
    pub(crate) all: Vec<LapSource>,
    /// The source whose laps are listed.
    pub(crate) listed: Option<SourceId>,
    pub(crate) excluded: Excluded,
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

    /// The name of a lap: its number, and what [`Self::whose`] adds.
    pub(crate) fn lap_name(&self, key: LapKey, main: Option<LapKey>) -> String {
        let Some((source, entry)) = self.entry(key) else { return "A lap".to_owned() };
        let what = if source.stage { "Run" } else { "Lap" };
        let name = format!("{what} {}", number(&entry.lap, source.stage));
        match self.whose(key, main) {
            Some(whose) => format!("{name} · {whose}"),
            None => name,
        }
    }

    /// The driver of a lap, and its session's date if it is of another source than the main lap. `None` for the main
    /// lap, and for laps of the same driver, car and session.
    pub(crate) fn whose(&self, key: LapKey, main: Option<LapKey>) -> Option<String> {
        let main = main.filter(|main| *main != key)?;
        let (source, entry) = self.entry(key)?;
        match source.entry(main) {
            Some(main) => (!entry.is_of_seat(main)).then(|| entry.driver_words()),
            None => Some(format!("{}, {}", entry.driver_words(), source.when)),
        }
    }

    /// Whether a lap is the driver's own. Also true while that is unknown. Games may send less of other cars.
    pub(crate) fn is_own(&self, key: LapKey) -> bool {
        self.entry(key)
            .is_none_or(|(_, entry)| entry.session.summary.player.is_none() || entry.is_players_seat())
    }

    /// Excludes a lap, or includes it again. Returns whether it is excluded now.
    pub(crate) fn toggle_excluded(&mut self, key: LapKey) -> bool {
        let is_excluded = self.excluded.toggle(key);
        if let Some(source) = self.get_mut(key.of) {
            source.catalogue.exclude(key.id, is_excluded);
        }
        self.excluded.keep(key.of);
        is_excluded
    }

    /// The key of a lap that links can use anywhere; `None` for a live lap that is not known to be in a recording.
    pub(crate) fn recorded(&self, key: LapKey) -> Option<LapKey> {
        match key.of {
            SourceId::Recording(_) => Some(key),
            SourceId::Live => self.underway.recorded(key),
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

    /// Lists the laps of another seat of the listed source, by its index among the seats.
    pub(crate) fn list_seat(&mut self, place: usize) {
        let Some(source) = self.listed.and_then(|listed| self.get_mut(listed)) else { return };
        if let Some(seat) = seats::at(&source.catalogue, place).map(|entry| entry.id) {
            source.pick(seat);
        }
    }

    /// Forgets all live laps: from now on their serials belong to other laps.
    pub(crate) fn forget_live(&mut self) {
        self.excluded.forget_live();
        self.underway.forget();
        self.all.retain(|source| source.name != SourceId::Live);
    }

    /// The number of laps of each source.
    pub(crate) fn lap_counts(&self) -> Vec<(SourceId, usize)> {
        self.all.iter().map(|source| (source.name, source.catalogue.laps().len())).collect()
    }

    /// Whether the track of a lap's session goes without this name.
    pub(crate) fn lacks_track_name(&self, lap: LapKey, name: &str) -> bool {
        self.entry(lap).is_some_and(|(source, entry)| {
            !source.named && !name.is_empty() && entry.session.track.as_deref() != Some(name)
        })
    }

    /// Names the track of a lap's session as people call it, unless the game has a name for it.
    pub(crate) fn name_track(&mut self, lap: LapKey, name: &str) {
        if let Some(source) = self.get_mut(lap.of) {
            source.name_track(lap.id.session, name);
        }
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
