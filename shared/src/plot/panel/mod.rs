//! Panels: what laps tell besides their lanes. Each is figures and short tables, or the reason why there are none.

mod balance;
mod consistency;
mod content;
mod fuel;
mod grip;
mod histograms;
mod rally;
mod setup;
mod suspension;
mod tyres;

use crate::analysis::{Comparison, Corner, LapColumns, Unavailable};
use crate::laps::Lap;
use crate::session::LapContext;

pub use content::{Cell, Choice, Content, LapRange, Row, Table};

/// The laps that panels tell of.
pub struct Laps<'a> {
    /// The lap that is looked at.
    pub main: PanelLap<'a>,
    /// The one that it is compared with.
    pub reference: Option<PanelLap<'a>>,
    /// Both, laid side by side; the lap beside itself where there is no reference.
    pub comparison: &'a Comparison,
    /// The laps of its stint as far as they were read, it among them, in their order.
    pub stint: &'a [LapColumns<'a>],
    /// The laps of its stint beside the reference, it the first of them.
    pub besides: &'a [&'a Comparison],
    /// Every lap that the car drove in its stint, or every run of its stage, each with its number among them.
    pub driven: &'a [Lap],
    /// Whether each is a run of a rally stage.
    pub stage: bool,
}

/// A lap with all that is told of it.
pub struct PanelLap<'a> {
    /// Its channels.
    pub columns: LapColumns<'a>,
    /// What is told besides.
    pub context: &'a LapContext,
}

/// A panel.
pub struct Panel {
    /// What addresses call it.
    pub id: &'static str,
    /// What it is called.
    pub name: &'static str,
    /// Makes its content. Where it has several, the id of the one that is wanted says which.
    make: fn(&Laps<'_>, &str) -> Result<Content, Unavailable>,
}

/// Every panel, in their order.
pub const PANELS: &[Panel] = &[
    Panel { id: "gg", name: "g-g", make: grip::panel },
    Panel { id: "often", name: "Histograms", make: histograms::panel },
    Panel { id: "tyres", name: "Tyres", make: tyres::panel },
    Panel { id: "suspension", name: "Suspension", make: suspension::panel },
    Panel { id: "balance", name: "Balance", make: balance::panel },
    Panel { id: "consistency", name: "Consistency", make: consistency::panel },
    Panel { id: "fuel", name: "Fuel", make: fuel::panel },
    Panel { id: "splits", name: "Splits", make: rally::panel },
    Panel { id: "setup", name: "Set-up", make: setup::panel },
];

impl Panel {
    /// The panel that an id means.
    pub fn named(id: &str) -> Option<&'static Self> {
        PANELS.iter().find(|panel| panel.id == id)
    }

    /// What it tells of laps, or why it can't.
    pub fn content(&self, laps: &Laps<'_>, wanted: &str) -> Result<Content, Unavailable> {
        (self.make)(laps, wanted)
    }
}

impl Laps<'_> {
    /// Something of the lap and of its reference; that of the reference is missing where it can't be told.
    fn both<T>(
        &self,
        tell: &dyn Fn(&LapColumns<'_>) -> Result<T, Unavailable>,
    ) -> Result<(T, Option<T>), Unavailable> {
        let reference = self.reference.as_ref();
        Ok((tell(&self.main.columns)?, reference.and_then(|lap| tell(&lap.columns).ok())))
    }
}

impl Laps<'_> {
    /// How many laps of the stint figures are made of, where those are not all.
    fn stint_in_words(&self) -> Option<String> {
        let (read, all) = (self.stint.len(), self.driven.len());
        (read < all).then(|| format!("From {read} of the stint's {all} laps: those nearest to this one."))
    }
}

/// What a corner is called where there is little room.
fn corner_name(corner: &Corner) -> String {
    corner.name.clone().unwrap_or_else(|| format!("T{}", corner.number))
}

/// The stretch of a corner.
fn corner_stretch(corner: &Corner) -> LapRange {
    LapRange { from_m: corner.entry_m, to_m: corner.exit_m, at_m: corner.apex_m }
}
