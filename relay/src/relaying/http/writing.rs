//! Who may write notes and tasks, and that every page learns of what was written.

use axum::extract::{RawPathParams, Request, State};
use axum::http::StatusCode;
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use trailbrake_shared::recording::RecordingId;

use super::owner::Owner;
use crate::relaying::room::Room;

/// Lets the owner write, and tablets while the owner allows it. Announces the recording `{id}` that was written to.
pub(super) async fn writing(
    State(room): State<Room>,
    params: RawPathParams,
    request: Request,
    next: Next,
) -> Response {
    if !room.may_write(request.extensions().get::<Owner>().is_some()) {
        let words = "Only the computer that Trailbrake runs on may write notes and tasks. Allow it there, in the list of people.\n";
        return (StatusCode::FORBIDDEN, words).into_response();
    }
    let id = params.iter().find(|(name, _)| *name == "id").and_then(|(_, id)| RecordingId::read(id));
    let answer = next.run(request).await;
    if answer.status().is_success() {
        id.into_iter().for_each(|id| room.announce_written(id));
    }
    answer
}
