//! Colours laps, and names what a row's colour stands for.

use trailbrake_analysis::{Comparison, LapColumns, Unavailable};
use trailbrake_model::Wheel;
use trailbrake_model::units::Units;

use super::{ColouredLap, Colouring, bands, row_values};

impl Colouring {
    /// Colours a lap of a comparison by one wheel, or else by the wheel with the largest value in each row. `places_m`
    /// are the rows' distances from the line, used by the delta alone.
    pub fn of(
        self,
        lap: &LapColumns<'_>,
        beside: Option<&Comparison>,
        places_m: &[f64],
        wheel: Option<Wheel>,
        units: &Units,
    ) -> Result<ColouredLap, Unavailable> {
        match self.missing(lap, beside.is_some()) {
            Some(why) => Err(why),
            None => {
                row_values::coloured(self, &row_values::RowValues { lap, beside, places_m, wheel, units })
            }
        }
    }
}

impl ColouredLap {
    /// A row's value with its unit, or its class name.
    pub fn says(&self, row: usize) -> Option<String> {
        let band = self.bands.get(self.band(row)?)?;
        let Some(unit) = self.unit else { return Some(band.says.clone()) };
        Some(bands::printed(f64::from(*self.values.get(row)?), unit, self.signed))
    }
}
