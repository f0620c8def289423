//! Background work of which only the latest is wanted.

use std::future::Future;

use futures_util::future::{AbortHandle, abortable};
use leptos::prelude::*;
use leptos::task::spawn_local;

/// Runs one task at a time: a new one takes the place of the one before. Copies are handles to the same.
#[derive(Clone, Copy)]
pub(crate) struct LatestTask {
    running: StoredValue<Option<AbortHandle>>,
}

impl LatestTask {
    pub(crate) fn new() -> Self {
        Self { running: StoredValue::new(None) }
    }

    /// Runs a task, and drops the one before.
    pub(crate) fn run(self, task: impl Future<Output = ()> + 'static) {
        self.cancel();
        let (task, handle) = abortable(task);
        self.running.set_value(Some(handle));
        spawn_local(async move {
            let _ = task.await;
        });
    }

    /// Drops the running task, if there is one.
    pub(crate) fn cancel(self) {
        if let Some(running) = self.running.try_update_value(Option::take).flatten() {
            running.abort();
        }
    }
}
