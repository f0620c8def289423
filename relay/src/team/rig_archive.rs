//! The recordings of one rig in the archive: a library's folder, and files that are not finished.

use std::collections::HashMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use trailbrake_shared::recording::RecordingId;

use super::answer::FinishedCopy;
use super::archived_file::{ArchivedFile, Stored, is_equal, sync_folder};
use super::digest;
use super::finished_file::FinishedFile;
use super::message::{FilePart, FileRange, Hash, Ignored, MOST_TAIL, Tail};
use crate::library::{
    self, Library, OwnedFolder, RecordingFile, RigsCopy, bin, file_names, merge_tail, name_of,
};
use crate::terminal;

/// Most unfinished recordings of a rig.
const MOST_UNFINISHED: usize = 1000;
/// How often a recording that arrived with other bytes is asked for again.
const MOST_FAILURES: u32 = 2;

/// One rig's recordings.
pub(super) struct RigArchive {
    library: Arc<Library>,
    /// Locks the folder.
    _own: OwnedFolder,
    unfinished: HashMap<RecordingId, Unfinished>,
    /// Tails that come in several messages: one at a time.
    facts: Option<(RecordingId, Tail, Vec<u8>)>,
    /// The last tail that was merged into each recording.
    merged: HashMap<RecordingId, Hash>,
    /// Recordings that arrived with other bytes than their rig has, how often, and why.
    failures: HashMap<RecordingId, (u32, String)>,
}

struct Unfinished {
    file: ArchivedFile,
    /// Whether it is complete and being checked.
    checking: bool,
}

/// What became of a message.
#[derive(Debug)]
pub(super) enum Taken {
    /// The archive has it, from now on or before.
    Here,
    /// Something is missing before it.
    Gap,
    /// It says nothing that counts.
    Ignored(Ignored),
    /// The recording is complete, and is to be checked.
    Complete(Check),
}

/// A complete recording that is to be checked, which takes a while.
#[derive(Debug)]
pub(super) struct Check {
    pub(super) id: RecordingId,
    path: PathBuf,
    folder: PathBuf,
    tail: Tail,
}

/// What the archive has of a recording.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Held {
    Nothing,
    /// Bytes in the file, and how many of them are synced.
    Unfinished {
        len: u64,
        synced: u64,
    },
    Finished {
        size: u64,
        copy: FinishedCopy,
    },
    Failed(String),
}

impl RigArchive {
    /// Opens a rig's folder, which is made if needed; `None` where another program has it.
    pub(super) fn open(folder: &Path, announce: fn(&str, &str)) -> io::Result<Option<Self>> {
        let library = Library::new(folder.to_owned());
        let Some(own) = library::take_over(&library, announce)? else { return Ok(None) };
        let unfinished = ArchivedFile::all_in(folder)?.into_iter();
        let unfinished = unfinished.map(|(id, file)| (id, Unfinished { file, checking: false })).collect();
        Ok(Some(Self {
            library: Arc::new(library),
            _own: own,
            unfinished,
            facts: None,
            merged: HashMap::new(),
            failures: HashMap::new(),
        }))
    }

    /// The rig's library.
    pub(super) fn library(&self) -> Arc<Library> {
        Arc::clone(&self.library)
    }

    /// Takes a range of a recording. Blocks on the disk.
    pub(super) fn take(&mut self, id: RecordingId, range: &FileRange, payload: &[u8]) -> io::Result<Taken> {
        if !self.unfinished.contains_key(&id) {
            if self.is_finished(id) {
                return Ok(match range.part {
                    FilePart::Facts(tail) => self.take_facts(id, range, tail, payload),
                    FilePart::Data | FilePart::End(_) => Taken::Here,
                });
            }
            if range.from > 0 {
                return Ok(Taken::Gap);
            }
            if self.unfinished.len() >= MOST_UNFINISHED {
                return Ok(Taken::Ignored(Ignored::TooMany));
            }
        }
        if let FilePart::Facts(_) = range.part {
            return Ok(Taken::Ignored(Ignored::BeforeEnd));
        }
        let folder = self.library.folder().to_owned();
        let one = self.unfinished.entry(id).or_insert_with(|| {
            let file = ArchivedFile::new(&folder, id);
            Unfinished { file, checking: false }
        });
        if one.checking {
            return Ok(Taken::Here);
        }
        let stored = one.file.take(range, payload).inspect_err(|_| one.file.look_again())?;
        Ok(match stored {
            Stored::Here => Taken::Here,
            Stored::Gap => Taken::Gap,
            Stored::Complete(tail) => {
                one.file.sync()?;
                one.checking = true;
                Taken::Complete(Check { id, path: one.file.path().to_owned(), folder, tail })
            }
        })
    }

