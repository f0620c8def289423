//! The kinds of facts that people write, their limits, and why one is not stored.

use std::fmt;

use thiserror::Error;

/// The longest author name, in characters.
pub const LONGEST_AUTHOR: usize = 100;
/// The longest note, in characters: some pages.
pub const LONGEST_TEXT: usize = 4000;
/// The longest word for a note's colour, in bytes.
pub(crate) const LONGEST_COLOUR: usize = 20;
/// The rating of a corner that went as the driver wanted.
pub const BEST_FELT: u8 = 5;
/// The longest words of a task, in characters: a driver reads them on the straight.
pub const LONGEST_WORDS: usize = 200;
/// The longest track name of a task, in characters.
pub const LONGEST_TRACK: usize = 100;
/// The most laps that a task asks for.
pub const MOST_LAPS: u32 = 100;
/// The most recordings that a task goes on over.
pub const MOST_RECORDINGS: usize = 100;

/// A kind of fact that people write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AuthoredKind {
    /// What somebody says about a moment, with the rating of a corner in a debrief.
    Note,
    /// What a coach asks of a driver.
    Task,
}

impl AuthoredKind {
    /// All kinds.
    pub const ALL: [Self; 2] = [Self::Note, Self::Task];

    /// The kind of the fact with this name. `None` if nobody writes it.
    pub fn of(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| name.starts_with(kind.prefix()))
    }

    /// The prefix of all names of this kind.
    pub(super) const fn prefix(self) -> &'static str {
        match self {
            Self::Note => "note/",
            Self::Task => "task/",
        }
    }

    /// The most of a recording: all are read whenever it is opened.
    pub const fn most(self) -> usize {
        match self {
            Self::Note => 2000,
            Self::Task => 200,
        }
    }
}

impl fmt::Display for AuthoredKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Note => "note",
            Self::Task => "task",
        })
    }
}

/// Why a fact is not written, changed or deleted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum AuthoredError {
    /// The author is empty or too long.
    #[error("a {0} needs to say in one line, of at most {LONGEST_AUTHOR} letters, who writes it")]
    Author(AuthoredKind),
    /// The text of a note is empty or too long.
    #[error("a note has a text of at most {LONGEST_TEXT} letters")]
    Text,
    /// The moment was not recorded.
    #[error("the moment of the note is not in the recording")]
    Moment,
    /// The distance is not finite.
    #[error("the place of the note is no distance in metres")]
    Place,
    /// The colour is no word.
    #[error("the colour of the note is no word of at most {LONGEST_COLOUR} small letters")]
    Colour,
    /// The rating is none.
    #[error("a corner is rated from 1 to {BEST_FELT}")]
    Felt,
    /// The words of a task are empty or too long.
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
    /// Too many of a kind.
    #[error("a recording can have {most} {0}s: delete one first", most = .0.most())]
    Many(AuthoredKind),
    /// There is none of this name.
    #[error("there is no such {0} in the recording")]
    NotThere(AuthoredKind),
}
