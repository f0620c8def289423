//! The choice of the open panel.

use leptos::prelude::*;

use super::{CORNERS, PanelChoice};
use crate::analyse::driver_input::DriverInput;
use crate::ui::ShownFigure;

/// Which panel is open. Copies are handles to the same.
#[derive(Clone, Copy)]
pub(crate) struct PanelStore {
    pub(crate) state: RwSignal<PanelChoice>,
    /// The figures of the open panel, from the top, so that they can be copied.
    pub(crate) figures: StoredValue<Vec<ShownFigure>, LocalStorage>,
    input: DriverInput,
}

impl PanelStore {
    pub(crate) fn new(input: DriverInput) -> Self {
        Self {
            state: RwSignal::new(PanelChoice::default()),
            figures: StoredValue::new_local(Vec::new()),
            input,
        }
    }

    /// The id of the open panel, [`CORNERS`] included.
    pub(crate) fn open(self) -> &'static str {
        self.state.with(PanelChoice::panel).map_or(CORNERS, |panel| panel.id)
    }

    /// Shows a panel.
    pub(crate) fn show(self, id: &str) {
        self.state.set(PanelChoice::named(id, ""));
        self.input.note_change();
    }

    /// Shows a panel, or the corners if it is open already.
    pub(crate) fn toggle(self, id: &str) {
        let is_open = self.state.with_untracked(|open| open.id == id);
        self.show(if is_open { CORNERS } else { id });
    }

    /// Selects a choice of the open panel, by its id.
    pub(super) fn choose(self, choice: &str) {
        self.state.update(|open| choice.clone_into(&mut open.wanted));
        self.input.note_change();
    }
}
