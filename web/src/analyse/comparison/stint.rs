//! The rest of the main lap's stint.

use std::rc::Rc;

use super::{LoadedLap, ShownLaps};

/// The rest of the main lap's stint.
pub(crate) struct Stint {
    /// The laps on screen when it was read.
    pub(super) compared: Rc<ShownLaps>,
    /// The same laps, with the comparisons of the stint.
    pub(super) whole: Rc<ShownLaps>,
    /// The other laps.
    pub(super) laps: Vec<Rc<LoadedLap>>,
}

impl Stint {
    /// These laps with the rest of their stint; `None` if it is that of other laps.
    pub(super) fn of(&self, compared: &Rc<ShownLaps>) -> Option<Rc<ShownLaps>> {
        Rc::ptr_eq(&self.compared, compared).then(|| Rc::clone(&self.whole))
    }
}
