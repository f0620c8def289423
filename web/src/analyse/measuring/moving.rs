//! Moving the measuring cursors.

use leptos::prelude::*;

use super::Measure;
use crate::analyse::ViewStore;
use crate::analyse::driver_input::DriverInput;

/// The measuring cursors. Copies are handles to the same.
#[derive(Clone, Copy)]
pub(crate) struct MeasureStore {
    pub(crate) state: RwSignal<Measure>,
    view: ViewStore,
    input: DriverInput,
}

impl MeasureStore {
    pub(crate) fn new(view: ViewStore, input: DriverInput) -> Self {
        Self { state: RwSignal::new(Measure::default()), view, input }
    }

    /// The measuring cursors on the axis; `None` for one that is not placed.
    pub(crate) fn on_axis(self) -> [Option<f64>; 2] {
        self.state.get().places_m.map(|place_m| self.view.on_axis(place_m?))
    }

    /// Moves the measuring cursors.
    pub(crate) fn change(self, change: impl FnOnce(&mut Measure)) {
        self.drag(change);
        self.input.note_change();
    }

    /// Moves the measuring cursors while one is dragged.
    pub(crate) fn drag(self, change: impl FnOnce(&mut Measure)) {
        let before = self.state.get_untracked();
        let mut measure = before;
        change(&mut measure);
        if measure != before {
            self.state.set(measure);
        }
    }

    /// Places a measuring cursor at the cursor. Returns whether there is a cursor.
    pub(crate) fn drop_at_cursor(self, which: usize) -> bool {
        let at_m = untrack(|| self.view.cursor_m());
        if let Some(at_m) = at_m {
            self.change(|measure| measure.drop(which, at_m));
        }
        at_m.is_some()
    }
}
