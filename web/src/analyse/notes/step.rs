//! Stepping through the lesson plan, and changing its order.

use leptos::prelude::*;
use leptos::task::spawn_local;
use trailbrake_shared::recording::notes::moved;
use trailbrake_shared::recording::{NewNote, Note};

use super::change::BookChange;
use super::place::NoteStore;
use super::write::NoteEditor;
use crate::analyse::driver_input::DriverInput;
use crate::analyse::{SelectionStore, ViewStore};

/// How much is shown before and after a note, metres.
const AROUND_M: f64 = 150.0;

/// The lesson plan: the notes in their order, one of which was shown last. Copies are handles to the same.
#[derive(Clone, Copy)]
pub(crate) struct LessonPlan {
    notes: NoteStore,
    editor: NoteEditor,
    selection: SelectionStore,
    view: ViewStore,
    input: DriverInput,
    /// The name of the note that was shown last.
    current: RwSignal<Option<String>>,
    /// The name of the note that the lanes go to as soon as its lap is compared.
    target: RwSignal<Option<String>>,
}

impl LessonPlan {
    pub(crate) fn new(
        notes: NoteStore,
        editor: NoteEditor,
        selection: SelectionStore,
        view: ViewStore,
        input: DriverInput,
    ) -> Self {
        let (current, target) = (RwSignal::new(None), RwSignal::new(None));
        Self { notes, editor, selection, view, input, current, target }
    }

    /// Shows the target note as soon as its lap is compared.
    pub(crate) fn follow(self) {
        Effect::new(move |_| {
            let note = self.target.get().and_then(|name| self.notes.named(&name));
            if let Some(at_m) = note.filter(|note| note.place.is_some()).and_then(|note| note.at_m) {
                self.target.set(None);
                self.view.show_around(at_m, AROUND_M);
            }
        });
    }

    /// The index of the note that was shown last.
    pub(crate) fn current(self) -> Option<usize> {
        let current = self.current.get()?;
        self.notes.placed().iter().position(|note| note.name == current)
    }

    /// Shows the next or the previous note of the plan; after the last comes the first.
    pub(crate) fn step(self, forward: bool) {
        let (placed, current) = untrack(|| (self.notes.placed(), self.current()));
        let note = next(placed.len(), current, forward).and_then(|place| placed.get(place));
        if let Some(note) = note {
            self.show(&note.name);
        }
    }

    /// Shows a note on the lanes, with the track around it. Compares its lap first if it is not compared.
    pub(crate) fn show(self, name: &str) {
        let Some(note) = untrack(|| self.notes.named(name)) else { return };
        self.current.set(Some(name.to_owned()));
        self.target.set(Some(name.to_owned()));
        if let (Some(lap), None) = (note.lap, note.place) {
            self.selection.show_lap(lap);
        }
        self.input.note_change();
    }

    /// Moves a note up or down by one in the plan.
    pub(crate) fn shift(self, name: &str, up: bool) {
        let placed = untrack(|| self.notes.placed());
        let plan: Vec<&Note> = placed.iter().map(|placed| &placed.note).collect();
        let Some(place) = placed.iter().position(|placed| placed.name == name) else { return };
        let change = |(place, rank_mm): (usize, i64)| {
            let placed = placed.get(place)?;
            Some((placed.of, NewNote { rank_mm: Some(rank_mm), ..placed.note.again() }))
        };
        let ranks = moved(&plan, place, if up { -1 } else { 1 });
        let changes: Vec<_> = ranks.into_iter().filter_map(change).collect();
        spawn_local(async move {
            let mut trouble = None;
            for (of, note) in changes {
                if let Err(why) = self.notes.books.change(of, BookChange::WriteNote(note)).await {
                    trouble = Some(why);
                    break;
                }
            }
            self.editor.set_trouble(trouble);
        });
    }
}

/// The index after or before `place`, wrapping around; without one, the first or the last. `None` if `count` is 0.
fn next(count: usize, place: Option<usize>, forward: bool) -> Option<usize> {
    let last = count.checked_sub(1)?;
    Some(match (place, forward) {
        (Some(place), true) if place < last => place + 1,
        (_, true) => 0,
        (Some(place), false) => place.checked_sub(1).unwrap_or(last),
        (None, false) => last,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_go_all_around() {
        let steps = |place| [next(3, place, false), next(3, place, true)];
        assert_eq!(steps(None), [Some(2), Some(0)]);
        assert_eq!(steps(Some(0)), [Some(2), Some(1)]);
        assert_eq!(steps(Some(1)), [Some(0), Some(2)]);
        assert_eq!(steps(Some(2)), [Some(1), Some(0)]);
        assert_eq!([next(1, Some(0), true), next(0, None, true)], [Some(0), None]);
    }
}
