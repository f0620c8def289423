//! The library as the routes use it: file IO on blocking threads, recordings under way through the recorder.

use std::io;
use std::path::Path;
use std::sync::Arc;

use axum::http::Uri;
use trailbrake_shared::library::{CountedLaps, Details};
use trailbrake_shared::recording::RecordingId;

use super::shares::Shares;
use crate::clock::Clock;
use crate::library::store::RecordingUnderway;
use crate::library::{Library, Reached, Refusal};
use crate::relaying::recorder::RecorderHandle;
use crate::relaying::recorders::RecorderHandles;
use crate::relaying::seats::{SeatPlan, Seats};

/// Most uploads and clips at the same time.
const SEATS: SeatPlan = SeatPlan { all: 8, for_devices: 4, of_a_device: 2 };

/// Most laps that are cut out and sent at the same time, to be looked at.
const LAP_SEATS: SeatPlan = SeatPlan { all: 6, for_devices: 4, of_a_device: 2 };

/// What the library's routes work with.
#[derive(Clone)]
pub(crate) struct LibraryService {
    library: Arc<Library>,
    recorders: RecorderHandles,
    pub(super) clock: Clock,
    /// Seats for uploads and clips.
    pub(super) seats: Seats,
    /// Seats for laps to look at, which don't wait for uploads.
    pub(super) lap_seats: Seats,
    pub(super) shares: Shares,
}

impl LibraryService {
    pub(crate) fn new(library: Arc<Library>, recorders: RecorderHandles, clock: Clock) -> Self {
        let (seats, lap_seats) = (Seats::new(SEATS), Seats::new(LAP_SEATS));
        Self { library, recorders, clock, seats, lap_seats, shares: Shares::default() }
    }

    /// The library's folder.
    pub(super) fn folder(&self) -> &Path {
        self.library.folder()
    }

    /// The recorder; `None` while nothing is recorded.
    pub(in crate::relaying::http) fn recorder(&self) -> Option<RecorderHandle> {
        self.recorders.folder()
    }

    /// Runs file IO on a blocking thread.
    pub(super) async fn with_files<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Library) -> Result<T, Refusal> + Send + 'static,
    ) -> Result<T, Refusal> {
        let library = Arc::clone(&self.library);
        let done = tokio::task::spawn_blocking(move || work(&library)).await;
        done.unwrap_or_else(|error| Err(Refusal::Disk(format!("it broke off: {error}"))))
    }

    /// Runs long work on a blocking thread. It ends early when nobody waits for it any more: the page has cancelled it.
    /// `path`, where it was requested, is where others ask how far it is.
    pub(super) async fn work<T: Send + 'static>(
        &self,
        path: &Uri,
        work: impl FnOnce(&Library, Reached<'_>) -> Result<T, Refusal> + Send + 'static,
    ) -> Result<T, Refusal> {
        // Dropped with this future, when the page closes the connection.
        let share = self.shares.begin(path);
        let page = Arc::downgrade(&share);
        self.with_files(move |library| {
            work(library, &mut |reached| {
                let share = page.upgrade().ok_or_else(|| io::Error::other("it was cancelled"))?;
                share.reach(reached);
                Ok(())
            })
        })
        .await
    }

    /// The recording under way with this id.
    pub(super) fn underway(&self, id: RecordingId) -> Option<RecordingUnderway> {
        self.recorder()?.underway().into_iter().find(|one| one.id == id)
    }

    /// The counted laps so far of a recording under way.
    pub(super) async fn counted_underway(&self, id: RecordingId) -> Option<CountedLaps> {
        let (one, tail) = self.recorder()?.tail(id).await?;
        self.with_files(move |library| Ok(library.counted_underway(&one, tail))).await.ok().flatten()
    }

    /// All details of a recording under way.
    pub(super) async fn details_underway(&self, id: RecordingId) -> Option<Result<Details, Refusal>> {
        let (one, tail) = self.recorder()?.tail(id).await?;
        Some(self.with_files(move |library| library.details_underway(&one, tail)).await)
    }
}
