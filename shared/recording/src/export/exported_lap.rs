//! A lap to export.

use trailbrake_analysis::laps::Lap;
use trailbrake_model::time::Micros;
use trailbrake_model::{Car, Columns, Slot};

/// A lap with its driver, car and channels.
#[derive(Clone, Debug)]
pub struct ExportedLap<'a> {
    /// The driver's name.
    pub driver: String,
    /// The car.
    pub car: Car,
    /// The lap.
    pub lap: &'a Lap,
    /// Its channels.
    pub columns: &'a Columns,
    /// When its start was received.
    pub received: Micros,
}

impl ExportedLap<'_> {
    /// The lap's duration in seconds: the official time, otherwise the time up to its end or its last sample.
    pub fn seconds(&self) -> f64 {
        let official = self.lap.time.map(|time| time.seconds());
        let ended = || self.lap.ended_s.or(self.columns.seconds().last().copied());
        official.or_else(|| Some(ended()? - self.lap.began_s)).unwrap_or_default().max(0.0)
    }
}

/// All slots found in any of the laps, in the order of the channel table.
pub(super) fn slots_of(laps: &[ExportedLap<'_>]) -> Vec<Slot> {
    let mut slots: Vec<Slot> = laps.iter().flat_map(|lap| lap.columns.slots()).collect();
    slots.sort_unstable();
    slots.dedup();
    slots
}
