//! Why an operation on a recording was refused.

use std::io;
use std::path::Path;

use trailbrake_shared::recording::authored::AuthoredError;

use crate::disk;

/// Why an operation was refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Refusal {
    /// There is no such recording.
    NotThere,
    /// The recording exists, but not this part of it.
    PartNotThere(String),
    /// The request makes no sense.
    Wrong(String),
    /// The present state does not allow it.
    Conflict(String),
    /// The request is too large.
    TooLarge(String),
    /// The recording can't be read.
    Unreadable(String),
    /// A disk error.
    Disk(String),
}

impl Refusal {
    /// A disk error in a folder.
    pub(super) fn disk(folder: &Path, error: &io::Error) -> Self {
        Self::Disk(disk::trouble(folder, error))
    }

    /// The reason in words.
    pub(crate) fn words(&self) -> &str {
        match self {
            Self::NotThere => "there is no such recording",
            Self::PartNotThere(words)
            | Self::Wrong(words)
            | Self::Conflict(words)
            | Self::TooLarge(words)
            | Self::Unreadable(words)
            | Self::Disk(words) => words,
        }
    }
}

impl From<AuthoredError> for Refusal {
    fn from(error: AuthoredError) -> Self {
        let words = error.to_string();
        match error {
            AuthoredError::NotThere(_) => Self::PartNotThere(words),
            AuthoredError::Many(_) | AuthoredError::Recordings => Self::Conflict(words),
            AuthoredError::Author(_)
            | AuthoredError::Text
            | AuthoredError::Moment
            | AuthoredError::Place
            | AuthoredError::Colour
            | AuthoredError::Felt
            | AuthoredError::Words
            | AuthoredError::Track
            | AuthoredError::Corner
            | AuthoredError::Target
            | AuthoredError::Laps
            | AuthoredError::Times => Self::Wrong(words),
        }
    }
}
