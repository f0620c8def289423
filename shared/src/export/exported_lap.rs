//! Which laps are exported, and what is known of each.

use crate::laps::Lap;
use crate::model::{Car, Columns, Slot};
use crate::time::Micros;

/// A lap with everything that an export tells of it.
#[derive(Clone, Debug)]
pub struct ExportedLap<'a> {
    /// Who drove it.
    pub driver: String,
    /// In which car.
    pub car: Car,
    /// The lap.
    pub lap: &'a Lap,
    /// Its channels.
    pub columns: &'a Columns,
    /// When its beginning was received.
    pub received: Micros,
}

impl ExportedLap<'_> {
    /// How long it took, in seconds: the official time where there is one, else as long as there are samples.
    pub fn seconds(&self) -> f64 {
        let official = self.lap.time.map(|time| time.seconds());
        let ended = || self.lap.ended_s.or(self.columns.seconds().last().copied());
        official.or_else(|| Some(ended()? - self.lap.began_s)).unwrap_or_default().max(0.0)
    }
}

/// All numbers that some of the laps have, in the channel table's order.
pub(super) fn slots_of(laps: &[ExportedLap<'_>]) -> Vec<Slot> {
    let mut slots: Vec<Slot> = laps.iter().flat_map(|lap| lap.columns.slots()).collect();
    slots.sort_unstable();
    slots.dedup();
    slots
}
