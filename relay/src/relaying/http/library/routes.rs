//! The routes of the library.

use std::time::Duration;

use axum::body::Bytes;
use axum::extract::{Path, Query, State};
use axum::http::Uri;
use axum::middleware::from_fn_with_state;
use axum::response::Response;
use axum::routing::{delete as removal, get, patch, post};
use axum::{Extension, Router};
use serde::{Deserialize, Serialize};
use tokio::time::timeout;
use tower_http::limit::RequestBodyLimitLayer;
use trailbrake_shared::analysis::TrackShape;
use trailbrake_shared::analysis::progress::Period;
use trailbrake_shared::library::{Entry, Listing};
use trailbrake_shared::recording::{Note, RecordingId, Task};

use super::request::{parse_body, parse_id};
use super::response::{answer, without_paths};
use super::{change, clip, download, tracks, upload};
use crate::library::{Library, Reached, RecordingRef, Refusal, bin, repair};
use crate::relaying::http::owner::Owner;
use crate::relaying::http::site::LibrarySite;
use crate::relaying::http::writing::{allowed, announced};
use crate::relaying::recorder::RecorderHandle;
use crate::relaying::tablet_view;

/// Most bytes of a request's body, other than an upload.
const BODY_BYTES: usize = 64 << 10;
/// How long the list waits for a recording under way.
const LISTED: Duration = Duration::from_secs(4);

/// The routes. Only uploads may have a large body.
pub(in crate::relaying::http) fn routes<S>(site: &LibrarySite) -> Router<S> {
    let room = &site.room;
    let reads = Router::new()
        .route("/library", get(list))
        // A track without a name is asked for by its shape, in a body.
        .route("/library/bests", get(bests).post(unnamed_track))
        .route("/library/bin", get(list_bin))
        .route("/library/{id}", get(details))
        .route("/library/{id}/file", get(download::file))
        .route("/library/{id}/tail", get(download::tail))
        .route("/library/{id}/lap", get(clip::lap))
        .route("/library/{id}/trim", get(share_done))
        .route("/library/repair/{file}", get(share_done))
        .route("/tracks", get(tracks::book));
    let notes = Router::new()
        .route("/library/{id}/notes", post(change::write::<Note>))
        .route("/library/{id}/notes/{*name}", removal(change::delete::<Note>))
        .route("/library/{id}/tasks", post(change::write::<Task>).put(change::continue_task))
        .route("/library/{id}/tasks/{*name}", patch(change::change_task).delete(change::delete::<Task>))
        .layer(from_fn_with_state(room.clone(), announced));
    let changes = Router::new()
        .route("/library/bin", removal(empty_bin))
        .route("/library/bin/{id}", post(undelete))
        .route("/library/repair/{file}", post(repair))
        .route("/library/{id}", patch(change::relabel).delete(delete))
        .route("/library/{id}/trim", post(clip::clip))
        .route("/tracks/name", post(tracks::name))
        .route("/tracks/corner", post(tracks::corner))
        .merge(notes)
        .layer(RequestBodyLimitLayer::new(BODY_BYTES))
        .route("/library", post(upload::upload))
        .layer(from_fn_with_state(room.clone(), allowed));
    let all = reads.layer(RequestBodyLimitLayer::new(BODY_BYTES)).merge(changes);
    all.layer(from_fn_with_state(site.clone(), without_paths)).with_state(site.clone())
}

/// Narrows the list of recordings.
#[derive(Deserialize)]
pub(in crate::relaying::http) struct ListQuery {
    /// One recording, or the clips cut out of it where it is not in the folder. An unknown id gives an empty list.
    id: Option<String>,
    /// Recordings under way alone.
    underway: Option<String>,
    /// Words that all occur in an entry.
    q: Option<String>,
}

async fn list(
    State(site): State<LibrarySite>,
    owner: Option<Extension<Owner>>,
    Query(query): Query<ListQuery>,
) -> Response {
    let mut listed = listed(&site).await;
    if let Ok(listing) = &mut listed {
        if owner.is_none() {
            tablet_view::hide_in_listing(listing);
        }
        query.narrow(&mut listing.recordings);
    }
    answer(listed)
}

impl ListQuery {
    /// Keeps what is asked for.
    pub(in crate::relaying::http) fn narrow(&self, recordings: &mut Vec<Entry>) {
        if let Some(id) = &self.id {
            let id = RecordingId::read(id);
            let is_here = recordings.iter().any(|entry| entry.id.is_some() && entry.id == id);
            let named = |entry: &Entry| if is_here { entry.id } else { entry.parent };
            recordings.retain(|entry| id.is_some() && named(entry) == id);
        }
        if self.underway.is_some() {
            recordings.retain(|entry| entry.underway);
        }
        if let Some(words) = &self.q {
            recordings.retain(|entry| entry.has_words(words));
        }
    }
}

