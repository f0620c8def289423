//! Panels: figures and short tables about laps besides the lanes, or the reason why there are none.

mod balance;
mod consistency;
mod content;
mod fuel;
mod grip;
mod histograms;
mod ideal;
mod list;
mod rally;
mod setup;
mod suspension;
mod tyres;

use trailbrake_analysis::laps::Lap;
use trailbrake_analysis::{Comparison, Corner, LapColumns, TheoreticalBest, Unavailable};
use trailbrake_games::settings::TyreWindows;
use trailbrake_model::units::Units;
use trailbrake_session::LapContext;

pub use content::{Cell, Choice, Content, LapRange, Row, Table};
pub use list::{PANELS, Panel};

/// The laps that panels are about.
#[derive(Clone)]
pub struct Laps<'a> {
    /// The main lap's official times.
    pub lap: &'a Lap,
    /// The main lap.
    pub main: PanelLap<'a>,
    /// Its reference.
    pub reference: Option<PanelLap<'a>>,
    /// Their comparison; without a reference, the lap compared with itself.
    pub comparison: &'a Comparison,
    /// The laps of its stint that were read, itself included, in order.
    pub stint: &'a [LapColumns<'a>],
    /// The comparisons of the stint's laps with the reference, the main lap's first.
    pub besides: &'a [&'a Comparison],
    /// The theoretical best of the compared laps.
    pub theoretical_best: &'a TheoreticalBest,
    /// Every lap of the car's stint, or every run of its stage, numbered in order.
    pub driven: &'a [Lap],
    /// Whether the laps are runs of a rally stage.
    pub stage: bool,
    /// The display units.
    pub units: Units,
    /// The temperatures at which the driver's tyres work.
    pub tyre_windows: TyreWindows,
}

/// A lap with its context.
#[derive(Clone)]
pub struct PanelLap<'a> {
    /// Its channels.
    pub columns: LapColumns<'a>,
    /// What the session knows of it besides its channels.
    pub context: &'a LapContext,
}

impl Laps<'_> {
    /// A result for the main lap and its reference; `None` for the reference where unavailable.
    fn both<T>(
        &self,
        analyse: &dyn Fn(&LapColumns<'_>) -> Result<T, Unavailable>,
    ) -> Result<(T, Option<T>), Unavailable> {
        let reference = self.reference.as_ref();
        Ok((analyse(&self.main.columns)?, reference.and_then(|lap| analyse(&lap.columns).ok())))
    }
}

impl Laps<'_> {
    /// A name for a lap in running text: a run, where it is of a stage.
    fn lap_word(&self) -> &'static str {
        if self.stage { "run" } else { "lap" }
    }

    /// A note on which laps of the stint something was made from.
    fn made_from(&self, laps: usize) -> String {
        let counted = self.driven.iter().filter(|lap| lap.counts().is_some()).count();
        let word = self.lap_word();
        match laps {
            1 => format!("From one counted {word}: exclude or include {word}s to change this."),
            _ if laps < counted => format!("From {laps} of the stint's {counted} counted {word}s."),
            _ if laps == counted => format!("From all {counted} counted {word}s of the stint."),
            // Those of the stint, and one that does not count or is of another stint.
            _ => format!("From {laps} {word}s."),
        }
    }
}

/// The part of the lap that a corner covers.
fn corner_stretch(corner: &Corner) -> LapRange {
    LapRange { from_m: corner.entry_m, to_m: corner.exit_m, at_m: corner.apex_m }
}
