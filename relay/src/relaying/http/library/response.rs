//! Responses about recordings.

use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde::Serialize;

use crate::library::Refusal;
use crate::relaying::http::json::json;

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        let status = match self {
            Self::NotThere | Self::NoteNotThere | Self::TaskNotThere => StatusCode::NOT_FOUND,
            Self::Wrong(_) => StatusCode::BAD_REQUEST,
            Self::Conflict(_) => StatusCode::CONFLICT,
            Self::TooLarge(_) => StatusCode::PAYLOAD_TOO_LARGE,
            Self::Unreadable(_) => StatusCode::UNPROCESSABLE_ENTITY,
            Self::Disk(_) => StatusCode::INSUFFICIENT_STORAGE,
        };
        (status, format!("{}\n", self.words())).into_response()
    }
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
