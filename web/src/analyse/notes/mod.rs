//! Notes about the compared laps: kept inside of their recordings, at a moment and a place on the track.

mod list;
mod place;
mod unsaved;
mod write;

use std::rc::Rc;

use trailbrake_shared::lap_catalogue::{LapCatalogue, LapEntry};
use trailbrake_shared::recording::facts::read;
use trailbrake_shared::recording::notes::is_name;
use trailbrake_shared::recording::{Facts, Note, RecordingId};
use trailbrake_shared::time::Micros;

use super::sources::is_same;
use super::{LapKey, LapSource, SourceId};

pub(super) use list::{NoteList, begin, where_on_track};

/// All notes that are known, and what is being done with them.
#[derive(Default)]
pub(crate) struct Notes {
    books: Vec<Book>,
    /// The notes of the laps that are listed and compared, in the order of their moments.
    pub(crate) placed: Rc<Vec<PlacedNote>>,
    /// Where one is being written.
    pub(crate) writing: Option<Writing>,
    /// The note that was deleted last, which can be restored.
    deleted: Option<(SourceId, Note)>,
    /// Why the last change failed.
    pub(crate) trouble: Option<String>,
    /// The note whose place is shown as soon as its lap is.
    target: Option<String>,
}

/// The notes of one source.
struct Book {
    of: SourceId,
    /// The recording; for the live session, the current one.
    id: RecordingId,
    notes: Vec<Note>,
    /// For the live session: its laps as the current recording lists them.
    recorded: LapCatalogue,
    /// What was written in this page alone, as the file would have it.
    changes: Option<Facts>,
    /// Whether some of that is in no file yet.
    unsaved: bool,
}

/// A note, and its place.
pub(crate) struct PlacedNote {
    /// Its name among the facts.
    pub(crate) name: String,
    pub(crate) author: String,
    pub(crate) text: String,
    /// The lap during which it was.
    pub(crate) lap: Option<LapKey>,
    /// That lap's place among the compared laps.
    pub(crate) place: Option<usize>,
    /// Metres from the line, on the axis of those.
    pub(crate) at_m: Option<f64>,
    of: SourceId,
}

/// Where a note is being written.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Writing {
    pub(crate) lap: LapKey,
    /// On the lap's own clock, seconds.
    clock_s: f64,
    pub(crate) at_m: f64,
}

/// Where notes are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NoteStorage {
    /// In the recording, by the relay.
    InRecording,
    /// Here, until the page is closed; whether there is anything to save.
    InPage(bool),
}

impl Notes {
    /// Whether a deleted note can be restored.
    pub(crate) fn can_restore(&self) -> bool {
        self.deleted.is_some()
    }

    /// Learns the notes of a source that is opened for the first time.
    pub(super) fn learn(&mut self, source: &LapSource) {
        let Some(opened) = &source.opened else { return };
        if !self.books.iter().any(|book| book.of == source.name) {
            let (id, facts) = (opened.recording.info().id, opened.recording.facts());
            let changes = unsaved::kept(id, facts).filter(|_| !opened.source.is_at_relay());
            let notes = notes_of(changes.as_ref().unwrap_or(facts));
            let (recorded, unsaved) = (LapCatalogue::default(), changes.is_some());
            self.books.push(Book { of: source.name, id, notes, recorded, changes, unsaved });
        }
    }

    /// Whether there are notes that are in no file yet.
    pub(super) fn has_unsaved(&self) -> bool {
        self.books.iter().any(|book| book.unsaved)
    }

    /// The facts of a recording with the notes that only the page has.
    pub(super) fn changes(&self, id: RecordingId) -> Option<&Facts> {
        self.books.iter().find(|book| book.id == id)?.changes.as_ref()
    }

    fn book(&self, of: SourceId) -> Option<&Book> {
        self.books.iter().find(|book| book.of == of)
    }
}

impl Book {
    /// The lap of a source during which a note was.
    fn lap(&self, note: &Note, source: &LapSource) -> Option<LapKey> {
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

    /// When the packets of a lap began to be received.
    fn began(&self, entry: &LapEntry) -> Option<Micros> {
        let recorded =
            || self.recorded.laps().iter().find(|recorded| is_same(entry, recorded))?.received.as_ref();
        entry.received.as_ref().or_else(recorded).map(|received| *received.start())
    }
}

/// The notes among facts: their names are in the order of their moments.
fn notes_of(facts: &Facts) -> Vec<Note> {
    let notes = facts.iter().filter(|(name, stored)| is_name(name) && !stored.json.is_empty());
    notes.filter_map(|(_, stored)| read(&stored.json).ok()).collect()
}
