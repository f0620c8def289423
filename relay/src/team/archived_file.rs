//! An unfinished recording in the archive: a prefix of the rig's file.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};

use trailbrake_shared::recording::{ENDING, RecordingId};

use super::digest::Digest;
use super::message::{FilePart, FileRange, Tail};
use crate::library::file_names::PART;

/// The opcode of a chunk, which stands only before the end of data.
const CHUNK: u8 = 6;
/// Bytes of an opcode and the length behind it.
const RECORD_HEAD: u64 = 9;
/// What the name of a copy has that goes further than the rig's file does.
const INCOMPLETE: &str = "-incomplete";

/// A recording's file until it is finished.
pub(super) struct ArchivedFile {
    path: PathBuf,
    /// Open while it is written.
    file: Option<File>,
    len: u64,
    /// Bytes that are certainly on the disk.
    synced: u64,
}

/// What became of a range.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stored {
    /// The file has it, from now on or before.
    Here,
    /// It begins beyond the file.
    Gap,
    /// The file is complete, and can be checked against its hash.
    Complete(Tail),
}

/// Where a recording is until it is finished.
pub(super) fn path(folder: &Path, id: RecordingId) -> PathBuf {
    folder.join(format!("{id}{ENDING}{PART}"))
}

/// A name for a recording whose own is not known yet.
pub(super) fn file_name(id: RecordingId) -> String {
    format!("{id}{ENDING}")
}

impl ArchivedFile {
    /// A file that does not exist yet.
    pub(super) fn new(folder: &Path, id: RecordingId) -> Self {
        Self { path: path(folder, id), file: None, len: 0, synced: 0 }
    }

