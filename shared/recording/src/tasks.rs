//! Coaching tasks: what a driver is to try in one corner. Each is a fact of its own, so that tasks on copies of one
//! recording can be merged.
//!
//! A task holds all that later recordings need to go on with it: the laps before the task, and how the laps of each
//! recording went. The verdict is derived from them, and whether the task is done is the coach's decision.

use serde::{Deserialize, Serialize};
use thiserror::Error;
use trailbrake_analysis::task::{CornerLaps, TaskCorner, TaskLaps, TaskTarget, Verdict};
use trailbrake_model::time::Micros;
use trailbrake_session::FollowedTask;

use super::authored::{self, Authored, LONGEST_AUTHOR};
use super::facts::{self, Fact, StoredFact};
use super::{Facts, Recording, RecordingId};

/// The longest words of a task, in characters: a driver reads them on the straight.
pub const LONGEST_WORDS: usize = 200;
/// The longest track name, in characters.
pub const LONGEST_TRACK: usize = 100;
/// The most tasks of a recording: all are read whenever it is opened.
pub const MOST_TASKS: usize = 200;
/// The most laps that a task asks for.
pub const MOST_LAPS: u32 = 100;
/// The most recordings that a task goes on over.
pub const MOST_RECORDINGS: usize = 100;

/// Where a task stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TaskState {
    /// The driver works on it.
    Active,
    /// The driver works on it, hits the target in most laps, and is faster so far.
    Improving,
    /// The coach or the driver ended it.
    Done,
}

impl TaskState {
    /// Its name.
    pub const fn label(self) -> &'static str {
        match self {
            Self::Active => "active",
            Self::Improving => "improving",
            Self::Done => "done",
        }
    }
}

/// A task to be written. It replaces the same author's task of the same moment.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NewTask {
    /// The author.
    pub author: String,
    /// The track; empty if it has no name.
    #[serde(default)]
    pub track: String,
    /// The corner.
    pub corner: TaskCorner,
    /// What to do, in words that a driver can feel.
    pub words: String,
    /// The goal.
    pub target: TaskTarget,
    /// For how many laps.
    pub laps: u32,
    /// The laps before the task.
    pub baseline: CornerLaps,
}

/// A task in one corner.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Task {
    /// The recording it was set in; for a clip, the recording that the clip was taken from.
    pub recording: RecordingId,
    /// When it was set.
    pub created: Micros,
    /// The author.
    pub author: String,
    /// The track; empty if it has no name.
    #[serde(default)]
    pub track: String,
    /// The corner.
    pub corner: TaskCorner,
    /// What to do, in words that a driver can feel.
    pub words: String,
    /// The goal.
    pub target: TaskTarget,
    /// For how many laps.
    pub laps: u32,
    /// Whether it is over, which a person decides.
    #[serde(default)]
    pub done: bool,
    /// The laps before the task.
    pub baseline: CornerLaps,
    /// The laps with the task, ordered by recording.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub driven: Vec<RecordedLaps>,
}

/// The laps of one recording that were driven with a task.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct RecordedLaps {
    /// The recording.
    pub recording: RecordingId,
    /// Its laps.
    pub laps: TaskLaps,
}

/// A change of a task. What is absent stays.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct TaskChange {
    /// Whether it is over.
    pub done: Option<bool>,
    /// What to do.
    pub words: Option<String>,
    /// For how many laps.
    pub laps: Option<u32>,
    /// The laps of one recording with the task; they replace its earlier ones.
    pub driven: Option<RecordedLaps>,
}

impl Fact for Task {
    const NAME: &'static str = "task";
}

impl Authored for Task {
    const PREFIX: &'static str = "task/";

    fn origin(&self) -> (RecordingId, Micros, &str) {
        (self.recording, self.created, &self.author)
    }

    /// No recording's laps are lost.
    fn merged(one: &StoredFact, other: &StoredFact) -> StoredFact {
        authored::later(one, other, |task: &mut Self, before| {
            before.driven.into_iter().for_each(|laps| task.add(laps))
        })
    }
}

