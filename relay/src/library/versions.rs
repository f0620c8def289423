//! Versions of files that are changed in place: a reader notices a change.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::lock::Lock;

/// The versions of all files that were read or changed.
#[derive(Default)]
pub(super) struct Versions(Lock<HashMap<PathBuf, Arc<FileVersion>>>);

/// The version of one file.
#[derive(Default)]
struct FileVersion {
    /// Held while the file is changed, or opened.
    access: Lock<()>,
    /// Changes that have begun.
    changes: AtomicU64,
}

/// The version of a file that was opened.
pub(crate) struct Version {
    file: Arc<FileVersion>,
    changes: u64,
}

impl Versions {
    /// Opens a file between two changes, and returns its version.
    pub(super) fn read<T>(&self, path: &Path, open: impl FnOnce() -> T) -> (Version, T) {
        let file = self.of(path);
        let access = file.access.lock();
        let opened = open();
        let changes = file.changes.load(Ordering::SeqCst);
        drop(access);
        (Version { file, changes }, opened)
    }

    /// Changes a file in place.
    pub(super) fn change<T>(&self, path: &Path, change: impl FnOnce() -> T) -> T {
        let file = self.of(path);
        let _access = file.access.lock();
        file.changes.fetch_add(1, Ordering::SeqCst);
        change()
    }

    fn of(&self, path: &Path) -> Arc<FileVersion> {
        Arc::clone(self.0.lock().entry(path.to_owned()).or_default())
    }
}

impl Version {
    /// Whether the file has not changed since it was opened: what was read so far belongs together.
    pub(crate) fn is_current(&self) -> bool {
        self.file.changes.load(Ordering::SeqCst) == self.changes
    }

    /// A number that changes with each version, while the program runs.
    pub(crate) fn number(&self) -> u64 {
        self.changes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_version_is_current_until_a_change_begins() {
        let (versions, path) = (Versions::default(), Path::new("one"));
        let (first, ()) = versions.read(path, || ());
        versions.change(Path::new("another"), || ());
        assert!(first.is_current());
        versions.change(path, || assert!(!first.is_current()));
        let (second, ()) = versions.read(path, || ());
        assert!(!first.is_current() && second.is_current());
        assert_ne!(first.number(), second.number());
    }
}
