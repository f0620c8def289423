//! The values at the cursor, for screen readers.

use super::{LaneSource, LaneSpec};

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

impl Reading {
    /// A lane's values at a point of the x axis, including rows without room in the gutter.
    pub(super) fn of(lane: &LaneSpec, source: &impl LaneSource, at: Option<f64>) -> Self {
        Self {
            name: lane.name.to_string(),
            unit: lane.unit.suffix,
            rows: lane.gutter_rows(source, at).into_iter().map(|(_, words)| words).collect(),
        }
    }
}
