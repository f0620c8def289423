//! What a recording knows of a session before the first decoded packet.

use trailbrake_model::time::Micros;

use super::{LapRow, LogEntry, SessionSummary};

/// The state of a session before its first decoded packet.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RecalledSession {
    /// What the game had reported of it.
    pub summary: SessionSummary,
    /// The laps that had begun, ordered by car and serial.
    pub laps: Vec<LapRow>,
    /// The first lap that is decoded from its beginning.
    pub next: Option<LapRow>,
    /// The reference that the driver chose, by serial.
    pub chosen: Option<u32>,
    /// The log until then, oldest first.
    pub log: Vec<LogEntry>,
    /// The time of this state. Anything decoded from before it is already in the log.
    pub until: Micros,
}

impl RecalledSession {
    /// The driver's reference from then on: the chosen lap, else the best one.
    pub fn reference(&self) -> Option<&LapRow> {
        let next = self.next.as_ref()?;
        let ended = || self.laps.iter().filter(|row| row.car == next.car && row.to <= next.from);
        let chosen = ended().find(|row| Some(row.lap.serial) == self.chosen);
        let counted = ended().filter(|row| row.lap.counts().is_some());
        chosen.or_else(|| counted.min_by_key(|row| (row.lap.counts(), row.lap.serial)))
    }
}
