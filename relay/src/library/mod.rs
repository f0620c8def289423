//! The library: the recordings in a folder, what is known of each, and what may be done with them.
//!
//! Everything is in the files themselves, and nothing beside them: the folder can be moved to another machine.

mod bin;
mod index;
pub(crate) mod journal;
mod keep;
mod labels;
mod lost;
mod mend;
mod merge;
pub(crate) mod names;
mod place;
mod recognise;
mod refused;
mod renew;
mod source;
mod start;
mod track_book;
pub(crate) mod track_edits;
pub(crate) mod track_facts;
mod trim;
mod upload;
mod which;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use trailbrake_shared::analysis::Fingerprint;
use trailbrake_shared::analysis::progress::Period;
use trailbrake_shared::library::{BestLaps, CountedLaps, Details, Entry, Listing};
use trailbrake_shared::recording::{Facts, Recording, RecordingId, Stored, Tail};

use crate::clock::seconds_ahead_of_utc;
use crate::lock::Lock;
use crate::relaying::recorder;
use index::Index;
pub(crate) use keep::Keep;
pub(crate) use keep::keep;
pub(crate) use labels::relabelling;
pub(crate) use lost::Lost;
pub(crate) use mend::{Mended, finish as finish_repair};
pub(crate) use place::BookPlace;
pub(crate) use place::usual_folder;
pub(crate) use recognise::recognise;
pub(crate) use refused::Refused;
pub(crate) use renew::renew;
pub(crate) use source::{CannotOpen, Source};
pub(crate) use start::{Alone, Own, name as name_of};
pub(crate) use track_book::TrackBookFile;
pub(crate) use upload::Shelved;
pub(crate) use which::Which;

/// The recordings in a folder. Its functions read and write files: none may be called where waiting is not allowed.
pub(crate) struct Library {
    folder: PathBuf,
    shelf: Lock<Index>,
    bin: Lock<Index>,
    /// Held while a file is changed, moved or removed: one change at a time.
    changing: Lock<()>,
    /// Whether this program has the folder for itself.
    own: AtomicBool,
}

/// A fact that is changed: its name, and what is stored under it from now on.
pub(crate) type Change = (String, Stored);

/// A recording's file.
#[derive(Clone, Debug)]
pub(crate) struct Found {
    pub(crate) entry: Entry,
    pub(crate) path: PathBuf,
}

impl Library {
    /// The library in a folder, which need not be there yet.
    pub(crate) fn new(folder: PathBuf) -> Self {
        Self {
            folder,
            shelf: Lock::default(),
            bin: Lock::default(),
            changing: Lock::default(),
            own: AtomicBool::new(false),
        }
    }

    /// Whether this program has the folder for itself; another may record into it, too.
    fn is_own(&self) -> bool {
        self.own.load(Ordering::Relaxed)
    }

    /// The folder.
    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    /// All recordings that are whole, the newest first. Those that were read before and have not changed are not read.
    pub(crate) fn list(&self) -> Listing {
        self.shelf.lock().list(&self.folder)
    }

    /// The best laps of all recordings that are whole, by what the list reads of them, and of those under way; or only what
    /// one of them can be compared with.
    pub(crate) fn bests(
        &self,
        underway: Vec<CountedLaps>,
        of: Option<RecordingId>,
        period: Period,
    ) -> BestLaps {
        let mut shelf = self.shelf.lock();
        let Listing { trouble, looked, .. } = shelf.list(&self.folder);
        let mut bests = shelf.bests();
        drop(shelf);
        underway.into_iter().for_each(|counted| bests.add(counted));
        BestLaps { trouble, bests: bests.rows(of, period, seconds_ahead_of_utc()), looked }
    }

    /// What the best laps call a track that nobody has named, by its shape.
    pub(crate) fn unnamed_track(&self, shape: &Fingerprint) -> Option<String> {
        let mut shelf = self.shelf.lock();
        shelf.list(&self.folder);
        shelf.bests().unnamed_track(shape).map(str::to_owned)
    }

    /// The laps that count so far of a recording under way.
    pub(crate) fn counted_underway(&self, one: &recorder::Underway, tail: Vec<u8>) -> Option<CountedLaps> {
        CountedLaps::of(self.open_underway(one, tail).ok()?.facts())
    }

