//! The notes of one source.

use trailbrake_shared::lap_catalogue::{LapCatalogue, LapEntry};
use trailbrake_shared::recording::authored::{AuthoredKind, together};
use trailbrake_shared::recording::facts::StoredFact;
use trailbrake_shared::recording::notes::notes;
use trailbrake_shared::recording::tasks::tasks;
use trailbrake_shared::recording::{Facts, MergedNotes, Note, Recording, RecordingId, Task};
use trailbrake_shared::time::Micros;

use super::unsaved;
use crate::analyse::sources::is_same;
use crate::analyse::{LapKey, LapSource, SourceId};

/// The notes of one source.
pub(super) struct Book {
    pub(super) of: SourceId,
    /// The recording; for the live session, the current one.
    pub(super) id: RecordingId,
    /// The opened recording's facts, with changes to notes and tasks; for the live session, what the relay reported.
    facts: Facts,
    notes: Vec<Note>,
    tasks: Vec<Task>,
    /// For the live session, its laps as the current recording lists them; otherwise empty.
    recorded: LapCatalogue,
    /// Whether this page has notes or tasks that the opened file lacks.
    pub(super) in_page: bool,
    /// Whether some of those have not been saved to any file yet.
    pub(super) unsaved: bool,
}

impl Book {
    /// The book of an opened recording. If the relay does not have it, unsaved notes in the browser are added.
    pub(super) fn of_recording(of: SourceId, recording: &Recording, is_at_relay: bool) -> Self {
        let (id, facts) = (recording.info().id, recording.facts());
        let kept = unsaved::kept(id, facts).filter(|_| !is_at_relay);
        let (in_page, facts) = (kept.is_some(), kept.unwrap_or_else(|| facts.clone()));
        let (notes, tasks, recorded) = (notes(&facts), tasks(&facts), LapCatalogue::default());
        Self { of, id, facts, notes, tasks, recorded, in_page, unsaved: in_page }
    }

    /// The book of a source that the relay has not reported on yet.
    pub(super) fn empty(of: SourceId, id: RecordingId) -> Self {
        Self {
            of,
            id,
            facts: Facts::default(),
            notes: Vec::new(),
            tasks: Vec::new(),
            recorded: LapCatalogue::default(),
            in_page: false,
            unsaved: false,
        }
    }

    /// Replaces the notes and tasks by those that the relay reported of a recording.
    pub(super) fn take_answer(&mut self, id: RecordingId, authored: &Facts) {
        if self.id != id {
            *self = Self::empty(self.of, id);
        }
        let mut facts = authored.clone();
        for (name, stored) in self.facts.iter().filter(|(name, _)| AuthoredKind::of(name).is_none()) {
            facts.store(name, stored.clone());
        }
        self.facts = facts;
        self.read_facts();
        (self.in_page, self.unsaved) = (false, false);
    }

    /// Merges in another book of the same recording, as this copy may have been read before the last change.
    pub(super) fn catch_up(&mut self, other: &Self) {
        self.facts = together(&self.facts, &other.facts);
        self.read_facts();
    }

    /// Sets the lap list of the current recording, in which live laps are found.
    pub(super) fn find_laps(&mut self, recorded: LapCatalogue) {
        self.recorded = recorded;
    }

    fn read_facts(&mut self) {
        (self.notes, self.tasks) = (notes(&self.facts), tasks(&self.facts));
    }

    pub(super) fn facts(&self) -> &Facts {
        &self.facts
    }

    /// The notes, in the order of the lesson plan.
    pub(super) fn notes(&self) -> &[Note] {
        &self.notes
    }

    /// The tasks, in the order in which they were set.
    pub(super) fn tasks(&self) -> &[Task] {
        &self.tasks
    }

    /// Stores a note or a task, or its deletion, in this page only. The browser keeps unsaved notes.
    pub(super) fn store(&mut self, name: &str, stored: StoredFact) {
        self.facts.store(name, stored);
        self.read_facts();
        (self.in_page, self.unsaved) = (true, true);
        unsaved::keep(self.id, Some(&self.facts));
    }

