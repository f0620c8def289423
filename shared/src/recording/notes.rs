//! Notes: what somebody wrote about a moment. Each is a fact of its own, so that two people's notes on copies of one
//! recording can be put together.

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::facts::{self, Fact, StoredFact};
use super::{Facts, Recording, RecordingId};
use crate::model::Car;
use crate::time::Micros;

/// What the names of notes begin with.
const PREFIX: &str = "note/";
/// The longest note, in letters: some pages.
pub const LONGEST_TEXT: usize = 4000;
/// The longest name of an author, in letters.
pub const LONGEST_AUTHOR: usize = 100;
/// So many notes a recording can have: all of them are read whenever it is opened.
pub const MOST_NOTES: usize = 2000;
/// A moment may lie so far outside of the packets that are in the file: of a recording under way, the last are not yet.
const OUTSIDE_S: f64 = 10.0;

/// A note that somebody writes. The same author's note about the same moment gets a new wording.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NewNote {
    /// The moment, on the clock of the packets.
    pub at: Micros,
    /// Who writes it.
    pub author: String,
    /// What.
    pub text: String,
    /// Whose car it is about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub car: Option<Car>,
    /// Where on the track, metres from the line.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub distance_m: Option<f32>,
}

/// What somebody wrote about a moment.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Note {
    /// The recording that it is about: that of the packets, or the one that they were taken out of.
    pub recording: RecordingId,
    /// The moment, on the clock of the packets.
    pub at: Micros,
    /// Who wrote it.
    pub author: String,
    /// What.
    pub text: String,
    /// Whose car it is about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub car: Option<Car>,
    /// Where on the track, metres from the line: this survives a better decoder.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub distance_m: Option<f32>,
    /// Other wordings, of the same author and moment, that this one took the place of where two copies differed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub others: Vec<String>,
}

impl Fact for Note {
    const NAME: &'static str = "note";
}

impl Note {
    /// The name of the fact: the moment and the author, so that the same note has the same name in every copy.
    pub fn name(&self) -> String {
        format!("{PREFIX}{}/{}/{}", self.recording, self.at.0, self.author)
    }

    /// The note as it is stored, written or changed at this time.
    pub fn stored(&self, written: Micros) -> StoredFact {
        StoredFact { at: written, json: facts::write(self) }
    }
}

/// Why a note is not written, or not taken away.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum NoteError {
    /// Nobody, or too long a name.
    #[error("a note needs to say in one line, of at most {LONGEST_AUTHOR} letters, who writes it")]
    Author,
    /// Nothing, or too much.
    #[error("a note has a text of at most {LONGEST_TEXT} letters")]
    Text,
    /// Nothing was recorded then.
    #[error(
        "the moment of the note is not in the recording: its time is that of the packets, in microseconds"
    )]
    Moment,
    /// No place on a track.
    #[error("the place of the note is no distance in metres")]
    Place,
    /// Too many.
    #[error("a recording can have {MOST_NOTES} notes")]
    Many,
    /// There is no such note.
    #[error("there is no such note in the recording")]
    NotThere,
}

/// What somebody writes, as a fact of a recording: its name and what is stored under it. Where the same author wrote
/// about the same moment before, the new wording takes the old one's place, and wordings of other copies stay.
pub fn written(recording: &Recording, new: NewNote, now: Micros) -> Result<(String, StoredFact), NoteError> {
    let author = line(&new.author).ok_or(NoteError::Author)?;
    let text = new.text.trim();
    let plain = |letter: char| !letter.is_control() || letter == '\n';
    if text.is_empty() || text.chars().count() > LONGEST_TEXT || !text.chars().all(plain) {
        return Err(NoteError::Text);
    }
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
        text: text.to_owned(),
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
    let at = after(facts, &name, now);
    Ok((name, note.stored(at)))
}

