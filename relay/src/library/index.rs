//! The index of a folder's files: none is read twice.

use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::path::Path;
use std::time::{Duration, SystemTime};

use trailbrake_shared::analysis::{KnownTrack, TrackBook};
use trailbrake_shared::library::{Bests, CountedLaps, Entry, IndexStatus, Listing};
use trailbrake_shared::recording::facts::DECODER;
use trailbrake_shared::recording::{Fact, LapTable, Recording, RecordingId};

use super::file_names;
use super::recording_file::{OpenFailure, RecordingFile};
use super::track_book::TrackBookFile;
use super::track_facts::{is_named_by_game, known_track};
use crate::disk;

/// Two changes of a folder within this time may leave the same modification time.
const TIMES_DIFFER: Duration = Duration::from_secs(2);

/// The recordings of one folder.
#[derive(Default)]
pub(super) struct Index {
    /// By file name.
    files: BTreeMap<String, IndexedFile>,
    /// The file of each recording.
    by_id: HashMap<RecordingId, String>,
    /// The folder's modification time when it was read through: while it is the same, no file has come or gone. `None`
    /// where the time is too recent for that.
    as_of: Option<SystemTime>,
    /// The track book, as of the last list.
    book: (Option<Stamp>, TrackBook),
    /// How often the folder was read through.
    #[cfg(test)]
    reads: u32,
}

type Stamp = (u64, Option<SystemTime>);

struct IndexedFile {
    /// Length and modification time: while both are the same, so is the content.
    stamp: Stamp,
    entry: Entry,
    /// The driver's counted laps in it.
    counted: Option<CountedLaps>,
    /// Whether an earlier version made its lap table.
    outdated: bool,
    track: TrackKnowledge,
    /// Its track in the book.
    known: Option<KnownTrack>,
}

/// What a recording knows about its track.
enum TrackKnowledge {
    /// The game names it, or no lap shows it.
    Settled,
    /// Its shape is not known yet.
    Unexamined,
    /// Its shape, and its name when it was written.
    Examined(Box<KnownTrack>),
}

impl TrackKnowledge {
    fn of(recording: &Recording) -> Self {
        let facts = recording.facts();
        let has_laps = || recording.laps().laps.iter().any(|row| row.lap.counts().is_some());
        match known_track(facts) {
            _ if is_named_by_game(facts) => Self::Settled,
            Some(known) => Self::Examined(Box::new(known)),
            None if has_laps() => Self::Unexamined,
            None => Self::Settled,
        }
    }
}

impl IndexedFile {
    /// Looks up the track in the book.
    fn look_up(&mut self, book: &TrackBook) {
        let TrackKnowledge::Examined(had) = &self.track else { return };
        self.known = book.recognise(&had.fingerprint).map(|(known, _)| known.clone());
    }

    /// Whether the book's present track has to be written into the recording.
    fn needs_track(&self) -> bool {
        match &self.track {
            TrackKnowledge::Settled => false,
            TrackKnowledge::Unexamined => true,
            TrackKnowledge::Examined(had) => self.known.as_ref().is_some_and(|known| *known != **had),
        }
    }

    fn entry(&self) -> Entry {
        let mut entry = self.entry.clone();
        if let Some(known) = &self.known {
            entry.track = Some(known.name.clone());
        }
        entry
    }

    fn counted(&self) -> Option<CountedLaps> {
        let counted = self.counted.clone()?;
        Some(match &self.known {
            Some(known) => counted.on(&known.name),
            None => counted,
        })
    }
}

impl Index {
    /// The recording with this id. The folder is read through only if something may have come, gone or changed.
    pub(super) fn find(&mut self, folder: &Path, id: RecordingId) -> Option<Entry> {
        if self.as_of.is_none() || self.as_of != changed(folder) || !self.is_as_known(folder, id) {
            self.list(folder);
        }
        self.known(id).map(|(_, known)| known.entry())
    }

    fn known(&self, id: RecordingId) -> Option<(&String, &IndexedFile)> {
        self.files.get_key_value(self.by_id.get(&id)?)
    }

    /// Whether a recording's file exists and has not changed since it was read.
    fn is_as_known(&self, folder: &Path, id: RecordingId) -> bool {
        let Some((name, known)) = self.known(id) else { return false };
        fs::metadata(folder.join(name)).is_ok_and(|now| stamp(&now) == known.stamp)
    }

