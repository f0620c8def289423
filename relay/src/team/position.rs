//! Where the archive goes on reading. It is written after the files are synced.

use std::io;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::small_file::SmallFile;

/// The file's name.
const FILE: &str = "position.json";

/// A position in a stream.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Position {
    /// When the stream was created, nanoseconds since 1970. In another stream, the position counts as 0.
    pub(super) stream: i128,
    /// The last message of which everything is in the archive.
    pub(super) sequence: u64,
    /// When that was stored. A store that came back older has another message there, or none.
    pub(super) time: i128,
}

/// The file with the position.
pub(super) struct PositionFile(SmallFile);

impl PositionFile {
    pub(super) fn new(folder: PathBuf) -> Self {
        Self(SmallFile::new(folder.join(FILE)))
    }

    /// The position; that of no stream where the file is missing or broken, which costs only time.
    pub(super) fn read(&self) -> Position {
        let bytes = self.0.read().ok().flatten().unwrap_or_default();
        serde_json::from_slice(&bytes).unwrap_or_default()
    }

    pub(super) fn write(&self, position: &Position) -> io::Result<()> {
        self.0.begin()?.finish(&serde_json::to_vec(position)?)
    }
}
