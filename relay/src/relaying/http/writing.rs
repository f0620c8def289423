//! Who may change recordings, notes and tasks, and that every page learns of notes and tasks that were written.

use axum::extract::{RawPathParams, Request, State};
use axum::http::StatusCode;
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use trailbrake_shared::recording::RecordingId;

use super::owner::Owner;
use crate::relaying::room::Room;

/// Lets the owner change something, and tablets while the owner allows it.
pub(super) async fn allowed(State(room): State<Room>, request: Request, next: Next) -> Response {
    if !room.may_write(request.extensions().get::<Owner>().is_some()) {
        let words = "Only the computer that Trailbrake runs on may change recordings, notes and tasks. Allow tablets to \
                     do so there, in the list of people.\n";
        return (StatusCode::FORBIDDEN, words).into_response();
    }
    next.run(request).await
}

/// Announces to every page that the recording `{id}` was written to.
pub(super) async fn announced(
    State(room): State<Room>,
    params: RawPathParams,
    request: Request,
    next: Next,
) -> Response {
    let id = params.iter().find(|(name, _)| *name == "id").and_then(|(_, id)| RecordingId::read(id));
    let answer = next.run(request).await;
    if answer.status().is_success() {
        id.into_iter().for_each(|id| room.announce_written(id));
    }
    answer
}
