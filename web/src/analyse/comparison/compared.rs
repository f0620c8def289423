//! The comparison on screen.

use std::rc::Rc;

use trailbrake_shared::analysis::NoComparison;

use super::{LoadedLap, ShownLaps};
use crate::analyse::LapKey;

/// The comparison on screen, or why there is none.
#[derive(Default)]
pub(crate) struct Compared {
    pub(crate) shown: Option<Rc<ShownLaps>>,
    /// Other laps of the main lap's stint, once they are read.
    pub(crate) stint: Vec<Rc<LoadedLap>>,
    /// Why a chosen lap can't be shown.
    pub(crate) trouble: Option<String>,
    /// Why the main lap can't be compared with the reference.
    pub(crate) refused: Option<NoComparison>,
}

impl Compared {
    /// A decoded lap of the stint.
    pub(crate) fn lap_of_stint(&self, key: LapKey) -> Option<Rc<LoadedLap>> {
        self.stint.iter().find(|loaded| loaded.key == key).cloned()
    }
}
