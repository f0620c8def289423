//! Reasons why something was not done with a recording.

use std::io;
use std::path::Path;

use crate::disk;

/// Why something was not done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Refusal {
    /// There is no such recording.
    NotThere,
    /// There is the recording, and no such note in it.
    NoteNotThere,
    /// What was asked for makes no sense.
    Wrong(String),
    /// It can't be done as things are.
    Conflict(String),
    /// It is too much.
    TooLarge(String),
    /// The recording can't be read.
    Unreadable(String),
    /// The disk does not allow it.
    Disk(String),
}

impl Refusal {
    /// What the disk of a folder does not allow.
    pub(super) fn disk(folder: &Path, error: &io::Error) -> Self {
        Self::Disk(disk::trouble(folder, error))
    }

    /// The reason.
    pub(crate) fn words(&self) -> &str {
        match self {
            Self::NotThere => "there is no such recording",
            Self::NoteNotThere => "there is no such note in the recording",
            Self::Wrong(words)
            | Self::Conflict(words)
            | Self::TooLarge(words)
            | Self::Unreadable(words)
            | Self::Disk(words) => words,
        }
    }
}
