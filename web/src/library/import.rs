//! The queue of files that are imported, one after the other.

use std::collections::VecDeque;
use std::rc::Rc;

use crate::jobs::RunningJob;

/// A queued file, with the files that were chosen with it.
type Queued = (RunningJob, web_sys::File, Rc<[web_sys::File]>);

/// The queue of files: one is sent at a time.
#[derive(Default)]
pub(super) struct ImportQueue {
    queued: VecDeque<Queued>,
    is_busy: bool,
}

impl ImportQueue {
    /// Adds a file.
    pub(super) fn add(&mut self, queued: Queued) {
        self.queued.push_back(queued);
    }

    /// The next file that is still wanted, when none is being sent.
    pub(super) fn next(&mut self) -> Option<Queued> {
        if self.is_busy {
            return None;
        }
        self.queued.retain(|(job, ..)| job.is_wanted());
        let next = self.queued.pop_front()?;
        self.is_busy = true;
        Some(next)
    }

    /// The current file is done.
    pub(super) fn go_on(&mut self) {
        self.is_busy = false;
    }
}
