//! The library as the routes see it: files on threads where waiting is allowed, recordings under way by the recorder.

use std::sync::Arc;

use tokio::sync::Semaphore;
use trailbrake_shared::library::{CountedLaps, Details};
use trailbrake_shared::recording::RecordingId;

use crate::clock::Clock;
use crate::library::store::RecordingUnderway;
use crate::library::{Library, Refusal};
use crate::relaying::recorder::RecorderHandle;

/// Recordings that may be on their way in at the same time.
const SEATS: usize = 4;

/// What the library's routes work with.
#[derive(Clone)]
pub(crate) struct LibraryService {
    library: Arc<Library>,
    /// The recorder; `None` where nothing is recorded.
    pub(in crate::relaying::http) recorder: Option<RecorderHandle>,
    pub(super) clock: Clock,
    /// For recordings on their way into the folder.
    pub(super) seats: Arc<Semaphore>,
}

impl LibraryService {
    pub(crate) fn new(library: Arc<Library>, recorder: Option<RecorderHandle>, clock: Clock) -> Self {
        Self { library, recorder, clock, seats: Arc::new(Semaphore::new(SEATS)) }
    }

    /// Does something with files, where waiting is allowed.
    pub(super) async fn with_files<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Library) -> Result<T, Refusal> + Send + 'static,
    ) -> Result<T, Refusal> {
        let library = Arc::clone(&self.library);
        let done = tokio::task::spawn_blocking(move || work(&library)).await;
        done.unwrap_or_else(|error| Err(Refusal::Disk(format!("it broke off: {error}"))))
    }

    /// The recording under way of this name.
    pub(super) fn underway(&self, id: RecordingId) -> Option<RecordingUnderway> {
        self.recorder.as_ref()?.underway().into_iter().find(|one| one.id == id)
    }

    /// The laps that count so far of a recording under way.
    pub(super) async fn counted_underway(&self, id: RecordingId) -> Option<CountedLaps> {
        let (one, tail) = self.recorder.as_ref()?.tail(id).await?;
        self.with_files(move |library| Ok(library.counted_underway(&one, tail))).await.ok().flatten()
    }

    /// A recording under way with all that is known of it.
    pub(super) async fn details_underway(&self, id: RecordingId) -> Option<Result<Details, Refusal>> {
        let (one, tail) = self.recorder.as_ref()?.tail(id).await?;
        Some(self.with_files(move |library| library.details_underway(&one, tail)).await)
    }
}
