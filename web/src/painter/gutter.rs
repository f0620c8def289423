//! The strip beside the lanes: what a lane shows, in what unit, and its values.

use trailbrake_shared::units::Unit;

use super::{Align, Ink, Pen, TextStyle};
use crate::figures::figure;

/// CSS pixels from a lane's top to its first baseline, from row to row, and to the strip's edges.
const FIRST: f32 = 16.0;
const ROW: f32 = 14.0;
const LEFT: f32 = 14.0;
const RIGHT: f32 = 10.0;

/// The strip.
pub(super) struct Gutter {
    /// Its width in CSS pixels.
    pub(super) width: f32,
}

impl Gutter {
    pub(super) fn new(width: f32) -> Self {
        Self { width }
    }

    /// Writes a lane's name with its unit under it.
    pub(super) fn name(&self, pen: &Pen<'_>, name: &str, unit: Unit, top: f32) {
        let left = |ink| TextStyle { ink, align: Align::Left };
        pen.text(name, pen.px(LEFT), top + pen.px(FIRST), left(Ink::Soft));
        pen.text(unit.shown().suffix, pen.px(LEFT), top + pen.px(FIRST + ROW), left(Ink::Faint));
    }

    /// Writes one of a lane's values, in its line's colour.
    pub(super) fn value(
        &self,
        pen: &Pen<'_>,
        value: Option<f64>,
        unit: Unit,
        ink: Ink,
        top: f32,
        row: usize,
    ) {
        let text = figure(value.map(|value| value as f32), unit.shown());
        let baseline = top + pen.px(FIRST + ROW * row as f32);
        pen.text(&text, pen.px(self.width - RIGHT), baseline, TextStyle { ink, align: Align::Right });
    }
}
