//! Writing, deleting and saving notes.

use leptos::prelude::*;
use leptos::task::spawn_local;
use trailbrake_shared::lap_catalogue::LapCatalogue;
use trailbrake_shared::library::RecordingDetails as Listed;
use trailbrake_shared::recording::{NewNote, Note, NoteColour, RecordingId, Task};
use trailbrake_shared::time::Micros;

use super::book::Book;
use super::change::BookChange;
use super::{Notes, Writing, unsaved};
use crate::analyse::{Analyse, DialogKind, LapKey, SourceId};
use crate::browser;
use crate::driver_settings::keep_author;
use crate::http;

impl Analyse {
    /// Opens the dialog for a note at the cursor. Returns whether there is a cursor.
    pub(crate) fn begin_note(self) -> bool {
        let writing = untrack(|| self.cursor_moment());
        let has_cursor = writing.is_some();
        self.notes.update(|notes| (notes.writing, notes.trouble) = (writing, None));
        if has_cursor {
            self.dialog.set(Some(DialogKind::Note));
        }
        has_cursor
    }

    /// Opens the dialog with a note, to change its text or colour.
    pub(crate) fn edit_note(self, name: &str) {
        if self.refuses_writing() {
            return;
        }
        self.notes.update(|notes| {
            let found = notes.placed(name).map(|placed| (placed.of, placed.note.clone()));
            if let Some((of, note)) = found {
                (notes.writing, notes.trouble) = (Some(Writing::Edit { of, note }), None);
            }
        });
        self.dialog.set(Some(DialogKind::Note));
    }

    /// Writes the note in the dialog; `Err` says what is missing. An edited note keeps its moment and author.
    pub(crate) fn write_note(self, author: &str, text: &str, colour: NoteColour) -> Result<(), &'static str> {
        let (author, text) = (author.trim().to_owned(), text.trim().to_owned());
        let writing = self.notes.with_untracked(|notes| notes.writing.clone());
        let is_rated = matches!(&writing, Some(Writing::Edit { note, .. }) if note.felt.is_some());
        if text.is_empty() && !is_rated {
            return Err("Write a note.");
        }
        match writing {
            Some(Writing::New { .. }) if author.is_empty() => return Err("Add your name first."),
            Some(Writing::New { lap, clock_s, at_m }) => {
                keep_author(&author);
                spawn_local(async move {
                    let note = self.moment(lap, clock_s, &author).await.map(|at| NewNote {
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
                        Ok(note) => self.keep_note(lap.of, BookChange::WriteNote(note)).await,
                        Err(why) => Err(why),
                    };
                    self.show_note_trouble(done.err());
                });
            }
            Some(Writing::Edit { of, note }) => {
                let note = NewNote { text, colour: Some(colour), rank_mm: None, ..note.again() };
                spawn_local(async move {
                    let done = self.keep_note(of, BookChange::WriteNote(note)).await;
                    self.show_note_trouble(done.err());
                });
            }
            None => {}
        }
        self.dialog.set(None);
        Ok(())
    }

    /// The moment at which a lap's clock showed `clock_s`, on the clock of the packets. Moment and author make up a
    /// note's name, so a moment at which the author has a note already is moved on by a microsecond.
    pub(in crate::analyse) async fn moment(
        self,
        lap: LapKey,
        clock_s: f64,
        author: &str,
    ) -> Result<Micros, String> {
        if lap.of == SourceId::Live {
            self.find_underway(lap).await?;
        }
        let at = self.sources.with_untracked(|sources| {
            let (_, entry) = sources.entry(lap)?;
            self.notes.with_untracked(|notes| {
                let book = notes.book(lap.of)?;
                let mut at = book.began(entry)?.plus_seconds(clock_s);
                while book.notes().iter().any(|note| note.at == at && note.author == author) {
                    at = Micros(at.0 + 1);
                }
                Some(at)
            })
        });
        at.ok_or_else(|| "The recording under way does not have this lap.".to_owned())
    }

