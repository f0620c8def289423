//! Moving the measuring cursors.

use leptos::prelude::*;

use super::Measure;
use crate::analyse::Analyse;

impl Analyse {
    /// Moves the measuring cursors.
    pub(crate) fn move_measure(self, change: impl FnOnce(&mut Measure)) {
        self.drag_measure(change);
        self.input.note_change();
    }

    /// Moves the measuring cursors while one is dragged.
    pub(crate) fn drag_measure(self, change: impl FnOnce(&mut Measure)) {
        let before = self.measure.get_untracked();
        let mut measure = before;
        change(&mut measure);
        if measure != before {
            self.measure.set(measure);
        }
    }

    /// Places a measuring cursor at the cursor. Returns whether there is a cursor.
    pub(crate) fn drop_measure(self, which: usize) -> bool {
        let at_m = self.cursor_m();
        at_m.into_iter().for_each(|at_m| self.move_measure(|measure| measure.drop(which, at_m)));
        at_m.is_some()
    }
}
