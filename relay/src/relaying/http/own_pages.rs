//! Changes come from Trailbrake's own pages only.

use axum::extract::Request;
use axum::http::header::ORIGIN;
use axum::http::{HeaderName, Method, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

/// The header that the page's own script adds. A browser sends it for no other page without asking first.
const PAGE: HeaderName = HeaderName::from_static("x-trailbrake");

/// Rejects changes without an origin or without the header of the page's own script. `Access` has already checked the
/// origin of requests that have one.
pub(super) async fn own_pages_change(request: Request, next: Next) -> Response {
    let is_reading = [Method::GET, Method::HEAD].contains(request.method());
    let missing = [(ORIGIN, "its origin"), (PAGE, "their header, X-Trailbrake")]
        .into_iter()
        .find(|(name, _)| !is_reading && !request.headers().contains_key(name));
    if let Some((_, what)) = missing {
        let words = format!("Only Trailbrake's own pages may change something: the request lacks {what}.\n");
        return (StatusCode::FORBIDDEN, words).into_response();
    }
    next.run(request).await
}
