//! Names a file of the library.

use trailbrake_shared::library::Entry;
use trailbrake_shared::recording::RecordingId;

/// A file, by the id of its recording, or, where that can't be read, by its name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum RecordingRef {
    /// The recording of this name.
    Recording(RecordingId),
    /// The file that a list calls so.
    File(String),
}

impl RecordingRef {
    /// Reads one from an address.
    pub(crate) fn read(text: &str) -> Self {
        RecordingId::read(text).map_or_else(|| Self::File(text.to_owned()), Self::Recording)
    }

    /// Whether it is this one.
    pub(super) fn is(&self, entry: &Entry) -> bool {
        match self {
            Self::Recording(id) => entry.id == Some(*id),
            Self::File(file) => entry.file == *file,
        }
    }
}
