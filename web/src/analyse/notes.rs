//! Notes about the laps that are side by side: kept inside of their recordings, at a moment and a place on the track.

use std::rc::Rc;

use leptos::task::spawn_local;
use trailbrake_shared::lap_catalogue::{LapCatalogue, LapEntry};
use trailbrake_shared::library::RecordingDetails as Listed;
use trailbrake_shared::recording::facts::{StoredFact, read};
use trailbrake_shared::recording::notes::{is_name, taken_away, written};
use trailbrake_shared::recording::{Facts, NewNote, Note, RecordingId};
use trailbrake_shared::time::Micros;
use wasm_bindgen::JsValue;

use super::underway::is_same;
use super::{Analyse, Aspect, Axis, Key, Name, Origin, Sheet, Shown, State, unsaved};
use crate::browser;
use crate::http;
use crate::library::keep_author;
use crate::words::{encoded, sentence};

/// So much is shown before and behind a note's place, metres.
const AROUND_M: f64 = 150.0;

/// All notes that are known, and what is being done with them.
#[derive(Default)]
pub(crate) struct Notes {
    books: Vec<Book>,
    /// The notes of what is listed and shown, in the order of their moments.
    pub(crate) placed: Rc<Vec<PlacedLap>>,
    /// Where one is being written.
    pub(crate) writing: Option<Writing>,
    /// What was deleted last, and can be brought back.
    taken: Option<(Name, Note)>,
    /// What was done, or why not.
    pub(crate) said: Option<String>,
    /// The note whose place is shown as soon as its lap is.
    going: Option<String>,
}

/// The notes of one origin.
struct Book {
    of: Name,
    /// The recording, which for what is driven now is the one under way.
    id: RecordingId,
    notes: Vec<Note>,
    /// Of what is driven now the laps as the recording under way has them.
    recorded: LapCatalogue,
    /// What was written in this page alone, as it would stand in the file.
    changes: Option<Facts>,
    /// Whether some of that is in no file yet.
    unsaved: bool,
}

/// A note, and where it stands.
pub(crate) struct PlacedLap {
    /// Its name among the facts.
    pub(crate) name: String,
    pub(crate) author: String,
    pub(crate) text: String,
    /// The lap during which it was.
    pub(crate) lap: Option<Key>,
    /// That lap's place among those that are side by side.
    pub(crate) place: Option<usize>,
    /// Metres from the line, on the axis of those.
    pub(crate) at_m: Option<f64>,
    of: Name,
}

/// Where a note is being written.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Writing {
    pub(crate) lap: Key,
    /// On the lap's own clock, seconds.
    clock_s: f64,
    pub(crate) at_m: f64,
}

/// Where notes of what is listed are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kept {
    /// In the recording, by the relay.
    InRecording,
    /// Here, until the page is closed; whether there is anything to save.
    InPage(bool),
}

impl Notes {
    /// Whether one was taken away that can be brought back.
    pub(crate) fn can_be_brought_back(&self) -> bool {
        self.taken.is_some()
    }

    /// Knows the notes of an origin that is seen for the first time.
    pub(super) fn learn(&mut self, origin: &Origin) {
        let Some(opened) = &origin.opened else { return };
        if !self.books.iter().any(|book| book.of == origin.name) {
            let (id, facts) = (opened.recording.info().id, opened.recording.facts());
            let changes = unsaved::kept(id, facts).filter(|_| !opened.source.is_at_relay());
            let notes = notes_of(changes.as_ref().unwrap_or(facts));
            let (recorded, unsaved) = (LapCatalogue::default(), changes.is_some());
            self.books.push(Book { of: origin.name, id, notes, recorded, changes, unsaved });
        }
    }
}

impl Book {
    /// The lap of an origin during which a note was.
    fn lap(&self, note: &Note, origin: &Origin) -> Option<Key> {
        let holds = |entry: &&LapEntry| {
            entry.was_under_way(note.at) && note.car.is_none_or(|car| car == entry.id.car)
        };
        let laps = origin.catalogue.laps();
        let entry = laps.iter().find(holds).or_else(|| {
            let recorded = self.recorded.laps().iter().find(holds)?;
            laps.iter().find(|entry| is_same(entry, recorded))
        });
        entry.map(|entry| origin.key(entry))
    }

    /// When the packets of a lap began to be received.
    fn began(&self, entry: &LapEntry) -> Option<Micros> {
        let recorded =
            || self.recorded.laps().iter().find(|recorded| is_same(entry, recorded))?.received.as_ref();
        entry.received.as_ref().or_else(recorded).map(|received| *received.start())
    }
}

