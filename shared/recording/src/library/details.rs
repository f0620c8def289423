//! Reads the library's details of one recording, fact by fact.

use std::collections::BTreeMap;
use std::fmt;

use serde::Deserialize;
use serde::de::{Deserializer, IgnoredAny, MapAccess, Visitor};

use trailbrake_model::time::Micros;

use super::Entry;
use crate::authored::{Authored, AuthoredKind};
use crate::facts::StoredFact;
use crate::notes::Note;
use crate::tasks::Task;
use crate::{Fact, Facts, Info, LapTable, SessionSummary};

/// One recording with the facts that a page shows.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default)]
pub struct RecordingDetails {
    /// Its list entry.
    pub entry: Entry,
    /// Its facts.
    pub facts: RecordingFacts,
    /// When each note and task was stored, by its name among the facts. Deleted ones are here alone.
    pub written: BTreeMap<String, Micros>,
}

/// The facts that a page shows.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RecordingFacts {
    /// The recording's info.
    pub info: Option<Info>,
    /// The facts that the game reported of the session.
    pub session: SessionSummary,
    /// The laps of all cars.
    pub laps: LapTable,
    /// The notes by fact name.
    pub notes: BTreeMap<String, Note>,
    /// The tasks by fact name.
    pub tasks: BTreeMap<String, Task>,
}

impl RecordingDetails {
    /// Reads the JSON of [`Details`](super::Details); the error says what is wrong.
    pub fn read(json: &[u8]) -> Result<Self, String> {
        serde_json::from_slice(json).map_err(|error| error.to_string())
    }

    /// Its notes and tasks as stored, deleted ones included.
    pub fn authored(&self) -> Facts {
        let RecordingFacts { notes, tasks, .. } = &self.facts;
        let mut authored = Facts::default();
        for (name, at) in &self.written {
            let note = notes.get(name).map(|note| note.stored(*at));
            let stored = note.or_else(|| tasks.get(name).map(|task| task.stored(*at)));
            authored.store(name, stored.unwrap_or(StoredFact { at: *at, json: Vec::new() }));
        }
        authored
    }
}

/// Each fact is read directly into its type. Reading all facts as generic JSON first would make the page larger.
impl<'de> Deserialize<'de> for RecordingFacts {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Facts;

        impl<'de> Visitor<'de> for Facts {
            type Value = RecordingFacts;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("facts by name")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<RecordingFacts, A::Error> {
                let mut known = RecordingFacts::default();
                while let Some(name) = map.next_key::<String>()? {
                    match name.as_str() {
                        Info::NAME => known.info = Some(map.next_value()?),
                        SessionSummary::NAME => known.session = map.next_value()?,
                        LapTable::NAME => known.laps = map.next_value()?,
                        _ => match AuthoredKind::of(&name) {
                            Some(AuthoredKind::Note) => drop(known.notes.insert(name, map.next_value()?)),
                            Some(AuthoredKind::Task) => drop(known.tasks.insert(name, map.next_value()?)),
                            None => drop(map.next_value::<IgnoredAny>()?),
                        },
                    }
                }
                Ok(known)
            }
        }

        deserializer.deserialize_map(Facts)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::library::Details;
    use crate::{NoteColour, RecordingId};

    #[test]
    fn each_fact_is_read_and_others_are_passed_over() {
        let note = Note {
            recording: RecordingId(3),
            at: Micros(5),
            author: "Ann".into(),
            text: "brakes late".into(),
            car: None,
            distance_m: None,
            colour: NoteColour::Amber,
            rank_mm: None,
            ranked: None,
            written: None,
            felt: None,
            others: Vec::new(),
        };
        let session = SessionSummary { game: Some("F1 2018".into()), ..SessionSummary::default() };
        let laps = LapTable { decoder: 1, ..LapTable::default() };
        let entry = Entry { file: "a.mcap".into(), laps: 7, ..Entry::default() };
        let json = |fact: &[u8]| serde_json::from_slice::<serde_json::Value>(fact).expect("JSON");
        let stored = [
            (SessionSummary::NAME.to_owned(), json(&crate::facts::write(&session))),
            (LapTable::NAME.to_owned(), json(&crate::facts::write(&laps))),
            (note.name(), json(&note.stored(Micros(9)).json)),
            ("of-later".to_owned(), json(br#"{"version":4,"deep":[{"x":null}]}"#)),
        ];
        let written = [(note.name(), Micros(9)), ("note/3/7/Ann".to_owned(), Micros(11))];
        let details = Details {
            entry: entry.clone(),
            facts: stored.into_iter().collect(),
            written: written.clone().into_iter().collect(),
        };
        let bytes = serde_json::to_vec(&details).expect("JSON");
        let known = RecordingDetails::read(&bytes).expect("facts");
        let authored = known.authored();
        let times = authored.iter().map(|(name, stored)| (name.to_owned(), stored.at));
        assert_eq!(times.collect::<Vec<_>>(), written);
        assert_eq!(crate::notes::notes(&authored), std::slice::from_ref(&note), "the other one is deleted");
        assert_eq!((known.entry, known.facts.session, known.facts.laps), (entry, session, laps));
        assert_eq!(known.facts.notes.into_iter().collect::<Vec<_>>(), [(note.name(), note)]);
        assert_eq!(known.facts.info, None);
    }

    #[test]
    fn invalid_details_are_rejected() {
        assert!(RecordingDetails::read(br#"{"entry":{},"facts":{"laps":5}}"#).is_err());
        assert!(RecordingDetails::read(b"<html>").is_err());
    }
}
