//! The open panel beside the lanes, and the choice in it.

mod choice;
mod content;
mod view;

use trailbrake_shared::plot::panel::{Content, Panel};

pub(crate) use choice::PanelStore;
pub(crate) use content::PanelSource;
pub(crate) use view::{OpenPanel, PanelTabs};

/// The id of the default panel: the corner table, and the three things to fix.
pub(crate) const CORNERS: &str = "corners";

/// The open panel.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct PanelChoice {
    /// Its id in addresses; empty for the default panel.
    pub(crate) id: &'static str,
    /// The id of the selected choice; empty for the first.
    pub(crate) wanted: String,
}

/// The content of the open panel.
#[derive(Clone, Debug, PartialEq)]
struct PanelContent {
    panel: &'static str,
    name: &'static str,
    /// Figures and tables, or why there are none.
    content: Result<Content, String>,
}

impl PanelChoice {
    /// The panel with an id, with one of its choices; the default panel if there is no such id.
    pub(crate) fn named(id: &str, wanted: &str) -> Self {
        let panel = Panel::named(id);
        panel.map_or_else(Self::default, |panel| Self { id: panel.id, wanted: wanted.to_owned() })
    }

    /// The panel's definition; `None` for the corners, which have a component of their own.
    pub(crate) fn panel(&self) -> Option<&'static Panel> {
        Panel::named(self.id)
    }
}
