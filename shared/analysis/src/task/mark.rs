//! The mark of one lap.

use serde::{Deserialize, Serialize};
use trailbrake_model::units::Units;

use super::measure::TaskMeasure;

/// How well a lap met the target, best first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TaskMark {
    /// Within the tolerance.
    Hit,
    /// Just outside of it.
    Near,
    /// Further away.
    Miss,
}

impl TaskMark {
    /// The mark as a label.
    pub const fn label(self) -> &'static str {
        match self {
            Self::Hit => "Hit",
            Self::Near => "Near",
            Self::Miss => "Miss",
        }
    }
}

/// One lap against the target.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MarkedPass {
    /// The mark.
    pub mark: TaskMark,
    /// The measured value. `None` if the driver did not do it at all.
    pub measured: Option<f64>,
    /// The measured value minus the goal.
    pub off: Option<f64>,
}

impl MarkedPass {
    /// How far the lap was beside the goal, in the driver's words: `6 m early`.
    pub fn words(&self, measure: TaskMeasure, units: &Units) -> String {
        let Some(off) = self.off else { return measure.absent_words().to_owned() };
        let beside = measure.difference(off, units, measure.beside_words());
        beside.unwrap_or_else(|| "on target".to_owned())
    }
}
