//! The driver's own changes, as opposed to what follows from a link or from another page.

use leptos::prelude::*;

/// Signals each change that the driver makes by hand. Copies are handles to the same.
#[derive(Clone, Copy)]
pub(crate) struct DriverInput {
    changes: Trigger,
}

impl DriverInput {
    pub(super) fn new() -> Self {
        Self { changes: Trigger::new() }
    }

    /// Signals a change by hand.
    pub(crate) fn note_change(self) {
        self.changes.notify();
    }

    /// Calls a function after changes by hand.
    pub(super) fn on_change(self, call: impl Fn() + 'static) {
        Effect::new(move |before: Option<()>| {
            self.changes.track();
            if before.is_some() {
                call();
            }
        });
    }
}
