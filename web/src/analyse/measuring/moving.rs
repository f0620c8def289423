//! Moving the measuring cursors.

use leptos::prelude::*;

use super::Measure;
use crate::analyse::Analyse;

impl Analyse {
    /// Moves the measuring cursors.
    pub(crate) fn move_measure(self, change: impl FnOnce(&mut Measure)) {
        self.drag_measure(change);
        self.update_address_by_hand();
    }

    /// Moves them while they are held: the address follows in the end.
    pub(crate) fn drag_measure(self, change: impl FnOnce(&mut Measure)) {
        let before = self.measure.get_untracked();
        let mut measure = before;
        change(&mut measure);
        if measure != before {
            self.measure.set(measure);
        }
    }

    /// Places one of them at the cursor; whether there is a cursor.
    pub(crate) fn drop_measure(self, which: usize) -> bool {
        let at_m = self.cursor_m();
        at_m.into_iter().for_each(|at_m| self.move_measure(|measure| measure.drop(which, at_m)));
        at_m.is_some()
    }
}