    /// Syncs what was written. Blocks on the disk.
    pub(super) fn sync(&mut self) -> io::Result<()> {
        let mut is_new = false;
        for one in self.unfinished.values_mut().filter(|one| one.file.is_dirty()) {
            is_new |= one.file.synced() == 0;
            one.file.sync()?;
        }
        if is_new { sync_folder(self.library.folder()) } else { Ok(()) }
    }

    /// What the archive has of a recording.
    pub(super) fn held(&mut self, id: RecordingId) -> Held {
        if let Some((count, words)) = self.failures.get(&id)
            && *count >= MOST_FAILURES
        {
            return Held::Failed(words.clone());
        }
        if let Some(one) = self.unfinished.get(&id) {
            return Held::Unfinished { len: one.file.len(), synced: one.file.synced() };
        }
        let merged = self.merged.get(&id).map(ToString::to_string);
        if let Ok(found) = self.library.find(id) {
            let read = || -> Option<(u64, u64, Hash)> {
                let mut source = RecordingFile::open(&found.path).ok()?;
                let data = source.recording().ok()?.end_of_data();
                let tail = source.bytes_from(data, MOST_TAIL).ok()?;
                Some((data, source.len(), digest::of(&tail)))
            };
            return match read() {
                Some((data, size, tail)) => {
                    let copy = FinishedCopy { data, tail: tail.to_string(), merged, deleted: false };
                    Held::Finished { size, copy }
                }
                None => {
                    Held::Failed(format!("{} at the hub can't be opened: repair it there", found.entry.file))
                }
            };
        }
        match bin::list(&self.library).recordings.into_iter().find(|entry| entry.id == Some(id)) {
            Some(entry) => {
                let copy = FinishedCopy { data: 0, tail: String::new(), merged, deleted: true };
                Held::Finished { size: entry.bytes, copy }
            }
            None => Held::Nothing,
        }
    }

    /// A piece of the tail of a finished recording, from a byte of the file on.
    pub(super) fn tail_piece(&self, id: RecordingId, from: u64) -> Option<(FileRange, Vec<u8>)> {
        let file = FinishedFile::open(&self.library, id).ok()?;
        let part = FilePart::Facts(file.tail_with(file.tail_hash));
        let from = from.max(file.data);
        let piece = file.tail_piece(from);
        let range = FileRange { part, from, to: from + piece.len() as u64 };
        (!piece.is_empty()).then_some((range, piece))
    }

    /// Notes the result of a check.
    pub(super) fn finish(&mut self, id: RecordingId, checked: io::Result<Result<String, String>>) {
        match checked {
            Ok(Ok(file)) => {
                self.unfinished.remove(&id);
                self.failures.remove(&id);
                terminal::report("Archived", &file);
            }
            Ok(Err(words)) => {
                self.unfinished.remove(&id);
                let failed = self.failures.entry(id).or_default();
                *failed = (failed.0 + 1, words);
            }
            // It stays complete, and is checked again with the next message of its end.
            Err(error) => {
                tracing::error!("{id} could not be checked: {error}");
                if let Some(one) = self.unfinished.get_mut(&id) {
                    one.checking = false;
                }
            }
        }
    }

    fn is_finished(&self, id: RecordingId) -> bool {
        let is_binned = || bin::list(&self.library).recordings.iter().any(|entry| entry.id == Some(id));
        self.library.find(id).is_ok() || is_binned()
    }

    /// Takes a range of a later tail, and merges the tail once it is complete.
    fn take_facts(&mut self, id: RecordingId, range: &FileRange, tail: Tail, payload: &[u8]) -> Taken {
        let end = |bytes: &[u8]| tail.data + bytes.len() as u64;
        let mut bytes = match self.facts.take() {
            Some((of, begun, bytes)) if of == id && begun == tail && end(&bytes) >= range.from => bytes,
            _ if range.from == tail.data => Vec::new(),
            // The rig asks later, sees that its tail is not here, and sends it again.
            _ => return Taken::Here,
        };
        let known = usize::try_from(end(&bytes) - range.from).unwrap_or(usize::MAX);
        bytes.extend(payload.get(known..).unwrap_or_default());
        if end(&bytes) < tail.size {
            self.facts = Some((id, tail, bytes));
            return Taken::Here;
        }
        if digest::of(&bytes) != tail.hash {
            return Taken::Ignored(Ignored::OtherPackets);
        }
        match merge_tail(&self.library, id, tail.data, bytes, RigsCopy::Brought) {
            Ok(()) => {
                self.merged.insert(id, tail.hash);
                Taken::Here
            }
            Err(refusal) => {
                tracing::warn!("a tail of {id} is not merged: {}", refusal.words());
                Taken::Ignored(Ignored::OtherPackets)
            }
        }
    }
}

