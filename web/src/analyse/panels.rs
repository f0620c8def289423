//! Which panel is open beside the lanes, and what is chosen in it.

use trailbrake_shared::plot::panel::Panel;

use super::{Analyse, Aspect};

/// What addresses call the panel that is open at first: the corner table, and the three things to fix.
pub(crate) const CORNERS: &str = "corners";

/// The open panel.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Open {
    /// What an address calls it; empty for the one that is open at first.
    pub(crate) id: &'static str,
    /// Which of its choices is wanted; empty for the first.
    pub(crate) wanted: String,
}

impl Open {
    /// The panel of an id, with one of its choices.
    pub(crate) fn named(id: &str, wanted: &str) -> Self {
        let panel = Panel::named(id);
        panel.map_or_else(Self::default, |panel| Self { id: panel.id, wanted: wanted.to_owned() })
    }

    /// What makes its content; the corners are drawn by themselves.
    pub(crate) fn panel(&self) -> Option<&'static Panel> {
        Panel::named(self.id)
    }
}

impl Analyse {
    /// Opens a panel.
    pub(crate) fn open_panel(&self, id: &str) {
        self.change(&[Aspect::Panel], |state| state.open = Open::named(id, ""));
        self.say_address();
    }

    /// Opens a panel, or the corners where it is open already.
    pub(crate) fn turn_panel(&self, id: &str) {
        let open = self.read(|state| state.open.id == id);
        self.open_panel(if open { CORNERS } else { id });
    }

    /// Shows another choice of the open panel.
    pub(crate) fn want(&self, choice: &str) {
        self.change(&[Aspect::Panel], |state| state.open.wanted = choice.to_owned());
        self.say_address();
    }
}
