//! Merging the notes and tasks of copies.

use thiserror::Error;
use trailbrake_model::time::Micros;

use super::note::Note;
use crate::RecordingId;
use crate::authored::{self, Authored};
use crate::facts::{self, Facts, StoredFact};
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

impl Authored for Note {
    const PREFIX: &'static str = "note/";

    fn origin(&self) -> (RecordingId, Micros, &str) {
        (self.recording, self.at, &self.author)
    }

    fn merged(one: &StoredFact, other: &StoredFact) -> StoredFact {
        both(one, other)
    }
}

/// Two versions of one note, either of which may be a tombstone.
fn both(one: &StoredFact, other: &StoredFact) -> StoredFact {
    let read = |stored: &StoredFact| facts::read::<Note>(&stored.json).ok();
    let later = || if (one.at, &one.json) <= (other.at, &other.json) { other } else { one };
    // Moving a note in the plan does not bring it back.
    let lasts = |note: Note, own: &StoredFact, gone: &StoredFact| note.written_at(own.at) >= gone.at;
    match (read(one), read(other)) {
        (Some(note), Some(theirs)) => merged((note, one), (theirs, other)),
        (Some(note), None) if other.json.is_empty() => {
            if lasts(note, one, other) { one } else { other }.clone()
        }
        (None, Some(note)) if one.json.is_empty() => {
            if lasts(note, other, one) { other } else { one }.clone()
        }
        _ => later().clone(),
    }
}

/// The later of two texts, with its colour and place, which keeps the earlier one in `others`; at the same time, the last
/// in the alphabet. Independently of that, the later place in the plan.
fn merged(one: (Note, &StoredFact), other: (Note, &StoredFact)) -> StoredFact {
    let at = one.1.at.max(other.1.at);
    let rank = |note: &Note| (note.ranked, note.rank_mm);
    let rank = rank(&one.0).max(rank(&other.0));
    let is_later = {
        let [ours, theirs] = [&one, &other].map(|(note, stored)| note.written_at(stored.at));
        // Notes of one name have one origin, unless somebody stored one under another's name.
        let words = || one.0.says().cmp(&other.0.says());
        let origin = || one.0.origin().cmp(&other.0.origin());
        ours.cmp(&theirs).then_with(words).then_with(origin).is_ge()
    };
    let ((mut note, own), (before, _)) = if is_later { (one, other) } else { (other, one) };
    note.written = Some(note.written_at(own.at));
    (note.ranked, note.rank_mm) = rank;
    let texts = before.others.into_iter().chain([before.text]);
    note.others.extend(texts.filter(|text| *text != note.text));
    note.others.sort();
    note.others.dedup();
    note.stored(at)
}
