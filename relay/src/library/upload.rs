//! Uploads: a recording arrives in pieces, and is checked before it joins the library.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::PathBuf;

use trailbrake_shared::import::{FileKind, not_a_recording};
use trailbrake_shared::library::Entry;
use trailbrake_shared::recording::{
    AuthoredKind, Facts, MergedNotes, Reading, Recording, RecordingId, authored,
};

use super::recording_file::RecordingFile;
use super::recordings::{Library, ListedFile};
use super::refusal::Refusal;
use super::{file_names, merge};

/// Largest upload: some days of recording.
const MOST_BYTES: u64 = 16 << 30;

/// An upload under way. Dropping it removes its file.
pub(crate) struct Upload {
    /// The file's name on the sender's machine.
    name: String,
    path: PathBuf,
    file: File,
    bytes: u64,
    /// Its first bytes, which show what it is.
    head: Vec<u8>,
}

/// The result of an upload.
pub(crate) enum UploadOutcome {
    /// A new recording of the library.
    New(Entry),
    /// The library already had it, or the recording that this clip with notes or tasks was cut out of; it now has the
    /// notes and tasks of both. What changed among its own.
    Merged(Entry, MergedNotes),
}

/// Whether a clip carries notes or tasks.
fn has_notes_or_tasks(facts: &Facts) -> bool {
    AuthoredKind::ALL.into_iter().any(|kind| authored::count(facts, kind) > 0)
}

impl Upload {
    /// Prepares for an upload of this length, if known.
    pub(crate) fn begin(library: &Library, name: &str, bytes: Option<u64>) -> Result<Self, Refusal> {
        if bytes.is_some_and(|bytes| bytes > MOST_BYTES) {
            return Err(too_large());
        }
        let made = fs::create_dir_all(library.folder())
            .and_then(|()| file_names::arrival(library.folder(), &mut |path| File::create_new(path)));
        let (path, file) = made.map_err(|error| Refusal::disk(library.folder(), &error))?;
        Ok(Self { name: name.to_owned(), path, file, bytes: 0, head: Vec::new() })
    }

    /// Appends a piece. What is no recording is refused with its first bytes.
    pub(crate) fn extend(&mut self, library: &Library, piece: &[u8]) -> Result<(), Refusal> {
        self.bytes += piece.len() as u64;
        if self.bytes > MOST_BYTES {
            return Err(too_large());
        }
        self.recognise(piece)?;
        self.file.write_all(piece).map_err(|error| Refusal::disk(library.folder(), &error))
    }

    /// Checks every block of a complete upload, and adds it to the library or merges it with the library's copy. The notes
    /// and tasks of a clip are joined to the recording that it was cut out of. An upload of a recording under way has to
    /// wait.
    pub(crate) fn finish(
        self,
        library: &Library,
        is_underway: &dyn Fn(RecordingId) -> bool,
    ) -> Result<UploadOutcome, Refusal> {
        self.check_kind()?;
        let arrived = self.check(library)?;
        let id = arrived.info().id;
        let parent = arrived.info().parent.filter(|_| has_notes_or_tasks(arrived.facts()));
        if is_underway(id) || parent.is_some_and(is_underway) {
            let words = "it is being recorded: bring the copy once the recording has ended";
            return Err(Refusal::Conflict(words.into()));
        }
        let _alone = library.changing.lock();
        if let Some(found) = found(library, id)? {
            let (entry, merged) = merge::merge(library, &found, &self.path)?;
            return Ok(UploadOutcome::Merged(entry, merged));
        }
        if let Some(parent) = parent
            && let Some(found) = found(library, parent)?
            && let Some((entry, merged)) = merge::join_clip(library, &found, &arrived)?
        {
            return Ok(UploadOutcome::Merged(entry, merged));
        }
        self.add(library, id).map(UploadOutcome::New)
    }

    /// Checks every block of a clip that was cut out of a recording of the library, and adds it.
    pub(crate) fn finish_clip(self, library: &Library) -> Result<Entry, Refusal> {
        let id = self.check(library)?.info().id;
        let _alone = library.changing.lock();
        self.add(library, id)
    }

    fn add(self, library: &Library, id: RecordingId) -> Result<Entry, Refusal> {
        file_names::carry(&self.path, library.folder(), &file_names::given(&self.name))
            .map_err(|error| Refusal::disk(library.folder(), &error))?;
        library.find_now(id).map(|found| found.entry)
    }

    /// Checks every block of an upload; returns its recording.
    fn check(&self, library: &Library) -> Result<Recording, Refusal> {
        let disk = |error: io::Error| Refusal::disk(library.folder(), &error);
        self.file.sync_all().map_err(disk)?;
        let mut source = RecordingFile::open(&self.path).map_err(disk)?;
        let recording = source.recording().map_err(|error| library.cannot(error))?;
        let mut packets = recording.all_packets();
        while let Some(range) = packets.needs() {
            source.give(&mut packets, range).map_err(disk)?;
            // The blocks are only checked.
            drop(packets.take());
        }
        if packets.damaged() > 0 {
            return Err(Refusal::Unreadable(format!(
                "the file arrived damaged: {} of its {} blocks can't be read; send it again",
                packets.damaged(),
                recording.blocks(),
            )));
        }
        Ok(recording)
    }

    fn recognise(&mut self, piece: &[u8]) -> Result<(), Refusal> {
        let missing = FileKind::HEAD.saturating_sub(self.head.len());
        if missing == 0 {
            return Ok(());
        }
        self.head.extend(piece.iter().take(missing));
        if self.head.len() < FileKind::HEAD { Ok(()) } else { self.check_kind() }
    }

    /// Refuses any other file than a recording. The page makes recordings of what it can open before it sends them.
    fn check_kind(&self) -> Result<(), Refusal> {
        let name = if self.name.is_empty() { "this file" } else { &self.name };
        match FileKind::of(&self.head, name) {
            Some(FileKind::Recording) => Ok(()),
            Some(kind) => Err(Refusal::Unreadable(format!(
                "{name} is {}: drop it on the Library page, or make a recording of it with `trailbrake import`",
                kind.words()
            ))),
            None => Err(Refusal::Unreadable(not_a_recording(&self.name))),
        }
    }
}

impl Drop for Upload {
    fn drop(&mut self) {
        // In the library it has another name.
        let _ = fs::remove_file(&self.path);
    }
}

fn too_large() -> Refusal {
    Refusal::TooLarge(format!("a recording has at most {} GiB", MOST_BYTES >> 30))
}

/// The library's recording with an id, if there is one.
fn found(library: &Library, id: RecordingId) -> Result<Option<ListedFile>, Refusal> {
    match library.find_now(id) {
        Ok(found) => Ok(Some(found)),
        Err(Refusal::NotThere) => Ok(None),
        Err(refusal) => Err(refusal),
    }
}
