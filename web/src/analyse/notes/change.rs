//! Changes to the notes and tasks of a recording.

use trailbrake_shared::recording::authored::{self, AuthoredKind, Change};
use trailbrake_shared::recording::tasks::TaskChange;
use trailbrake_shared::recording::{Facts, NewNote, Note, Recording, RecordingId, Task, TaskBrief};
use trailbrake_shared::time::Micros;

use crate::text::words::{encoded, sentence};

/// A change to the notes and tasks of a source.
pub(in crate::analyse) enum BookChange {
    WriteNote(NewNote),
    SetTask(Box<TaskBrief>),
    ChangeTask(String, TaskChange),
    Delete(AuthoredKind, String),
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
            Self::SetTask(task) => ("POST", tasks, Some(serde_json::to_string(task)?)),
            Self::ChangeTask(name, change) => {
                ("PATCH", format!("{tasks}/{}", encoded(name)), Some(serde_json::to_string(change)?))
            }
            Self::Delete(kind, name) => ("DELETE", format!("/library/{id}/{kind}s/{}", encoded(name)), None),
        })
    }

    /// The change as a fact to store for an opened file: the fact's name and its stored form.
    pub(super) fn fact(self, recording: &Recording, facts: &Facts, now: Micros) -> Result<Change, String> {
        let change = match self {
            Self::WriteNote(note) => authored::written::<Note>(recording, facts, &note, now),
            Self::SetTask(task) => authored::written::<Task>(recording, facts, &task, now),
            Self::ChangeTask(name, change) => authored::changed(facts, &name, |task| change.apply(task), now),
            Self::Delete(kind, name) => authored::deleted(facts, kind, &name, now),
        };
        change.map_err(|error| sentence(&error.to_string()))
    }
}