    /// Merges the notes of another copy of the file. Returns what changed; `None` if nothing did.
    pub(super) fn merge(&mut self, file: &Facts) -> Option<MergedNotes> {
        // All other facts are those of `file`, as that is the copy that would be saved.
        let facts = together(file, &self.facts);
        let merged = MergedNotes::between(&self.facts, &facts);
        self.in_page |= facts != *file;
        self.facts = facts;
        self.read_facts();
        (!merged.is_empty()).then_some(merged)
    }

    /// The lap of a source that was under way at a note's moment, in the note's car.
    pub(super) fn lap(&self, note: &Note, source: &LapSource) -> Option<LapKey> {
        let holds = |entry: &&LapEntry| {
            entry.was_under_way(note.at) && note.car.is_none_or(|car| car == entry.id.car)
        };
        let laps = source.catalogue.laps();
        let entry = laps.iter().find(holds).or_else(|| {
            let recorded = self.recorded.laps().iter().find(holds)?;
            laps.iter().find(|entry| is_same(entry, recorded))
        });
        entry.map(|entry| source.key(entry))
    }

    /// When the first packet of a lap was received.
    pub(super) fn began(&self, entry: &LapEntry) -> Option<Micros> {
        let recorded =
            || self.recorded.laps().iter().find(|recorded| is_same(entry, recorded))?.received.as_ref();
        entry.received.as_ref().or_else(recorded).map(|received| *received.start())
    }
}

#[cfg(test)]
mod tests {
    use trailbrake_shared::recording::Authored;

    use super::*;

    const ID: RecordingId = RecordingId(3);

    fn note(at: u64, text: &str) -> Note {
        let json =
            format!(r#"{{"recording":"{ID}","at":{at},"author":"Ann","text":"{text}","written":{at}}}"#);
        serde_json::from_str(&json).expect("a note")
    }

    fn reported(notes: &[Note]) -> Book {
        let mut book = Book::empty(SourceId::Recording(ID), ID);
        book.take_answer(ID, &file(notes));
        book
    }

    fn file(notes: &[Note]) -> Facts {
        let mut facts = Facts::default();
        notes.iter().for_each(|note| facts.store(&note.name(), note.stored(note.at)));
        facts
    }

    #[test]
    fn a_copy_adds_its_notes_and_brings_back_none_that_were_deleted() {
        let (one, other, third) = (note(5, "kerb"), note(7, "late"), note(9, "wide"));
        let mut book = reported(&[one.clone(), other.clone()]);
        let mut without = file(&[one.clone(), other.clone()]);
        without.remove(Micros(50), &other.name());
        book.take_answer(ID, &without);
        let added = book.merge(&file(&[other, third.clone()])).expect("a change");
        assert_eq!((added.added, added.changed, added.deleted), (vec![third.clone()], vec![], vec![]));
        assert_eq!(book.notes(), [one, third.clone()]);
        assert!(book.in_page && !book.unsaved, "the file lacks one of them");
        assert_eq!(book.merge(&file(&[third])), None, "the second time nothing changes");
    }

    #[test]
    fn a_recording_that_was_read_before_the_last_change_catches_up() {
        let (old, new) = (note(5, "kerb"), Note { written: Some(Micros(8)), ..note(5, "late") });
        let mut live = Book::empty(SourceId::Live, ID);
        let mut facts = Facts::default();
        facts.store(&new.name(), new.stored(Micros(8)));
        live.take_answer(ID, &facts);
        let mut read_before = reported(&[old]);
        read_before.catch_up(&live);
        assert_eq!(read_before.notes()[0].text, new.text);
    }

    #[test]
    fn a_file_that_has_all_notes_need_not_be_saved() {
        let (one, other) = (note(5, "kerb"), note(7, "late"));
        let mut book = reported(std::slice::from_ref(&one));
        assert!(book.merge(&file(&[one, other])).is_some());
        assert!(!book.in_page);
    }
}
