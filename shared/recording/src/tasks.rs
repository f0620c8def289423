//! Coaching tasks: what a driver is to try in one corner. Each is a fact of its own, so that tasks on copies of one
//! recording can be merged.
//!
//! A task holds all that later recordings need to go on with it: the laps before the task, and how the laps of each
//! recording went. The verdict is derived from them, and whether the task is done is the coach's decision.

use serde::{Deserialize, Serialize};
use trailbrake_analysis::task::{CornerLaps, TaskCorner, TaskLaps, TaskTarget, Verdict};
use trailbrake_model::time::Micros;
use trailbrake_session::FollowedTask;

use super::authored::{
    self, Authored, AuthoredError, AuthoredKind, Change, LONGEST_TRACK, LONGEST_WORDS, MOST_LAPS,
    MOST_RECORDINGS,
};
use super::facts::{Fact, StoredFact};
use super::{Facts, Recording, RecordingId};

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

/// What a coach sets: it is all of a new task. It replaces the same author's task of the same moment.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TaskBrief {
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
    /// What was set.
    #[serde(flatten)]
    pub brief: TaskBrief,
    /// Whether it is over, which a person decides.
    #[serde(default)]
    pub done: bool,
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
    const KIND: AuthoredKind = AuthoredKind::Task;
    type New = TaskBrief;

    fn checked(new: &TaskBrief, recording: &Recording, now: Micros) -> Result<Self, AuthoredError> {
        let info = recording.info();
        let recording = info.parent.unwrap_or(info.id);
        let task = Self { recording, created: now, brief: new.clone(), done: false, driven: Vec::new() };
        task.trimmed()
    }

    fn origin(&self) -> (RecordingId, Micros, &str) {
        (self.recording, self.created, &self.brief.author)
    }

    /// No recording's laps are lost.
    fn merged(one: &StoredFact, other: &StoredFact) -> StoredFact {
        authored::later(one, other, |task: &mut Self, before| {
            before.driven.into_iter().for_each(|laps| task.add(laps))
        })
    }
}

impl Task {
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
        let TaskBrief { corner, target, laps, .. } = self.brief;
        FollowedTask { corner, target, laps, before }
    }

    /// Whether it paid off. `None` if there were too few laps before the task.
    pub fn verdict(&self) -> Option<Verdict> {
        Verdict::of(&self.brief.baseline, &self.driven(), self.brief.laps)
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

    /// The task with its texts trimmed, if all of it is possible.
    fn trimmed(mut self) -> Result<Self, AuthoredError> {
        self.brief = self.brief.trimmed()?;
        for laps in std::mem::take(&mut self.driven) {
            self.drive(laps)?;
        }
        Ok(self)
    }

    /// Takes the laps of a recording, which replace its earlier ones.
    fn drive(&mut self, laps: RecordedLaps) -> Result<(), AuthoredError> {
        if !laps.laps.laps.is_possible() {
            return Err(AuthoredError::Times);
        }
        self.driven.retain(|known| known.recording != laps.recording);
        if self.driven.len() >= MOST_RECORDINGS {
            return Err(AuthoredError::Recordings);
        }
        self.add(laps);
        Ok(())
    }
}

impl TaskBrief {
    /// The brief with its texts trimmed, if all of it is possible.
    fn trimmed(mut self) -> Result<Self, AuthoredError> {
        self.author = authored::author::<Task>(&self.author)?;
        self.words = checked_words(&self.words)?;
        self.track = match self.track.trim() {
            "" => String::new(),
            track => authored::text(track, LONGEST_TRACK).ok_or(AuthoredError::Track)?,
        };
        if !self.corner.is_possible() {
            return Err(AuthoredError::Corner);
        }
        if !self.target.is_possible() {
            return Err(AuthoredError::Target);
        }
        if !self.baseline.is_possible() {
            return Err(AuthoredError::Times);
        }
        self.laps = checked_laps(self.laps)?;
        Ok(self)
    }
}

impl TaskChange {
    /// Changes a task.
    pub fn apply(self, task: &mut Task) -> Result<(), AuthoredError> {
        if let Some(words) = self.words {
            task.brief.words = checked_words(&words)?;
        }
        if let Some(laps) = self.laps {
            task.brief.laps = checked_laps(laps)?;
        }
        if let Some(driven) = self.driven {
            task.drive(driven)?;
        }
        task.done = self.done.unwrap_or(task.done);
        Ok(())
    }
}

fn checked_words(words: &str) -> Result<String, AuthoredError> {
    authored::text(words, LONGEST_WORDS).ok_or(AuthoredError::Words)
}

fn checked_laps(laps: u32) -> Result<u32, AuthoredError> {
    if (1..=MOST_LAPS).contains(&laps) { Ok(laps) } else { Err(AuthoredError::Laps) }
}

/// A task of another recording as a fact of this one, which goes on with it.
pub fn continued_in(facts: &Facts, task: Task, now: Micros) -> Result<Change, AuthoredError> {
    authored::put(facts, &task.trimmed()?, now)
}

/// The tasks of a recording, in the order in which they were set.
pub fn tasks(facts: &Facts) -> Vec<Task> {
    let mut tasks: Vec<Task> = authored::list(facts);
    tasks.sort_by(|one, other| (one.created, &one.brief.author).cmp(&(other.created, &other.brief.author)));
    tasks
}