impl Task {
    /// The fact's name: recording, moment and author, so that a task has the same name in every recording that goes on
    /// with it.
    pub fn name(&self) -> String {
        authored::name(self)
    }

    /// The task as stored, written or changed at `written`.
    pub fn stored(&self, written: Micros) -> StoredFact {
        authored::stored(self, written)
    }

    /// All laps that were driven with the task.
    pub fn driven(&self) -> TaskLaps {
        self.driven.iter().fold(TaskLaps::default(), |sum, recorded| sum.together(&recorded.laps))
    }

    /// The laps of other recordings that were driven with the task.
    pub fn driven_before(&self, recording: RecordingId) -> TaskLaps {
        let others = self.driven.iter().filter(|recorded| recorded.recording != recording);
        others.fold(TaskLaps::default(), |sum, recorded| sum.together(&recorded.laps))
    }

    /// The task as the driver follows it while another recording is made.
    pub fn followed(&self, recording: RecordingId) -> FollowedTask {
        let before = self.driven_before(recording);
        FollowedTask { corner: self.corner, target: self.target, laps: self.laps, before }
    }

    /// Whether it paid off. `None` if there were too few laps before the task.
    pub fn verdict(&self) -> Option<Verdict> {
        Verdict::of(&self.baseline, &self.driven(), self.laps)
    }

    /// Where it stands.
    pub fn state(&self) -> TaskState {
        match self.verdict() {
            _ if self.done => TaskState::Done,
            Some(verdict) if verdict.is_improving() => TaskState::Improving,
            _ => TaskState::Active,
        }
    }

    /// Adds the laps of a recording. Of two versions, the one with more laps stays.
    pub fn add(&mut self, laps: RecordedLaps) {
        // The text decides between equal counts, whichever copy comes first.
        let rank =
            |one: &RecordedLaps| (one.laps.marked(), serde_json::to_vec(&one.laps).unwrap_or_default());
        match self.driven.binary_search_by_key(&laps.recording, |known| known.recording) {
            Ok(place) => {
                if let Some(known) = self.driven.get_mut(place).filter(|known| rank(known) < rank(&laps)) {
                    *known = laps;
                }
            }
            Err(place) => self.driven.insert(place, laps),
        }
    }
}

/// Why a task is not written, changed or deleted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum TaskError {
    /// The author is empty or too long.
    #[error("a task needs to say in one line, of at most {LONGEST_AUTHOR} letters, who sets it")]
    Author,
    /// The words are empty or too long.
    #[error("a task says in at most {LONGEST_WORDS} letters what to do")]
    Words,
    /// The track's name is too long.
    #[error("the name of the track has at most {LONGEST_TRACK} letters")]
    Track,
    /// The corner's places are not in order.
    #[error(
        "the corner of the task is no part of a track: its section begins before the apex and ends after it"
    )]
    Corner,
    /// The goal or the tolerance is not possible.
    #[error("the goal of the task needs a number from 0 on, and a tolerance above 0")]
    Target,
    /// No laps, or too many.
    #[error("a task is for 1 to {MOST_LAPS} laps")]
    Laps,
    /// The summary of some laps is not possible.
    #[error("the times of the task's laps are no numbers")]
    Times,
    /// The task goes on over too many recordings.
    #[error("a task goes on over at most {MOST_RECORDINGS} recordings: set a new one")]
    Recordings,
    /// Too many tasks.
    #[error("a recording can have {MOST_TASKS} tasks: delete one first")]
    Many,
    /// There is no such task.
    #[error("there is no such task in the recording")]
    NotThere,
}

/// A new task as a fact: its name and content.
pub fn written(recording: &Recording, new: NewTask, now: Micros) -> Result<(String, StoredFact), TaskError> {
    let info = recording.info();
    let task = new.checked(info.parent.unwrap_or(info.id), now)?;
    let (name, facts) = (task.name(), recording.facts());
    if facts.json(&name).is_none() && count(facts) >= MOST_TASKS {
        return Err(TaskError::Many);
    }
    let at = authored::after(facts, &name, now);
    Ok((name, task.stored(at)))
}

