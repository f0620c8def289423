//! A lap and its reference between two places: how long each took, the time lost, and what the channels did.

use serde::Serialize;
use trailbrake_model::Slot;

use super::Comparison;
use crate::section_statistics::section_by_clock;
use crate::{LapColumns, SectionStatistics, Unavailable};

/// A lap and its reference between two places.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Area {
    /// Where it begins, metres from the start line.
    pub from_m: f64,
    /// Where it ends, metres from the start line.
    pub to_m: f64,
    /// Seconds that the lap and the reference took.
    pub seconds: [f64; 2],
    /// Seconds lost there; negative for time gained.
    pub lost_s: f64,
    /// Begin and end on the clocks of the lap and the reference, seconds.
    #[serde(skip)]
    clocks_s: [[f64; 2]; 2],
}

impl Area {
    /// The area between two places of a comparison, given in either order. `None` if data is missing at either end, or the area is
    /// empty.
    pub fn between(comparison: &Comparison, one_m: f64, other_m: f64) -> Option<Self> {
        let (from_m, to_m) = (one_m.min(other_m).max(0.0), one_m.max(other_m).min(comparison.length_m));
        if from_m >= to_m {
            return None;
        }
        let [lap, reference] = &comparison.placed;
        let clocks = |place_m| Some([lap.clock_at(place_m)?, reference.clock_at(place_m)?]);
        let ([lap_from, from], [lap_to, to]) = (clocks(from_m)?, clocks(to_m)?);
        let seconds = [lap_to - lap_from, to - from];
        let lost_s = seconds[0] - seconds[1];
        Some(Self { from_m, to_m, seconds, lost_s, clocks_s: [[lap_from, lap_to], [from, to]] })
    }

    /// Statistics of a channel there, for the lap and the reference, whose rows are in the order of places.
    pub fn channel(
        &self,
        laps: [&LapColumns<'_>; 2],
        slot: Slot,
    ) -> [Result<SectionStatistics, Unavailable>; 2] {
        let ([lap, reference], [[from, to], [best_from, best_to]]) = (laps, self.clocks_s);
        [section_by_clock(lap, slot, from..=to), section_by_clock(reference, slot, best_from..=best_to)]
    }
}
