//! Joins, pauses and leaves a team, for the owner.

use axum::body::Bytes;
use axum::extract::State;
use axum::http::StatusCode;
use axum::middleware::from_fn;
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post, put};
use axum::{Extension, Router};
use tokio::task::spawn_blocking;
use tower_http::limit::RequestBodyLimitLayer;
use trailbrake_shared::wire::TeamReport;

use super::json::json;
use super::owner::{Owner, owner_only};
use super::site::Site;
use crate::team::{Invitation, Membership, place_in};

/// Most bytes of an invitation.
const BODY_BYTES: usize = 64 << 10;

/// The routes. Only the owner's pages see or change anything.
pub(super) fn routes() -> Router<Site> {
    let changes = put(join).patch(pause).delete(leave).layer(from_fn(owner_only));
    let look = post(look).layer(from_fn(owner_only));
    Router::new()
        .route("/team", get(ask).merge(changes))
        .route("/team/invitation", look)
        .layer(RequestBodyLimitLayer::new(BODY_BYTES))
}

/// Whether the rig is in a team; `null` for anybody but the owner.
async fn ask(State(site): State<Site>, owner: Option<Extension<Owner>>) -> Response {
    json(StatusCode::OK, &owner.map(|_| report(&site.team)))
}

fn report(team: &Membership) -> TeamReport {
    TeamReport { place: team.place() }
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

/// Makes a change, which may wait for the sending to end, and answers with what is then.
async fn change(
    team: Membership,
    make: impl FnOnce(&Membership) -> anyhow::Result<()> + Send + 'static,
) -> Response {
    let made = spawn_blocking(move || make(&team).map(|()| report(&team))).await;
    match made.map_err(anyhow::Error::from).and_then(|made| made) {
        Ok(report) => json(StatusCode::OK, &report),
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
