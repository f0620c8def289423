//! Changes to the notes and tasks of a recording.

use trailbrake_shared::recording::facts::StoredFact;
use trailbrake_shared::recording::notes::{taken_away, written};
use trailbrake_shared::recording::tasks::{self, TaskChange};
use trailbrake_shared::recording::{Facts, NewNote, NewTask, Recording, RecordingId};
use trailbrake_shared::time::Micros;

use crate::text::words::{encoded, sentence};

/// A change to the notes and tasks of a source.
pub(in crate::analyse) enum BookChange {
    WriteNote(NewNote),
    DeleteNote(String),
    SetTask(Box<NewTask>),
    ChangeTask(String, TaskChange),
    DeleteTask(String),
}

/// A request to the relay: its method, its path and its body.
pub(super) type Request = (&'static str, String, Option<String>);

impl BookChange {
    /// The request that asks the relay to make the change.
    pub(super) fn request(&self, id: RecordingId) -> Result<Request, serde_json::Error> {
        let notes = format!("/library/{id}/notes");
        let tasks = format!("/library/{id}/tasks");
        Ok(match self {
            Self::WriteNote(note) => ("POST", notes, Some(serde_json::to_string(note)?)),
            Self::DeleteNote(name) => ("DELETE", format!("{notes}/{}", encoded(name)), None),
            Self::SetTask(task) => ("POST", tasks, Some(serde_json::to_string(task)?)),
            Self::ChangeTask(name, change) => {
                ("PATCH", format!("{tasks}/{}", encoded(name)), Some(serde_json::to_string(change)?))
            }
            Self::DeleteTask(name) => ("DELETE", format!("{tasks}/{}", encoded(name)), None),
        })
    }

    /// The change as a fact to store for an opened file: the fact's name and its stored form.
    pub(super) fn fact(
        self,
        recording: &Recording,
        facts: &Facts,
        now: Micros,
    ) -> Result<(String, StoredFact), String> {
        let words = |error: &dyn std::error::Error| sentence(&error.to_string());
        match self {
            Self::WriteNote(note) => written(recording, facts, note, now).map_err(|error| words(&error)),
            Self::DeleteNote(name) => taken_away(facts, &name, now).map_err(|error| words(&error)),
            Self::SetTask(task) => tasks::written(recording, *task, now).map_err(|error| words(&error)),
            Self::ChangeTask(name, change) => {
                tasks::changed(facts, &name, change, now).map_err(|error| words(&error))
            }
            Self::DeleteTask(name) => tasks::deleted(facts, &name, now).map_err(|error| words(&error)),
        }
    }
}
