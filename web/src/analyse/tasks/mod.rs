//! Coaching tasks: set for a corner of the laps on screen, followed on Live, and judged by the laps since.

mod draft;
mod list;

pub(crate) use draft::{TaskDraft, TaskFields};
pub(super) use list::TaskList;

/// The task that is being set.
#[derive(Default)]
pub(crate) struct Tasks {
    pub(crate) draft: Option<TaskDraft>,
    /// Why the last change failed.
    pub(crate) trouble: Option<String>,
}
