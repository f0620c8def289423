//! Stores for recordings under way: the library's folder, or memory.

mod disk_shares;
mod in_memory;
mod on_disk;
mod part_files;
mod session_bytes;
mod underway;

use std::net::IpAddr;

use trailbrake_shared::recording::recorder::{Action, FileId};

pub(crate) use in_memory::MemoryStore;
pub(crate) use on_disk::FolderStore;
pub(crate) use underway::{Content, RecordingUnderway};

/// A store for recordings under way.
pub(crate) trait Store: Send {
    /// Cleans up after an earlier run, before anything is recorded.
    fn begin(&mut self) {}

    /// Queues an action.
    fn take(&mut self, action: Action);

    /// Performs the queued actions as far as possible now; returns recordings that had to be given up.
    fn write(&mut self) -> Vec<FileId>;

    /// Recordings whose beginning was dropped since the last call, with the offset up to which it was.
    fn dropped(&mut self) -> Vec<(FileId, u64)> {
        Vec::new()
    }

    /// Machines of which nothing more is to be recorded, and those of which it is again, since the last call.
    fn stopped(&mut self) -> Vec<(IpAddr, bool)> {
        Vec::new()
    }

    /// The recordings under way that are certain to be kept.
    fn underway(&self) -> Vec<RecordingUnderway>;

    /// What prevents recording, in words.
    fn trouble(&self) -> Option<&str> {
        None
    }

    /// Called when nothing more will come.
    fn finish(self: Box<Self>) {}
}
