//! The library over HTTP: lists, facts, downloads, uploads, and what may be changed.
//!
//! Whoever wants something changed has to be one of Trailbrake's own pages: browsers say so with every such request.

mod change;
mod download;
mod tracks;
mod trim;
mod upload;

use std::sync::Arc;

use axum::Router;
use axum::body::Bytes;
use axum::extract::{Path, Request, State};
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE, ORIGIN};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, Uri};
use axum::middleware::{Next, from_fn};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use serde::Serialize;
use serde::de::DeserializeOwned;
use tokio::sync::Semaphore;
use tower_http::limit::RequestBodyLimitLayer;
use trailbrake_shared::analysis::Fingerprint;
use trailbrake_shared::analysis::progress::Period;
use trailbrake_shared::library::{CountedLaps, Details, Entry, Listing};
use trailbrake_shared::recording::RecordingId;

use super::Site;
use crate::clock::Clock;
use crate::library::store::Underway;
use crate::library::{Library, Refused, Which};
use crate::relaying::recorder::Desk;

/// Bytes of a request's body, apart from a recording's.
const BODY_BYTES: usize = 64 << 10;
/// Recordings that may be on their way in at the same time.
const SEATS: usize = 4;

/// What the library's routes work with.
#[derive(Clone)]
pub(crate) struct Counter {
    library: Arc<Library>,
    /// The recorder; `None` where nothing is recorded.
    desk: Option<Desk>,
    clock: Clock,
    /// For recordings on their way into the folder.
    seats: Arc<Semaphore>,
}

impl Counter {
    pub(crate) fn new(library: Arc<Library>, desk: Option<Desk>, clock: Clock) -> Self {
        Self { library, desk, clock, seats: Arc::new(Semaphore::new(SEATS)) }
    }

    /// Does something with files, where waiting is allowed.
    async fn with_files<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Library) -> Result<T, Refused> + Send + 'static,
    ) -> Result<T, Refused> {
        let library = Arc::clone(&self.library);
        let done = tokio::task::spawn_blocking(move || work(&library)).await;
        done.unwrap_or_else(|error| Err(Refused::Disk(format!("it broke off: {error}"))))
    }

    /// The recording under way of this name.
    fn underway(&self, id: RecordingId) -> Option<Underway> {
        self.desk.as_ref()?.underway().into_iter().find(|one| one.id == id)
    }

    /// The laps that count so far of a recording under way.
    async fn counted_underway(&self, id: RecordingId) -> Option<CountedLaps> {
        let (one, tail) = self.desk.as_ref()?.tail(id).await?;
        self.with_files(move |library| Ok(library.counted_underway(&one, tail))).await.ok().flatten()
    }

    /// A recording under way with all that is known of it.
    async fn details_underway(&self, id: RecordingId) -> Option<Result<Details, Refused>> {
        let (one, tail) = self.desk.as_ref()?.tail(id).await?;
        Some(self.with_files(move |library| library.details_underway(&one, tail)).await)
    }
}

/// The routes. What has no body to speak of is kept from having one.
pub(super) fn routes() -> Router<Site> {
    let small = Router::new()
        .route("/library", get(list))
        .route("/library/bests", get(bests).post(unnamed_track))
        .route("/library/bin", get(list_bin).delete(empty_bin))
        .route("/library/bin/{id}", post(undelete))
        .route("/library/repair/{file}", post(mend))
        .route("/library/{id}", get(details).patch(change::relabel).delete(delete))
        .route("/library/{id}/notes", post(change::note))
        .route("/library/{id}/notes/{*name}", axum::routing::delete(change::take_note_away))
        .route("/library/{id}/trim", post(trim::trim))
        .route("/library/{id}/file", get(download::file))
        .route("/library/{id}/tail", get(download::tail))
        .route("/tracks", get(tracks::book))
        .route("/tracks/name", post(tracks::name))
        .route("/tracks/corner", post(tracks::corner))
        .layer(RequestBodyLimitLayer::new(BODY_BYTES));
    Router::new().route("/library", post(upload::upload)).merge(small).layer(from_fn(own_pages_change))
}

/// The door has found the origin to be our own, where there is one; to change something there has to be one.
async fn own_pages_change(request: Request, next: Next) -> Response {
    let reads = [Method::GET, Method::HEAD].contains(request.method());
    if !reads && !request.headers().contains_key(ORIGIN) {
        let words = "Only Trailbrake's own pages may change something: the request names no origin.\n";
        return (StatusCode::FORBIDDEN, words).into_response();
    }
    next.run(request).await
}

impl IntoResponse for Refused {
    fn into_response(self) -> Response {
        let status = match self {
            Self::NotThere | Self::NoteNotThere => StatusCode::NOT_FOUND,
            Self::Wrong(_) => StatusCode::BAD_REQUEST,
            Self::Conflict(_) => StatusCode::CONFLICT,
            Self::TooLarge(_) => StatusCode::PAYLOAD_TOO_LARGE,
            Self::Unreadable(_) => StatusCode::UNPROCESSABLE_ENTITY,
            Self::Disk(_) => StatusCode::INSUFFICIENT_STORAGE,
        };
        (status, format!("{}\n", self.words())).into_response()
    }
}

/// An answer in JSON, which holds for this moment only.
fn json<T: Serialize>(status: StatusCode, content: &T) -> Response {
    let Ok(body) = serde_json::to_vec(content) else {
        return StatusCode::INTERNAL_SERVER_ERROR.into_response();
    };
    let mut answer = (status, body).into_response();
    answer.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    answer.headers_mut().insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    answer
}

fn answer<T: Serialize>(done: Result<T, Refused>) -> Response {
    match done {
        Ok(content) => json(StatusCode::OK, &content),
        Err(refused) => refused.into_response(),
    }
}

