//! A row of values as text, as gutters show it.

use trailbrake_shared::number::thousands;
use trailbrake_shared::units::DisplayUnit;

use crate::text::figures::figure;

/// Values to write side by side in one row.
pub(super) struct ValueRow<'a> {
    pub(super) values: &'a [Option<f64>],
    pub(super) unit: &'static DisplayUnit,
    /// Whether gains have a `+`: for time gained and lost, where colour must not be the only cue.
    pub(super) signed: bool,
}

impl ValueRow<'_> {
    pub(super) fn words(&self) -> String {
        let words: Vec<String> =
            self.values.iter().map(|value| written(*value, self.unit, self.signed)).collect();
        words.join(" · ")
    }
}

/// A value as text. Thousands are separated from 10 000 on, if the unit has no decimals.
fn written(value: Option<f64>, shown: &DisplayUnit, signed: bool) -> String {
    let text = match value.map(|value| shown.value(value)) {
        Some(large) if shown.decimals == 0 && large >= 9_999.5 => thousands(large.round() as u64),
        _ => figure(value.map(|value| value as f32), shown),
    };
    let more = signed
        && value.is_some_and(|value| value > 0.0)
        && text.bytes().any(|byte| (b'1'..=b'9').contains(&byte));
    if more { format!("+{text}") } else { text }
}

#[cfg(test)]
mod tests {
    use trailbrake_shared::units::Unit;

    use super::*;

    #[test]
    fn values_are_written_as_drivers_read_them() {
        assert_eq!(written(Some(11_584.2), Unit::Rpm.shown(), false), "11\u{202f}584");
        assert_eq!(written(Some(8_450.0), Unit::Rpm.shown(), false), "8450");
        assert_eq!(written(Some(0.0134), Unit::Seconds.shown(), true), "+0.013");
        assert_eq!(written(Some(-0.0134), Unit::Seconds.shown(), true), "−0.013");
        assert_eq!(written(Some(0.0001), Unit::Seconds.shown(), true), "0.000");
        assert_eq!(written(None, Unit::Seconds.shown(), true), "–");
    }
}
