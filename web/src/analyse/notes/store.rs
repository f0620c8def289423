//! The notes and tasks of every source: read from recordings, changed through the relay or in this page.

use std::rc::Rc;

use leptos::prelude::*;
use leptos::task::spawn_local;
use trailbrake_shared::lap_catalogue::LapCatalogue;
use trailbrake_shared::library::{Entry, RecordingDetails as Listed};
use trailbrake_shared::recording::{Facts, RecordingId, Task};
use trailbrake_shared::time::Micros;

use super::book::Book;
use super::change::BookChange;
use super::unsaved;
use crate::analyse::{LapKey, LapSource, SourceId, Sources};
use crate::browser;
use crate::http::{self, Failed, listing};
use crate::reactive::LocalSignal;
use crate::replay::Opened;
use crate::room::Room;

/// The books of all sources.
#[derive(Default)]
pub(crate) struct Books {
    all: Vec<Book>,
    /// What an opened copy of a recording changed in the notes, in words.
    merged: Option<String>,
}

impl Books {
    /// Takes in the notes of an opened recording. Another copy of a known one may change its notes.
    fn learn(&mut self, source: &LapSource) {
        let Some(opened) = source.opened.as_ref() else { return };
        let is_at_relay = opened.source.is_at_relay();
        let Some(book) = self.all.iter_mut().find(|book| book.of == source.name) else {
            let mut book = Book::of_recording(source.name, &opened.recording, is_at_relay);
            let is_same = |other: &&Book| is_at_relay && other.id == book.id && !other.in_page;
            if let Some(other) = self.all.iter().find(is_same) {
                book.catch_up(other);
            }
            return self.all.push(book);
        };
        // The relay's notes come with its answers.
        let merged = if is_at_relay { None } else { book.merge(opened.recording.facts()) };
        if let Some(merged) = merged {
            self.merged = Some(merged.sentences().join(" "));
        }
    }

    /// Whether there are notes that have not been saved to any file.
    pub(crate) fn has_unsaved(&self) -> bool {
        self.all.iter().any(|book| book.unsaved)
    }

    /// The facts of a recording with the notes that only this page has; `None` if there are no such notes.
    pub(crate) fn changes(&self, id: RecordingId) -> Option<&Facts> {
        self.all.iter().find(|book| book.id == id && book.in_page).map(Book::facts)
    }

    /// The tasks of a source, in the order in which they were set.
    pub(crate) fn tasks(&self, of: SourceId) -> &[Task] {
        self.get(of).map(Book::tasks).unwrap_or_default()
    }

    /// Whether any note of a source rates a corner.
    pub(crate) fn has_ratings(&self, of: SourceId) -> bool {
        self.get(of).is_some_and(|book| book.notes().iter().any(|note| note.felt.is_some()))
    }

    pub(super) fn all(&self) -> &[Book] {
        &self.all
    }

    pub(super) fn get(&self, of: SourceId) -> Option<&Book> {
        self.all.iter().find(|book| book.of == of)
    }
}

/// The notes and tasks of every source. Copies are handles to the same.
#[derive(Clone, Copy)]
pub(crate) struct BookStore {
    pub(crate) state: LocalSignal<Books>,
    sources: LocalSignal<Sources>,
    room: Room,
}

impl BookStore {
    pub(crate) fn new(sources: LocalSignal<Sources>, room: Room) -> Self {
        Self { state: LocalSignal::new_local(Books::default()), sources, room }
    }

    /// Takes in the notes of opened recordings, and asks for confirmation before the page is left with notes that are in
    /// no file.
    pub(crate) fn follow(self) {
        Effect::new(move |known: Option<Vec<Rc<Opened>>>| {
            let known = known.unwrap_or_default();
            let is_known = |opened: &Rc<Opened>| known.iter().any(|known| Rc::ptr_eq(known, opened));
            self.sources.with(|sources| {
                for source in sources.all() {
                    if source.opened.as_ref().is_some_and(|opened| !is_known(opened)) {
                        self.state.update(|books| books.learn(source));
                    }
                }
                sources.all().iter().filter_map(|source| source.opened.clone()).collect()
            })
        });
        window_event_listener(leptos::ev::beforeunload, move |event| {
            if self.state.with_untracked(Books::has_unsaved) {
                event.prevent_default();
            }
        });
    }

    /// What an opened copy of a recording changed in the notes, in words.
    pub(super) fn merged(self) -> Option<String> {
        self.state.with(|books| books.merged.clone())
    }

