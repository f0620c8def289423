//! Uploads of recordings.

use std::time::Duration;

use axum::Extension;
use axum::body::{Body, Bytes};
use axum::extract::{Query, State};
use axum::http::header::CONTENT_LENGTH;
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use futures_util::StreamExt;
use serde::Deserialize;
use tokio::sync::mpsc;
use trailbrake_shared::library::ImportedRecording;

use super::response::refuse;
use super::service::LibraryService;
use crate::library::{Refusal, Upload, UploadOutcome};
use crate::relaying::http::header::single;
use crate::relaying::http::json::json;
use crate::relaying::http::site::LibrarySite;
use crate::relaying::recorder::RecorderHandle;
use crate::relaying::seats::Visitor;

/// Most pieces that wait to be written.
const WAITING: usize = 16;
/// Longest wait for a piece.
const PATIENCE: Duration = Duration::from_secs(30);

/// The file's name on the sender's machine.
#[derive(Deserialize)]
pub(super) struct UploadQuery {
    #[serde(default)]
    name: String,
}

/// What goes to the thread that writes the file.
enum Piece {
    Bytes(Bytes),
    /// The upload is complete.
    End,
}

/// Receives a recording piece by piece, and adds it to the library once it is checked.
pub(super) async fn upload(
    State(site): State<LibrarySite>,
    Extension(visitor): Extension<Visitor>,
    Query(UploadQuery { name }): Query<UploadQuery>,
    headers: HeaderMap,
    body: Body,
) -> Response {
    let shelved = async {
        let bytes = single(&headers, CONTENT_LENGTH).and_then(|bytes| bytes.parse().ok());
        take(site.library_service()?, visitor, name, bytes, body).await
    };
    match shelved.await {
        Ok(UploadOutcome::New(entry)) => json(StatusCode::CREATED, &entry),
        Ok(UploadOutcome::Merged(entry, merged)) => {
            entry.id.into_iter().for_each(|id| site.room.announce_written(id));
            json(StatusCode::OK, &ImportedRecording { entry, merged: Some(merged) })
        }
        Err(refusal) => refuse(refusal),
    }
}

async fn take(
    service: &LibraryService,
    visitor: Visitor,
    name: String,
    bytes: Option<u64>,
    body: Body,
) -> Result<UploadOutcome, Refusal> {
    let busy = |_| Refusal::Conflict("other recordings are on their way in: try again in a moment".into());
    let _seat = service.seats.take(visitor).map_err(busy)?;
    let (sender, mut pieces) = mpsc::channel(WAITING);
    let recorder = service.recorder();
    let is_underway = move |id| recorder.iter().flat_map(RecorderHandle::underway).any(|one| one.id == id);
    let written = service.with_files(move |library| {
        let mut upload = Upload::begin(library, &name, bytes)?;
        loop {
            match pieces.blocking_recv() {
                Some(Piece::Bytes(piece)) => upload.extend(library, &piece)?,
                Some(Piece::End) => return upload.finish(library, &is_underway),
                None => return Err(Refusal::Wrong("the recording broke off on its way".into())),
            }
        }
    });
    let mut written = std::pin::pin!(written);
    tokio::select! {
        // The writer may stop early.
        done = &mut written => done,
        () = send(body, sender) => written.await,
    }
}

/// Passes the body on. A body that breaks off has no `End`.
async fn send(body: Body, pieces: mpsc::Sender<Piece>) {
    let mut body = body.into_data_stream();
    while let Ok(piece) = tokio::time::timeout(PATIENCE, body.next()).await {
        let piece = match piece {
            Some(Ok(bytes)) => Piece::Bytes(bytes),
            None => Piece::End,
            Some(Err(_)) => return,
        };
        let end = matches!(piece, Piece::End);
        // The writer has stopped, and reports why.
        if pieces.send(piece).await.is_err() || end {
            return;
        }
    }
}
