//! The list of panels.

use trailbrake_analysis::Unavailable;

use super::{
    Content, Laps, balance, consistency, fuel, grip, histograms, ideal, rally, setup, suspension, tyres,
};

/// A panel.
pub struct Panel {
    /// Its id in addresses.
    pub id: &'static str,
    /// Its name.
    pub name: &'static str,
    /// Makes its content. The text is the id of the wanted choice, if the panel has several.
    make: fn(&Laps<'_>, &str) -> Result<Content, Unavailable>,
}

/// Every panel, in order.
pub const PANELS: &[Panel] = &[
    Panel { id: "gg", name: "g-g", make: grip::panel },
    Panel { id: "often", name: "Histograms", make: histograms::panel },
    Panel { id: "tyres", name: "Tyres", make: tyres::panel },
    Panel { id: "suspension", name: "Suspension", make: suspension::panel },
    Panel { id: "balance", name: "Balance", make: balance::panel },
    Panel { id: "consistency", name: "Consistency", make: consistency::panel },
    Panel { id: "ideal", name: "Ideal lap", make: ideal::panel },
    Panel { id: "fuel", name: "Fuel", make: fuel::panel },
    Panel { id: "splits", name: "Splits", make: rally::panel },
    Panel { id: "setup", name: "Setup", make: setup::panel },
];

impl Panel {
    /// The panel with this id.
    pub fn named(id: &str) -> Option<&'static Self> {
        PANELS.iter().find(|panel| panel.id == id)
    }

    /// Its content, or why there is none. `wanted` is the id of a choice.
    pub fn content(&self, laps: &Laps<'_>, wanted: &str) -> Result<Content, Unavailable> {
        (self.make)(laps, wanted)
    }
}
