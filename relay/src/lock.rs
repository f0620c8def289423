//! A mutex for plain data that stays usable after a panic of its holder.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// Guards data that is consistent between any two statements, so a panic while holding the lock does no harm.
#[derive(Debug, Default)]
pub(crate) struct Lock<T>(Mutex<T>);

impl<T> Lock<T> {
    pub(crate) const fn new(content: T) -> Self {
        Self(Mutex::new(content))
    }

    pub(crate) fn lock(&self) -> MutexGuard<'_, T> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