    /// A recording that is whole. While one is changed its file may not open: that is waited for.
    pub(crate) fn find(&self, id: RecordingId) -> Result<Found, Refused> {
        self.find_now(id).or_else(|_| {
            let _alone = self.changing.lock();
            self.find_now(id)
        })
    }

    /// The same for whoever holds `changing`, which keeps everybody else from changing anything.
    fn find_now(&self, id: RecordingId) -> Result<Found, Refused> {
        let entry = self.shelf.lock().find(&self.folder, id).ok_or(Refused::NotThere)?;
        let path = self.folder.join(&entry.file);
        Ok(Found { entry, path })
    }

    /// A file of the list, whole or not: no name leads out of the folder.
    fn listed(&self, file: &str) -> Result<Entry, Refused> {
        let listed = self.list().recordings.into_iter().find(|entry| entry.file == file);
        listed.ok_or(Refused::NotThere)
    }

    /// Everything that is known of a recording.
    pub(crate) fn details(&self, id: RecordingId) -> Result<Details, Refused> {
        self.details_of(self.find(id)?)
    }

    fn details_of(&self, Found { entry, path }: Found) -> Result<Details, Refused> {
        let recording = self.open(&path)?;
        Ok(Details { entry, facts: facts(&recording) })
    }

    /// Everything that is known of a recording under way, of whose file so many bytes count, with what opens them.
    pub(crate) fn details_underway(
        &self,
        one: &recorder::Underway,
        tail: Vec<u8>,
    ) -> Result<Details, Refused> {
        let recording = self.open_underway(one, tail)?;
        let entry = Entry::of_recording(&one.name, one.len, &recording);
        Ok(Details { entry: Entry { underway: true, ..entry }, facts: facts(&recording) })
    }

    /// The fact that a change comes to in a recording under way, which the recorder then writes.
    pub(crate) fn change_underway(
        &self,
        one: &recorder::Underway,
        tail: Vec<u8>,
        change: impl FnOnce(&Recording) -> Result<Change, Refused>,
    ) -> Result<Change, Refused> {
        change(&self.open_underway(one, tail)?)
    }

    /// Changes what a recording says of itself.
    pub(crate) fn change(
        &self,
        id: RecordingId,
        change: impl FnOnce(&Recording) -> Result<Change, Refused>,
    ) -> Result<Details, Refused> {
        let _alone = self.changing.lock();
        let Found { path, .. } = self.find_now(id)?;
        let recording = self.open(&path)?;
        let mut facts = recording.facts().clone();
        let (name, stored) = change(&recording)?;
        facts.store(&name, stored);
        self.write_facts(&path, &recording, &facts)?;
        self.details_of(self.find_now(id)?)
    }

    /// Gives a recording other facts. Whoever calls this holds `changing`.
    fn write_facts(&self, path: &Path, recording: &Recording, facts: &Facts) -> Result<(), Refused> {
        journal::write(path, &Tail::with(recording, facts))
            .map_err(|error| Refused::disk(&self.folder, &error))
    }

    fn open(&self, path: &Path) -> Result<Recording, Refused> {
        let mut source = Source::open(path).map_err(|error| Refused::disk(&self.folder, &error))?;
        source.recording().map_err(|error| self.cannot(error))
    }

    fn open_underway(&self, one: &recorder::Underway, tail: Vec<u8>) -> Result<Recording, Refused> {
        let source = Source::underway(one, tail);
        let mut source = source.map_err(|error| Refused::disk(&self.folder, &error))?;
        source.recording().map_err(|error| self.cannot(error))
    }

    fn cannot(&self, error: CannotOpen) -> Refused {
        match error {
            CannotOpen::File(error) => Refused::disk(&self.folder, &error),
            CannotOpen::Content(error) => Refused::Unreadable(error.to_string()),
        }
    }
}

/// A recording's facts as they stand in the file.
fn facts(recording: &Recording) -> BTreeMap<String, serde_json::Value> {
    let named = recording.facts().iter().filter(|(_, stored)| !stored.json.is_empty());
    // One that is no JSON was written by nobody here.
    named
        .filter_map(|(name, stored)| Some((name.to_owned(), serde_json::from_slice(&stored.json).ok()?)))
        .collect()
}

/// How long a file is and when it was last changed, by which it is known again.
fn stamp(metadata: &fs::Metadata) -> (u64, Option<std::time::SystemTime>) {
    (metadata.len(), metadata.modified().ok())
}
