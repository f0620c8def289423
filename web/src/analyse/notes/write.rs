//! Writing, deleting and saving notes.

use leptos::prelude::*;
use leptos::task::spawn_local;
use trailbrake_shared::recording::authored::AuthoredKind;
use trailbrake_shared::recording::{NewNote, Note, NoteColour};

use super::change::BookChange;
use super::place::NoteStore;
use crate::analyse::messages::{Messages, NO_CURSOR};
use crate::analyse::{ComparisonStore, DialogKind, LapKey, OpenDialog, SelectionStore, SourceId, ViewStore};
use crate::driver_settings::keep_author;
use crate::reactive::LocalSignal;

/// The note in the dialog.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Writing {
    /// A new note at a lap distance; `clock_s` is the lap's own clock there.
    New { lap: LapKey, clock_s: f64, at_m: f64 },
    /// A change to the text or the colour of a note.
    Edit { of: SourceId, note: Note },
}

/// Writes, deletes and saves notes. Copies are handles to the same.
#[derive(Clone, Copy)]
pub(crate) struct NoteEditor {
    notes: NoteStore,
    selection: SelectionStore,
    comparison: ComparisonStore,
    view: ViewStore,
    dialog: OpenDialog,
    messages: Messages,
    /// The note in the dialog.
    writing: LocalSignal<Option<Writing>>,
    /// The last deleted note, which can be restored.
    deleted: LocalSignal<Option<(SourceId, Note)>>,
    /// Why the last change failed.
    trouble: RwSignal<Option<String>>,
}

impl NoteEditor {
    pub(crate) fn new(
        notes: NoteStore,
        selection: SelectionStore,
        comparison: ComparisonStore,
        view: ViewStore,
        dialog: OpenDialog,
        messages: Messages,
    ) -> Self {
        Self {
            notes,
            selection,
            comparison,
            view,
            dialog,
            messages,
            writing: LocalSignal::new_local(None),
            deleted: LocalSignal::new_local(None),
            trouble: RwSignal::new(None),
        }
    }

    /// The note in the dialog.
    pub(crate) fn writing(self) -> Option<Writing> {
        self.writing.get()
    }

    /// Whether a deleted note can be restored.
    pub(crate) fn can_restore(self) -> bool {
        self.deleted.with(Option::is_some)
    }

    /// Why the last change failed.
    pub(crate) fn trouble(self) -> Option<String> {
        self.trouble.get()
    }

    pub(crate) fn set_trouble(self, trouble: Option<String>) {
        self.trouble.set(trouble);
    }

    /// Opens the dialog for a note at the cursor, or shows a message why there can't be one.
    pub(crate) fn begin(self) {
        if self.notes.refuses_writing() {
            return;
        }
        let writing = untrack(|| self.cursor_moment());
        if writing.is_none() {
            self.messages.show(NO_CURSOR);
        } else {
            self.dialog.set(Some(DialogKind::Note));
        }
        self.writing.set(writing);
        self.trouble.set(None);
    }

    /// A new note of the main lap at the cursor; `None` without a cursor.
    fn cursor_moment(self) -> Option<Writing> {
        let (shown, at_m) = (self.comparison.shown()?, self.view.cursor_m()?);
        let (lap, clock_s) = (self.selection.main_lap()?, shown.main_clock_at(at_m)?);
        Some(Writing::New { lap, clock_s, at_m })
    }

    /// Opens the dialog with a note, to change its text or colour.
    pub(crate) fn edit(self, name: &str) {
        if self.notes.refuses_writing() {
            return;
        }
        if let Some(placed) = untrack(|| self.notes.named(name)) {
            self.writing.set(Some(Writing::Edit { of: placed.of, note: placed.note }));
            self.trouble.set(None);
        }
        self.dialog.set(Some(DialogKind::Note));
    }

    /// Writes the note in the dialog; `Err` says what is missing. An edited note keeps its moment and author.
    pub(crate) fn write(self, author: &str, text: &str, colour: NoteColour) -> Result<(), &'static str> {
        let (author, text) = (author.trim().to_owned(), text.trim().to_owned());
        let writing = self.writing.get_untracked();
        let is_rated = matches!(&writing, Some(Writing::Edit { note, .. }) if note.felt.is_some());
        if text.is_empty() && !is_rated {
            return Err("Write a note.");
        }
        match writing {
            Some(Writing::New { .. }) if author.is_empty() => return Err("Add your name first."),
            Some(Writing::New { lap, clock_s, at_m }) => {
                keep_author(&author);
                spawn_local(async move {
                    let note = self.notes.books.moment(lap, clock_s, &author).await.map(|at| NewNote {
                        at,
                        author,
                        text,
                        car: Some(lap.id.car),
                        distance_m: Some(at_m as f32),
                        colour: Some(colour),
                        rank_mm: None,
                        felt: None,
                    });
                    let done = match note {
                        Ok(note) => self.notes.books.change(lap.of, BookChange::WriteNote(note)).await,
                        Err(why) => Err(why),
                    };
                    self.set_trouble(done.err());
                });
            }
            Some(Writing::Edit { of, note }) => {
                let note = NewNote { text, colour: Some(colour), rank_mm: None, ..note.again() };
                spawn_local(async move {
                    let done = self.notes.books.change(of, BookChange::WriteNote(note)).await;
                    self.set_trouble(done.err());
                });
            }
            None => {}
        }
        self.dialog.set(None);
        Ok(())
    }

    /// Deletes a note, which can be restored until the next one is deleted.
    pub(crate) fn delete(self, name: &str) {
        let Some(placed) = untrack(|| self.notes.named(name)) else { return };
        spawn_local(async move {
            let done =
                self.notes.books.change(placed.of, BookChange::Delete(AuthoredKind::Note, placed.name)).await;
            if done.is_ok() {
                self.deleted.set(Some((placed.of, placed.note)));
            }
            self.set_trouble(done.err());
        });
    }

    /// Restores the last deleted note.
    pub(crate) fn restore(self) {
        let Some((of, note)) = self.deleted.try_update(Option::take).flatten() else { return };
        spawn_local(async move {
            let done = self.notes.books.change(of, BookChange::WriteNote(note.again())).await;
            self.set_trouble(done.err());
        });
    }

    /// Saves a copy of the opened file with the notes that were written in this page.
    pub(crate) fn save(self) {
        let Some(of) = untrack(|| self.notes.source()) else { return };
        if let Err(why) = self.notes.books.save(of) {
            self.set_trouble(Some(why));
        }
    }
}