    /// Takes in the notes, tasks and laps of the relay's answer about a recording.
    pub(crate) fn take_answer(self, of: SourceId, id: RecordingId, answer: &str) -> Result<(), String> {
        let listed = Listed::read(answer.as_bytes())?;
        let notes: Vec<Note> = listed.facts.notes.into_values().collect();
        let tasks: Vec<Task> = listed.facts.tasks.into_values().collect();
        let (session, laps) = (&listed.facts.session, &listed.facts.laps);
        let recorded = match of {
            SourceId::Live => LapCatalogue::of_table(None, session, laps, &|_| None),
            SourceId::Recording(_) => LapCatalogue::default(),
        };
        if of == SourceId::Live {
            self.sources.update(|sources| sources.name_underway(id, &listed.entry.file, &recorded));
        }
        self.notes.update(|all| {
            if all.book(of).is_none() {
                all.books.push(Book::empty(of, id));
            }
            for book in &mut all.books {
                // The recording under way may also be open as a source of its own.
                if book.of == of || book.id == id && !book.in_page {
                    book.take_answer(id, &notes, &tasks, browser::now());
                }
                if book.of == of {
                    book.find_laps(recorded.clone());
                }
            }
        });
        self.place_notes();
        Ok(())
    }

    /// Makes a change to the notes or tasks of a source: through the relay, or in this page for an opened file.
    pub(in crate::analyse) async fn keep_note(self, of: SourceId, change: BookChange) -> Result<(), String> {
        self.notes.update(|notes| notes.merged = None);
        let id = self.notes.with_untracked(|notes| notes.book(of).map(|book| book.id));
        let opened = self.sources.with_untracked(|sources| Some(sources.get(of)?.opened.clone()));
        let Some((id, opened)) = id.zip(opened) else {
            return Err("This recording is not open any more.".to_owned());
        };
        let Some(opened) = opened.filter(|opened| !opened.source.is_at_relay()) else {
            if let Some(why) = untrack(|| self.room.read_only()) {
                return Err(why.to_owned());
            }
            let (method, path, body) = change.request(id).map_err(|error| error.to_string())?;
            let answer = http::ask(method, &path, body.as_deref()).await;
            return answer
                .map_err(|failed| failed.words())
                .and_then(|answer| self.take_answer(of, id, &answer));
        };
        let now = browser::now();
        let outcome = self.notes.try_update(|notes| {
            let book = notes.books.iter_mut().find(|book| book.of == of)?;
            let changed = change.fact(&opened.recording, book.facts(), now);
            Some(changed.map(|(name, stored)| book.store(&name, stored)))
        });
        self.place_notes();
        outcome.flatten().unwrap_or(Ok(()))
    }

    pub(in crate::analyse) fn show_note_trouble(self, trouble: Option<String>) {
        self.notes.update(|notes| notes.trouble = trouble);
    }

    /// Deletes a note, which can be restored until the next one is deleted.
    pub(crate) fn delete_note(self, name: &str) {
        let found = self.notes.with_untracked(|notes| {
            let placed = notes.placed(name)?;
            Some((placed.of, notes.book(placed.of)?.note(name)?.clone()))
        });
        let Some((of, note)) = found else { return };
        spawn_local(async move {
            let done = self.keep_note(of, BookChange::DeleteNote(note.name())).await;
            self.notes.update(|notes| {
                if done.is_ok() {
                    notes.deleted = Some((of, note));
                }
                notes.trouble = done.err();
            });
        });
    }

    /// Restores the last deleted note.
    pub(crate) fn restore_note(self) {
        let Some((of, note)) = self.notes.try_update(|notes| notes.deleted.take()).flatten() else { return };
        spawn_local(async move {
            let done = self.keep_note(of, BookChange::WriteNote(note.again())).await;
            self.show_note_trouble(done.err());
        });
    }

    /// Saves a copy of the opened file with the notes that were written in this page.
    pub(crate) fn save_notes(self) {
        let found = untrack(|| {
            let of = self.source_of_notes()?;
            let book =
                |notes: &Notes| notes.book(of).filter(|book| book.in_page).map(|book| book.facts().clone());
            let facts = self.notes.with(book)?;
            Some((self.sources.with(|sources| sources.get(of)?.opened.clone())?, facts))
        });
        let Some((opened, facts)) = found else { return };
        match opened.save_with(&facts) {
            Ok(()) => self.notes.update(|notes| {
                let id = opened.recording.info().id;
                unsaved::keep(id, None);
                let saved = notes.books.iter_mut().filter(|book| book.id == id);
                saved.for_each(|book| book.unsaved = false);
            }),
            Err(why) => self.show_note_trouble(Some(why)),
        }
    }
}
