//! Refers to a file of the library.

use trailbrake_shared::library::Entry;
use trailbrake_shared::recording::RecordingId;

/// A file, by its recording's id, or by name where that can't be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum RecordingRef {
    /// The recording with this id.
    Recording(RecordingId),
    /// The file with this name in a list.
    File(String),
}

impl RecordingRef {
    /// Parses a reference in an address.
    pub(crate) fn read(text: &str) -> Self {
        RecordingId::read(text).map_or_else(|| Self::File(text.to_owned()), Self::Recording)
    }

    /// Whether it refers to this entry.
    pub(super) fn is(&self, entry: &Entry) -> bool {
        match self {
            Self::Recording(id) => entry.id == Some(*id),
            Self::File(file) => entry.file == *file,
        }
    }
}
