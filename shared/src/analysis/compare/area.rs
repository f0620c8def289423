//! A lap and its reference between two places of their axis: how long each took, what was lost, what channels did.

use serde::Serialize;

use super::Comparison;
use crate::analysis::section_statistics::section_by_clock;
use crate::analysis::{LapColumns, SectionStatistics, Unavailable};
use crate::model::Slot;

/// What a lap and its reference did between two places.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Area {
    /// Where it begins, metres from the line.
    pub from_m: f64,
    /// Where it ends.
    pub to_m: f64,
    /// How long the lap took, and how long the reference.
    pub seconds: [f64; 2],
    /// Seconds that the lap lost there; negative where it gained.
    pub lost_s: f64,
    /// From when to when that was, on the clocks of both.
    #[serde(skip)]
    clocks_s: [[f64; 2]; 2],
}

impl Comparison {
    /// The area between two places, given in either order; `None` where one of the laps was not heard, or there is nothing
    /// between them.
    pub fn between(&self, one_m: f64, other_m: f64) -> Option<Area> {
        let (from_m, to_m) = (one_m.min(other_m).max(0.0), one_m.max(other_m).min(self.length_m));
        if from_m >= to_m {
            return None;
        }
        let [lap, reference] = &self.placed;
        let clocks = |place_m| Some([lap.clock_at(place_m)?, reference.clock_at(place_m)?]);
        let ([lap_from, from], [lap_to, to]) = (clocks(from_m)?, clocks(to_m)?);
        let seconds = [lap_to - lap_from, to - from];
        let lost_s = seconds[0] - seconds[1];
        Some(Area { from_m, to_m, seconds, lost_s, clocks_s: [[lap_from, lap_to], [from, to]] })
    }
}

impl Area {
    /// What a channel did there, in the lap and in the reference; their rows are in the order of places.
    pub fn channel(
        &self,
        laps: [&LapColumns<'_>; 2],
        slot: Slot,
    ) -> [Result<SectionStatistics, Unavailable>; 2] {
        let ([lap, reference], [[from, to], [best_from, best_to]]) = (laps, self.clocks_s);
        [section_by_clock(lap, slot, from..=to), section_by_clock(reference, slot, best_from..=best_to)]
    }
}
