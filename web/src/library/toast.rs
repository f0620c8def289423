//! The toast at the bottom of the page, and the deletions that it can undo.

use trailbrake_shared::recording::Task;

use super::found::Listed;
use super::words::title;

/// A toast.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Toast {
    pub(crate) words: String,
    /// What can be done about it.
    pub(crate) offer: Option<Offer>,
}

/// What a toast offers.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Offer {
    /// To undo the change.
    Undo,
    /// To drive a task that a coach has set.
    Drive(Box<Task>),
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
