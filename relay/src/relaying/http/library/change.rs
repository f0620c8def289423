//! Changes to a recording, finished or under way: its labels, its notes and its tasks.

use axum::body::Bytes;
use axum::extract::{Path, State};
use axum::response::Response;
use trailbrake_shared::library::{Details, Relabel};
use trailbrake_shared::recording::notes::{self, NoteError};
use trailbrake_shared::recording::tasks::{self, TaskChange, TaskError};
use trailbrake_shared::recording::{NewNote, NewTask, Recording, RecordingId, Task};
use trailbrake_shared::time::Micros;

use super::request::{parse_body, parse_id};
use super::response::{answer, ended_just_now};
use super::service::LibraryService;
use crate::library::Refusal;
use crate::library::{Change, relabelling};
use crate::relaying::http::site::Site;

/// Changes a recording's name or tags.
pub(super) async fn relabel(State(site): State<Site>, Path(id): Path<String>, body: Bytes) -> Response {
    let relabelled = async {
        let (service, id) = (site.library_service()?, parse_id(&id)?);
        let (wish, now) = (parse_body::<Relabel>(&body)?, service.clock.now());
        let details =
            change(service, id, move |recording| relabelling(recording.facts(), &wish, now)).await?;
        Ok(details.entry)
    };
    answer(relabelled.await)
}

/// Writes a note into a recording.
pub(super) async fn note(State(site): State<Site>, Path(id): Path<String>, body: Bytes) -> Response {
    let noted = async {
        let (service, id) = (site.library_service()?, parse_id(&id)?);
        let (new, now) = (parse_body::<NewNote>(&body)?, service.clock.now());
        let change_of = move |recording: &Recording| {
            notes::written(recording, recording.facts(), new, now).map_err(not_noted)
        };
        change(service, id, change_of).await
    };
    answer(noted.await)
}

/// Deletes a note of a recording, by its name among the facts.
pub(super) async fn take_note_away(
    State(site): State<Site>,
    Path((id, name)): Path<(String, String)>,
) -> Response {
    let taken = async {
        let (service, id) = (site.library_service()?, parse_id(&id)?);
        let now = service.clock.now();
        let change_of =
            move |recording: &Recording| notes::taken_away(recording.facts(), &name, now).map_err(not_noted);
        change(service, id, change_of).await
    };
    answer(taken.await)
}

/// Writes a new coaching task into a recording.
pub(super) async fn set_task(State(site): State<Site>, Path(id): Path<String>, body: Bytes) -> Response {
    let set = async {
        let new = parse_body::<NewTask>(&body)?;
        write_task(&site, &id, move |recording, now| tasks::written(recording, new, now)).await
    };
    answer(set.await)
}

/// Goes on with a task of another recording.
pub(super) async fn continue_task(State(site): State<Site>, Path(id): Path<String>, body: Bytes) -> Response {
    let continued = async {
        let task = parse_body::<Task>(&body)?;
        write_task(&site, &id, move |recording, now| tasks::continued_in(recording.facts(), task, now)).await
    };
    answer(continued.await)
}

/// Changes a task of a recording, by its name among the facts.
pub(super) async fn change_task(
    State(site): State<Site>,
    Path((id, name)): Path<(String, String)>,
    body: Bytes,
) -> Response {
    let changed = async {
        let change = parse_body::<TaskChange>(&body)?;
        write_task(&site, &id, move |recording, now| tasks::changed(recording.facts(), &name, change, now))
            .await
    };
    answer(changed.await)
}

/// Deletes a task of a recording, by its name among the facts.
pub(super) async fn delete_task(
    State(site): State<Site>,
    Path((id, name)): Path<(String, String)>,
) -> Response {
    answer(write_task(&site, &id, move |recording, now| tasks::deleted(recording.facts(), &name, now)).await)
}

async fn write_task(
    site: &Site,
    id: &str,
    write: impl FnOnce(&Recording, Micros) -> Result<Change, TaskError> + Send + 'static,
) -> Result<Details, Refusal> {
    let (service, id) = (site.library_service()?, parse_id(id)?);
    let now = service.clock.now();
    change(service, id, move |recording| write(recording, now).map_err(no_task)).await
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

fn no_task(error: TaskError) -> Refusal {
    match error {
        TaskError::NotThere => Refusal::TaskNotThere,
        TaskError::Many | TaskError::Recordings => Refusal::Conflict(error.to_string()),
        TaskError::Author
        | TaskError::Words
        | TaskError::Track
        | TaskError::Corner
        | TaskError::Target
        | TaskError::Laps
        | TaskError::Times => Refusal::Wrong(error.to_string()),
    }
}

fn not_noted(error: NoteError) -> Refusal {
    match error {
        NoteError::NotThere => Refusal::NoteNotThere,
        NoteError::Many => Refusal::Conflict(error.to_string()),
        NoteError::Author
        | NoteError::Text
        | NoteError::Moment
        | NoteError::Place
        | NoteError::Colour
        | NoteError::Felt => Refusal::Wrong(error.to_string()),
    }
}