/// What takes a note away: its name and the tombstone.
pub fn taken_away(facts: &Facts, name: &str, now: Micros) -> Result<(String, StoredFact), NoteError> {
    let there = name.starts_with(PREFIX) && facts.json(name).is_some();
    let gone = || StoredFact { at: after(facts, name, now), json: Vec::new() };
    there.then(|| (name.to_owned(), gone())).ok_or(NoteError::NotThere)
}

/// When a fact is changed: later than it was before, even where that was by a clock that is ahead. Copies would
/// otherwise be merged the wrong way round.
fn after(facts: &Facts, name: &str, now: Micros) -> Micros {
    let before = facts.stored(name).map(|stored| Micros(stored.at.0.saturating_add(1)));
    before.map_or(now, |before| before.max(now))
}

/// A name of somebody, in one line.
fn line(author: &str) -> Option<String> {
    let author = author.trim();
    let fits = !author.is_empty() && author.chars().count() <= LONGEST_AUTHOR;
    (fits && !author.chars().any(char::is_control)).then(|| author.to_owned())
}

/// Why notes are not merged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum MergeError {
    /// The two are of different recordings.
    #[error("these are two recordings, {one} and {other}, and not copies of one")]
    Strangers {
        /// The one's id.
        one: RecordingId,
        /// The other's.
        other: RecordingId,
    },
}

/// Whether a fact of this name is a note.
pub fn is_name(name: &str) -> bool {
    name.starts_with(PREFIX)
}

/// The notes of a recording, in the order of their moments. One that can't be read is left out.
pub fn notes(facts: &Facts) -> Vec<Note> {
    let notes = facts.iter().filter(|(name, stored)| name.starts_with(PREFIX) && !stored.json.is_empty());
    let mut notes: Vec<Note> = notes.filter_map(|(_, stored)| facts::read(&stored.json).ok()).collect();
    notes.sort_by(|a, b| (a.at, &a.author).cmp(&(b.at, &b.author)));
    notes
}

/// Whether a fact of this name is a note.
pub(crate) fn names_one(name: &str) -> bool {
    name.starts_with(PREFIX)
}

/// Whether a fact is a note about one of some moments.
pub(super) fn is_note(name: &str, about: &dyn Fn(&Micros) -> bool) -> bool {
    let parts = name.strip_prefix(PREFIX).and_then(|rest| rest.split_once('/'));
    let at = parts.and_then(|(_, rest)| rest.split('/').next()).and_then(|at| at.parse().ok());
    at.map(Micros).is_some_and(|at| about(&at))
}

/// Puts the notes of another copy into the facts of one: whoever's are in either are in the result, whichever of the
/// two is given first. What was deleted later than it was written stays deleted. Both ids are those of the recordings,
/// or of the ones that they were taken out of.
pub fn merge(one: (RecordingId, &Facts), other: (RecordingId, &Facts)) -> Result<Facts, MergeError> {
    if one.0 != other.0 {
        return Err(MergeError::Strangers { one: one.0, other: other.0 });
    }
    Ok(together(one.1, other.1))
}

/// The facts of one recording with the notes of another, which may be about other recordings than the one's.
pub fn together(one: &Facts, other: &Facts) -> Facts {
    let mut merged = one.clone();
    for (name, theirs) in other.iter().filter(|(name, _)| name.starts_with(PREFIX)) {
        let both = match merged.stored(name) {
            Some(ours) => both(ours, theirs),
            None => theirs.clone(),
        };
        merged.store(name, both);
    }
    merged
}

/// The later of two wordings, with the earlier one kept beside it; at the same time the one that comes last in the
/// alphabet.
fn both(one: &StoredFact, other: &StoredFact) -> StoredFact {
    let (early, late) =
        if (one.at, &one.json) <= (other.at, &other.json) { (one, other) } else { (other, one) };
    let (Ok(before), Ok(mut note)) = (facts::read::<Note>(&early.json), facts::read::<Note>(&late.json))
    else {
        // One of the two is a tombstone.
        return late.clone();
    };
    let texts = before.others.into_iter().chain([before.text]);
    note.others.extend(texts.filter(|text| *text != note.text));
    note.others.sort();
    note.others.dedup();
    note.stored(late.at)
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
