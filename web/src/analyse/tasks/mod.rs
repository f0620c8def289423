//! Coaching tasks: set for a corner of the laps on screen, followed on Live, and judged by the laps after that.

mod draft;
mod list;

pub(crate) use draft::{TaskDraft, TaskFields, TaskStore};
pub(super) use list::TaskList;

/// The state of the task dialog and of the list.
#[derive(Default)]
pub(crate) struct Tasks {
    /// The task in the dialog.
    draft: Option<TaskDraft>,
    /// Why the last change failed.
    trouble: Option<String>,
}
