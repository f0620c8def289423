//! The recordings in a folder, and operations on them.

use std::collections::HashSet;
use std::fs::{File, Metadata};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use trailbrake_shared::analysis::TrackShape;
use trailbrake_shared::analysis::progress::Period;
use trailbrake_shared::library::{BestLaps, Bests, CountedLaps, Details, Entry, Listing};
use trailbrake_shared::recording::{Facts, Recording, RecordingId, StoredFact, Tail};

use super::index::Index;
use super::journal;
use super::recording_file::{OpenFailure, RecordingFile};
use super::refusal::Refusal;
use super::store::RecordingUnderway;
use super::versions::{Version, Versions};
use crate::clock::seconds_ahead_of_utc;
use crate::lock::Lock;

/// The recordings in a folder. Its functions do blocking file IO, so they must not be called from async tasks.
pub(crate) struct Library {
    folder: PathBuf,
    pub(super) index: Lock<Index>,
    pub(super) bin: Lock<Index>,
    /// Held while a file is changed, moved or removed: one change at a time.
    pub(super) changing: Lock<()>,
    versions: Versions,
    /// Whether this program owns the folder.
    own: AtomicBool,
    /// The recordings that a team's hub does not have yet: they make way last.
    pub(super) unsent: Lock<HashSet<RecordingId>>,
}

/// A changed fact: its name, and its new content.
pub(crate) type Change = (String, StoredFact);

/// A recording's file.
#[derive(Clone, Debug)]
pub(crate) struct ListedFile {
    pub(crate) entry: Entry,
    pub(crate) path: PathBuf,
}

/// Refuses facts of which some would not be read again.
pub(super) fn can_hold(recording: &Recording, facts: &Facts) -> Result<(), Refusal> {
    let words = "the recording has more notes, tasks and other facts than can be kept, so it is not changed";
    if recording.can_hold(facts) { Ok(()) } else { Err(Refusal::Conflict(words.into())) }
}

/// A finished recording's file, opened.
pub(crate) struct OpenedFile {
    /// The file's name.
    pub(crate) name: String,
    pub(crate) file: File,
    pub(crate) metadata: Metadata,
    /// Its version when it was opened.
    pub(crate) version: Version,
}

impl Library {
    /// The library in a folder, which need not exist yet.
    pub(crate) fn new(folder: PathBuf) -> Self {
        Self {
            folder,
            index: Lock::default(),
            bin: Lock::default(),
            changing: Lock::default(),
            versions: Versions::default(),
            own: AtomicBool::new(false),
            unsent: Lock::default(),
        }
    }

    /// Whether this program owns the folder; another program may record into it.
    pub(super) fn is_own(&self) -> bool {
        self.own.load(Ordering::Relaxed)
    }

    /// Marks the folder as owned by this program.
    pub(super) fn take_ownership(&self) {
        self.own.store(true, Ordering::Relaxed);
    }

    /// Notes which recordings a team's hub does not have yet.
    #[cfg(feature = "team")]
    pub(crate) fn note_unsent(&self, unsent: HashSet<RecordingId>) {
        *self.unsent.lock() = unsent;
    }

    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    /// All finished recordings, the newest first. Unchanged files are not read again.
    pub(crate) fn list(&self) -> Listing {
        self.index.lock().list(&self.folder)
    }

    /// The best laps of all finished recordings, as far as listed, and of those under way; or only those one recording
    /// can be compared with.
    pub(crate) fn bests(
        &self,
        underway: Vec<CountedLaps>,
        of: Option<RecordingId>,
        period: Period,
    ) -> BestLaps {
        let mut index = self.index.lock();
        let Listing { trouble, looked, .. } = index.list(&self.folder);
        let mut bests = Bests::default();
        index.add_counted(&mut bests);
        drop(index);
        for counted in underway {
            bests.add(counted);
        }
        BestLaps { trouble, bests: bests.rows(of, period, seconds_ahead_of_utc()), looked }
    }

    /// Adds the counted laps of all finished recordings.
    pub(crate) fn add_counted(&self, bests: &mut Bests) {
        let mut index = self.index.lock();
        index.list(&self.folder);
        index.add_counted(bests);
    }

    /// The label for an unnamed track in the best laps, by its shape.
    pub(crate) fn unnamed_track(&self, shape: &TrackShape) -> Option<String> {
        let mut bests = Bests::default();
        self.add_counted(&mut bests);
        bests.track_of(shape).map(str::to_owned)
    }

    /// The counted laps so far of a recording under way.
    pub(crate) fn counted_underway(&self, one: &RecordingUnderway, tail: Vec<u8>) -> Option<CountedLaps> {
        CountedLaps::of(self.open_underway(one, tail).ok()?.facts())
    }

