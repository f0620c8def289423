//! The toast at the bottom of the page, and the deletions that it can undo.

use super::found::Listed;
use super::words::title;

/// A toast.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Toast {
    pub(crate) words: String,
    /// Whether the change can be undone.
    pub(crate) undo: bool,
}

/// A recording, or a file that can't be opened, that was deleted and can be restored.
#[derive(Clone, Debug)]
pub(super) struct Deleted {
    /// Its key in the bin.
    pub(super) key: String,
    pub(super) title: String,
}

impl Deleted {
    pub(super) fn of(one: &Listed) -> Self {
        Self { key: one.key.clone(), title: title(&one.entry) }
    }
}