/// A task of another recording as a fact of this one, which goes on with it: its name and content.
pub fn continued_in(facts: &Facts, task: Task, now: Micros) -> Result<(String, StoredFact), TaskError> {
    let Task { recording, created, author, track, corner, words, target, laps, done, baseline, driven } =
        task;
    let new = NewTask { author, track, corner, words, target, laps, baseline };
    let mut task = Task { done, ..new.checked(recording, created)? };
    for driven in driven {
        task.change(TaskChange { driven: Some(driven), ..TaskChange::default() })?;
    }
    let name = task.name();
    if facts.json(&name).is_none() && count(facts) >= MOST_TASKS {
        return Err(TaskError::Many);
    }
    let at = authored::after(facts, &name, now);
    Ok((name, task.stored(at)))
}

/// A changed task as a fact: its name and content.
pub fn changed(
    facts: &Facts,
    name: &str,
    change: TaskChange,
    now: Micros,
) -> Result<(String, StoredFact), TaskError> {
    let json = facts.json(name).filter(|_| is_name(name)).ok_or(TaskError::NotThere)?;
    let mut task: Task = facts::read(json).map_err(|_| TaskError::NotThere)?;
    task.change(change)?;
    Ok((name.to_owned(), task.stored(authored::after(facts, name, now))))
}

/// The tombstone of a task, with its name.
pub fn deleted(facts: &Facts, name: &str, now: Micros) -> Result<(String, StoredFact), TaskError> {
    authored::tombstone::<Task>(facts, name, now).ok_or(TaskError::NotThere)
}

/// Whether a fact of this name is a task.
pub fn is_name(name: &str) -> bool {
    name.starts_with(Task::PREFIX)
}

/// The number of tasks in a recording.
pub fn count(facts: &Facts) -> usize {
    authored::count::<Task>(facts)
}

/// The tasks of a recording, in the order in which they were set. A task that can't be read is skipped.
pub fn tasks(facts: &Facts) -> Vec<Task> {
    authored::list(facts, MOST_TASKS)
}

impl NewTask {
    fn checked(self, recording: RecordingId, created: Micros) -> Result<Task, TaskError> {
        let Self { author, track, corner, words, target, laps, baseline } = self;
        let author = authored::author(&author).ok_or(TaskError::Author)?;
        let words = authored::text(&words, LONGEST_WORDS).ok_or(TaskError::Words)?;
        let track = match track.trim() {
            "" => String::new(),
            track => authored::text(track, LONGEST_TRACK).ok_or(TaskError::Track)?,
        };
        if !corner.is_possible() {
            return Err(TaskError::Corner);
        }
        if !target.is_possible() {
            return Err(TaskError::Target);
        }
        if !baseline.is_possible() {
            return Err(TaskError::Times);
        }
        let (done, driven) = (false, Vec::new());
        let laps = checked_laps(laps)?;
        Ok(Task { recording, created, author, track, corner, words, target, laps, done, baseline, driven })
    }
}

impl Task {
    fn change(&mut self, change: TaskChange) -> Result<(), TaskError> {
        if let Some(words) = change.words {
            self.words = authored::text(&words, LONGEST_WORDS).ok_or(TaskError::Words)?;
        }
        if let Some(laps) = change.laps {
            self.laps = checked_laps(laps)?;
        }
        if let Some(driven) = change.driven {
            if !driven.laps.laps.is_possible() {
                return Err(TaskError::Times);
            }
            self.driven.retain(|known| known.recording != driven.recording);
            if self.driven.len() >= MOST_RECORDINGS {
                return Err(TaskError::Recordings);
            }
            self.add(driven);
        }
        self.done = change.done.unwrap_or(self.done);
        Ok(())
    }
}

fn checked_laps(laps: u32) -> Result<u32, TaskError> {
    if (1..=MOST_LAPS).contains(&laps) { Ok(laps) } else { Err(TaskError::Laps) }
}
