//! Responses about recordings.

use axum::body::to_bytes;
use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::http::header::CONTENT_LENGTH;
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use serde::Serialize;

use crate::library::Refusal;
use crate::relaying::http::json::json;
use crate::relaying::http::owner::Owner;
use crate::relaying::http::site::LibrarySite;
use crate::relaying::tablet_view;

/// Most bytes of a reason.
const LONGEST_REASON: usize = 64 << 10;

/// The response that says why an operation was refused.
pub(super) fn refuse(refusal: Refusal) -> Response {
    let status = match refusal {
        Refusal::NotThere | Refusal::PartNotThere(_) => StatusCode::NOT_FOUND,
        Refusal::Wrong(_) => StatusCode::BAD_REQUEST,
        Refusal::Conflict(_) => StatusCode::CONFLICT,
        Refusal::TooLarge(_) => StatusCode::PAYLOAD_TOO_LARGE,
        Refusal::Unreadable(_) => StatusCode::UNPROCESSABLE_ENTITY,
        Refusal::Disk(_) => StatusCode::INSUFFICIENT_STORAGE,
    };
    (status, format!("{}\n", refusal.words())).into_response()
}

/// Reduces the folder to its name in the reasons that others than the owner are given.
pub(super) async fn without_paths(State(site): State<LibrarySite>, request: Request, next: Next) -> Response {
    let is_owner = request.extensions().get::<Owner>().is_some();
    let answer = next.run(request).await;
    let Some(service) = site.service.as_ref().filter(|_| !is_owner && !answer.status().is_success()) else {
        return answer;
    };
    let (mut head, body) = answer.into_parts();
    let Ok(bytes) = to_bytes(body, LONGEST_REASON).await else { return head.status.into_response() };
    let mut words = String::from_utf8(bytes.into()).ok();
    tablet_view::hide_in_words(&mut words, service.folder());
    head.headers.remove(CONTENT_LENGTH);
    Response::from_parts(head, words.unwrap_or_default().into())
}

pub(in crate::relaying::http) fn answer<T: Serialize>(done: Result<T, Refusal>) -> Response {
    match done {
        Ok(content) => json(StatusCode::OK, &content),
        Err(refusal) => refuse(refusal),
    }
}

pub(super) fn ended_just_now() -> Refusal {
    Refusal::Conflict("the recording ended just now: try again".into())
}