impl Check {
    /// Checks a complete recording, and gives it its name. Returns that, or in words why it is not taken.
    pub(super) fn run(&self) -> io::Result<Result<String, String>> {
        let words = match self.opened()? {
            Ok(name) => {
                let path = file_names::carry(&self.path, &self.folder, &name)?;
                sync_folder(&self.folder)?;
                return Ok(Ok(path.display().to_string()));
            }
            Err(words) => words,
        };
        // It is asked for again from its beginning; what came stays beside.
        let aside = self.path.with_extension("damaged");
        fs::rename(&self.path, aside)?;
        Ok(Err(words))
    }

    /// The name of the recording, if it is what its rig has.
    fn opened(&self) -> io::Result<Result<String, String>> {
        if !is_equal(&self.path, &self.tail)? {
            return Ok(Err("it arrived at the hub with other bytes than the rig has".to_owned()));
        }
        let mut source = RecordingFile::open(&self.path)?;
        let recording = match source.recording() {
            Ok(recording) => recording,
            Err(library::OpenFailure::File(error)) => return Err(error),
            Err(library::OpenFailure::Content(why)) => return Ok(Err(format!("it is no recording: {why}"))),
        };
        if recording.info().id != self.id {
            return Ok(Err("it is another recording than it says".to_owned()));
        }
        Ok(Ok(name_of(&recording, recording.facts())))
    }
}

#[cfg(test)]
mod tests {
    use trailbrake_shared::feed::Feed;
    use trailbrake_shared::recording::facts::Labels;
    use trailbrake_shared::recording::{
        Info, Opening, Recording, RecordingBuilder, Tail as FileTail, read_whole,
    };
    use trailbrake_shared::sim::{Demo, Options};
    use trailbrake_shared::time::Micros;
    use trailbrake_shared::wire::Datagram;

    use super::*;
    use crate::library::relabelling;

    const ID: RecordingId = RecordingId(7);
    const BEGAN: Micros = Micros(1_795_271_520_000_000);

    /// A recording of some seconds.
    fn recorded() -> Vec<u8> {
        let (parent, program) = (None, "test".to_owned());
        let feed = Feed::F1.id().to_owned();
        let info = Info { id: ID, parent, created: BEGAN, feed, program, others_left_out: false };
        let mut builder = RecordingBuilder::new(&info);
        let mut demo = Demo::new(Feed::F1, Options::default(), BEGAN).expect("a feed that is spoken");
        demo.advance(BEGAN.plus_seconds(3.0), &mut |at, bytes| {
            let sender = ([192, 168, 1, 20], 33739).into();
            builder.take(&Datagram { at, sender, port: 20777, feed: Some(Feed::F1), bytes });
        });
        let mut bytes = builder.bytes();
        bytes.extend(builder.finish().bytes);
        bytes
    }

    fn opened(bytes: &[u8]) -> Recording {
        let mut opening = Opening::new(bytes.len() as u64);
        read_whole(&mut opening, bytes);
        opening.finish().expect("a recording")
    }

    /// The file with other labels.
    fn labelled(file: &[u8], name: &str, at: Micros) -> Vec<u8> {
        let recording = opened(file);
        let mut facts = recording.facts().clone();
        facts.put(at, &Labels { name: Some(name.to_owned()), tags: Vec::new() });
        let tail = FileTail::with(&recording, &facts);
        [&file[..tail.from as usize], &tail.bytes].concat()
    }

    fn archive(folder: &Path) -> RigArchive {
        RigArchive::open(folder, |_, _| ()).expect("a folder").expect("nobody else's")
    }

    fn data(file: &[u8], from: u64, to: u64) -> (FileRange, Vec<u8>) {
        (FileRange { part: FilePart::Data, from, to }, file[from as usize..to as usize].to_vec())
    }

    /// The tail of a file, as its end or as later facts.
    fn tail(file: &[u8], is_end: bool) -> (FileRange, Vec<u8>) {
        let (from, size) = (opened(file).end_of_data(), file.len() as u64);
        let bytes = file[from as usize..].to_vec();
        let hash = digest::of(if is_end { file } else { &bytes });
        let tail = Tail { data: from, size, hash };
        let part = if is_end { FilePart::End(tail) } else { FilePart::Facts(tail) };
        (FileRange { part, from, to: size }, bytes)
    }

