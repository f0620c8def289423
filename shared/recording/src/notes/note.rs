//! A note, as it is stored and as it is written.

use serde::{Deserialize, Serialize};
use trailbrake_model::Car;
use trailbrake_model::time::Micros;

use super::colour::NoteColour;
use crate::RecordingId;
use crate::authored::{self, Authored, AuthoredError, AuthoredKind, BEST_FELT, LONGEST_TEXT};
use crate::facts::{self, Fact, StoredFact};
use crate::open::Recording;

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
    /// The text; may be empty if the corner is rated.
    pub text: String,
    /// The car it is about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub car: Option<Car>,
    /// Lap distance in metres from the start line.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub distance_m: Option<f32>,
    /// The colour; without one, the replaced note's stays.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub colour: Option<NoteColour>,
    /// The place in the lesson plan, as [`Note::rank_mm`]; without one, the replaced note's stays.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rank_mm: Option<i64>,
    /// How the corner felt, as [`Note::felt`]; without one, the replaced note's stays.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub felt: Option<u8>,
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
    /// The text; may be empty where the driver rated the corner.
    pub text: String,
    /// The car it is about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub car: Option<Car>,
    /// Lap distance in metres from the start line; unlike a time, it survives a better decoder.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub distance_m: Option<f32>,
    /// The colour.
    #[serde(default, skip_serializing_if = "NoteColour::is_default")]
    pub colour: NoteColour,
    /// Where somebody moved it in the lesson plan: it stands as if its place were so many millimetres from the line.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rank_mm: Option<i64>,
    /// When it was moved there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ranked: Option<Micros>,
    /// When its text, colour or place was last changed; if absent, when the fact was stored. Moving it in the lesson
    /// plan is no such change, so that copies can merge another's words with one's own order.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub written: Option<Micros>,
    /// How the corner felt to the driver before they saw times: from 1, bad, to [`BEST_FELT`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub felt: Option<u8>,
    /// Texts of the same author and moment that this one replaced where two copies differed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub others: Vec<String>,
}

impl Fact for Note {
    const NAME: &'static str = "note";
}

impl Authored for Note {
    const KIND: AuthoredKind = AuthoredKind::Note;
    type New = NewNote;

    fn checked(new: &NewNote, recording: &Recording, _: Micros) -> Result<Self, AuthoredError> {
        let author = authored::author::<Self>(&new.author)?;
        if !new.felt.is_none_or(|felt| (1..=BEST_FELT).contains(&felt)) {
            return Err(AuthoredError::Felt);
        }
        let text = match new.text.trim() {
            "" if new.felt.is_some() => String::new(),
            text => authored::text(text, LONGEST_TEXT).ok_or(AuthoredError::Text)?,
        };
        let within = recording.time().is_some_and(|time| {
            time.start.seconds_since(new.at) <= OUTSIDE_S && new.at.seconds_since(time.end) <= OUTSIDE_S
        });
        if !within {
            return Err(AuthoredError::Moment);
        }
        if new.distance_m.is_some_and(|distance_m| !distance_m.is_finite()) {
            return Err(AuthoredError::Place);
        }
        if !new.colour.as_ref().is_none_or(NoteColour::is_word) {
            return Err(AuthoredError::Colour);
        }
        let info = recording.info();
        Ok(Self {
            recording: info.parent.unwrap_or(info.id),
            at: new.at,
            author,
            text,
            car: new.car,
            distance_m: new.distance_m,
            colour: new.colour.clone().unwrap_or_default(),
            rank_mm: new.rank_mm,
            ranked: None,
            written: None,
            felt: new.felt,
            others: Vec::new(),
        })
    }

    /// Keeps the texts of other copies, and what is not given of colour, rating and place in the plan.
    fn replace(&mut self, new: &NewNote, before: Option<(Self, Micros)>, at: Micros) {
        (self.ranked, self.written) = (new.rank_mm.map(|_| at), Some(at));
        let Some((before, stored)) = before else { return };
        if new.colour.is_none() {
            self.colour.clone_from(&before.colour);
        }
        self.felt = self.felt.or(before.felt);
        if new.rank_mm.is_none_or(|rank_mm| before.rank_mm == Some(rank_mm)) {
            (self.rank_mm, self.ranked) = (before.rank_mm, before.ranked);
        }
        if self.says() == before.says() {
            self.written = Some(before.written_at(stored));
        }
        self.others = before.others;
        self.others.retain(|other| *other != self.text);
    }

    fn origin(&self) -> (RecordingId, Micros, &str) {
        (self.recording, self.at, &self.author)
    }

    fn merged(one: &StoredFact, other: &StoredFact) -> StoredFact {
        both(one, other)
    }
}

impl Note {
    /// The same note as one to be written: nothing about it changes.
    pub fn again(&self) -> NewNote {
        NewNote {
            at: self.at,
            author: self.author.clone(),
            text: self.text.clone(),
            car: self.car,
            distance_m: self.distance_m,
            colour: Some(self.colour.clone()),
            rank_mm: self.rank_mm,
            felt: self.felt,
        }
    }

    /// What it says in words: how the corner felt, and the text.
    pub fn words(&self) -> String {
        let felt = self.felt.map(|felt| format!("Felt {felt} of {BEST_FELT}"));
        let text = Some(self.text.clone()).filter(|text| !text.is_empty());
        felt.into_iter().chain(text).collect::<Vec<_>>().join(": ")
    }

    /// When what it says was last changed, by the time at which it was stored.
    pub(super) fn written_at(&self, stored: Micros) -> Micros {
        self.written.unwrap_or(stored)
    }

    /// What it says: equal for two versions that say the same.
    pub(super) fn says(&self) -> (&str, &NoteColour, Option<Car>, Option<u32>, Option<u8>) {
        (&self.text, &self.colour, self.car, self.distance_m.map(f32::to_bits), self.felt)
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
