//! The toast at the bottom of the page, and the deletions that it can undo.

use std::time::Duration;

use leptos::prelude::*;
use trailbrake_shared::recording::Task;

use super::found::Listed;
use super::words::title;

/// How long a toast is shown.
const TOAST: Duration = Duration::from_secs(12);

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

/// The toast of the page. Copies are handles to the same state.
#[derive(Clone, Copy)]
pub(super) struct Toasts {
    pub(super) shown: RwSignal<Option<Toast>>,
}

impl Toasts {
    /// No toast.
    pub(super) fn new() -> Self {
        Self { shown: RwSignal::new(None) }
    }

    /// Shows a toast for a while, with an undo button if `undo`.
    pub(super) fn say(self, words: String, undo: bool) {
        self.show(Toast { words, offer: undo.then_some(Offer::Undo) });
    }

    /// Shows a toast for a while. One with a task stays until the driver answers, or another comes.
    pub(super) fn show(self, toast: Toast) {
        self.shown.set(Some(toast.clone()));
        if matches!(toast.offer, Some(Offer::Drive(_))) {
            return;
        }
        set_timeout(
            move || {
                if self.shown.with_untracked(|now| now.as_ref() == Some(&toast)) {
                    self.shown.set(None);
                }
            },
            TOAST,
        );
    }
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