impl State {
    /// Finds anew where the notes stand that belong to what is listed and shown.
    pub(super) fn place_notes(&mut self) {
        let shown = self.shown.as_deref();
        let is_here = |of: Name| Some(of) == self.listed || self.chosen.all().any(|key| key.of == of);
        let mut placed: Vec<PlacedLap> = Vec::new();
        for book in self.notes.books.iter().filter(|book| is_here(book.of)) {
            let Some(origin) = self.origins.iter().find(|origin| origin.name == book.of) else { continue };
            for note in &book.notes {
                let lap = book.lap(note, origin);
                let place = shown.zip(lap).and_then(|(shown, key)| shown.place_of(key));
                let clock_s = lap.and_then(|key| self.clock_of(book, key, note.at));
                let told_m = note.distance_m.map(f64::from);
                let at_m = shown.zip(place).and_then(|(shown, place)| match told_m {
                    Some(told_m) if shown.strangers.is_empty() => Some(told_m),
                    _ => shown.place_on_clock(place, clock_s?),
                });
                placed.push(PlacedLap {
                    name: note.name(),
                    author: note.author.clone(),
                    text: note.text.clone(),
                    lap,
                    place,
                    at_m: at_m.or(told_m),
                    of: book.of,
                });
            }
        }
        self.notes.placed = Rc::new(placed);
        let going = self.notes.going.clone();
        let to = going.and_then(|name| self.notes.placed.iter().find(|placed| placed.name == name));
        if let Some(at_m) = to.filter(|placed| placed.place.is_some()).and_then(|placed| placed.at_m) {
            self.notes.going = None;
            self.look_around(at_m);
        }
    }

    /// What a lap's clock said at a moment.
    fn clock_of(&self, book: &Book, key: Key, at: Micros) -> Option<f64> {
        let (_, entry) = self.entry(key)?;
        Some(at.seconds_since(book.began(entry)?))
    }

    fn look_around(&mut self, at_m: f64) {
        let Some(shown) = self.shown.clone() else { return };
        let (axis, whole) = (self.view.axis, self.whole());
        let on_axis = |place: f64| shown.on_axis(axis, place.clamp(0.0, shown.comparison().length_m));
        if let (Some(from), Some(to), Some(at)) =
            (on_axis(at_m - AROUND_M), on_axis(at_m + AROUND_M), on_axis(at_m))
        {
            self.view.belongs_to(Some(super::Gesture::next()));
            self.view.show(Some(super::Part { from, to }), whole);
            self.view.point(at, whole);
        }
    }

    /// Where notes of the main lap are kept.
    pub(crate) fn notes_kept(&self) -> Kept {
        let of = self.chosen.main.map(|main| main.of).or(self.listed);
        let origin = self.origins.iter().find(|origin| Some(origin.name) == of);
        match origin.and_then(|origin| origin.opened.as_ref()) {
            Some(opened) if !opened.source.is_at_relay() => {
                let changed = |book: &Book| Some(book.of) == of && book.changes.is_some();
                Kept::InPage(self.notes.books.iter().any(changed))
            }
            _ => Kept::InRecording,
        }
    }

    /// Whether there are notes that are in no file yet.
    pub(super) fn has_unsaved_notes(&self) -> bool {
        self.notes.books.iter().any(|book| book.unsaved)
    }

    /// Where a note would be written now.
    fn here(&self) -> Option<Writing> {
        let shown = self.shown.as_ref()?;
        let at_m = self.cursor_m()?;
        let clock_s = shown.main_clock_at(at_m)?;
        Some(Writing { lap: self.chosen.main?, clock_s, at_m })
    }
}

impl Shown {
    /// A lap's place among those that are side by side.
    fn place_of(&self, key: Key) -> Option<usize> {
        self.laps.iter().position(|lap| lap.driven.key == key)
    }

    /// Where a lap was when its clock said so much.
    fn place_on_clock(&self, place: usize, clock_s: f64) -> Option<f64> {
        let lap = self.laps.get(place)?;
        let row = lap.clock_s.partition_point(|clock| *clock < clock_s);
        lap.distance_m.get(row).or(lap.distance_m.last()).copied()
    }

    /// What the main lap's own clock said at a place.
    fn main_clock_at(&self, at_m: f64) -> Option<f64> {
        let clock_s = self.on_axis(Axis::Time, at_m)?;
        let seconds = self.laps.first()?.driven.columns().seconds();
        Some(match self.comparison().start_line_shift {
            Some(turned) => (clock_s + turned.clock_s) % seconds,
            None => clock_s,
        })
    }
}

/// What is asked of the relay.
enum Wish {
    Write(NewNote),
    TakeAway(String),
}