    /// Lists a folder. Only new and changed files are opened, and only their index and facts are read.
    pub(super) fn list(&mut self, folder: &Path) -> Listing {
        #[cfg(test)]
        {
            self.reads += 1;
        }
        let mut listing = Listing { folder: folder.display().to_string(), ..Listing::default() };
        // A file that arrives while the folder is read changes the folder again.
        let long_ago = |changed: &SystemTime| changed.elapsed().is_ok_and(|passed| passed > TIMES_DIFFER);
        self.as_of = changed(folder).filter(long_ago);
        self.by_id.clear();
        let entries = match fs::read_dir(folder) {
            Ok(entries) => entries,
            Err(error) => {
                listing.trouble = Some(disk::trouble(folder, &error));
                return listing;
            }
        };
        let renamed = self.read_book(folder);
        let mut before = std::mem::take(&mut self.files);
        for file in entries.flatten() {
            let Ok(name) = file.file_name().into_string() else { continue };
            let Some(metadata) = file.metadata().ok().filter(|file| file.is_file()) else { continue };
            if !file_names::is_recording(&name) {
                continue;
            }
            let stamp = stamp(&metadata);
            let known = before.remove(&name).filter(|known| known.stamp == stamp);
            let is_new = known.is_none();
            let mut known =
                known.unwrap_or_else(|| read(&folder.join(&name), &name, stamp, &mut listing.looked));
            if is_new || renamed {
                known.look_up(&self.book.1);
            }
            self.files.insert(name, known);
        }
        listing.recordings = self.files.values().map(IndexedFile::entry).collect();
        listing.recordings.sort_by(|a, b| a.file.cmp(&b.file));
        name_copies(&mut listing.recordings);
        let named = listing.recordings.iter().filter_map(|entry| Some((entry.id?, entry.file.clone())));
        self.by_id.extend(named);
        listing.recordings.sort_by_key(|entry| std::cmp::Reverse(entry.created));
        listing
    }

    /// Adds the counted laps of the recordings, as of the last list.
    pub(super) fn add_counted(&self, bests: &mut Bests) {
        self.files.values().filter_map(IndexedFile::counted).for_each(|counted| bests.add(counted));
    }

    /// Reads the track book if it has changed; returns whether it has.
    fn read_book(&mut self, folder: &Path) -> bool {
        let file = TrackBookFile::new(folder);
        let now = fs::metadata(file.file()).ok().as_ref().map(stamp);
        if now == self.book.0 {
            return false;
        }
        let mut notes = Vec::new();
        let book = file.read(&mut notes).unwrap_or_else(|why| {
            tracing::warn!("names of tracks are left out: {why:#}");
            TrackBook::default()
        });
        if !notes.is_empty() {
            tracing::warn!("{}", String::from_utf8_lossy(&notes).trim_end());
        }
        self.book = (now, book);
        true
    }

    /// The files whose track is missing or differs from the book, as of the last list.
    pub(super) fn without_track(&self) -> Vec<String> {
        self.files.iter().filter(|(_, known)| known.needs_track()).map(|(file, _)| file.clone()).collect()
    }

    /// The files whose lap table an earlier version made, as of the last list.
    pub(super) fn outdated(&self) -> Vec<String> {
        self.files.iter().filter(|(_, known)| known.outdated).map(|(file, _)| file.clone()).collect()
    }
}

/// A file's length and modification time, by which it is recognised.
fn stamp(metadata: &fs::Metadata) -> Stamp {
    (metadata.len(), metadata.modified().ok())
}

/// Whether an earlier version made a recording's lap table.
fn is_outdated(recording: &Recording) -> bool {
    recording.facts().json(LapTable::NAME).is_some() && recording.laps().decoder < DECODER
}

/// The folder's modification time: when a file last came, went, or was renamed.
fn changed(folder: &Path) -> Option<SystemTime> {
    fs::metadata(folder).and_then(|folder| folder.modified()).ok()
}

/// Reads the index and facts of a file.
fn read(path: &Path, name: &str, stamp: Stamp, looked: &mut IndexStatus) -> IndexedFile {
    looked.files += 1;
    let (len, _) = stamp;
    let opened = RecordingFile::open(path).map_err(OpenFailure::File).and_then(|mut source| {
        let recording = source.recording();
        looked.bytes += source.read;
        recording
    });
    let broken = |why: &str, content: bool| IndexedFile {
        stamp,
        entry: Entry::of_broken(name, len, why, content),
        counted: None,
        outdated: false,
        track: TrackKnowledge::Settled,
        known: None,
    };
    match opened {
        Ok(recording) => IndexedFile {
            stamp,
            entry: Entry::of_recording(name, len, &recording),
            counted: CountedLaps::of(recording.facts()),
            outdated: is_outdated(&recording),
            track: TrackKnowledge::of(&recording),
            known: None,
        },
        Err(OpenFailure::Content(why)) => broken(&why.to_string(), !why.is_of_another_version()),
        Err(OpenFailure::File(error)) => broken(&error.to_string(), false),
    }
}

