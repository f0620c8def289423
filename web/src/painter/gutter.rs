//! The strip beside the lanes: what a lane shows, in what unit, and its values.

use trailbrake_shared::number::thousands;
use trailbrake_shared::units::Unit;

use super::{Align, Ink, LaneSpec, Pen, TextStyle};
use crate::figures::figure;

/// CSS pixels from a lane's top to its first baseline, from row to row, and to the strip's edges.
const FIRST: f32 = 16.0;
const ROW: f32 = 14.0;
/// CSS pixels from row to row at least, and from the last one to the lane's bottom.
const CLOSE: f32 = 9.5;
const LAST: f32 = 2.0;
const LEFT: f32 = 14.0;
const RIGHT: f32 = 10.0;
/// CSS pixels that the widest value takes beside the name.
const VALUE: f32 = 42.0;

/// The strip.
pub(super) struct Gutter {
    /// Its width in CSS pixels.
    pub(super) width: f32,
}

impl Gutter {
    pub(super) fn new(width: f32) -> Self {
        Self { width }
    }

    /// Writes a lane's name with its unit under it, and on which side of zero time is lost.
    pub(super) fn name(&self, pen: &Pen<'_>, lane: &LaneSpec, top: f32) {
        let left = |ink| TextStyle { ink, align: Align::Left };
        let (first, second) = (top + pen.px(FIRST), top + pen.px(FIRST + ROW));
        let room = pen.px(self.width - LEFT - RIGHT - VALUE);
        pen.text_within(&lane.name, pen.px(LEFT), first, room, left(Ink::Soft));
        pen.text(lane.unit.shown().suffix, pen.px(LEFT), second, left(Ink::Faint));
        if lane.lines.iter().any(|line| line.tinted) {
            let style = TextStyle { ink: Ink::Soft, align: Align::Right };
            pen.text("slower ↑", pen.px(self.width - RIGHT), second, style);
        }
    }

    /// Writes a row of values, unless the lane is too low for another one. Where there are many, they stand closer.
    pub(super) fn row(&self, pen: &Pen<'_>, words: &str, ink: Ink, place: Place) {
        let room = place.bottom - place.top - pen.px(FIRST + LAST);
        let step = room / place.rows.saturating_sub(1).max(1) as f32;
        let step = step.clamp(pen.px(CLOSE), pen.px(ROW));
        let baseline = place.top + pen.px(FIRST) + step * place.row as f32;
        if place.row > 0 && baseline > place.bottom {
            return;
        }
        let style = TextStyle { ink, align: Align::Right };
        pen.text(words, pen.px(self.width - RIGHT), baseline, style);
    }
}

/// Where values stand: the pixels of their lane's top and bottom, how many rows stand above, and how many there are.
pub(super) struct Place {
    pub(super) top: f32,
    pub(super) bottom: f32,
    pub(super) row: usize,
    pub(super) rows: usize,
}

/// Values as they are written, side by side.
pub(super) struct Written<'a> {
    pub(super) values: &'a [Option<f64>],
    pub(super) unit: Unit,
    /// Gain and loss have their sign both ways, since colour is never the only cue.
    pub(super) signed: bool,
}

impl Written<'_> {
    pub(super) fn words(&self) -> String {
        let words: Vec<String> =
            self.values.iter().map(|value| written(*value, self.unit, self.signed)).collect();
        words.join(" · ")
    }
}

/// A value with its thousands apart.
fn written(value: Option<f64>, unit: Unit, signed: bool) -> String {
    let shown = unit.shown();
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
    use super::*;

    #[test]
    fn values_are_written_as_drivers_read_them() {
        assert_eq!(written(Some(11_584.2), Unit::Rpm, false), "11\u{202f}584");
        assert_eq!(written(Some(8_450.0), Unit::Rpm, false), "8450");
        assert_eq!(written(Some(0.0134), Unit::Seconds, true), "+0.013");
        assert_eq!(written(Some(-0.0134), Unit::Seconds, true), "−0.013");
        assert_eq!(written(Some(0.0001), Unit::Seconds, true), "0.000");
        assert_eq!(written(None, Unit::Seconds, true), "–");
    }
}