async fn listed(site: &LibrarySite) -> Result<Listing, Refusal> {
    let service = site.library_service()?;
    let mut listing = service.with_files(|library| Ok(library.list())).await?;
    for one in service.recorder().iter().flat_map(RecorderHandle::underway) {
        // A recording that ended meanwhile is in the list already, or will be in the next.
        // A rig of a team may be slow to answer.
        if let Ok(Some(Ok(details))) = timeout(LISTED, service.details_underway(one.id)).await {
            listing.recordings.insert(0, details.entry);
        }
    }
    Ok(listing)
}

/// Narrows the best laps.
#[derive(Deserialize)]
pub(in crate::relaying::http) struct BestsQuery {
    /// Progress per `day` or per `week`.
    by: Option<String>,
    /// The recording to compare with.
    of: Option<String>,
}

impl BestsQuery {
    /// The recording to compare with, and the length of a period.
    pub(in crate::relaying::http) fn read(&self) -> Result<(Option<RecordingId>, Period), Refusal> {
        let period = match self.by.as_deref() {
            None | Some("week") => Period::Week,
            Some("day") => Period::Day,
            Some(_) => return Err(Refusal::Wrong("progress goes by=day or by=week".into())),
        };
        Ok((self.of.as_deref().map(parse_id).transpose()?, period))
    }
}

/// The best laps, or only what a recording can be compared with; progress by weeks, or by days where that is asked for.
async fn bests(
    State(site): State<LibrarySite>,
    owner: Option<Extension<Owner>>,
    Query(query): Query<BestsQuery>,
) -> Response {
    let bests = async {
        let service = site.library_service()?;
        let (of, period) = query.read()?;
        let mut underway = Vec::new();
        for one in service.recorder().iter().flat_map(RecorderHandle::underway) {
            underway.extend(service.counted_underway(one.id).await);
        }
        let is_owner = owner.is_some();
        let bests = service.with_files(move |library| {
            let mut bests = library.bests(underway, of, period);
            if !is_owner {
                tablet_view::hide_in_words(&mut bests.trouble, library.folder());
            }
            Ok(bests)
        });
        bests.await
    };
    answer(bests.await)
}

/// The label for an unnamed track in the best laps, if it is known.
#[derive(Serialize)]
pub(in crate::relaying::http) struct UnnamedTrack {
    pub(in crate::relaying::http) track: Option<String>,
}

/// The label for an unnamed track in the best laps, by its shape.
async fn unnamed_track(State(site): State<LibrarySite>, body: Bytes) -> Response {
    let found = async {
        let shape: TrackShape = parse_body(&body)?;
        let track =
            site.library_service()?.with_files(move |library| Ok(library.unnamed_track(&shape))).await?;
        Ok(UnnamedTrack { track })
    };
    answer(found.await)
}

async fn list_bin(State(site): State<LibrarySite>, owner: Option<Extension<Owner>>) -> Response {
    let bin = async {
        let mut bin = site.library_service()?.with_files(|library| Ok(bin::list(library))).await?;
        if owner.is_none() {
            tablet_view::hide_in_listing(&mut bin);
        }
        Ok(bin)
    };
    answer(bin.await)
}

async fn empty_bin(State(site): State<LibrarySite>) -> Response {
    answer(async { site.library_service()?.with_files(bin::empty).await }.await)
}

async fn details(State(site): State<LibrarySite>, Path(id): Path<String>) -> Response {
    let known = async {
        let (service, id) = (site.library_service()?, parse_id(&id)?);
        match service.details_underway(id).await {
            Some(details) => details,
            None => service.with_files(move |library| library.details(id)).await,
        }
    };
    answer(known.await)
}

async fn delete(State(site): State<LibrarySite>, Path(which): Path<String>) -> Response {
    let deleted = async {
        let (service, which) = (site.library_service()?, RecordingRef::read(&which));
        if let RecordingRef::Recording(id) = which
            && service.underway(id).is_some()
        {
            return Err(Refusal::Conflict(
                "it is being recorded: it can be deleted once it has ended".into(),
            ));
        }
        service.with_files(move |library| bin::delete(library, &which)).await
    };
    answer(deleted.await)
}

async fn undelete(State(site): State<LibrarySite>, Path(which): Path<String>) -> Response {
    let undeleted = async {
        let (service, which) = (site.library_service()?, RecordingRef::read(&which));
        service.with_files(move |library| bin::restore(library, &which)).await
    };
    answer(undeleted.await)
}

/// How far the clip or the repair is that was requested at this path.
async fn share_done(State(site): State<LibrarySite>, path: Uri) -> Response {
    answer(site.library_service().map(|service| service.shares.of(&path)))
}

async fn repair(State(site): State<LibrarySite>, Path(file): Path<String>, path: Uri) -> Response {
    let repaired = async {
        let repair = move |library: &Library, reached: Reached<'_>| repair::repair(library, &file, reached);
        site.library_service()?.work(&path, repair).await
    };
    answer(repaired.await)
}