/// Among copies of a recording the first by name counts, and the others name it.
fn name_copies(entries: &mut [Entry]) {
    let mut first: HashMap<_, String> = HashMap::new();
    for entry in entries {
        let Some(id) = entry.id else { continue };
        match first.get(&id) {
            Some(file) => {
                entry.trouble = Some(format!("this is a copy of {file}"));
                entry.id = None;
            }
            None => drop(first.insert(id, entry.file.clone())),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs::File;
    use std::path::PathBuf;

    use trailbrake_shared::recording::{Info, Writer};
    use trailbrake_shared::time::Micros;

    use super::*;

    /// A folder in which recordings come and go, and its index.
    struct IndexedFolder {
        folder: tempfile::TempDir,
        index: Index,
    }

    impl IndexedFolder {
        fn path(&self, name: &str) -> PathBuf {
            self.folder.path().join(format!("{name}.trailbrake.mcap"))
        }

        fn put(&self, name: &str, id: u128, program: &str) {
            let info = Info {
                id: RecordingId(id),
                parent: None,
                created: Micros(1),
                feed: "f1-2018".into(),
                program: program.into(),
                others_left_out: false,
            };
            let mut writer = Writer::new(&info);
            let bytes = [writer.bytes(), writer.finish()].concat();
            fs::write(self.path(name), bytes).expect("a file");
        }

        /// Sets the folder's modification time to this many seconds ago.
        fn pass(&self, seconds: u64) {
            let then = SystemTime::now() - Duration::from_secs(seconds);
            let folder = File::open(self.folder.path()).expect("the folder");
            folder.set_modified(then).expect("another time");
        }

        /// The file in which a recording is found, and how often the folder was read through for it.
        fn find(&mut self, id: u128) -> (Option<String>, u32) {
            let before = self.index.reads;
            let found = self.index.find(self.folder.path(), RecordingId(id)).map(|entry| entry.file);
            let name = found.map(|file| file.replace(".trailbrake.mcap", ""));
            (name, self.index.reads - before)
        }
    }

    #[test]
    fn a_recording_is_found_without_reading_the_folder_until_something_changes() {
        let mut folder =
            IndexedFolder { folder: tempfile::tempdir().expect("a folder"), index: Index::default() };
        let is = |name: &str, reads| (Some(name.to_owned()), reads);
        (1..=3).for_each(|id| folder.put(&format!("file-{id}"), id, "the tests"));
        // After a recent change the folder may change again without a new modification time.
        assert_eq!([folder.find(1), folder.find(1)], [is("file-1", 1), is("file-1", 1)]);
        folder.pass(100);
        assert_eq!(folder.find(1), is("file-1", 1));
        for _ in 0..50 {
            assert_eq!([folder.find(1), folder.find(2), folder.find(3)].map(|found| found.1), [0, 0, 0]);
        }
        assert_eq!([folder.find(9), folder.find(9)], [(None, 1), (None, 1)], "it may have come");

        folder.put("file-4", 4, "the tests");
        folder.pass(90);
        assert_eq!([folder.find(4), folder.find(1)], [is("file-4", 1), is("file-1", 0)]);
        fs::rename(folder.path("file-2"), folder.path("moved")).expect("moved");
        folder.pass(80);
        assert_eq!([folder.find(2), folder.find(1)], [is("moved", 1), is("file-1", 0)]);
        fs::remove_file(folder.path("file-1")).expect("removed");
        folder.pass(70);
        assert_eq!(folder.find(1), (None, 1));
        assert_eq!(folder.find(3), is("file-3", 0));
        // A file becomes another recording, which does not change the folder.
        folder.put("file-3", 33, "a longer name");
        folder.pass(70);
        assert_eq!([folder.find(3), folder.find(33)], [(None, 1), is("file-3", 0)]);
        // Of two copies the first by name counts, wherever it was found before.
        folder.put("a-copy", 33, "a longer name");
        folder.pass(60);
        assert_eq!(folder.find(33), is("a-copy", 1));
    }
}
