//! The way into the room, and what its owner allows there.

use axum::extract::{State, WebSocketUpgrade};
use axum::http::StatusCode;
use axum::middleware::from_fn;
use axum::response::Response;
use axum::routing::{get, post};
use axum::{Extension, Router};

use super::json::json;
use super::owner::owner_only;
use crate::relaying::meter::Meter;
use crate::relaying::room::{self, Room};
use crate::relaying::seats::Visitor;
use crate::shutdown::Shutdown;

/// What the routes need.
#[derive(Clone)]
struct RoomSite {
    room: Room,
    shutdown: Shutdown,
}

/// The routes. Only the owner's pages may allow or forbid something.
pub(super) fn routes<S>(room: Room, shutdown: Shutdown) -> Router<S> {
    let changes = post(allow).delete(forbid).layer(from_fn(owner_only));
    let routes = Router::new().route("/room", get(enter)).route("/room/writing", changes);
    routes.with_state(RoomSite { room, shutdown })
}

async fn enter(
    State(site): State<RoomSite>,
    Extension(visitor): Extension<Visitor>,
    Extension(meter): Extension<Meter>,
    upgrade: WebSocketUpgrade,
) -> Response {
    meter
        .limit(upgrade, room::LONGEST_READ)
        .on_upgrade(move |socket| room::serve(site.room, socket, visitor, site.shutdown))
}

/// Allows tablets to change recordings, notes and tasks.
async fn allow(State(site): State<RoomSite>) -> Response {
    site.room.let_tablets_write(true);
    rules(&site)
}

/// Forbids it.
async fn forbid(State(site): State<RoomSite>) -> Response {
    site.room.let_tablets_write(false);
    rules(&site)
}

fn rules(site: &RoomSite) -> Response {
    json(StatusCode::OK, &site.room.rules())
}
