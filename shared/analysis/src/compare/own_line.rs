//! What comparisons learn of one lap alone. A reference is compared with many laps, and learnt once.

use std::sync::{Arc, OnceLock};

use crate::{LapColumns, PlacedLap, ReferenceLine};

/// The line that a lap drove, and its rows placed on it, once they were asked for.
///
/// It belongs to one lap: callers pass the columns of that lap.
#[derive(Debug, Default)]
pub struct OwnLine {
    line: OnceLock<Option<Arc<ReferenceLine>>>,
    placed: OnceLock<Option<PlacedLap>>,
}

impl OwnLine {
    /// The lap's line; `None` if its positions give none.
    pub fn learn(&self, lap: &LapColumns<'_>) -> Option<Arc<ReferenceLine>> {
        self.line.get_or_init(|| ReferenceLine::learn(lap).ok().map(Arc::new)).clone()
    }

    /// Places the lap on a line. What was placed on its own line before is placed there already.
    pub(super) fn place_on(&self, lap: &LapColumns<'_>, line: &Arc<ReferenceLine>) -> Option<PlacedLap> {
        let place = || PlacedLap::on_line(lap, line, None);
        let own = self.line.get().and_then(Option::as_ref);
        match own.is_some_and(|own| Arc::ptr_eq(own, line)) {
            true => self.placed.get_or_init(place).clone(),
            false => place(),
        }
    }
}
