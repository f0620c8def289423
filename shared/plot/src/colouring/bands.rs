//! Sorts values into bands: steps of a scale, or named classes.

use trailbrake_model::number;
use trailbrake_model::units::DisplayUnit;

use super::{Band, ColouredLap, RAMP, Tone};
use crate::Domain;

/// A number with its unit and a real minus sign; with a plus sign if `signed`.
pub(super) fn printed(value: f64, unit: &DisplayUnit, signed: bool) -> String {
    let write = if signed { number::write_signed } else { number::write };
    let text = write(unit.value(value), unit.decimals);
    match unit.suffix {
        "" => text,
        suffix => format!("{text} {suffix}"),
    }
}

/// Colours rows by a scale over the ramp. Values above the domain get the last step, and `more` is added to the upper
/// label.
pub(super) fn on_scale(
    values: Vec<f32>,
    domain: Domain,
    unit: &'static DisplayUnit,
    about: String,
    more: &str,
) -> ColouredLap {
    let mut coloured = ColouredLap { values, about, unit: Some(unit), ..ColouredLap::default() };
    for step in 0..RAMP {
        if step > 0 {
            let edge = domain.low() + domain.span() * f64::from(step) / f64::from(RAMP);
            coloured.edges.push(edge as f32);
        }
        coloured.bands.push(Band { tone: Tone::Ramp(step), says: String::new() });
    }
    coloured.ends = Some([
        number::write(unit.value(domain.low()), unit.decimals),
        printed(domain.high(), unit, false) + more,
    ]);
    coloured
}

/// Colours rows by class number. Classes that do not occur are left out.
pub(super) fn in_classes(values: Vec<f32>, classes: &[(Tone, &str)], about: String) -> ColouredLap {
    let mut coloured = ColouredLap { about, ..ColouredLap::default() };
    for (class, (tone, says)) in classes.iter().enumerate() {
        if values.contains(&(class as f32)) {
            if !coloured.bands.is_empty() {
                coloured.edges.push(class as f32);
            }
            coloured.bands.push(Band { tone: *tone, says: (*says).to_owned() });
        }
    }
    coloured.values = values;
    coloured
}

/// Spreads the bands as evenly as possible over the ramp.
pub(super) fn spread(bands: &mut [Band]) {
    let last = usize::from(RAMP - 1);
    let count = bands.len();
    for (place, band) in bands.iter_mut().enumerate() {
        let step = if count > 1 { place * last / (count - 1) } else { last / 2 };
        band.tone = Tone::Ramp(step.min(last) as u8);
    }
}
