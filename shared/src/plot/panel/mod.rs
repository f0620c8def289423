//! Panels: what laps tell besides their lanes. Each is figures and short tables, or the reason why there are none.

mod content;
mod grip;
mod often;

use crate::analysis::{Comparison, LapColumns, Untold};

pub use content::{Cell, Choice, Content, Row, Stretch, Table};

/// The laps that panels tell of.
pub struct Laps<'a> {
    /// The lap that is looked at.
    pub main: LapColumns<'a>,
    /// The one that it is compared with.
    pub reference: Option<LapColumns<'a>>,
    /// Both, laid side by side; the lap beside itself where there is no reference.
    pub comparison: &'a Comparison,
}

/// A panel.
pub struct Panel {
    /// What addresses call it.
    pub id: &'static str,
    /// What it is called.
    pub name: &'static str,
    /// Makes its content. Where it has several, the id of the one that is wanted says which.
    make: fn(&Laps<'_>, &str) -> Result<Content, Untold>,
}

/// Every panel, in their order.
pub const PANELS: &[Panel] = &[
    Panel { id: "gg", name: "g-g", make: grip::panel },
    Panel { id: "often", name: "Histograms", make: often::panel },
];

impl Panel {
    /// The panel that an id means.
    pub fn named(id: &str) -> Option<&'static Self> {
        PANELS.iter().find(|panel| panel.id == id)
    }

    /// What it tells of laps, or why it can't.
    pub fn content(&self, laps: &Laps<'_>, wanted: &str) -> Result<Content, Untold> {
        (self.make)(laps, wanted)
    }
}

impl Laps<'_> {
    /// Something of the lap and of its reference; that of the reference is missing where it can't be told.
    fn both<T>(&self, tell: &dyn Fn(&LapColumns<'_>) -> Result<T, Untold>) -> Result<(T, Option<T>), Untold> {
        Ok((tell(&self.main)?, self.reference.as_ref().and_then(|lap| tell(lap).ok())))
    }
}
