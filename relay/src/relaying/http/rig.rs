//! The routes of one rig at the hub: those of its relay, as far as they make sense there.

use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::{Request, State, WebSocketUpgrade};
use axum::http::{Method, StatusCode};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use axum::{Extension, Router};
use hyper::service::Service as _;
use hyper_util::service::TowerToHyperService;
use tokio::task::block_in_place;
use tower_http::limit::RequestBodyLimitLayer;
use trailbrake_shared::recording::RecordingId;

use super::json::json;
use super::owner::Owner;
use super::{library, room};
use crate::relaying::live::LONGEST_MESSAGE;
use crate::relaying::meter::Meter;
use crate::relaying::rigs::RigSite;
use crate::relaying::seats::Visitor;
use crate::relaying::web_socket::{self, End};
use crate::shutdown::Shutdown;
use crate::team::Role;

/// Most bytes of a request's body, outside the library.
const BODY_BYTES: usize = 4 << 10;
/// Why most changes are refused.
const ON_THE_RIG: &str =
    "Recordings are changed on the rig itself. Only names, notes and tasks can be changed at the hub.\n";
/// Why a page at the hub commands no server.
const COMMANDED_THERE: &str = "a game's server is commanded on the rig itself";
/// Why a driver's link changes nothing.
const READ_ONLY: &str = "This link is read-only. Make changes on the rig itself.\n";
/// Why a recording under way is not changed.
const UNDER_WAY: &str = "The rig is recording it. It can be changed here once it has ended.\n";

/// The routes for a visit, which ends with `shutdown`.
pub(super) fn routes(site: &Arc<RigSite>, shutdown: Shutdown) -> Router {
    let library = site.library();
    Router::new()
        .route("/live", get(live))
        // What a driver sets and opens to tablets is the rig's own business.
        .route("/settings", get(nothing))
        .route("/tablets", get(nothing))
        .merge(room::routes(library.room.clone(), shutdown))
        .layer(RequestBodyLimitLayer::new(BODY_BYTES))
        .merge(library::routes(library))
        .layer(from_fn_with_state(Arc::clone(site), changes_little))
        .with_state(Arc::clone(site))
}

/// Answers a request by routes, which always do.
pub(super) async fn answer(routes: Router, request: Request) -> Response {
    TowerToHyperService::new(routes).call(request).await.unwrap_or_else(|never| match never {})
}

async fn nothing() -> Response {
    json(StatusCode::OK, &())
}

async fn live(
    State(site): State<Arc<RigSite>>,
    owner: Option<Extension<Owner>>,
    Extension(visitor): Extension<Visitor>,
    Extension(meter): Extension<Meter>,
    upgrade: WebSocketUpgrade,
) -> Response {
    meter.limit(upgrade, LONGEST_MESSAGE).on_upgrade(move |socket| async move {
        let seat = match site.seats().take(visitor) {
            Ok(seat) => seat,
            Err(no_seat) => return web_socket::end(socket, End::no_seat(no_seat)).await,
        };
        match site.live().await {
            // The rig sends until the page has gone.
            Ok((_watched, live)) => live.talk(socket, &|| Err(COMMANDED_THERE), owner.is_some()).await,
            Err(words) => web_socket::end(socket, End::later(words)).await,
        }
        drop(seat);
    })
}

/// Lets pages read, and write what the archive merges: names, notes and tasks of recordings that have ended.
async fn changes_little(State(site): State<Arc<RigSite>>, request: Request, next: Next) -> Response {
    block_in_place(|| site.look());
    let is_reading = [Method::GET, Method::HEAD].contains(request.method());
    let refused = if is_reading { None } else { refusal(&site, request.method(), request.uri().path()) };
    let may_write = request.extensions().get::<Role>().is_some_and(Role::may_write);
    if !is_reading && !may_write && !is_question(request.uri().path()) {
        return (StatusCode::FORBIDDEN, READ_ONLY).into_response();
    }
    match refused {
        Some(words) => (StatusCode::CONFLICT, Bytes::from_static(words.as_bytes())).into_response(),
        None => {
            let written = if is_reading { None } else { recording_in(request.uri().path()) };
            let answer = next.run(request).await;
            if let Some(id) = written.filter(|_| answer.status().is_success()) {
                site.written(id).await;
            }
            answer
        }
    }
}

/// The recording of a path below `/library`.
fn recording_in(path: &str) -> Option<RecordingId> {
    RecordingId::read(path.strip_prefix("/library/")?.split('/').next()?)
}

/// Whether a request asks something although it has a body.
fn is_question(path: &str) -> bool {
    path == "/library/bests"
}

fn refusal(site: &RigSite, method: &Method, path: &str) -> Option<&'static str> {
    let mut steps = path.split('/').skip(1);
    match (steps.next(), steps.next(), steps.next()) {
        (Some("room"), ..) => None,
        _ if is_question(path) => None,
        (Some("library"), Some(id), what) => {
            let is_label = what.is_none() && method == Method::PATCH;
            match RecordingId::read(id) {
                Some(id) if is_label || matches!(what, Some("notes" | "tasks")) => {
                    site.records(id).then_some(UNDER_WAY)
                }
                _ => Some(ON_THE_RIG),
            }
        }
        _ => Some(ON_THE_RIG),
    }
}
