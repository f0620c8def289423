//! Cuts clips out of recordings.

use super::request::{parse_body, parse_id};
use super::response::ended_just_now;
use super::service::LibraryService;
use crate::library::{Library, Reached, Refusal};
use crate::relaying::http::json::json;
use crate::relaying::http::site::Site;
use crate::relaying::seats::Visitor;
use axum::Extension;
use axum::body::Bytes;
use axum::extract::{Path, Query, State};
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::http::{StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use trailbrake_shared::library::{Entry, Excerpt};
use trailbrake_shared::recording::{LapId, RecordingId};

/// Makes a clip, which joins the library once it is checked.
pub(super) async fn clip(
    State(site): State<Site>,
    Extension(visitor): Extension<Visitor>,
    Path(id): Path<String>,
    path: Uri,
    body: Bytes,
) -> Response {
    let clipped = async {
        let (service, id) = (site.library_service()?, parse_id(&id)?);
        take_out(service, visitor, &path, id, parse_body(&body)?).await
    };
    match clipped.await {
        Ok(entry) => json(StatusCode::CREATED, &entry),
        Err(refusal) => refusal.into_response(),
    }
}

/// Answers with one lap of a finished recording as a recording of its own, without other cars.
pub(super) async fn lap(
    State(site): State<Site>,
    Extension(visitor): Extension<Visitor>,
    Path(id): Path<String>,
    Query(lap): Query<LapId>,
    path: Uri,
) -> Response {
    let lap = async {
        let (service, id) = (site.library_service()?, parse_id(&id)?);
        let _seat = service.lap_seats.wait(visitor).await;
        service.work(&path, move |library, reached| library.lap(id, lap, reached)).await
    };
    match lap.await {
        Ok(bytes) => {
            ([(CONTENT_TYPE, "application/octet-stream"), (CACHE_CONTROL, "no-store")], bytes).into_response()
        }
        Err(refusal) => refusal.into_response(),
    }
}

async fn take_out(
    service: &LibraryService,
    visitor: Visitor,
    path: &Uri,
    id: RecordingId,
    excerpt: Excerpt,
) -> Result<Entry, Refusal> {
    // It arrives in the folder like an upload.
    let _seat = service.seats.wait(visitor).await;
    let now = service.clock.now();
    if service.underway(id).is_none() {
        let clip = move |library: &Library, reached: Reached<'_>| library.clip(id, &excerpt, now, reached);
        return service.work(path, clip).await;
    }
    let recorder = service.recorder().ok_or_else(ended_just_now)?;
    let (one, tail) = recorder.tail(id).await.ok_or_else(ended_just_now)?;
    let clip = move |library: &Library, reached: Reached<'_>| {
        library.clip_underway(&one, tail, &excerpt, now, reached)
    };
    service.work(path, clip).await
}
