//! A recording under way, as its readers see it.

use std::path::PathBuf;

use trailbrake_shared::recording::RecordingId;
use trailbrake_shared::recording::recorder::FileId;
use trailbrake_shared::time::Micros;

use super::session_bytes::SessionBytes;

/// A recording under way, for concurrent readers.
#[derive(Clone, Debug)]
pub(crate) struct RecordingUnderway {
    pub(crate) file: FileId,
    pub(crate) id: RecordingId,
    /// Its file name once it is finished.
    pub(crate) name: String,
    /// When its first packet was received.
    pub(crate) began: Micros,
    /// Where its bytes are.
    pub(crate) content: Content,
    /// Their number.
    pub(crate) len: u64,
}

/// Where the bytes of a recording are.
#[derive(Clone, Debug)]
pub(crate) enum Content {
    File(PathBuf),
    Memory(SessionBytes),
}
