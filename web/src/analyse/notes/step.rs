//! Stepping through the lesson plan, and changing its order.

use leptos::prelude::*;
use leptos::task::spawn_local;
use trailbrake_shared::recording::notes::moved;
use trailbrake_shared::recording::{NewNote, Note};

use super::change::BookChange;
use crate::analyse::Analyse;
use crate::cockpit::Cockpit;

impl Analyse {
    /// Shows the next or the previous note of the plan; after the last comes the first.
    pub(crate) fn step_note(self, cockpit: Cockpit, forward: bool) {
        let name = self.notes.with_untracked(|notes| {
            let place = next(notes.placed.len(), notes.current(), forward)?;
            notes.placed.get(place).map(|note| note.name.clone())
        });
        name.into_iter().for_each(|name| self.show_note(cockpit, &name));
    }

    /// Shows a note on the lanes, with the track around it. Compares its lap first if it is not compared.
    pub(crate) fn show_note(self, cockpit: Cockpit, name: &str) {
        let found = self.notes.with_untracked(|notes| notes.placed(name).map(|note| (note.lap, note.place)));
        let Some((lap, place)) = found else { return };
        self.notes.update(|notes| {
            notes.current = Some(name.to_owned());
            notes.target = Some(name.to_owned());
        });
        match (lap, place) {
            (Some(lap), None) => self.show_lap(cockpit, lap),
            _ => self.place_notes(),
        }
        self.input.note_change();
    }

    /// Moves a note up or down by one in the plan.
    pub(crate) fn move_note(self, name: &str, up: bool) {
        let changes = self.notes.with_untracked(|notes| {
            let plan: Vec<&Note> = notes.placed.iter().map(|placed| &placed.note).collect();
            let place = notes.placed.iter().position(|placed| placed.name == name)?;
            let change = |(place, rank_mm): (usize, i64)| {
                let placed = notes.placed.get(place)?;
                Some((placed.of, NewNote { rank_mm: Some(rank_mm), ..placed.note.again() }))
            };
            let ranks = moved(&plan, place, if up { -1 } else { 1 });
            Some(ranks.into_iter().filter_map(change).collect::<Vec<_>>())
        });
        let Some(changes) = changes else { return };
        spawn_local(async move {
            let mut trouble = None;
            for (of, note) in changes {
                if let Err(why) = self.keep_note(of, BookChange::WriteNote(note)).await {
                    trouble = Some(why);
                    break;
                }
            }
            self.show_note_trouble(trouble);
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
