//! Changes come from Trailbrake's own pages only.

use axum::extract::Request;
use axum::http::header::ORIGIN;
use axum::http::{HeaderName, Method, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

/// The header that the page's own script adds. A browser sends it for no other page without asking first.
const PAGE: HeaderName = HeaderName::from_static("x-trailbrake");

/// Rejects changes without the header of the page's own script.
pub(super) async fn own_script_change(request: Request, next: Next) -> Response {
    if !request.headers().contains_key(PAGE) {
        let words = "Only Trailbrake's own pages may change something: the request lacks their header, X-Trailbrake.\n";
        return (StatusCode::FORBIDDEN, words).into_response();
    }
    next.run(request).await
}

/// Rejects changes without an origin. `Access` has already checked the origin of requests that have one.
pub(super) async fn own_pages_change(request: Request, next: Next) -> Response {
    let reads = [Method::GET, Method::HEAD].contains(request.method());
    if !reads && !request.headers().contains_key(ORIGIN) {
        let words = "Only Trailbrake's own pages may change something: the request names no origin.\n";
        return (StatusCode::FORBIDDEN, words).into_response();
    }
    next.run(request).await
}
