//! The queue of files to import, one after the other.

use std::collections::VecDeque;
use std::rc::Rc;

use crate::jobs::RunningJob;
use crate::replay::ImportChoice;

/// A queued file with its job, the files that were chosen with it, and what was said about it.
type QueuedFile = (RunningJob, web_sys::File, Rc<[web_sys::File]>, ImportChoice);

/// The queue of files. One is sent at a time.
#[derive(Default)]
pub(super) struct ImportQueue {
    queued: VecDeque<QueuedFile>,
    is_busy: bool,
}

impl ImportQueue {
    /// Adds a file.
    pub(super) fn add(&mut self, queued: QueuedFile) {
        self.queued.push_back(queued);
    }

    /// The next file that the driver has not cancelled. `None` while another is being sent.
    pub(super) fn next(&mut self) -> Option<QueuedFile> {
        if self.is_busy {
            return None;
        }
        self.queued.retain(|(job, ..)| job.is_wanted());
        let next = self.queued.pop_front()?;
        self.is_busy = true;
        Some(next)
    }

    /// Marks the current file as done.
    pub(super) fn go_on(&mut self) {
        self.is_busy = false;
    }
}