impl Analyse {
    /// Begins a note at the cursor.
    pub(crate) fn begin_note(&self) {
        self.change(&[Aspect::Sheet], |state| {
            state.notes.writing = state.here();
            state.notes.said = None;
            if state.notes.writing.is_some() {
                state.sheet = Some(Sheet::Note);
            }
        });
    }

    /// Writes the note that was begun; why not, if something is missing.
    pub(crate) fn write_note(&self, author: &str, text: &str) -> Result<(), &'static str> {
        let (author, text) = (author.trim(), text.trim());
        match (author.is_empty(), text.is_empty()) {
            (_, true) => return Err("A note needs some words."),
            (true, _) => return Err("A note needs to say who wrote it."),
            (false, false) => keep_author(author),
        }
        let Some(Writing { lap, clock_s, at_m }) = self.read(|state| state.notes.writing) else {
            return Ok(());
        };
        let (author, text) = (author.to_owned(), text.to_owned());
        let analyse = *self;
        spawn_local(async move {
            let written = analyse.moment(lap, clock_s, &author).await.map(|at| NewNote {
                at,
                author,
                text,
                car: Some(lap.id.car),
                distance_m: Some(at_m as f32),
            });
            let done = match written {
                Ok(note) => analyse.keep_note(lap.of, Wish::Write(note)).await,
                Err(why) => Err(why),
            };
            analyse.say_of_notes(done.err());
        });
        self.ask(None);
        Ok(())
    }

    /// The moment at which a lap's clock said so much, on the clock of the packets. A moment and an author make a note's
    /// name, so that the same author's next note goes a microsecond behind it.
    async fn moment(&self, lap: Key, clock_s: f64, author: &str) -> Result<Micros, String> {
        if lap.of == Name::Live {
            self.find_underway(lap).await?;
        }
        let at = self.read(|state| {
            let (_, entry) = state.entry(lap)?;
            let book = state.notes.books.iter().find(|book| book.of == lap.of)?;
            let mut at = book.began(entry)?.plus_seconds(clock_s);
            while book.notes.iter().any(|note| note.at == at && note.author == author) {
                at = Micros(at.0 + 1);
            }
            Some(at)
        });
        at.ok_or_else(|| "The recording under way does not have this lap.".to_owned())
    }

    /// Takes what the relay says of a recording.
    pub(super) fn take_answer(&self, of: Name, id: RecordingId, answer: &str) -> Result<(), String> {
        let listed = Listed::read(answer.as_bytes())?;
        let mut notes = Vec::new();
        for (_, note) in listed.facts.notes {
            notes.push(note);
        }
        let (session, laps) = (&listed.facts.session, &listed.facts.laps);
        let recorded = match of {
            Name::Live => LapCatalogue::of_table(None, session, laps, &|_| None),
            Name::Recording(_) => LapCatalogue::default(),
        };
        self.change(&[Aspect::Notes], |state| {
            if of == Name::Live {
                state.know_underway(id, &listed.entry.file, &recorded);
            }
            state.notes.books.retain(|book| book.of != of);
            state.notes.books.push(Book { of, id, notes, recorded, changes: None, unsaved: false });
            state.place_notes();
        });
        Ok(())
    }

    /// Has something done with the notes of an origin: by the relay, or here where none has the recording.
    async fn keep_note(&self, of: Name, wish: Wish) -> Result<(), String> {
        let found = self.read(|state| {
            let book = state.notes.books.iter().find(|book| book.of == of)?;
            let origin = state.origins.iter().find(|origin| origin.name == of)?;
            Some((book.id, origin.opened.clone().filter(|opened| !opened.source.is_at_relay())))
        });
        let Some((id, opened)) = found else { return Err("This recording is not open any more.".to_owned()) };
        let Some(opened) = opened else {
            let path = format!("/library/{id}/notes");
            let answer = match wish {
                Wish::Write(note) => http::ask("POST", &path, Some(&json(&note))).await,
                Wish::TakeAway(name) => {
                    http::ask("DELETE", &format!("{path}/{}", encoded(&name)), None).await
                }
            };
            return answer
                .map_err(|failed| failed.words())
                .and_then(|known| self.take_answer(of, id, &known));
        };
        let now = browser::now();
        let mut outcome = Ok(());
        self.change(&[Aspect::Notes], |state| {
            let Some(book) = state.notes.books.iter_mut().find(|book| book.of == of) else { return };
            let facts = book.changes.get_or_insert_with(|| copied(opened.recording.facts()));
            let change: Result<(String, StoredFact), _> = match wish {
                Wish::Write(note) => written(&opened.recording, note, now),
                Wish::TakeAway(name) => taken_away(facts, &name, now),
            };
            outcome = change.map(|(name, stored)| facts.store(&name, stored));
            book.notes = notes_of(facts);
            book.unsaved |= outcome.is_ok();
            unsaved::keep(book.id, Some(facts).filter(|_| book.unsaved).map(|facts| &*facts));
            state.place_notes();
        });
        outcome.map_err(|error| sentence(&error.to_string()))
    }

    fn say_of_notes(&self, words: Option<String>) {
        self.change(&[Aspect::Notes], |state| state.notes.said = words);
    }

    /// Goes to where a note stands: its lap, its place, and what is around it.
    pub(crate) fn go_to_note(&self, cockpit: crate::cockpit::Cockpit, place: usize) {
        let found = self.read(|state| {
            let placed = state.notes.placed.get(place)?;
            Some((placed.name.clone(), placed.lap, placed.place))
        });
        let Some((name, lap, shown)) = found else { return };
        self.change(&[], |state| state.notes.going = Some(name));
        match (lap, shown) {
            (Some(lap), None) => {
                self.choose(cockpit, |chosen| {
                    if chosen.reference == Some(lap) {
                        chosen.reference = chosen.main;
                    }
                    chosen.main = Some(lap);
                });
            }
            _ => self.change(&[Aspect::View, Aspect::Cursor], State::place_notes),
        }
        self.say_address();
    }

    /// Takes a note away; it can be brought back.
    pub(crate) fn take_note_away(&self, place: usize) {
        let found = self.read(|state| {
            let placed = state.notes.placed.get(place)?;
            let book = state.notes.books.iter().find(|book| book.of == placed.of)?;
            let note = book.notes.iter().find(|note| note.name() == placed.name)?;
            Some((placed.of, note.clone()))
        });
        let Some((of, note)) = found else { return };
        let analyse = *self;
        spawn_local(async move {
            let done = analyse.keep_note(of, Wish::TakeAway(note.name())).await;
            if done.is_ok() {
                analyse.change(&[], |state| state.notes.taken = Some((of, note)));
            }
            analyse.say_of_notes(done.err());
        });
    }

    /// Brings back the note that was taken away last.
    pub(crate) fn bring_note_back(&self) {
        let mut taken = None;
        self.change(&[], |state| taken = state.notes.taken.take());
        let Some((of, note)) = taken else { return };
        let Note { at, author, text, car, distance_m, .. } = note;
        let analyse = *self;
        spawn_local(async move {
            let note = NewNote { at, author, text, car, distance_m };
            let done = analyse.keep_note(of, Wish::Write(note)).await;
            analyse.say_of_notes(done.err());
        });
    }

    /// Saves the file that was opened with the notes that were written here.
    pub(crate) fn save_notes(&self) {
        let found = self.read(|state| {
            let of = state.chosen.main.map(|main| main.of).or(state.listed)?;
            let facts = state.notes.books.iter().find(|book| book.of == of)?.changes.as_ref().map(copied)?;
            Some((state.origins.iter().find(|origin| origin.name == of)?.opened.clone()?, facts))
        });
        let Some((opened, facts)) = found else { return };
        match opened.save_with(&facts) {
            Ok(()) => self.change(&[Aspect::Notes], |state| {
                let id = opened.recording.info().id;
                unsaved::keep(id, None);
                let saved = state.notes.books.iter_mut().filter(|book| book.id == id);
                saved.for_each(|book| book.unsaved = false);
            }),
            Err(why) => self.say_of_notes(Some(why)),
        }
    }
}

/// The notes among facts: their names are in the order of their moments.
fn notes_of(facts: &Facts) -> Vec<Note> {
    let notes = facts.iter().filter(|(name, stored)| is_name(name) && !stored.json.is_empty());
    notes.filter_map(|(_, stored)| read(&stored.json).ok()).collect()
}

/// The same facts once more, put in one by one: to copy the whole tree of them would make the page larger.
fn copied(facts: &Facts) -> Facts {
    let mut copy = Facts::default();
    facts.iter().for_each(|(name, stored)| copy.store(name, stored.clone()));
    copy
}

/// The note as the relay takes it.
fn json(note: &NewNote) -> String {
    let number = |name, value: Option<f64>| value.map(|value| (name, JsValue::from_f64(value)));
    let words = [("author", &note.author), ("text", &note.text)];
    let words = words.into_iter().map(|(name, words)| (name, JsValue::from_str(words)));
    let numbers = [
        number("at", Some(note.at.0 as f64)),
        number("car", note.car.map(|car| car.0.into())),
        number("distance_m", note.distance_m.map(f64::from)),
    ];
    let wish: Vec<(&str, JsValue)> = words.chain(numbers.into_iter().flatten()).collect();
    http::json(&wish)
}