    /// Finds the recording under way of a live lap, and takes in its notes, tasks and laps.
    pub(crate) async fn find_underway(self, lap: LapKey) -> Result<(), String> {
        let words = |failed: Failed| failed.words();
        let listing = listing(http::ask("GET", "/library?underway=1", None).await).map_err(words)?;
        let game = self
            .sources
            .with_untracked(|sources| sources.entry(lap).and_then(|(_, entry)| entry.combo().game));
        let own = |entry: &&Entry| {
            entry.underway && game.as_deref().is_none_or(|game| entry.game_word() == Some(game))
        };
        let nothing = "Nothing is being recorded: a note about this lap would be kept nowhere.";
        let entry = listing.recordings.iter().find(own).and_then(|entry| entry.id).ok_or(nothing)?;
        let known =
            http::ask("GET", &["/library/", &entry.to_string()].concat(), None).await.map_err(words)?;
        self.take_answer(SourceId::Live, entry, &known)
    }

    /// The moment at which a lap's clock showed `clock_s`, on the clock of the packets. Moment and author make up a
    /// note's name, so a moment at which the author has a note already is moved on by a microsecond.
    pub(crate) async fn moment(self, lap: LapKey, clock_s: f64, author: &str) -> Result<Micros, String> {
        if lap.of == SourceId::Live {
            self.find_underway(lap).await?;
        }
        let at = self.sources.with_untracked(|sources| {
            let (_, entry) = sources.entry(lap)?;
            self.state.with_untracked(|books| {
                let book = books.get(lap.of)?;
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
    fn take_answer(self, of: SourceId, id: RecordingId, answer: &str) -> Result<(), String> {
        let listed = Listed::read(answer.as_bytes())?;
        let authored = listed.authored();
        let (session, laps) = (&listed.facts.session, &listed.facts.laps);
        let recorded = match of {
            SourceId::Live => LapCatalogue::of_table(None, session, laps, &|_| None),
            SourceId::Recording(_) => LapCatalogue::default(),
        };
        if of == SourceId::Live {
            self.sources.update(|sources| sources.name_underway(id, &listed.entry.file, &recorded));
        }
        self.state.update(|books| {
            if books.get(of).is_none() {
                books.all.push(Book::empty(of, id));
            }
            for book in &mut books.all {
                // The recording under way may also be open as a source of its own.
                if book.of == of || book.id == id && !book.in_page {
                    book.take_answer(id, &authored);
                }
                if book.of == of {
                    book.find_laps(recorded.clone());
                }
            }
        });
        Ok(())
    }

    /// Makes a change to the notes or tasks of a source: through the relay, or in this page for an opened file.
    pub(in crate::analyse) async fn change(self, of: SourceId, change: BookChange) -> Result<(), String> {
        self.state.update(|books| books.merged = None);
        let id = self.state.with_untracked(|books| books.get(of).map(|book| book.id));
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
        let outcome = self.state.try_update(|books| {
            let book = books.all.iter_mut().find(|book| book.of == of)?;
            let changed = change.fact(&opened.recording, book.facts(), now);
            Some(changed.map(|(name, stored)| book.store(&name, stored)))
        });
        outcome.flatten().unwrap_or(Ok(()))
    }

    /// Reloads the notes and tasks of a recording that another page wrote, if it is open from the relay.
    pub(crate) fn reload(self, id: RecordingId) {
        let Some(of) = self.source_at_relay(id) else { return };
        spawn_local(async move {
            // If the request or the answer fails, the next reload or change brings them.
            if let Ok(answer) = http::ask("GET", &format!("/library/{id}"), None).await {
                let _ = self.take_answer(of, id, &answer);
            }
        });
    }

    /// The source of a recording whose notes the relay keeps; `None` if it is not open or only from a file.
    fn source_at_relay(self, id: RecordingId) -> Option<SourceId> {
        let is_at_relay = |of: &SourceId| {
            self.sources.with_untracked(|sources| {
                let opened = sources.get(*of).and_then(|source| source.opened.as_ref());
                opened.is_none_or(|opened| opened.source.is_at_relay())
            })
        };
        let sources: Vec<SourceId> = self.state.with_untracked(|books| {
            books.all.iter().filter(|book| book.id == id).map(|book| book.of).collect()
        });
        sources.into_iter().find(is_at_relay)
    }

    /// Saves a copy of an opened file with the notes that were written in this page.
    pub(super) fn save(self, of: SourceId) -> Result<(), String> {
        let facts = self.state.with_untracked(|books| {
            books.get(of).filter(|book| book.in_page).map(|book| book.facts().clone())
        });
        let opened = self.sources.with_untracked(|sources| sources.get(of)?.opened.clone());
        let Some((opened, facts)) = opened.zip(facts) else { return Ok(()) };
        opened.save_with(&facts)?;
        let id = opened.recording.info().id;
        unsaved::keep(id, None);
        self.state.update(|books| {
            for book in books.all.iter_mut().filter(|book| book.id == id) {
                book.unsaved = false;
            }
        });
        Ok(())
    }
}
