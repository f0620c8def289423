//! Notes about laps. Each is stored in its recording, has a moment and a lap distance, and a place in the lesson plan.

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

/// The notes of all sources, and the state of the list and of the note dialog.
#[derive(Default)]
pub(crate) struct Notes {
    books: Vec<Book>,
    /// The notes of the listed source and the compared laps, in the order of the lesson plan.
    pub(crate) placed: Rc<Vec<PlacedNote>>,
    /// The name of the note that was shown last.
    current: Option<String>,
    /// The note in the dialog.
    pub(crate) writing: Option<Writing>,
    /// The last deleted note, which can be restored.
    deleted: Option<(SourceId, Note)>,
    /// What an opened copy of a recording changed in the notes, in words.
    pub(crate) merged: Option<String>,
    /// Why the last change failed.
    pub(crate) trouble: Option<String>,
    /// The name of the note that the lanes go to as soon as its lap is compared.
    target: Option<String>,
}

/// A note with its position on the lanes.
pub(crate) struct PlacedNote {
    /// Its name among the facts.
    pub(crate) name: String,
    pub(crate) note: Note,
    /// The lap that was under way at its moment.
    pub(crate) lap: Option<LapKey>,
    /// The index of that lap among the compared laps; `None` if it is not compared.
    pub(crate) place: Option<usize>,
    /// Metres from the line on the axis of the compared laps; the note's own lap distance if its lap is not compared.
    pub(crate) at_m: Option<f64>,
    of: SourceId,
}

/// The note in the dialog.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Writing {
    /// A new note at a lap distance; `clock_s` is the lap's own clock there.
    New { lap: LapKey, clock_s: f64, at_m: f64 },
    /// A change to the text or the colour of a note.
    Edit { of: SourceId, note: Note },
}

/// Where notes are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NoteStorage {
    /// In the recording, by the relay.
    InRecording,
    /// In this page, until a copy of the file is saved. The flag is whether there is anything to save.
    InPage(bool),
}

impl Notes {
    /// Whether a deleted note can be restored.
    pub(crate) fn can_restore(&self) -> bool {
        self.deleted.is_some()
    }

    /// The index in `placed` of the note that was shown last.
    pub(crate) fn current(&self) -> Option<usize> {
        let current = self.current.as_ref()?;
        self.placed.iter().position(|note| note.name == *current)
    }

    /// Takes in the notes of an opened source. For another copy of a known recording, returns what it changed.
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
        // The relay's notes come with its answers.
        (!is_at_relay).then(|| book.merge(opened.recording.facts())).flatten()
    }

    /// Whether there are notes that have not been saved to any file.
    pub(super) fn has_unsaved(&self) -> bool {
        self.books.iter().any(|book| book.unsaved)
    }

    /// The facts of a recording with the notes that only this page has; `None` if there are no such notes.
    pub(super) fn changes(&self, id: RecordingId) -> Option<&Facts> {
        self.books.iter().find(|book| book.id == id && book.in_page).map(Book::facts)
    }

    /// The tasks of a source, in the order in which they were set.
    pub(super) fn tasks(&self, of: SourceId) -> &[Task] {
        self.book(of).map(Book::tasks).unwrap_or_default()
    }

    /// Whether any note of a source rates a corner.
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
