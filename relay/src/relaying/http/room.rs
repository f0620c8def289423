//! The way into the room, and what its owner allows there.

use axum::extract::{State, WebSocketUpgrade};
use axum::http::StatusCode;
use axum::middleware::from_fn;
use axum::response::Response;
use axum::routing::{get, post};
use axum::{Extension, Router};

use super::json::json;
use super::owner::owner_only;
use super::site::Site;
use crate::relaying::meter::{Meter, READ_AT_ONCE};
use crate::relaying::room;
use crate::relaying::seats::Visitor;

/// The routes. Only the owner's pages may allow or forbid something.
pub(super) fn routes() -> Router<Site> {
    let changes = post(allow).delete(forbid).layer(from_fn(owner_only));
    Router::new().route("/room", get(enter)).route("/room/writing", changes)
}

async fn enter(
    State(site): State<Site>,
    Extension(visitor): Extension<Visitor>,
    Extension(meter): Extension<Meter>,
    upgrade: WebSocketUpgrade,
) -> Response {
    meter.limit();
    let upgrade = upgrade.max_message_size(room::LONGEST_READ).max_frame_size(room::LONGEST_READ);
    upgrade
        .read_buffer_size(READ_AT_ONCE)
        .on_upgrade(move |socket| room::serve(site.room, socket, visitor, site.live.shutdown))
}

/// Allows tablets to change recordings, notes and tasks.
async fn allow(State(site): State<Site>) -> Response {
    site.room.let_tablets_write(true);
    rules(&site)
}

/// Forbids it.
async fn forbid(State(site): State<Site>) -> Response {
    site.room.let_tablets_write(false);
    rules(&site)
}

fn rules(site: &Site) -> Response {
    json(StatusCode::OK, &site.room.rules())
}
