//! The routes of all rigs together, as if they had one library: a lap of one is compared with a lap of another.

use axum::body::Bytes;
use axum::extract::{Query, Request, State, WebSocketUpgrade};
use axum::http::{StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use axum::{Extension, Router};
use tokio::task::spawn_blocking;
use tower_http::limit::RequestBodyLimitLayer;
use trailbrake_shared::analysis::TrackBook;
use trailbrake_shared::library::{BestLaps, Bests, Listing};
use trailbrake_shared::recording::RecordingId;

use super::json::json;
use super::library::{BestsQuery, ListQuery, UnnamedTrack, answer, parse_body};
use super::{rig, room};
use crate::clock::seconds_ahead_of_utc;
use crate::library::Refusal;
use crate::relaying::live::LONGEST_MESSAGE;
use crate::relaying::meter::Meter;
use crate::relaying::rigs::RigSites;
use crate::relaying::seats::Visitor;
use crate::relaying::web_socket::{self, End};
use crate::team::{RigName, Role};

/// The name of all rigs in an address. No rig has it.
pub(super) const ALL_RIGS: &str = "-";
/// Most bytes of a request's body.
const BODY_BYTES: usize = 64 << 10;
/// Why there is nothing to command.
const NO_SERVER: &str = "a game's server is commanded on the rig itself";
/// Why a recording is not opened.
const NOT_THERE: &str = "No rig that you see has this recording.\n";

/// The routes for somebody.
pub(super) fn routes(sites: &RigSites, role: &Role) -> Router {
    Router::new()
        .route("/live", get(live))
        .route("/settings", get(nothing))
        .route("/tablets", get(nothing))
        .route("/tracks", get(no_names))
        .route("/library", get(list))
        .route("/library/bests", get(bests).post(unnamed_track))
        .fallback(of_recording)
        .layer(RequestBodyLimitLayer::new(BODY_BYTES))
        .merge(room::routes(sites.room(role), sites.visit()))
        .with_state(sites.clone())
}

async fn nothing() -> Response {
    json(StatusCode::OK, &())
}

/// Each rig has names of its own for tracks and corners.
async fn no_names() -> Response {
    json(StatusCode::OK, &TrackBook::default())
}

/// A page of all rigs receives no game; it learns when it has to be loaded again.
async fn live(
    State(sites): State<RigSites>,
    Extension(visitor): Extension<Visitor>,
    Extension(meter): Extension<Meter>,
    upgrade: WebSocketUpgrade,
) -> Response {
    meter.limit(upgrade, LONGEST_MESSAGE).on_upgrade(move |socket| async move {
        let live = sites.live_without_games();
        match live.seats.take(visitor) {
            Ok(_seat) => live.talk(socket, &|| Err(NO_SERVER), false).await,
            Err(no_seat) => web_socket::end(socket, End::no_seat(no_seat)).await,
        }
    })
}

/// The finished recordings of all rigs, the newest first.
async fn list(
    State(sites): State<RigSites>,
    Extension(role): Extension<Role>,
    Query(query): Query<ListQuery>,
) -> Response {
    let listed = blocking(move || {
        let mut all = Listing::default();
        for (rig, library) in sites.libraries(&role) {
            let Listing { recordings, looked, .. } = library.list();
            all.looked.files += looked.files;
            all.looked.bytes += looked.bytes;
            all.recordings.extend(recordings.into_iter().map(|mut entry| {
                entry.rig = Some(rig.to_string());
                entry
            }));
        }
        all.recordings.sort_by_key(|entry| std::cmp::Reverse(entry.created));
        query.narrow(&mut all.recordings);
        all
    });
    answer(listed.await)
}

/// The best laps of all rigs.
async fn bests(
    State(sites): State<RigSites>,
    Extension(role): Extension<Role>,
    Query(query): Query<BestsQuery>,
) -> Response {
    let bests = async {
        let (of, period) = query.read()?;
        blocking(move || {
            let bests = counted(&sites, &role).rows(of, period, seconds_ahead_of_utc());
            BestLaps { bests, ..BestLaps::default() }
        })
        .await
    };
    answer(bests.await)
}

/// The label for an unnamed track in the best laps, by its shape.
async fn unnamed_track(
    State(sites): State<RigSites>,
    Extension(role): Extension<Role>,
    body: Bytes,
) -> Response {
    let found = async {
        let shape = parse_body(&body)?;
        let track = move || counted(&sites, &role).track_of(&shape).map(str::to_owned);
        Ok(UnnamedTrack { track: blocking(track).await? })
    };
    answer(found.await)
}

fn counted(sites: &RigSites, role: &Role) -> Bests {
    let mut bests = Bests::default();
    for (_, library) in sites.libraries(role) {
        library.add_counted(&mut bests);
    }
    bests
}

/// Passes a request about a recording to the rig that has it.
async fn of_recording(
    State(sites): State<RigSites>,
    Extension(role): Extension<Role>,
    request: Request,
) -> Response {
    let not_there = || (StatusCode::NOT_FOUND, NOT_THERE).into_response();
    let Some(id) = recording_in(request.uri()) else { return not_there() };
    let looked = sites.clone();
    let found = blocking(move || looked.rig_with(id, &role)).await;
    let Some(site) = found.ok().flatten().and_then(|rig: RigName| sites.rig(rig.as_str())) else {
        return not_there();
    };
    rig::answer(rig::routes(&site, sites.visit()), request).await
}

/// The recording of an address below `/library`.
fn recording_in(uri: &Uri) -> Option<RecordingId> {
    let (id, _) =
        uri.path().strip_prefix("/library/").map(|rest| rest.split_once('/').unwrap_or((rest, "")))?;
    RecordingId::read(id)
}

/// Reads files on a thread that may wait for them.
async fn blocking<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<T, Refusal> {
    spawn_blocking(work).await.map_err(|error| Refusal::Disk(format!("it broke off: {error}")))
}
