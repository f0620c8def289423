//! Changes of notes, as facts.

use thiserror::Error;
use trailbrake_model::time::Micros;

use super::colour::NoteColour;
use super::note::{BEST_FELT, NewNote, Note};
use super::plan::{MOST_NOTES, count};
use crate::authored;
use crate::facts::{self, Facts, StoredFact};
use crate::open::Recording;

pub use crate::authored::LONGEST_AUTHOR;

/// The longest note, in characters: some pages.
pub const LONGEST_TEXT: usize = 4000;
/// The longest word for a colour, in bytes.
const LONGEST_COLOUR: usize = 20;
/// How far outside the recorded packets a note's moment may lie: while recording, the last packets are not yet in the
/// file.
const OUTSIDE_S: f64 = 10.0;

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
    /// Too many notes.
    #[error("a recording can have {MOST_NOTES} notes")]
    Many,
    /// There is no such note.
    #[error("there is no such note in the recording")]
    NotThere,
}

/// A new note as a fact: its name and content. It replaces the author's text about the same moment among `facts`, the
/// recording's own or later ones. It keeps the texts of other copies, and what is not given of colour and place in the
/// plan.
pub fn written(
    recording: &Recording,
    facts: &Facts,
    new: NewNote,
    now: Micros,
) -> Result<(String, StoredFact), NoteError> {
    let author = authored::author(&new.author).ok_or(NoteError::Author)?;
    if !new.felt.is_none_or(|felt| (1..=BEST_FELT).contains(&felt)) {
        return Err(NoteError::Felt);
    }
    let text = match new.text.trim() {
        "" if new.felt.is_some() => String::new(),
        text => authored::text(text, LONGEST_TEXT).ok_or(NoteError::Text)?,
    };
    let within = recording.time().is_some_and(|time| {
        time.start.seconds_since(new.at) <= OUTSIDE_S && new.at.seconds_since(time.end) <= OUTSIDE_S
    });
    if !within {
        return Err(NoteError::Moment);
    }
    if new.distance_m.is_some_and(|distance_m| !distance_m.is_finite()) {
        return Err(NoteError::Place);
    }
    if !new.colour.as_ref().is_none_or(is_word) {
        return Err(NoteError::Colour);
    }
    let info = recording.info();
    let mut note = Note {
        recording: info.parent.unwrap_or(info.id),
        at: new.at,
        author,
        text,
        car: new.car,
        distance_m: new.distance_m,
        colour: NoteColour::default(),
        rank_mm: None,
        ranked: None,
        written: None,
        felt: new.felt,
        others: Vec::new(),
    };
    let name = note.name();
    let at = authored::after(facts, &name, now);
    let known = facts.stored(&name).filter(|stored| !stored.json.is_empty());
    if known.is_none() && count(facts) >= MOST_NOTES {
        return Err(NoteError::Many);
    }
    (note.rank_mm, note.ranked, note.written) = (new.rank_mm, new.rank_mm.map(|_| at), Some(at));
    let before = known.and_then(|stored| Some((facts::read::<Note>(&stored.json).ok()?, stored.at)));
    let colour = before.as_ref().map(|(before, _)| before.colour.clone());
    note.colour = new.colour.or(colour).unwrap_or_default();
    if let Some((before, stored)) = before {
        note.felt = note.felt.or(before.felt);
        if new.rank_mm.is_none_or(|rank_mm| before.rank_mm == Some(rank_mm)) {
            (note.rank_mm, note.ranked) = (before.rank_mm, before.ranked);
        }
        if note.says() == before.says() {
            note.written = Some(before.written_at(stored));
        }
        note.others = before.others;
        note.others.retain(|other| *other != note.text);
    }
    Ok((name, note.stored(at)))
}

/// The tombstone of a note, with its name.
pub fn taken_away(facts: &Facts, name: &str, now: Micros) -> Result<(String, StoredFact), NoteError> {
    authored::tombstone::<Note>(facts, name, now).ok_or(NoteError::NotThere)
}

/// Whether a colour can be stored, be it one of a later version.
fn is_word(colour: &NoteColour) -> bool {
    let word = colour.word();
    let is_letter = |byte: u8| byte.is_ascii_lowercase() || byte == b'-';
    !word.is_empty() && word.len() <= LONGEST_COLOUR && word.bytes().all(is_letter)
}
