//! Writing, deleting and saving notes.

use leptos::prelude::*;
use leptos::task::spawn_local;
use trailbrake_shared::lap_catalogue::LapCatalogue;
use trailbrake_shared::library::RecordingDetails as Listed;
use trailbrake_shared::recording::facts::StoredFact;
use trailbrake_shared::recording::notes::{taken_away, written};
use trailbrake_shared::recording::{NewNote, Note, RecordingId};
use trailbrake_shared::time::Micros;

use super::{Book, Writing, notes_of, unsaved};
use crate::analyse::{Analyse, DialogKind, LapKey, SourceId};
use crate::browser;
use crate::cockpit::Cockpit;
use crate::http;
use crate::library::keep_author;
use crate::words::{encoded, sentence};

/// A change to the notes of a source.
enum NoteChange {
    Write(NewNote),
    Delete(String),
}

impl Analyse {
    /// Begins a note at the cursor; whether there is a cursor.
    pub(crate) fn begin_note(self) -> bool {
        let writing = untrack(|| self.cursor_moment());
        self.notes.update(|notes| (notes.writing, notes.trouble) = (writing, None));
        if writing.is_some() {
            self.dialog.set(Some(DialogKind::Note));
        }
        writing.is_some()
    }

    /// Writes the note that was begun; why not, if something is missing.
    pub(crate) fn write_note(self, author: &str, text: &str) -> Result<(), &'static str> {
        let (author, text) = (author.trim(), text.trim());
        match (author.is_empty(), text.is_empty()) {
            (_, true) => return Err("Write a note."),
            (true, _) => return Err("Add your name first."),
            (false, false) => keep_author(author),
        }
        let Some(Writing { lap, clock_s, at_m }) = self.notes.with_untracked(|notes| notes.writing) else {
            return Ok(());
        };
        let (author, text) = (author.to_owned(), text.to_owned());
        spawn_local(async move {
            let note = self.moment(lap, clock_s, &author).await.map(|at| NewNote {
                at,
                author,
                text,
                car: Some(lap.id.car),
                distance_m: Some(at_m as f32),
            });
            let done = match note {
                Ok(note) => self.keep_note(lap.of, NoteChange::Write(note)).await,
                Err(why) => Err(why),
            };
            self.show_note_trouble(done.err());
        });
        self.dialog.set(None);
        Ok(())
    }

    /// The moment at which a lap's clock showed so much, on the clock of the packets. A moment and an author make a note's
    /// name, so the same author's next note is a microsecond later.
    async fn moment(self, lap: LapKey, clock_s: f64, author: &str) -> Result<Micros, String> {
        if lap.of == SourceId::Live {
            self.find_underway(lap).await?;
        }
        let at = self.sources.with_untracked(|sources| {
            let (_, entry) = sources.entry(lap)?;
            self.notes.with_untracked(|notes| {
                let book = notes.book(lap.of)?;
                let mut at = book.began(entry)?.plus_seconds(clock_s);
                while book.notes.iter().any(|note| note.at == at && note.author == author) {
                    at = Micros(at.0 + 1);
                }
                Some(at)
            })
        });
        at.ok_or_else(|| "The recording under way does not have this lap.".to_owned())
    }

    /// Takes the relay's answer about a recording.
    pub(crate) fn take_answer(self, of: SourceId, id: RecordingId, answer: &str) -> Result<(), String> {
        let listed = Listed::read(answer.as_bytes())?;
        let notes = listed.facts.notes.into_values().collect();
        let (session, laps) = (&listed.facts.session, &listed.facts.laps);
        let recorded = match of {
            SourceId::Live => LapCatalogue::of_table(None, session, laps, &|_| None),
            SourceId::Recording(_) => LapCatalogue::default(),
        };
        if of == SourceId::Live {
            self.sources.update(|sources| sources.name_underway(id, &listed.entry.file, &recorded));
        }
        self.notes.update(|all| {
            all.books.retain(|book| book.of != of);
            all.books.push(Book { of, id, notes, recorded, changes: None, unsaved: false });
        });
        self.place_notes();
        Ok(())
    }

    /// Changes the notes of a source: the relay does it, or this page where no relay has the recording.
    async fn keep_note(self, of: SourceId, change: NoteChange) -> Result<(), String> {
        let id = self.notes.with_untracked(|notes| notes.book(of).map(|book| book.id));
        let opened = self.sources.with_untracked(|sources| Some(sources.get(of)?.opened.clone()));
        let Some((id, opened)) = id.zip(opened) else {
            return Err("This recording is not open any more.".to_owned());
        };
        let Some(opened) = opened.filter(|opened| !opened.source.is_at_relay()) else {
            let path = format!("/library/{id}/notes");
            let answer = match change {
                NoteChange::Write(note) => {
                    let body = serde_json::to_string(&note).map_err(|error| error.to_string())?;
                    http::ask("POST", &path, Some(&body)).await
                }
                NoteChange::Delete(name) => {
                    http::ask("DELETE", &format!("{path}/{}", encoded(&name)), None).await
                }
            };
            return answer
                .map_err(|failed| failed.words())
                .and_then(|answer| self.take_answer(of, id, &answer));
        };
        let now = browser::now();
        let outcome = self.notes.try_update(|notes| {
            let book = notes.books.iter_mut().find(|book| book.of == of)?;
            let facts = book.changes.get_or_insert_with(|| opened.recording.facts().clone());
            let changed: Result<(String, StoredFact), _> = match change {
                NoteChange::Write(note) => written(&opened.recording, note, now),
                NoteChange::Delete(name) => taken_away(facts, &name, now),
            };
            let outcome = changed.map(|(name, stored)| facts.store(&name, stored));
            book.notes = notes_of(facts);
            book.unsaved |= outcome.is_ok();
            unsaved::keep(book.id, Some(facts).filter(|_| book.unsaved).map(|facts| &*facts));
            Some(outcome)
        });
        self.place_notes();
        match outcome.flatten() {
            Some(Err(error)) => Err(sentence(&error.to_string())),
            Some(Ok(())) | None => Ok(()),
        }
    }

    fn show_note_trouble(self, trouble: Option<String>) {
        self.notes.update(|notes| notes.trouble = trouble);
    }

    /// Shows a note on the lanes: its lap, its place, and what is around it.
    pub(crate) fn show_note(self, cockpit: Cockpit, name: &str) {
        let found = self.notes.with_untracked(|notes| {
            let note = notes.placed.iter().find(|note| note.name == name)?;
            Some((note.lap, note.place))
        });
        let Some((lap, place)) = found else { return };
        self.notes.update(|notes| notes.target = Some(name.to_owned()));
        match (lap, place) {
            (Some(lap), None) => self.show_lap(cockpit, lap),
            _ => self.place_notes(),
        }
        self.update_address();
    }

    /// Deletes a note; it can be restored.
    pub(crate) fn delete_note(self, name: &str) {
        let found = self.notes.with_untracked(|notes| {
            let placed = notes.placed.iter().find(|note| note.name == name)?;
            let note = notes.book(placed.of)?.notes.iter().find(|note| note.name() == name)?;
            Some((placed.of, note.clone()))
        });
        let Some((of, note)) = found else { return };
        spawn_local(async move {
            let done = self.keep_note(of, NoteChange::Delete(note.name())).await;
            self.notes.update(|notes| {
                if done.is_ok() {
                    notes.deleted = Some((of, note));
                }
                notes.trouble = done.err();
            });
        });
    }

    /// Restores the note that was deleted last.
    pub(crate) fn restore_note(self) {
        let Some((of, note)) = self.notes.try_update(|notes| notes.deleted.take()).flatten() else { return };
        let Note { at, author, text, car, distance_m, .. } = note;
        spawn_local(async move {
            let note = NewNote { at, author, text, car, distance_m };
            let done = self.keep_note(of, NoteChange::Write(note)).await;
            self.show_note_trouble(done.err());
        });
    }

    /// Saves the opened file with the notes that were written here.
    pub(crate) fn save_notes(self) {
        let found = untrack(|| {
            let of = self.source_of_notes()?;
            let facts = self.notes.with(|notes| notes.book(of)?.changes.clone())?;
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
