//! The lock of a folder of recordings: only one program at a time records into it.

use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

/// Locked as long as a program records into the folder: another one that starts leaves its files alone.
const IN_USE: &str = ".in-use";

/// A folder that this program owns.
pub(crate) struct OwnedFolder {
    /// Dropping the file releases the lock.
    _lock: File,
    /// Recordings that an earlier run did not finish.
    pub(super) interrupted: Vec<PathBuf>,
}

impl OwnedFolder {
    /// Locks a folder, creating it if needed; `None` when another program records into it.
    pub(super) fn take(folder: &Path) -> io::Result<Option<Self>> {
        fs::create_dir_all(folder)?;
        let file = File::options().write(true).create(true).truncate(false).open(folder.join(IN_USE))?;
        Ok((!is_taken(&file)).then_some(Self { _lock: file, interrupted: Vec::new() }))
    }
}

/// A folder into which no program can begin to record while this exists.
pub(crate) struct FolderLock {
    /// Dropping the file releases the lock. `None` in a folder never recorded into.
    _lock: Option<File>,
}

impl FolderLock {
    /// Locks a folder; `None` when a program records into it at this moment.
    pub(crate) fn with(folder: &Path) -> Option<Self> {
        let lock = File::open(folder.join(IN_USE)).ok();
        let taken = lock.as_ref().is_some_and(is_taken);
        (!taken).then_some(Self { _lock: lock })
    }
}

/// Takes this file's lock, unless another program has it; returns whether it did.
fn is_taken(file: &File) -> bool {
    match file.try_lock() {
        Ok(()) => false,
        Err(TryLockError::WouldBlock) => true,
        // Some network folders know no locks, so other programs can't be detected.
        Err(TryLockError::Error(error)) => {
            tracing::debug!("{IN_USE} can't be locked: {error}");
            false
        }
    }
}