    /// A finished recording. Waits for a change under way, during which the file may not open.
    pub(crate) fn find(&self, id: RecordingId) -> Result<ListedFile, Refusal> {
        self.find_now(id).or_else(|_| {
            let _alone = self.changing.lock();
            self.find_now(id)
        })
    }

    /// Opens a finished recording's file, but never during a change.
    pub(crate) fn open_file(&self, id: RecordingId) -> Result<OpenedFile, Refusal> {
        let found = self.find(id)?;
        let disk = |error: io::Error| match error.kind() {
            io::ErrorKind::NotFound => Refusal::NotThere,
            _ => Refusal::disk(&self.folder, &error),
        };
        let (version, opened) = self.versions.read(&found.path, || {
            let file = File::open(&found.path)?;
            file.metadata().map(|metadata| (file, metadata))
        });
        let (file, metadata) = opened.map_err(disk)?;
        Ok(OpenedFile { name: found.entry.file, file, metadata, version })
    }

    /// Like `find`; the caller holds the `changing` lock.
    pub(crate) fn find_now(&self, id: RecordingId) -> Result<ListedFile, Refusal> {
        let entry = self.index.lock().find(&self.folder, id).ok_or(Refusal::NotThere)?;
        let path = self.folder.join(&entry.file);
        Ok(ListedFile { entry, path })
    }

    /// An entry of the list by its file name. Only listed names are accepted, so none leads out of the folder.
    pub(super) fn listed(&self, file: &str) -> Result<Entry, Refusal> {
        let listed = self.list().recordings.into_iter().find(|entry| entry.file == file);
        listed.ok_or(Refusal::NotThere)
    }

    /// All details of a recording.
    pub(crate) fn details(&self, id: RecordingId) -> Result<Details, Refusal> {
        self.details_of(self.find(id)?)
    }

    fn details_of(&self, ListedFile { entry, path }: ListedFile) -> Result<Details, Refusal> {
        let recording = self.open(&path)?;
        Ok(Details::of(entry, &recording))
    }

    /// All details of a recording under way, from the bytes in its file and the tail that opens them.
    pub(crate) fn details_underway(
        &self,
        one: &RecordingUnderway,
        tail: Vec<u8>,
    ) -> Result<Details, Refusal> {
        let recording = self.open_underway(one, tail)?;
        let entry = Entry::of_recording(&one.name, one.len, &recording);
        Ok(Details::of(Entry { underway: true, ..entry }, &recording))
    }

    /// The fact that a change makes of a recording under way; the recorder then writes it.
    pub(crate) fn change_underway(
        &self,
        one: &RecordingUnderway,
        tail: Vec<u8>,
        change: impl FnOnce(&Recording) -> Result<Change, Refusal>,
    ) -> Result<Change, Refusal> {
        change(&self.open_underway(one, tail)?)
    }

    /// Changes a fact of a recording.
    pub(crate) fn change(
        &self,
        id: RecordingId,
        change: impl FnOnce(&Recording) -> Result<Change, Refusal>,
    ) -> Result<Details, Refusal> {
        let _alone = self.changing.lock();
        let ListedFile { path, .. } = self.find_now(id)?;
        let recording = self.open(&path)?;
        let mut facts = recording.facts().clone();
        let (name, stored) = change(&recording)?;
        facts.store(&name, stored);
        self.write_facts(&path, &recording, &facts)?;
        self.details_of(self.find_now(id)?)
    }

    /// Writes a recording's facts; the caller holds the `changing` lock.
    pub(super) fn write_facts(
        &self,
        path: &Path,
        recording: &Recording,
        facts: &Facts,
    ) -> Result<(), Refusal> {
        can_hold(recording, facts)?;
        self.write_tail(path, &Tail::with(recording, facts))
    }

    /// Writes a recording's tail; the caller holds the `changing` lock.
    pub(super) fn write_tail(&self, path: &Path, tail: &Tail) -> Result<(), Refusal> {
        let written = self.versions.change(path, || journal::write(path, tail));
        written.map_err(|error| Refusal::disk(&self.folder, &error))
    }

    pub(super) fn open(&self, path: &Path) -> Result<Recording, Refusal> {
        let mut source = RecordingFile::open(path).map_err(|error| Refusal::disk(&self.folder, &error))?;
        source.recording().map_err(|error| self.cannot(error))
    }

    fn open_underway(&self, one: &RecordingUnderway, tail: Vec<u8>) -> Result<Recording, Refusal> {
        let source = RecordingFile::underway(one, tail);
        let mut source = source.map_err(|error| Refusal::disk(&self.folder, &error))?;
        source.recording().map_err(|error| self.cannot(error))
    }

    pub(super) fn cannot(&self, error: OpenFailure) -> Refusal {
        match error {
            OpenFailure::File(error) => Refusal::disk(&self.folder, &error),
            OpenFailure::Content(error) => Refusal::Unreadable(error.to_string()),
        }
    }
}
