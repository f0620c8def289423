//! Notes: what people wrote about moments. Each is a fact of its own, so that notes on copies of one recording can be
//! merged. Coaching tasks are merged with them.

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::authored::{self, Authored};
use super::facts::{self, Fact, StoredFact};
use super::tasks::Task;
use super::{Facts, Recording, RecordingId};
use crate::model::Car;
use crate::time::Micros;

pub use super::authored::LONGEST_AUTHOR;

/// The longest note, in characters: some pages.
pub const LONGEST_TEXT: usize = 4000;
/// The most notes of a recording: all are read whenever it is opened.
pub const MOST_NOTES: usize = 2000;
/// How far outside the recorded packets a note's moment may lie: while recording, the last packets are not yet in the
/// file.
const OUTSIDE_S: f64 = 10.0;

/// A note to be written. It replaces the same author's note about the same moment.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NewNote {
    /// The moment, on the packets' clock.
    pub at: Micros,
    /// The author.
    pub author: String,
    /// The text.
    pub text: String,
    /// The car it is about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub car: Option<Car>,
    /// Lap distance in metres from the start line.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub distance_m: Option<f32>,
}

/// A note about a moment.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Note {
    /// The recording it is about; for a clip, the recording that the clip was taken from.
    pub recording: RecordingId,
    /// The moment, on the packets' clock.
    pub at: Micros,
    /// The author.
    pub author: String,
    /// The text.
    pub text: String,
    /// The car it is about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub car: Option<Car>,
    /// Lap distance in metres from the start line; unlike a time, it survives a better decoder.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub distance_m: Option<f32>,
    /// Texts of the same author and moment that this one replaced where two copies differed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub others: Vec<String>,
}

impl Fact for Note {
    const NAME: &'static str = "note";
}

impl Authored for Note {
    const PREFIX: &'static str = "note/";

    fn origin(&self) -> (RecordingId, Micros, &str) {
        (self.recording, self.at, &self.author)
    }

    /// No wording is lost: an earlier text stays in `others`.
    fn keep(&mut self, before: Self) {
        let texts = before.others.into_iter().chain([before.text]);
        self.others.extend(texts.filter(|text| *text != self.text));
        self.others.sort();
        self.others.dedup();
    }
}

impl Note {
    /// The fact's name: recording, moment and author, so that a note has the same name in every copy.
    pub fn name(&self) -> String {
        authored::name(self)
    }

    /// The note as stored, written or changed at `written`.
    pub fn stored(&self, written: Micros) -> StoredFact {
        authored::stored(self, written)
    }
}

/// Why a note is not written or deleted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum NoteError {
    /// The author is empty or too long.
    #[error("a note needs to say in one line, of at most {LONGEST_AUTHOR} letters, who writes it")]
    Author,
    /// The text is empty or too long.
    #[error("a note has a text of at most {LONGEST_TEXT} letters")]
    Text,
    /// The moment was not recorded.
    #[error(
        "the moment of the note is not in the recording: its time is that of the packets, in microseconds"
    )]
    Moment,
    /// The distance is not finite.
    #[error("the place of the note is no distance in metres")]
    Place,
    /// Too many notes.
    #[error("a recording can have {MOST_NOTES} notes")]
    Many,
    /// There is no such note.
    #[error("there is no such note in the recording")]
    NotThere,
}

/// A new note as a fact: its name and content. It replaces the author's text about the same moment, and keeps the texts
/// of other copies.
pub fn written(recording: &Recording, new: NewNote, now: Micros) -> Result<(String, StoredFact), NoteError> {
    let author = authored::author(&new.author).ok_or(NoteError::Author)?;
    let text = authored::text(&new.text, LONGEST_TEXT).ok_or(NoteError::Text)?;
    let within = recording.time().is_some_and(|time| {
        time.start.seconds_since(new.at) <= OUTSIDE_S && new.at.seconds_since(time.end) <= OUTSIDE_S
    });
    if !within {
        return Err(NoteError::Moment);
    }
    if new.distance_m.is_some_and(|distance_m| !distance_m.is_finite()) {
        return Err(NoteError::Place);
    }
    let info = recording.info();
    let mut note = Note {
        recording: info.parent.unwrap_or(info.id),
        at: new.at,
        author,
        text,
        car: new.car,
        distance_m: new.distance_m,
        others: Vec::new(),
    };
    let (name, facts) = (note.name(), recording.facts());
    match facts.json(&name).map(facts::read::<Note>) {
        Some(before) => note.others = before.map(|before| before.others).unwrap_or_default(),
        None if notes(facts).len() >= MOST_NOTES => return Err(NoteError::Many),
        None => {}
    }
    let at = authored::after(facts, &name, now);
    Ok((name, note.stored(at)))
}

