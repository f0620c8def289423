//! Changes to a recording, finished or under way: its labels, its notes and its tasks.

use axum::body::Bytes;
use axum::extract::{Path, State};
use axum::response::Response;
use serde::de::DeserializeOwned;
use trailbrake_shared::library::{Details, Relabel};
use trailbrake_shared::recording::authored::{self, Authored, AuthoredError};
use trailbrake_shared::recording::tasks::{self, TaskChange};
use trailbrake_shared::recording::{Recording, RecordingId, Task};
use trailbrake_shared::time::Micros;

use super::request::{parse_body, parse_id};
use super::response::{answer, ended_just_now};
use super::service::LibraryService;
use crate::library::Refusal;
use crate::library::{Change, relabelling};
use crate::relaying::http::site::LibrarySite;

/// Changes a recording's name or tags.
pub(super) async fn relabel(
    State(site): State<LibrarySite>,
    Path(id): Path<String>,
    body: Bytes,
) -> Response {
    let relabelled = async {
        let (service, id) = (site.library_service()?, parse_id(&id)?);
        let (wish, now) = (parse_body::<Relabel>(&body)?, service.clock.now());
        let details =
            change(service, id, move |recording| relabelling(recording.facts(), &wish, now)).await?;
        Ok(details.entry)
    };
    answer(relabelled.await)
}

/// Writes a new note or task into a recording.
pub(super) async fn write<A: Authored<New: DeserializeOwned + Send + 'static>>(
    State(site): State<LibrarySite>,
    Path(id): Path<String>,
    body: Bytes,
) -> Response {
    let written = async {
        let new = parse_body::<A::New>(&body)?;
        let change =
            move |recording: &Recording, now| authored::written::<A>(recording, recording.facts(), &new, now);
        change_authored(&site, &id, change).await
    };
    answer(written.await)
}

/// Deletes a note or a task of a recording, by its name among the facts.
pub(super) async fn delete<A: Authored>(
    State(site): State<LibrarySite>,
    Path((id, name)): Path<(String, String)>,
) -> Response {
    let change = move |recording: &Recording, now| authored::deleted(recording.facts(), A::KIND, &name, now);
    answer(change_authored(&site, &id, change).await)
}

/// Changes a task of a recording, by its name among the facts.
pub(super) async fn change_task(
    State(site): State<LibrarySite>,
    Path((id, name)): Path<(String, String)>,
    body: Bytes,
) -> Response {
    let changed = async {
        let wish = parse_body::<TaskChange>(&body)?;
        let change = move |recording: &Recording, now| {
            authored::changed(recording.facts(), &name, |task| wish.apply(task), now)
        };
        change_authored(&site, &id, change).await
    };
    answer(changed.await)
}

/// Goes on with a task of another recording.
pub(super) async fn continue_task(
    State(site): State<LibrarySite>,
    Path(id): Path<String>,
    body: Bytes,
) -> Response {
    let continued = async {
        let task = parse_body::<Task>(&body)?;
        let change = move |recording: &Recording, now| tasks::continued_in(recording.facts(), task, now);
        change_authored(&site, &id, change).await
    };
    answer(continued.await)
}

async fn change_authored(
    site: &LibrarySite,
    id: &str,
    authored: impl FnOnce(&Recording, Micros) -> Result<Change, AuthoredError> + Send + 'static,
) -> Result<Details, Refusal> {
    let (service, id) = (site.library_service()?, parse_id(id)?);
    let now = service.clock.now();
    change(service, id, move |recording| Ok(authored(recording, now)?)).await
}

/// Changes a recording: the recorder writes into one under way, the library into a finished one.
async fn change(
    service: &LibraryService,
    id: RecordingId,
    change: impl FnOnce(&Recording) -> Result<Change, Refusal> + Send + 'static,
) -> Result<Details, Refusal> {
    let recorder = if service.underway(id).is_some() { service.recorder() } else { None };
    let Some(recorder) = recorder else {
        return service.with_files(move |library| library.change(id, change)).await;
    };
    let (one, tail) = recorder.tail(id).await.ok_or_else(ended_just_now)?;
    let changed = service.with_files(move |library| library.change_underway(&one, tail, change)).await;
    let (name, stored) = changed?;
    if !recorder.write(id, name, stored).await {
        return Err(ended_just_now());
    }
    service.details_underway(id).await.ok_or_else(ended_just_now)?
}
