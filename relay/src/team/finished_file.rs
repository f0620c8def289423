//! A finished recording on the rig, as it is sent.

use std::fs::{File, Metadata};
use std::io::{self, Read as _, Seek as _, SeekFrom};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use trailbrake_shared::recording::RecordingId;

use super::digest::{self, Digest};
use super::message::{Hash, MOST_PAYLOAD, MOST_TAIL, Tail};
use crate::library::{Library, OpenedFile, RecordingFile, Refusal, Version};

/// While both are the same, so is the file's content: its length and modification time.
pub(super) type Stamp = (u64, Option<SystemTime>);

/// A finished recording's file between two changes.
pub(super) struct FinishedFile {
    path: PathBuf,
    version: Version,
    /// Where its data ends.
    pub(super) data: u64,
    /// The facts and the summary.
    pub(super) tail: Vec<u8>,
    pub(super) tail_hash: Hash,
}

/// The stamp of a file.
pub(super) fn stamp(metadata: &Metadata) -> Stamp {
    (metadata.len(), metadata.modified().ok())
}

impl FinishedFile {
    /// Opens a recording of the library. Reads its tail alone.
    pub(super) fn open(library: &Library, id: RecordingId) -> Result<Self, String> {
        let words = |refusal: Refusal| refusal.words().to_owned();
        let OpenedFile { name, version, .. } = library.open_file(id).map_err(words)?;
        let path = library.folder().join(name);
        let read = || -> anyhow::Result<Self> {
            let mut source = RecordingFile::open(&path)?;
            let data = source.recording()?.end_of_data();
            let tail = source.bytes_from(data, MOST_TAIL)?;
            let tail_hash = digest::of(&tail);
            Ok(Self { path: path.clone(), version, data, tail, tail_hash })
        };
        read().map_err(|error| error.to_string())
    }

    /// Whether the file has not changed since.
    pub(super) fn is_current(&self) -> bool {
        self.version.is_current()
    }

    pub(super) fn size(&self) -> u64 {
        self.data + self.tail.len() as u64
    }

    /// The tail that begins with this hash.
    pub(super) fn tail_with(&self, hash: Hash) -> Tail {
        Tail { data: self.data, size: self.size(), hash }
    }

    /// The hash of the whole file. Reads all of it.
    pub(super) fn hash(&self) -> io::Result<Hash> {
        let mut digest = Digest::default();
        let read = digest.add_all(File::open(&self.path)?.take(self.data))?;
        if read < self.data {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        digest.add(&self.tail);
        Ok(digest.finish())
    }

    /// A piece of its data.
    pub(super) fn piece(&self, from: u64) -> io::Result<Vec<u8>> {
        piece(&self.path, from, self.data)
    }

    /// A piece of its tail.
    pub(super) fn tail_piece(&self, from: u64) -> Vec<u8> {
        let start = usize::try_from(from.saturating_sub(self.data)).unwrap_or(usize::MAX);
        let rest = self.tail.get(start..).unwrap_or_default();
        rest.get(..rest.len().min(MOST_PAYLOAD as usize)).unwrap_or_default().to_vec()
    }
}

/// The next piece of a file before `end`.
pub(super) fn piece(path: &Path, from: u64, end: u64) -> io::Result<Vec<u8>> {
    let mut file = File::open(path)?;
    file.seek(SeekFrom::Start(from))?;
    let mut bytes = Vec::new();
    file.take(end.saturating_sub(from).min(MOST_PAYLOAD)).read_to_end(&mut bytes)?;
    if bytes.is_empty() { Err(io::ErrorKind::UnexpectedEof.into()) } else { Ok(bytes) }
}