/// The tombstone of a note, with its name.
pub fn taken_away(facts: &Facts, name: &str, now: Micros) -> Result<(String, StoredFact), NoteError> {
    authored::tombstone::<Note>(facts, name, now).ok_or(NoteError::NotThere)
}

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

/// Whether a fact of this name is a note.
pub fn is_name(name: &str) -> bool {
    name.starts_with(Note::PREFIX)
}

/// The notes of a recording, ordered by moment. A note that can't be read is skipped.
pub fn notes(facts: &Facts) -> Vec<Note> {
    authored::list(facts)
}

/// Whether a fact is a note about a moment for which `about` is true.
pub(super) fn is_note(name: &str, about: &dyn Fn(&Micros) -> bool) -> bool {
    authored::moment::<Note>(name).is_some_and(|at| about(&at))
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

#[cfg(test)]
mod tests {
    use super::*;

    const ID: RecordingId = RecordingId(3);

    fn note(at: u64, author: &str, text: &str) -> Note {
        let (author, text) = (author.to_owned(), text.to_owned());
        let at = Micros(at);
        Note { recording: ID, at, author, text, car: None, distance_m: None, others: Vec::new() }
    }

    fn with(notes: &[(&Note, u64)]) -> Facts {
        let mut facts = Facts::default();
        for (note, written) in notes {
            facts.store(&note.name(), note.stored(Micros(*written)));
        }
        facts
    }

    fn check(one: &Facts, other: &Facts, expected: &[(&str, &[&str])]) {
        let merged = merge((ID, one), (ID, other)).expect("copies of one");
        assert_eq!(merge((ID, other), (ID, one)), Ok(merged.clone()), "either way round");
        assert_eq!(merge((ID, &merged), (ID, other)), Ok(merged.clone()), "once more changes nothing");
        let notes = notes(&merged);
        let texts: Vec<(&str, Vec<&str>)> = notes
            .iter()
            .map(|note| (note.text.as_str(), note.others.iter().map(String::as_str).collect()))
            .collect();
        let expected: Vec<(&str, Vec<&str>)> =
            expected.iter().map(|(text, others)| (*text, others.to_vec())).collect();
        assert_eq!(texts, expected);
    }

    #[test]
    fn notes_of_two_people_are_put_together() {
        let (ann, bob) = (note(5, "Ann", "brakes late"), note(5, "Bob", "off line"));
        let early = note(2, "Bob", "good start");
        let (one, other) = (with(&[(&ann, 9)]), with(&[(&bob, 8), (&early, 8)]));
        check(&one, &other, &[("good start", &[]), ("brakes late", &[]), ("off line", &[])]);
    }

    #[test]
    fn no_wording_is_lost() {
        let (first, second) = (note(5, "Ann", "brakes late"), note(5, "Ann", "brakes far too late"));
        check(&with(&[(&first, 9)]), &with(&[(&second, 10)]), &[("brakes far too late", &["brakes late"])]);
        check(&with(&[(&first, 9)]), &with(&[(&first, 10)]), &[("brakes late", &[])]);
    }

    #[test]
    fn what_was_deleted_stays_deleted_unless_it_was_written_again() {
        let note = note(5, "Ann", "brakes late");
        let mut deleted = with(&[(&note, 9)]);
        deleted.remove(Micros(20), &note.name());
        check(&deleted, &with(&[(&note, 9)]), &[]);
        check(&deleted, &with(&[(&note, 30)]), &[("brakes late", &[])]);
    }

    #[test]
    fn a_change_is_later_than_what_it_changes_whatever_the_clock_says() {
        let note = note(5, "Ann", "brakes late");
        let ours = with(&[(&note, 900)]);
        let (name, gone) = taken_away(&ours, &note.name(), Micros(20)).expect("a note");
        let mut deleted = ours.clone();
        deleted.store(&name, gone);
        check(&deleted, &ours, &[]);
        assert_eq!(taken_away(&deleted, &name, Micros(21)), Err(NoteError::NotThere));
        assert_eq!(taken_away(&ours, "labels", Micros(21)), Err(NoteError::NotThere));
    }

    #[test]
    fn strangers_are_not_merged() {
        let facts = Facts::default();
        let error = merge((ID, &facts), (RecordingId(4), &facts)).expect_err("a reason");
        assert!(error.to_string().contains("two recordings"), "{error}");
    }
}
