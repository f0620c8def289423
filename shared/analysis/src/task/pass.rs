//! One lap's pass through a corner: its time and its measure.

use super::measure::TaskMeasure;
use super::section::CornerSection;
use crate::coverage::PlacedCoverage;
use crate::{Comparison, CornerReference, CornerRow, CornerTable, LapColumns, PlacedLap};

/// What was measured of a lap.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum PassValue {
    /// The value, in the measure's unit.
    Known(f64),
    /// The lap has data, but the driver did not do it: no braking, no lift.
    Absent,
    /// Data is missing.
    Missing,
}

/// A lap's pass through a corner.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CornerPass {
    /// Seconds through the corner's section. `None` if data is missing, or the lap has not come to its end.
    pub seconds: Option<f64>,
    /// The task's measure.
    pub value: PassValue,
    /// Whether the car left the track, spun or stopped there.
    pub has_excursion: bool,
}

impl CornerPass {
    /// A lap's pass, placed on the reference's line. `None` if the lap can't be placed there.
    pub fn of(
        reference: &CornerReference,
        lap: &LapColumns<'_>,
        section: &CornerSection,
        measure: TaskMeasure,
    ) -> Option<Self> {
        let placed = reference.place(lap)?;
        let table = CornerTable::of(lap, &placed, reference.corners());
        let row = table.rows.get(section.index)?;
        Some(Self::measured(lap, &placed, row, [section.from_m, section.to_m], section, measure))
    }

    /// The pass of a comparison's lap, which may be placed on another line than the reference's own. `None` if that
    /// is another reference, or the corner is not in the comparison.
    pub fn compared(
        comparison: &Comparison,
        lap: &LapColumns<'_>,
        reference: &CornerReference,
        section: &CornerSection,
        measure: TaskMeasure,
    ) -> Option<Self> {
        let [placed, _] = &comparison.placed;
        let here_m = |place_m: f64| comparison.place_of(place_m, reference.placed());
        let apex_m = here_m(section.corner.apex_m)?;
        let apart_m = |index: &usize| {
            let corner = comparison.corners.get(*index);
            corner.map_or(f64::INFINITY, |corner| (corner.apex_m - apex_m).abs())
        };
        let near = (0..comparison.corners.len()).min_by(|a, b| apart_m(a).total_cmp(&apart_m(b)));
        let half_m = (section.corner.exit_m - section.corner.entry_m) / 2.0;
        let index = near.filter(|index| apart_m(index) <= half_m)?;
        let (row, _) = comparison.rows(index)?;
        let ends = [here_m(section.from_m)?, here_m(section.to_m)?];
        let pass = Self::measured(&comparison.in_order(lap), placed, row, ends, section, measure);
        let value = match pass.value {
            PassValue::Known(place_m) if measure.is_place() => {
                PassValue::Known(comparison.place_on_reference(place_m, reference.placed())?)
            }
            value => value,
        };
        Some(Self { value, ..pass })
    }

    fn measured(
        lap: &LapColumns<'_>,
        placed: &PlacedLap,
        row: &CornerRow,
        [from_m, to_m]: [f64; 2],
        section: &CornerSection,
        measure: TaskMeasure,
    ) -> Self {
        let coverage = PlacedCoverage::new(placed);
        let seconds = coverage.clock_at(to_m).zip(coverage.clock_at(from_m)).map(|(to, from)| to - from);
        let is_covered = coverage.is_covered(from_m, section.measured_m);
        let has_pedal = measure.pedal().is_some_and(|pedal| lap.values(pedal.slot()).is_some());
        let value = match measure.of(row) {
            Some(value) => PassValue::Known(value),
            None if is_covered && has_pedal => PassValue::Absent,
            None => PassValue::Missing,
        };
        let mut excursions = placed.excursions.iter();
        let has_excursion = excursions.any(|aside| aside.to_m >= from_m && aside.from_m <= to_m);
        Self { seconds, value, has_excursion }
    }
}
