//! Clears the lists of senders that no feed claims.

use axum::Router;
use axum::extract::State;
use axum::http::StatusCode;
use axum::routing::delete;

use super::site::Site;

/// The route, for every page that may be opened.
pub(super) fn routes() -> Router<Site> {
    Router::new().route("/rejects", delete(clear))
}

async fn clear(State(site): State<Site>) -> StatusCode {
    site.ports.counters().iter().for_each(|port| port.clear_rejects());
    StatusCode::NO_CONTENT
}
