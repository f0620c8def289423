//! The settings that a driver changes on the page, for the owner.

use axum::body::Bytes;
use axum::extract::State;
use axum::http::StatusCode;
use axum::middleware::from_fn;
use axum::response::{IntoResponse, Response};
use axum::routing::{get, patch};
use axum::{Extension, Router};
use tower_http::limit::RequestBodyLimitLayer;
use trailbrake_shared::settings::Texts;

use super::json::json;
use super::owner::{Owner, owner_only};
use super::site::Site;
use crate::kept_settings::NotChanged;

/// Most bytes of all settings together.
const BODY_BYTES: usize = 16 << 10;

/// The routes. Every page may read what it needs; only the owner's may change something.
pub(super) fn routes() -> Router<Site> {
    let changes = patch(change).layer(from_fn(owner_only));
    Router::new().route("/settings", get(read).merge(changes)).layer(RequestBodyLimitLayer::new(BODY_BYTES))
}

async fn read(State(site): State<Site>, owner: Option<Extension<Owner>>) -> Response {
    json(StatusCode::OK, &site.settings.report(owner.is_some()).await)
}

/// Changes the settings that the body names, and leaves the others, which another page may have changed.
async fn change(State(site): State<Site>, body: Bytes) -> Response {
    let changes: Texts = match serde_json::from_slice(&body) {
        Ok(changes) => changes,
        Err(error) => {
            return (StatusCode::BAD_REQUEST, format!("that is not understood: {error}\n")).into_response();
        }
    };
    match site.settings.change(&changes).await {
        Ok(report) => json(StatusCode::OK, &report),
        Err(NotChanged::Wrong(problems)) => json(StatusCode::UNPROCESSABLE_ENTITY, &problems),
        Err(NotChanged::NotKept(words)) => {
            (StatusCode::INSUFFICIENT_STORAGE, format!("{words}\n")).into_response()
        }
    }
}
