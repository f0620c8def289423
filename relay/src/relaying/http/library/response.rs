//! Responses about recordings.

use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::http::{HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use serde::Serialize;

use crate::library::Refusal;

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        let status = match self {
            Self::NotThere | Self::NoteNotThere => StatusCode::NOT_FOUND,
            Self::Wrong(_) => StatusCode::BAD_REQUEST,
            Self::Conflict(_) => StatusCode::CONFLICT,
            Self::TooLarge(_) => StatusCode::PAYLOAD_TOO_LARGE,
            Self::Unreadable(_) => StatusCode::UNPROCESSABLE_ENTITY,
            Self::Disk(_) => StatusCode::INSUFFICIENT_STORAGE,
        };
        (status, format!("{}\n", self.words())).into_response()
    }
}

/// A JSON response that must not be cached.
pub(super) fn json<T: Serialize>(status: StatusCode, content: &T) -> Response {
    let Ok(body) = serde_json::to_vec(content) else {
        return StatusCode::INTERNAL_SERVER_ERROR.into_response();
    };
    let mut answer = (status, body).into_response();
    answer.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    answer.headers_mut().insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    answer
}

pub(super) fn answer<T: Serialize>(done: Result<T, Refusal>) -> Response {
    match done {
        Ok(content) => json(StatusCode::OK, &content),
        Err(refusal) => refusal.into_response(),
    }
}

pub(super) fn ended_just_now() -> Refusal {
    Refusal::Conflict("the recording ended just now: try again".into())
}
