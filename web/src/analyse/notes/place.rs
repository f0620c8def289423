//! Finding the places of notes on the lanes.

use std::rc::Rc;

use leptos::prelude::*;
use trailbrake_shared::recording::notes::plan_order;

use super::{NoteStorage, PlacedNote, Writing};
use crate::analyse::{Analyse, Axis, LapKey, Part, ShownLaps, SourceId};

/// How much is shown before and after a note, metres.
const AROUND_M: f64 = 150.0;

impl Analyse {
    /// Updates the notes of the listed source and the compared laps, and shows the target note if its lap is compared.
    pub(crate) fn place_notes(self) {
        let placed = Rc::new(untrack(|| self.placed_notes()));
        self.notes.update(|notes| notes.placed = Rc::clone(&placed));
        let target = self.notes.with_untracked(|notes| notes.target.clone());
        let note = target.and_then(|name| placed.iter().find(|note| note.name == name));
        if let Some(at_m) = note.filter(|note| note.place.is_some()).and_then(|note| note.at_m) {
            self.notes.update(|notes| notes.target = None);
            self.show_around(at_m);
        }
    }

    fn placed_notes(self) -> Vec<PlacedNote> {
        let (shown, sources, notes) = (self.shown(), self.sources.read(), self.notes.read());
        let chosen = self.selection.with(|selection| selection.chosen.clone());
        let listed = sources.listed().map(|source| source.name);
        let is_here = |of: SourceId| Some(of) == listed || chosen.all().any(|key| key.of == of);
        let mut placed = Vec::new();
        for book in notes.books.iter().filter(|book| is_here(book.of)) {
            let Some(source) = sources.get(book.of) else { continue };
            for note in book.notes() {
                let lap = book.lap(note, source);
                let place = shown.as_ref().zip(lap).and_then(|(shown, key)| shown.place_of(key));
                // The lap's clock at the note's moment.
                let began = lap.and_then(|key| book.began(source.entry(key)?));
                let clock_s = began.map(|began| note.at.seconds_since(began));
                let sent_m = note.distance_m.map(f64::from);
                let at_m = shown.as_ref().zip(place).and_then(|(shown, place)| match sent_m {
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

    fn show_around(self, at_m: f64) {
        let Some(shown) = self.comparison.with_untracked(|compared| compared.shown.clone()) else { return };
        self.move_view(Some(self.next_gesture()), &|view, whole| {
            let on_axis =
                |place: f64| shown.on_axis(view.axis, place.clamp(0.0, shown.comparison().length_m));
            if let [Some(from), Some(to), Some(at)] = [at_m - AROUND_M, at_m + AROUND_M, at_m].map(on_axis) {
                view.show(Some(Part { from, to }), whole);
                view.point(at, whole);
            }
        });
    }

    /// The source whose notes are written and saved: the main lap's, or the listed one without a main lap.
    pub(in crate::analyse) fn source_of_notes(self) -> Option<SourceId> {
        let main = self.main_lap().map(|main| main.of);
        main.or_else(|| self.sources.with(|sources| Some(sources.listed()?.name)))
    }

    /// Where the notes of that source are kept.
    pub(crate) fn notes_kept(self) -> NoteStorage {
        let of = self.source_of_notes();
        let is_in_page = self.sources.with(|sources| {
            let opened = of.and_then(|of| sources.get(of)?.opened.as_ref());
            opened.is_some_and(|opened| !opened.source.is_at_relay())
        });
        match is_in_page {
            true => NoteStorage::InPage(
                self.notes.with(|notes| of.and_then(|of| notes.book(of)).is_some_and(|book| book.in_page)),
            ),
            false => NoteStorage::InRecording,
        }
    }

    /// Why this page may not write notes and tasks of that source; `None` if it may.
    pub(crate) fn read_only(self) -> Option<&'static str> {
        self.room.read_only().filter(|_| self.notes_kept() == NoteStorage::InRecording)
    }

    /// Whether `read_only` has a reason, which is then shown as a message.
    pub(crate) fn refuses_writing(self) -> bool {
        let why = untrack(|| self.read_only());
        why.into_iter().for_each(|why| self.show_message(why));
        why.is_some()
    }

    /// A new note of the main lap at the cursor; `None` without a cursor.
    pub(super) fn cursor_moment(self) -> Option<Writing> {
        let (shown, at_m) = (self.shown()?, self.cursor_m()?);
        Some(Writing::New { lap: self.main_lap()?, clock_s: shown.main_clock_at(at_m)?, at_m })
    }
}

impl ShownLaps {
    /// The index of a lap among the compared laps.
    fn place_of(&self, key: LapKey) -> Option<usize> {
        self.laps.iter().position(|lap| lap.loaded.key == key)
    }

    /// The lap distance of the lap with index `place` when its clock showed `clock_s`, in metres.
    fn place_on_clock(&self, place: usize, clock_s: f64) -> Option<f64> {
        let lap = self.laps.get(place)?;
        let row = lap.clock_s.partition_point(|clock| *clock < clock_s);
        lap.distance_m.get(row).or(lap.distance_m.last()).copied()
    }

    /// The main lap's own clock at a lap distance, in seconds. A shift of the start line is undone.
    pub(in crate::analyse) fn main_clock_at(&self, at_m: f64) -> Option<f64> {
        let clock_s = self.on_axis(Axis::Time, at_m)?;
        let seconds = self.laps.first()?.loaded.columns().seconds();
        Some(match self.comparison().start_line_shift {
            Some(turned) => (clock_s + turned.clock_s) % seconds,
            None => clock_s,
        })
    }
}
