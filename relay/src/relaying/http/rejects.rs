//! Clears the lists of senders that no feed claims.

use axum::Router;
use axum::extract::State;
use axum::http::StatusCode;
use axum::middleware::from_fn;
use axum::routing::delete;

use super::own_pages::own_pages_change;
use super::site::Site;

/// The route, for every page that may be opened.
pub(super) fn routes() -> Router<Site> {
    Router::new().route("/rejects", delete(clear)).layer(from_fn(own_pages_change))
}

async fn clear(State(site): State<Site>) -> StatusCode {
    site.ports.counters().iter().for_each(|port| port.clear_rejects());
    StatusCode::NO_CONTENT
}
