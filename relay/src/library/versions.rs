//! Versions of files that are changed in place, so that whoever reads one notices a change.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::lock::Lock;

/// The versions of all files that were read or changed.
#[derive(Default)]
pub(super) struct Versions(Lock<HashMap<PathBuf, Arc<Row>>>);

#[derive(Default)]
struct Row {
    /// Held while the file is changed, or opened.
    still: Lock<()>,
    /// Changes that have begun.
    changes: AtomicU64,
}

/// The version of a file that was opened.
pub(crate) struct Version {
    row: Arc<Row>,
    changes: u64,
}

impl Versions {
    /// Opens a file between two changes, and returns its version.
    pub(super) fn read<T>(&self, path: &Path, open: impl FnOnce() -> T) -> (Version, T) {
        let row = self.row(path);
        let still = row.still.lock();
        let opened = open();
        let changes = row.changes.load(Ordering::SeqCst);
        drop(still);
        (Version { row, changes }, opened)
    }

    /// Changes a file in place.
    pub(super) fn change<T>(&self, path: &Path, change: impl FnOnce() -> T) -> T {
        let row = self.row(path);
        let _still = row.still.lock();
        row.changes.fetch_add(1, Ordering::SeqCst);
        change()
    }

    fn row(&self, path: &Path) -> Arc<Row> {
        Arc::clone(self.0.lock().entry(path.to_owned()).or_default())
    }
}

impl Version {
    /// Whether the file is still as it was opened: what was read of it so far belongs together.
    pub(crate) fn is_current(&self) -> bool {
        self.row.changes.load(Ordering::SeqCst) == self.changes
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
