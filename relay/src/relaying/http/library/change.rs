//! What may be changed of a recording, whether it is whole or under way: its labels and its notes.

use axum::body::Bytes;
use axum::extract::{Path, State};
use axum::response::Response;
use trailbrake_shared::library::{Details, Relabel};
use trailbrake_shared::recording::notes::{self, NoteError};
use trailbrake_shared::recording::{NewNote, Recording, RecordingId};

use super::request::{named, understood};
use super::response::{answer, ended_just_now};
use super::service::Counter;
use crate::library::Refusal;
use crate::library::{Change, relabelling};
use crate::relaying::http::site::Site;

/// Gives a recording a name, or tags.
pub(super) async fn relabel(State(site): State<Site>, Path(id): Path<String>, body: Bytes) -> Response {
    let relabelled = async {
        let (counter, id) = (site.counter()?, named(&id)?);
        let (wish, now) = (understood::<Relabel>(&body)?, counter.clock.now());
        let details =
            change(counter, id, move |recording| relabelling(recording.facts(), &wish, now)).await?;
        Ok(details.entry)
    };
    answer(relabelled.await)
}

/// Writes a note into a recording.
pub(super) async fn note(State(site): State<Site>, Path(id): Path<String>, body: Bytes) -> Response {
    let noted = async {
        let (counter, id) = (site.counter()?, named(&id)?);
        let (new, now) = (understood::<NewNote>(&body)?, counter.clock.now());
        change(counter, id, move |recording| notes::written(recording, new, now).map_err(not_noted)).await
    };
    answer(noted.await)
}

/// Takes a note out of a recording: the one of this name among its facts.
pub(super) async fn take_note_away(
    State(site): State<Site>,
    Path((id, name)): Path<(String, String)>,
) -> Response {
    let taken = async {
        let (counter, id) = (site.counter()?, named(&id)?);
        let now = counter.clock.now();
        let change_of =
            move |recording: &Recording| notes::taken_away(recording.facts(), &name, now).map_err(not_noted);
        change(counter, id, change_of).await
    };
    answer(taken.await)
}

/// Changes a recording: the recorder writes into one that is under way, the library into one that is whole.
async fn change(
    counter: &Counter,
    id: RecordingId,
    change: impl FnOnce(&Recording) -> Result<Change, Refusal> + Send + 'static,
) -> Result<Details, Refusal> {
    let desk = counter.desk.as_ref().filter(|_| counter.underway(id).is_some());
    let Some(desk) = desk else {
        return counter.with_files(move |library| library.change(id, change)).await;
    };
    let (one, tail) = desk.tail(id).await.ok_or_else(ended_just_now)?;
    let changed = counter.with_files(move |library| library.change_underway(&one, tail, change)).await;
    let (name, stored) = changed?;
    if !desk.write(id, name, stored).await {
        return Err(ended_just_now());
    }
    counter.details_underway(id).await.ok_or_else(ended_just_now)?
}

fn not_noted(error: NoteError) -> Refusal {
    match error {
        NoteError::NotThere => Refusal::NoteNotThere,
        NoteError::Many => Refusal::Conflict(error.to_string()),
        NoteError::Author | NoteError::Text | NoteError::Moment | NoteError::Place => {
            Refusal::Wrong(error.to_string())
        }
    }
}
