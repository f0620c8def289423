//! Colours laps, and names what a row's colour stands for.

use trailbrake_analysis::{Comparison, LapColumns, Unavailable};
use trailbrake_model::Wheel;
use trailbrake_model::units::Units;

use super::{ColouredLap, Colouring, bands, row_values};

/// Colours a lap of a comparison by one wheel, or else by the wheel with the largest value in each row. `places_m` are the
/// rows' distances from the line, used by the delta alone.
pub fn colour_lap(
    by: Colouring,
    lap: &LapColumns<'_>,
    beside: Option<&Comparison>,
    places_m: &[f64],
    wheel: Option<Wheel>,
    units: &Units,
) -> Result<ColouredLap, Unavailable> {
    match by.missing(lap, beside.is_some()) {
        Some(why) => Err(why),
        None => row_values::coloured(by, &row_values::RowValues { lap, beside, places_m, wheel, units }),
    }
}

/// A row's value with its unit, or the name of its band.
pub fn row_words(lap: &ColouredLap, row: usize) -> Option<String> {
    let band = lap.bands.get(lap.band(row)?)?;
    let Some(unit) = lap.unit else { return Some(band.says.clone()) };
    Some(bands::printed(f64::from(*lap.values.get(row)?), unit, lap.signed))
}