fn counter(site: &Site) -> Result<&Counter, Refused> {
    let nowhere =
        || Refused::Conflict("there is no folder for recordings: name one with --recordings".into());
    site.library.as_ref().ok_or_else(nowhere)
}

fn named(id: &str) -> Result<RecordingId, Refused> {
    RecordingId::read(id).ok_or(Refused::NotThere)
}

fn understood<T: DeserializeOwned>(body: &Bytes) -> Result<T, Refused> {
    serde_json::from_slice(body).map_err(|error| Refused::Wrong(format!("that is not understood: {error}")))
}

/// Answers with the list: of everything, of what each of the words that are sought is in, of the one recording of a name
/// (nobody is refused for asking whether there is one), or of those under way.
async fn list(State(site): State<Site>, uri: Uri) -> Response {
    let mut listed = listed(&site).await;
    if let (Ok(listing), Some(id)) = (&mut listed, asked(&uri, "id=")) {
        let id = RecordingId::read(&id);
        // Where it is not here itself, one that was cut out of it answers for it.
        let is_here = listing.recordings.iter().any(|entry| entry.id.is_some() && entry.id == id);
        let named = |entry: &Entry| if is_here { entry.id } else { entry.parent };
        listing.recordings.retain(|entry| id.is_some() && named(entry) == id);
    }
    if let (Ok(listing), Some(_)) = (&mut listed, asked(&uri, "underway=")) {
        listing.recordings.retain(|entry| entry.underway);
    }
    if let (Ok(listing), Some(words)) = (&mut listed, asked(&uri, "q=").map(|words| words.replace('+', " ")))
    {
        listing.recordings.retain(|entry| entry.has_words(&words));
    }
    answer(listed)
}

/// What an address says behind a name, decoded.
fn asked(uri: &Uri, name: &str) -> Option<String> {
    uri.query()?.split('&').find_map(|pair| pair.strip_prefix(name)).map(upload::decoded)
}

async fn listed(site: &Site) -> Result<Listing, Refused> {
    let counter = counter(site)?;
    let mut listing = counter.with_files(|library| Ok(library.list())).await?;
    for one in counter.desk.iter().flat_map(Desk::underway) {
        // One that ended meanwhile is in the list already, or will be in the next.
        if let Some(Ok(details)) = counter.details_underway(one.id).await {
            listing.recordings.insert(0, details.entry);
        }
    }
    Ok(listing)
}

/// The best laps, or only what a recording can be compared with; progress by weeks, or by days where that is asked for.
async fn bests(State(site): State<Site>, uri: Uri) -> Response {
    let told = async {
        let counter = counter(&site)?;
        let period = match asked(&uri, "by=").as_deref() {
            None | Some("week") => Period::Week,
            Some("day") => Period::Day,
            Some(_) => return Err(Refused::Wrong("progress goes by=day or by=week".into())),
        };
        let of = asked(&uri, "of=").map(|id| named(&id)).transpose()?;
        let mut underway = Vec::new();
        for one in counter.desk.iter().flat_map(Desk::underway) {
            underway.extend(counter.counted_underway(one.id).await);
        }
        counter.with_files(move |library| Ok(library.bests(underway, of, period))).await
    };
    answer(told.await)
}

/// What the best laps call a track that nobody has named, by the shape that is asked about.
async fn unnamed_track(State(site): State<Site>, body: Bytes) -> Response {
    #[derive(Serialize)]
    struct Track {
        track: Option<String>,
    }
    let found = async {
        let shape: Fingerprint = understood(&body)?;
        let track = counter(&site)?.with_files(move |library| Ok(library.unnamed_track(&shape))).await?;
        Ok(Track { track })
    };
    answer(found.await)
}

async fn list_bin(State(site): State<Site>) -> Response {
    answer(async { counter(&site)?.with_files(|library| Ok(library.bin())).await }.await)
}

async fn empty_bin(State(site): State<Site>) -> Response {
    answer(async { counter(&site)?.with_files(Library::empty_bin).await }.await)
}

async fn details(State(site): State<Site>, Path(id): Path<String>) -> Response {
    let known = async {
        let (counter, id) = (counter(&site)?, named(&id)?);
        match counter.details_underway(id).await {
            Some(details) => details,
            None => counter.with_files(move |library| library.details(id)).await,
        }
    };
    answer(known.await)
}

fn ended_just_now() -> Refused {
    Refused::Conflict("the recording ended just now: try again".into())
}

async fn delete(State(site): State<Site>, Path(which): Path<String>) -> Response {
    let deleted = async {
        let (counter, which) = (counter(&site)?, Which::read(&which));
        if let Which::Recording(id) = which
            && counter.underway(id).is_some()
        {
            return Err(Refused::Conflict(
                "it is being recorded: it can be deleted once it has ended".into(),
            ));
        }
        counter.with_files(move |library| library.delete(&which)).await
    };
    answer(deleted.await)
}

async fn undelete(State(site): State<Site>, Path(which): Path<String>) -> Response {
    let undeleted = async {
        let (counter, which) = (counter(&site)?, Which::read(&which));
        counter.with_files(move |library| library.undelete(&which)).await
    };
    answer(undeleted.await)
}

async fn mend(State(site): State<Site>, Path(file): Path<String>) -> Response {
    answer(async { counter(&site)?.with_files(move |library| library.mend(&file)).await }.await)
}

/// Headers of a request, where one of them must stand there once.
fn single<'a>(headers: &'a HeaderMap, name: &axum::http::HeaderName) -> Option<&'a str> {
    let mut values = headers.get_all(name).iter();
    let value = values.next()?;
    values.next().is_none().then(|| value.to_str().ok()).flatten()
}
