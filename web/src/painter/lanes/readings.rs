//! The values at the cursor, for the gutter and for screen readers.

use super::{LaneSource, LaneSpec, LaneStack, Says};
use crate::painter::Ink;
use crate::painter::gutter::Written;

/// A lane's values at the cursor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reading {
    /// The lane's name.
    pub name: String,
    /// The unit of its values; empty without a unit.
    pub unit: &'static str,
    /// Its rows, as in the gutter.
    pub rows: Vec<String>,
}

impl LaneStack {
    /// The values of all lanes from the top, including rows without room in the gutter.
    pub fn readings(&self, source: &impl LaneSource) -> Vec<Reading> {
        let reading = |spec: &LaneSpec| Reading {
            name: spec.name.to_string(),
            unit: spec.unit.suffix,
            rows: self.rows_at_cursor(spec, source).into_iter().map(|(_, words)| words).collect(),
        };
        self.lanes.iter().map(|lane| reading(&lane.spec)).collect()
    }

    /// A lane's rows of values at the cursor, each with its colour.
    pub(super) fn rows_at_cursor(&self, spec: &LaneSpec, source: &impl LaneSource) -> Vec<(Ink, String)> {
        spec.gutter_rows(source, self.cursor)
    }
}

impl LaneSpec {
    /// The rows of the lane's gutter at a point of the x axis, or at the latest sample, each with its colour.
    pub fn gutter_rows(&self, source: &impl LaneSource, at: Option<f64>) -> Vec<(Ink, String)> {
        let value = |line: usize| {
            let line = self.lines.get(line)?;
            source.value(line.column, at, line.drawing)
        };
        let written = |values: &[Option<f64>], signed| Written { values, unit: self.unit, signed }.words();
        if self.readouts.is_empty() {
            let rows = self.lines.iter().enumerate();
            return rows.map(|(row, line)| (line.paint.ink, written(&[value(row)], line.tinted))).collect();
        }
        let tinted = self.lines.iter().any(|line| line.tinted);
        let row = |says: &Says| match says {
            Says::Values(lines) => {
                let values: Vec<Option<f64>> = lines.iter().map(|line| value(*line)).collect();
                written(&values, tinted)
            }
            Says::Difference(one, other) => {
                let difference = value(*one).zip(value(*other)).map(|(one, other)| one - other);
                written(&[difference], true)
            }
        };
        self.readouts.iter().map(|readout| (readout.ink, row(&readout.says))).collect()
    }
}
