//! Merging what people wrote in copies.

use thiserror::Error;

use super::error::AuthoredKind;
use super::fact::Authored;
use crate::RecordingId;
use crate::facts::Facts;
use crate::notes::Note;
use crate::tasks::Task;

/// Why copies are not merged.
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

/// Merges what people wrote in another copy into the facts of one; the order of the two does not matter. What was
/// deleted later than it was written stays deleted. For a clip, the id is its parent's.
pub fn merge(one: (RecordingId, &Facts), other: (RecordingId, &Facts)) -> Result<Facts, MergeError> {
    if one.0 != other.0 {
        return Err(MergeError::Strangers { one: one.0, other: other.0 });
    }
    Ok(together(one.1, other.1))
}

/// The facts of one recording with what people wrote in another, which may be about other recordings.
pub fn together(one: &Facts, other: &Facts) -> Facts {
    let mut merged = one.clone();
    for (name, theirs) in other.iter() {
        let Some(kind) = AuthoredKind::of(name) else { continue };
        let both = match merged.stored(name) {
            // Written by a later version, it may hold what this one does not know.
            Some(ours) if ours == theirs => continue,
            Some(ours) => match kind {
                AuthoredKind::Note => Note::merged(ours, theirs),
                AuthoredKind::Task => Task::merged(ours, theirs),
            },
            None => theirs.clone(),
        };
        merged.store(name, both);
    }
    merged
}
