//! Cuts clips out of recordings.

use std::convert::Infallible;

use super::request::{parse_body, parse_id};
use super::response::{ended_just_now, refuse};
use super::service::LibraryService;
use crate::library::{Library, Reached, Refusal, clip};
use crate::relaying::http::json::json;
use crate::relaying::http::site::LibrarySite;
use crate::relaying::seats::{Seat, Visitor};
use axum::Extension;
use axum::body::{Body, Bytes};
use axum::extract::{Path, Query, State};
use axum::http::header::{CACHE_CONTROL, CONTENT_LENGTH, CONTENT_TYPE};
use axum::http::{StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use futures_util::{StreamExt, stream};
use trailbrake_shared::library::{Entry, Excerpt};
use trailbrake_shared::recording::{LapId, RecordingId};

/// Bytes of a lap that are sent at a time.
const PIECE: usize = 64 << 10;

/// Makes a clip, which joins the library once it is checked.
pub(super) async fn clip(
    State(site): State<LibrarySite>,
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
        Err(refusal) => refuse(refusal),
    }
}

/// Answers with one lap of a finished recording as a recording of its own, without other cars.
pub(super) async fn lap(
    State(site): State<LibrarySite>,
    Extension(visitor): Extension<Visitor>,
    Path(id): Path<String>,
    Query(lap): Query<LapId>,
    path: Uri,
) -> Response {
    let lap = async {
        let (service, id) = (site.library_service()?, parse_id(&id)?);
        let seat = service.lap_seats.wait(visitor).await;
        let bytes =
            service.work(&path, move |library, reached| clip::cut_lap(library, id, lap, reached)).await?;
        Ok::<_, Refusal>((bytes, seat))
    };
    match lap.await {
        Ok((bytes, seat)) => {
            let head = [
                (CONTENT_TYPE, "application/octet-stream".to_owned()),
                (CONTENT_LENGTH, bytes.len().to_string()),
                (CACHE_CONTROL, "no-store".to_owned()),
            ];
            (head, Body::from_stream(pieces(bytes.into(), seat))).into_response()
        }
        Err(refusal) => refuse(refusal),
    }
}

/// The bytes in pieces. The seat is left once all are sent: a reader that stops reading keeps it.
fn pieces(bytes: Bytes, seat: Seat) -> impl stream::Stream<Item = Result<Bytes, Infallible>> {
    stream::iter((0..bytes.len()).step_by(PIECE)).map(move |begin| {
        let _ = &seat;
        Ok(bytes.slice(begin..bytes.len().min(begin + PIECE)))
    })
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
        let clip =
            move |library: &Library, reached: Reached<'_>| clip::cut(library, id, &excerpt, now, reached);
        return service.work(path, clip).await;
    }
    let recorder = service.recorder().ok_or_else(ended_just_now)?;
    let (one, tail) = recorder.tail(id).await.ok_or_else(ended_just_now)?;
    let clip = move |library: &Library, reached: Reached<'_>| {
        clip::cut_underway(library, &one, tail, &excerpt, now, reached)
    };
    service.work(path, clip).await
}
