//! Notes about the compared laps: kept inside of their recordings, at a moment and a place on the track, and gone through in
//! the order of a lesson plan.

mod book;
mod change;
mod colour;
mod list;
mod place;
mod reload;
mod row;
mod step;
mod unsaved;
mod write;

use std::rc::Rc;

use trailbrake_shared::recording::{Facts, MergedNotes, Note, RecordingId, Task};

use super::{LapKey, LapSource, SourceId};
use book::Book;

pub(super) use change::BookChange;
pub(super) use colour::{COLOURS, note_ink};
pub(super) use list::{NoteList, begin};
pub(super) use row::{about, where_on_track};

/// All notes that are known, and what is being done with them.
#[derive(Default)]
pub(crate) struct Notes {
    books: Vec<Book>,
    /// The notes of the laps that are listed and compared, in the order of the lesson plan.
    pub(crate) placed: Rc<Vec<PlacedNote>>,
    /// The name of the note that was shown last.
    current: Option<String>,
    /// What is being written.
    pub(crate) writing: Option<Writing>,
    /// The note that was deleted last, which can be restored.
    deleted: Option<(SourceId, Note)>,
    /// What an opened copy added to the notes that were there.
    pub(crate) merged: Option<String>,
    /// Why the last change failed.
    pub(crate) trouble: Option<String>,
    /// The note whose place is shown as soon as its lap is.
    target: Option<String>,
}

/// A note, and its place.
pub(crate) struct PlacedNote {
    /// Its name among the facts.
    pub(crate) name: String,
    pub(crate) note: Note,
    /// The lap during which it was.
    pub(crate) lap: Option<LapKey>,
    /// That lap's place among the compared laps.
    pub(crate) place: Option<usize>,
    /// Metres from the line, on the axis of those.
    pub(crate) at_m: Option<f64>,
    of: SourceId,
}

/// What is being written.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Writing {
    /// A new note about a place of a lap; the time is on the lap's own clock.
    New { lap: LapKey, clock_s: f64, at_m: f64 },
    /// Another text or colour of a note that is there.
    Edit { of: SourceId, note: Note },
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

    /// The place in the plan of the note that was shown last.
    pub(crate) fn current(&self) -> Option<usize> {
        let current = self.current.as_ref()?;
        self.placed.iter().position(|note| note.name == *current)
    }

    /// Learns the notes of a source that is opened. Returns what a copy of a known one added.
    pub(super) fn learn(&mut self, source: &LapSource) -> Option<MergedNotes> {
        let opened = source.opened.as_ref()?;
        let is_at_relay = opened.source.is_at_relay();
        let Some(book) = self.books.iter_mut().find(|book| book.of == source.name) else {
            let mut book = Book::of_recording(source.name, &opened.recording, is_at_relay);
            let is_same = |other: &&Book| is_at_relay && other.id == book.id && !other.in_page;
            if let Some(other) = self.books.iter().find(is_same) {
                book.catch_up(other);
            }
            self.books.push(book);
            return None;
        };
        // The relay's copy is known by its answers.
        (!is_at_relay).then(|| book.merge(opened.recording.facts())).flatten()
    }

    /// Whether there are notes that are in no file yet.
    pub(super) fn has_unsaved(&self) -> bool {
        self.books.iter().any(|book| book.unsaved)
    }

    /// The facts of a recording with the notes that only the page has.
    pub(super) fn changes(&self, id: RecordingId) -> Option<&Facts> {
        self.books.iter().find(|book| book.id == id && book.in_page).map(Book::facts)
    }

    /// The tasks of a source, in the order in which they were set.
    pub(super) fn tasks(&self, of: SourceId) -> &[Task] {
        self.book(of).map(Book::tasks).unwrap_or_default()
    }

    /// Whether somebody has rated corners of a source.
    pub(super) fn has_ratings(&self, of: SourceId) -> bool {
        self.book(of).is_some_and(|book| book.notes().iter().any(|note| note.felt.is_some()))
    }

    fn book(&self, of: SourceId) -> Option<&Book> {
        self.books.iter().find(|book| book.of == of)
    }

    fn placed(&self, name: &str) -> Option<&PlacedNote> {
        self.placed.iter().find(|note| note.name == name)
    }
}
