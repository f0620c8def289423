//! Responses in JSON.

use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::http::{HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use serde::Serialize;

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
