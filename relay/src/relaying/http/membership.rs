//! Joins, pauses and leaves a team, for the owner.

use axum::Router;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::StatusCode;
use axum::middleware::from_fn;
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use tokio::task::spawn_blocking;
use tower_http::limit::RequestBodyLimitLayer;

use super::json::json;
use super::owner::owner_only;
use super::site::Site;
use crate::team::{Invitation, Membership, place_in};

/// Most bytes of an invitation.
const BODY_BYTES: usize = 64 << 10;

/// The routes. Only the owner's pages see or change anything.
pub(super) fn routes() -> Router<Site> {
    let team = get(place).put(join).patch(pause).delete(leave);
    Router::new()
        .route("/team", team)
        .route("/team/invitation", post(look))
        .layer(RequestBodyLimitLayer::new(BODY_BYTES))
        .layer(from_fn(owner_only))
}

/// The rig's place in its team; `null` without one.
async fn place(State(site): State<Site>) -> Response {
    json(StatusCode::OK, &site.team.place())
}

/// What an invitation offers, before the driver says yes.
async fn look(body: Bytes) -> Response {
    match understand(&body) {
        Ok(invitation) => json(StatusCode::OK, &place_in(&invitation)),
        Err(response) => response,
    }
}

async fn join(State(site): State<Site>, body: Bytes) -> Response {
    match understand(&body) {
        Ok(invitation) => change(site.team, move |team| team.join(invitation)).await,
        Err(response) => response,
    }
}

async fn pause(State(site): State<Site>, body: Bytes) -> Response {
    match serde_json::from_slice(&body) {
        Ok(paused) => change(site.team, move |team| team.pause(paused)).await,
        Err(_) => (StatusCode::BAD_REQUEST, "say true to pause, or false to go on\n").into_response(),
    }
}

async fn leave(State(site): State<Site>) -> Response {
    change(site.team, Membership::leave).await
}

/// Makes a change, which may wait for the sending to end, and answers with the place after it.
async fn change(
    team: Membership,
    make: impl FnOnce(&Membership) -> anyhow::Result<()> + Send + 'static,
) -> Response {
    let made = spawn_blocking(move || make(&team).map(|()| team.place())).await;
    match made.map_err(anyhow::Error::from).and_then(|made| made) {
        Ok(place) => json(StatusCode::OK, &place),
        Err(error) => (StatusCode::CONFLICT, format!("{error:#}\n")).into_response(),
    }
}

#[expect(clippy::result_large_err, reason = "the response is sent at once")]
fn understand(body: &Bytes) -> Result<Invitation, Response> {
    let text = str::from_utf8(body).unwrap_or_default();
    text.parse().map_err(|error: anyhow::Error| {
        let words = format!("this is no invitation that can be used: {error:#}\n");
        (StatusCode::UNPROCESSABLE_ENTITY, words).into_response()
    })
}
