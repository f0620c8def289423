//! What a recording knows of a session before the packets that are decoded.

use super::{LapRow, LogEntry, SessionSummary};
use crate::time::Micros;

/// What was known of a session before its first packet that is decoded.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RecalledSession {
    /// What the game had reported of it.
    pub summary: SessionSummary,
    /// The laps that had begun, in the order of cars and serials.
    pub laps: Vec<LapRow>,
    /// The lap from whose beginning on everything is decoded.
    pub next: Option<LapRow>,
    /// The lap that the driver chose to be compared with, by serial.
    pub chosen: Option<u32>,
    /// What had happened until then, the oldest first.
    pub log: Vec<LogEntry>,
    /// When that was: what is decoded of earlier moments has happened already.
    pub until: Micros,
}

impl RecalledSession {
    /// The lap that the driver is compared with from then on: the one that they chose, else the best one.
    pub fn reference(&self) -> Option<&LapRow> {
        let next = self.next.as_ref()?;
        let ended = || self.laps.iter().filter(|row| row.car == next.car && row.to <= next.from);
        let chosen = ended().find(|row| Some(row.lap.serial) == self.chosen);
        let counted = ended().filter(|row| row.lap.counts().is_some());
        chosen.or_else(|| counted.min_by_key(|row| (row.lap.counts(), row.lap.serial)))
    }
}