    fn give(archive: &mut RigArchive, (range, bytes): (FileRange, Vec<u8>)) -> Taken {
        archive.take(ID, &range, &bytes).expect("written")
    }

    /// Gives a whole file, and checks it.
    fn finish(archive: &mut RigArchive, file: &[u8]) {
        give(archive, data(file, 0, opened(file).end_of_data()));
        let Taken::Complete(check) = give(archive, tail(file, true)) else { panic!("not complete") };
        archive.finish(ID, check.run());
    }

    fn archived(folder: &Path) -> Vec<u8> {
        let library = Library::new(folder.to_owned());
        fs::read(library.find(ID).expect("the recording").path).expect("its file")
    }

    #[test]
    fn only_what_is_synced_is_safe() {
        let folder = tempfile::tempdir().expect("a folder");
        let (file, mut archive) = (recorded(), archive(folder.path()));
        assert_eq!(archive.held(ID), Held::Nothing);
        give(&mut archive, data(&file, 0, 1000));
        assert_eq!(archive.held(ID), Held::Unfinished { len: 1000, synced: 0 });
        archive.sync().expect("synced");
        assert_eq!(archive.held(ID), Held::Unfinished { len: 1000, synced: 1000 });
        give(&mut archive, data(&file, 500, 2000));
        assert_eq!(archive.held(ID), Held::Unfinished { len: 2000, synced: 1000 });
        assert!(matches!(give(&mut archive, data(&file, 3000, 4000)), Taken::Gap));
        assert!(matches!(give(&mut archive, tail(&file, false)), Taken::Ignored(Ignored::BeforeEnd)));
        finish(&mut archive, &file);
        let Held::Finished { size, copy } = archive.held(ID) else { panic!("not finished") };
        assert_eq!((size, copy.data), (file.len() as u64, opened(&file).end_of_data()));
        assert_eq!(archived(folder.path()), file);
        assert!(matches!(give(&mut archive, tail(&file, true)), Taken::Here), "its end comes twice");
    }

    #[test]
    fn a_file_that_arrives_with_other_bytes_is_asked_for_once_more_and_then_named() {
        let folder = tempfile::tempdir().expect("a folder");
        let (file, mut archive) = (recorded(), archive(folder.path()));
        let mut other = file.clone();
        other[500] ^= 1;
        for count in 1..=2 {
            give(&mut archive, data(&other, 0, opened(&file).end_of_data()));
            let Taken::Complete(check) = give(&mut archive, tail(&file, true)) else {
                panic!("not complete")
            };
            archive.finish(ID, check.run());
            let is_named = matches!(archive.held(ID), Held::Failed(words) if words.contains("other bytes"));
            assert_eq!(is_named, count == 2);
        }
    }

    #[test]
    fn later_facts_of_the_rig_take_the_place_of_earlier_ones_and_not_of_the_hubs() {
        let folder = tempfile::tempdir().expect("a folder");
        let (file, mut archive) = (recorded(), archive(folder.path()));
        finish(&mut archive, &file);
        let named = labelled(&file, "by the rig", BEGAN.plus_seconds(10.0));
        give(&mut archive, tail(&named, false));
        assert_eq!(archived(folder.path()), named, "byte for byte");
        // At the hub it gets another name, later than the rig's next one.
        let wish = serde_json::from_str(r#"{"name":"by the hub"}"#).expect("a wish");
        let change = |recording: &Recording| relabelling(recording.facts(), &wish, BEGAN.plus_seconds(30.0));
        archive.library.change(ID, change).expect("changed");
        let at_hub = archived(folder.path());
        let earlier = labelled(&file, "by the rig, earlier", BEGAN.plus_seconds(20.0));
        give(&mut archive, tail(&earlier, false));
        assert_eq!(archived(folder.path()), at_hub);
        let Held::Finished { copy, .. } = archive.held(ID) else { panic!("not finished") };
        let hash = digest::of(&tail(&earlier, false).1).to_string();
        assert_eq!(copy.merged, Some(hash), "the rig need not send it again");
        let later = labelled(&file, "by the rig, later", BEGAN.plus_seconds(40.0));
        give(&mut archive, tail(&later, false));
        assert_eq!(archived(folder.path()), later);
        // A tail of other packets.
        let (range, mut bytes) = tail(&later, false);
        let place = bytes.len() / 2;
        bytes[place] ^= 1;
        assert!(matches!(give(&mut archive, (range, bytes)), Taken::Ignored(Ignored::OtherPackets)));
        assert_eq!(archived(folder.path()), later);
    }
}
