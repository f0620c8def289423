//! Where recordings under way are kept: in the library's folder, or in memory.

mod in_memory;
mod on_disk;
mod part_files;
mod session_bytes;
mod underway;

use trailbrake_shared::recording::recorder::{Action, FileId};

pub(crate) use in_memory::MemoryStore;
pub(crate) use on_disk::FolderStore;
pub(crate) use underway::{Content, RecordingUnderway};

/// Where recordings are kept.
pub(crate) trait Store: Send {
    /// Puts right what an earlier run left, before anything is recorded.
    fn begin(&mut self) {}

    /// Takes note of what is to be done.
    fn take(&mut self, action: Action);

    /// Does what is to be done, as far as that is possible now; which recordings had to be given up.
    fn write(&mut self) -> Vec<FileId>;

    /// The places before which the beginnings of recordings were dropped since this was asked last.
    fn dropped(&mut self) -> Vec<(FileId, u64)> {
        Vec::new()
    }

    /// The recordings under way that are sure to be kept.
    fn underway(&self) -> Vec<RecordingUnderway>;

    /// What keeps something from being recorded, in words.
    fn trouble(&self) -> Option<&str> {
        None
    }

    /// Nothing more will come.
    fn finish(self: Box<Self>) {}
}
