//! Whether the hub's answers come in time. While they don't, pages there get nothing: recordings go first.

use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::lock::Lock;

/// An answer is late after this long.
const LATE: Duration = Duration::from_secs(2);

/// Since when an answer is awaited. Copies are handles to the same.
#[derive(Clone, Default)]
pub(super) struct Acknowledgements(Arc<Lock<Option<Instant>>>);

impl Acknowledgements {
    /// An answer is awaited from now on, as long as the result lives.
    pub(super) fn awaits(&self) -> Awaited {
        *self.0.lock() = Some(Instant::now());
        Awaited(self.clone())
    }

    /// Whether an answer is late.
    pub(super) fn are_late(&self) -> bool {
        self.0.lock().is_some_and(|since| since.elapsed() > LATE)
    }
}

/// An answer is awaited until this is dropped.
pub(super) struct Awaited(Acknowledgements);

impl Drop for Awaited {
    fn drop(&mut self) {
        *self.0.0.lock() = None;
    }
}
