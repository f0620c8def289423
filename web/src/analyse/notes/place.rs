//! The places of notes on the lanes, and who may write them.

use std::rc::Rc;

use leptos::prelude::*;
use trailbrake_shared::recording::notes::plan_order;
use trailbrake_shared::recording::{Authored, Note};

use super::store::{BookStore, Books};
use crate::analyse::messages::Messages;
use crate::analyse::{ComparisonStore, LapKey, SelectionStore, ShownLaps, SourceId, Sources};
use crate::reactive::{LocalMemo, LocalSignal};
use crate::room::Room;

/// A note with its position on the lanes.
#[derive(Clone, Debug, PartialEq)]
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
    pub(super) of: SourceId,
}

/// Where notes are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NoteStorage {
    /// In the recording, by the relay.
    InRecording,
    /// In this page, until a copy of the file is saved. The flag is whether there is anything to save.
    InPage(bool),
}

/// The notes of the listed source and the compared laps. Copies are handles to the same.
#[derive(Clone, Copy)]
pub(crate) struct NoteStore {
    pub(super) books: BookStore,
    /// The notes, in the order of the lesson plan.
    placed: LocalMemo<Rc<Vec<PlacedNote>>>,
    sources: LocalSignal<Sources>,
    selection: SelectionStore,
    messages: Messages,
    room: Room,
}

impl NoteStore {
    pub(crate) fn new(
        books: BookStore,
        sources: LocalSignal<Sources>,
        selection: SelectionStore,
        comparison: ComparisonStore,
        messages: Messages,
        room: Room,
    ) -> Self {
        let placed = LocalMemo::new(move |_| {
            let chosen: Vec<LapKey> = selection.state.with(|selection| selection.chosen.all().collect());
            let shown = comparison.shown();
            let placed = sources
                .with(|sources| books.state.with(|books| placed(books, sources, &chosen, shown.as_deref())));
            Rc::new(placed)
        });
        Self { books, placed, sources, selection, messages, room }
    }

    /// The notes, in the order of the lesson plan.
    pub(crate) fn placed(self) -> Rc<Vec<PlacedNote>> {
        self.placed.get()
    }

    /// A note by its name among the facts.
    pub(super) fn named(self, name: &str) -> Option<PlacedNote> {
        self.placed.with(|placed| placed.iter().find(|note| note.name == name).cloned())
    }

    /// The source whose notes are written and saved: the main lap's, or the listed one without a main lap.
    pub(crate) fn source(self) -> Option<SourceId> {
        let main = self.selection.main_lap().map(|main| main.of);
        main.or_else(|| self.sources.with(|sources| Some(sources.listed()?.name)))
    }

    /// Where the notes of that source are kept.
    pub(crate) fn storage(self) -> NoteStorage {
        let of = self.source();
        let is_in_page = self.sources.with(|sources| {
            let opened = of.and_then(|of| sources.get(of)?.opened.as_ref());
            opened.is_some_and(|opened| !opened.source.is_at_relay())
        });
        let has_changes = |books: &Books| of.and_then(|of| books.get(of)).is_some_and(|book| book.in_page);
        match is_in_page {
            true => NoteStorage::InPage(self.books.state.with(has_changes)),
            false => NoteStorage::InRecording,
        }
    }

    /// Why this page may not write notes and tasks of that source; `None` if it may.
    pub(crate) fn read_only(self) -> Option<&'static str> {
        self.room.read_only().filter(|_| self.storage() == NoteStorage::InRecording)
    }

    /// Whether `read_only` has a reason, which is then shown as a message.
    pub(crate) fn refuses_writing(self) -> bool {
        let why = untrack(|| self.read_only());
        if let Some(why) = why {
            self.messages.show(why);
        }
        why.is_some()
    }
}

/// The notes of the listed source and the chosen laps, with their places.
fn placed(books: &Books, sources: &Sources, chosen: &[LapKey], shown: Option<&ShownLaps>) -> Vec<PlacedNote> {
    let listed = sources.listed().map(|source| source.name);
    let is_here = |of: SourceId| Some(of) == listed || chosen.iter().any(|key| key.of == of);
    let mut placed = Vec::new();
    for book in books.all().iter().filter(|book| is_here(book.of)) {
        let Some(source) = sources.get(book.of) else { continue };
        for note in book.notes() {
            let lap = book.lap(note, source);
            let place = shown.zip(lap).and_then(|(shown, key)| shown.place_of(key));
            // The lap's clock at the note's moment.
            let began = lap.and_then(|key| book.began(source.entry(key)?));
            let clock_s = began.map(|began| note.at.seconds_since(began));
            let sent_m = note.distance_m.map(f64::from);
            let at_m = shown.zip(place).and_then(|(shown, place)| match sent_m {
                Some(sent_m) if shown.strangers.is_empty() => Some(sent_m),
                _ => shown.place_on_clock(place, clock_s?),
            });
            placed.push(PlacedNote {
                name: note.name(),
                note: note.clone(),
                lap,
                place,
                at_m: at_m.or(sent_m),
                of: book.of,
            });
        }
    }
    placed.sort_by(|one, other| plan_order(&one.note, &other.note));
    placed
}