    /// The files that an earlier run left in a folder, and whose they are.
    pub(super) fn all_in(folder: &Path) -> io::Result<Vec<(RecordingId, Self)>> {
        let mut found = Vec::new();
        for entry in fs::read_dir(folder)? {
            let entry = entry?;
            let name = entry.file_name();
            let stem = name.to_str().and_then(|name| name.strip_suffix(PART)?.strip_suffix(ENDING));
            let Some(id) = stem.and_then(RecordingId::read) else { continue };
            // What was written before a power cut may be lost, so it counts as not synced.
            found.push((id, Self { len: entry.metadata()?.len(), ..Self::new(folder, id) }));
        }
        Ok(found)
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    pub(super) fn len(&self) -> u64 {
        self.len
    }

    pub(super) fn synced(&self) -> u64 {
        self.synced
    }

    /// Whether something has to be synced.
    pub(super) fn is_dirty(&self) -> bool {
        self.synced < self.len
    }

    /// Takes a range of the file.
    pub(super) fn take(&mut self, range: &FileRange, payload: &[u8]) -> io::Result<Stored> {
        let tail = match range.part {
            FilePart::Data => None,
            FilePart::End(tail) | FilePart::Facts(tail) => Some(tail),
        };
        if let Some(tail) = tail
            && range.from == tail.data
            && tail.data < self.len
        {
            // What is there belongs to an earlier tail, or was never complete at the rig.
            self.cut(tail.data)?;
        }
        if range.from > self.len {
            return Ok(Stored::Gap);
        }
        // Of an overlap the file keeps what it has.
        let known = usize::try_from(self.len - range.from).unwrap_or(usize::MAX);
        if let Some(new) = payload.get(known..).filter(|new| !new.is_empty()) {
            self.append(new)?;
        }
        Ok(match tail {
            Some(tail) if self.len == tail.size => Stored::Complete(tail),
            _ => Stored::Here,
        })
    }

    /// Syncs what was written, and closes the file.
    pub(super) fn sync(&mut self) -> io::Result<()> {
        if self.is_dirty() {
            self.open()?.sync_all()?;
            self.synced = self.len;
        }
        self.file = None;
        Ok(())
    }

    /// Forgets how much is in the file, after an error: what failed may be there in part.
    pub(super) fn look_again(&mut self) {
        self.file = None;
        self.len = fs::metadata(&self.path).map(|metadata| metadata.len()).unwrap_or_default();
        self.synced = self.synced.min(self.len);
    }

    fn append(&mut self, bytes: &[u8]) -> io::Result<()> {
        let len = self.len;
        let file = self.open()?;
        // A failed attempt may have written part of it: write it again.
        file.seek(SeekFrom::Start(len))?;
        file.write_all(bytes)?;
        self.len += bytes.len() as u64;
        Ok(())
    }

    /// Cuts the file where its data ends. If it has more data than the rig has now, a copy of all of it stays.
    fn cut(&mut self, data: u64) -> io::Result<()> {
        if self.has_chunk_at(data)? {
            let name = self.path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
            let stem = name.strip_suffix(PART).and_then(|name| name.strip_suffix(ENDING)).unwrap_or(name);
            let copy = self.path.with_file_name(format!("{stem}{INCOMPLETE}{ENDING}{PART}"));
            if fs::metadata(&copy).map_or(0, |metadata| metadata.len()) < self.len {
                fs::copy(&self.path, copy)?;
            }
        }
        self.open()?.set_len(data)?;
        self.len = data;
        self.synced = self.synced.min(data);
        Ok(())
    }

    /// Whether a whole chunk begins there: the data goes further than that.
    fn has_chunk_at(&mut self, offset: u64) -> io::Result<bool> {
        let len = self.len;
        let mut head = [0; RECORD_HEAD as usize];
        if len.saturating_sub(offset) < RECORD_HEAD {
            return Ok(false);
        }
        let file = self.open()?;
        file.seek(SeekFrom::Start(offset))?;
        file.read_exact(&mut head)?;
        let [opcode, bytes @ ..] = head;
        let end = offset.saturating_add(RECORD_HEAD).saturating_add(u64::from_le_bytes(bytes));
        Ok(opcode == CHUNK && end <= len)
    }

    fn open(&mut self) -> io::Result<&mut File> {
        let file = match self.file.take() {
            Some(file) => file,
            None => {
                OpenOptions::new().read(true).write(true).create(true).truncate(false).open(&self.path)?
            }
        };
        Ok(self.file.insert(file))
    }
}

/// Whether a complete file is what its rig has. It is on the disk after that.
pub(super) fn is_equal(path: &Path, tail: &Tail) -> io::Result<bool> {
    // Some systems only sync what may be written.
    let file = OpenOptions::new().read(true).write(true).open(path)?;
    file.sync_all()?;
    let mut digest = Digest::default();
    let len = digest.add_all(&file)?;
    Ok(len == tail.size && digest.finish() == tail.hash)
}

/// Syncs a folder, where the system can: after that, names in it stay.
pub(super) fn sync_folder(folder: &Path) -> io::Result<()> {
    if cfg!(unix) { File::open(folder)?.sync_all() } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::team::digest;

    const ID: RecordingId = RecordingId(7);

    fn data(from: u64, to: u64) -> FileRange {
        FileRange { part: FilePart::Data, from, to }
    }

    fn end(file: &[u8], data: u64, from: u64, to: u64) -> FileRange {
        let tail = Tail { data, size: file.len() as u64, hash: digest::of(file) };
        FileRange { part: FilePart::End(tail), from, to }
    }

    fn slice(file: &[u8], range: &FileRange) -> Vec<u8> {
        file[range.from as usize..range.to as usize].to_vec()
    }

    proptest! {
        #[test]
        fn at_every_moment_it_is_a_prefix_of_the_rigs_file(
            file in prop::collection::vec(any::<u8>(), 200..400),
            ranges in prop::collection::vec((0_u64..150, 1_u64..60), 0..60),
            restarts in prop::collection::vec(any::<bool>(), 60),
        ) {
            let folder = tempfile::tempdir().expect("a folder");
            let mut archived = ArchivedFile::new(folder.path(), ID);
            for ((from, len), restart) in ranges.into_iter().zip(restarts) {
                let range = data(from, (from + len).min(150));
                let before = archived.len();
                let stored = archived.take(&range, &slice(&file, &range)).expect("written");
                prop_assert_eq!(stored == Stored::Gap, range.from > before);
                prop_assert_eq!(archived.len(), if stored == Stored::Gap { before } else { before.max(range.to) });
                let on_disk = fs::read(archived.path()).unwrap_or_default();
                prop_assert!(file.starts_with(&on_disk) && on_disk.len() as u64 == archived.len());
                if restart {
                    let mut all = ArchivedFile::all_in(folder.path()).expect("read");
                    if let Some((id, again)) = all.pop() {
                        prop_assert!(all.is_empty() && id == ID && again.len() == archived.len());
                        archived = again;
                    }
                }
            }
            let rest = data(archived.len().min(149), 150);
            archived.take(&rest, &slice(&file, &rest)).expect("written");
            for range in [end(&file, 150, 150, 170), end(&file, 150, 170, file.len() as u64)] {
                let stored = archived.take(&range, &slice(&file, &range)).expect("written");
                prop_assert_eq!(matches!(stored, Stored::Complete(_)), range.to == file.len() as u64);
            }
            archived.sync().expect("synced");
            prop_assert_eq!(archived.synced(), file.len() as u64);
            let FilePart::End(tail) = end(&file, 150, 150, 170).part else { panic!("a tail") };
            prop_assert!(is_equal(archived.path(), &tail).expect("read"));
        }
    }

    #[test]
    fn a_later_tail_takes_the_place_of_an_earlier_one() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut archived = ArchivedFile::new(folder.path(), ID);
        let (first, second) = (b"data, and a long tail".as_slice(), b"data, short".as_slice());
        archived.take(&data(0, 5), b"data,").expect("written");
        let range = end(first, 5, 5, first.len() as u64);
        assert!(matches!(archived.take(&range, &slice(first, &range)), Ok(Stored::Complete(_))));
        let range = end(second, 5, 5, second.len() as u64);
        assert!(matches!(archived.take(&range, &slice(second, &range)), Ok(Stored::Complete(_))));
        assert_eq!(fs::read(archived.path()).expect("a file"), second);
        assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 1, "no copy of an earlier tail");
    }

    #[test]
    fn data_that_the_rig_lost_stays_in_a_copy() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut archived = ArchivedFile::new(folder.path(), ID);
        let mut had = b"data,".to_vec();
        had.push(CHUNK);
        had.extend(4_u64.to_le_bytes());
        had.extend(b"more");
        archived.take(&data(0, had.len() as u64), &had).expect("written");
        let trimmed = b"data,tail".as_slice();
        let range = end(trimmed, 5, 5, trimmed.len() as u64);
        assert!(matches!(archived.take(&range, &slice(trimmed, &range)), Ok(Stored::Complete(_))));
        assert_eq!(fs::read(archived.path()).expect("a file"), trimmed);
        let copy = folder.path().join(format!("{ID}-incomplete{ENDING}{PART}"));
        assert_eq!(fs::read(copy).expect("a copy"), had);
        assert_eq!(
            ArchivedFile::all_in(folder.path()).expect("read").len(),
            1,
            "the copy is no recording under way"
        );
    }
}
