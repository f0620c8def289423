//! Merging the notes and tasks of copies.

use thiserror::Error;

use super::note::Note;
use crate::RecordingId;
use crate::authored;
use crate::facts::Facts;
use crate::tasks::Task;

/// Why notes are not merged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum MergeError {
    /// The two are of different recordings.
    #[error("these are two recordings, {one} and {other}, and not copies of one")]
    Strangers {
        /// The first id.
        one: RecordingId,
        /// The second id.
        other: RecordingId,
    },
}

/// Merges the notes and tasks of another copy into the facts of one; the order of the two does not matter. What was
/// deleted later than it was written stays deleted. For a clip, the id is its parent's.
pub fn merge(one: (RecordingId, &Facts), other: (RecordingId, &Facts)) -> Result<Facts, MergeError> {
    if one.0 != other.0 {
        return Err(MergeError::Strangers { one: one.0, other: other.0 });
    }
    Ok(together(one.1, other.1))
}

/// The facts of one recording with the notes and tasks of another, which may be about other recordings.
pub fn together(one: &Facts, other: &Facts) -> Facts {
    let mut merged = one.clone();
    authored::take::<Note>(&mut merged, other);
    authored::take::<Task>(&mut merged, other);
    merged
}
