//! Describes in a driver's words what a damaged recording lost.

use std::collections::BTreeSet;
use std::fmt;

use trailbrake_shared::model::Car;
use trailbrake_shared::number::count;
use trailbrake_shared::recording::{Gap, LapTable, SessionSummary};
use trailbrake_shared::time::Micros;

use super::salvage::Salvage;

/// Missing packets no further apart than this form one stretch: single kinds of packet may be lost while others in
/// between are not.
const APART_S: f64 = 0.2;

/// What a repaired recording lacks.
pub(crate) struct RepairLoss {
    packets: u64,
    /// Start and end of each missing stretch.
    stretches: Vec<(Micros, Micros)>,
    laps: LapTable,
    player: Option<Car>,
    /// Damaged places whose content is unknown.
    unknown: u64,
    endless: bool,
}

impl RepairLoss {
    /// What was lost, apart from this salvage.
    pub(crate) fn of(salvage: &Salvage) -> Self {
        let session: SessionSummary = salvage.facts.get().ok().flatten().unwrap_or_default();
        let laps = salvage.laps();
        let player = session.player.or_else(|| laps.laps.first().map(|row| row.car));
        let unknown = salvage.damaged.saturating_sub(salvage.gaps.len() as u64);
        let packets = salvage.gaps.iter().map(|gap| gap.lost).sum();
        Self { packets, stretches: stretches(&salvage.gaps), laps, player, unknown, endless: salvage.endless }
    }

    /// The number of missing stretches.
    pub(super) fn gaps(&self) -> u64 {
        self.stretches.len() as u64
    }

    /// The player's laps with missing data.
    fn laps_hit(&self) -> BTreeSet<u16> {
        let own = self.laps.laps.iter().filter(|row| Some(row.car) == self.player);
        let hit = own.filter(|row| self.stretches.iter().any(|(from, to)| *from < row.to && *to > row.from));
        hit.map(|row| row.lap.number).collect()
    }
}

/// Gaps, with close ones joined.
fn stretches(gaps: &[Gap]) -> Vec<(Micros, Micros)> {
    let mut stretches: Vec<(Micros, Micros)> = Vec::new();
    for gap in gaps {
        match stretches.last_mut().filter(|(_, to)| gap.from.seconds_since(*to) < APART_S) {
            Some((_, to)) => *to = gap.to,
            None => stretches.push((gap.from, gap.to)),
        }
    }
    stretches
}

/// Formats as one sentence: `1 stretch of 0.9 s (54 packets), in lap 3`.
impl fmt::Display for RepairLoss {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.stretches.is_empty() {
            return match self.unknown {
                0 => f.write_str("nothing that had been written whole"),
                1 => f.write_str(
                    "what stood behind its last whole second; if it was broken off while it was recorded, that was less \
                     than another one",
                ),
                places => write!(f, "what stood in {places} places, and it is not known what that was"),
            };
        }
        let seconds: f64 = self.stretches.iter().map(|(from, to)| to.seconds_since(*from)).sum();
        let stretches = count(self.stretches.len(), "stretch", "stretches");
        write!(f, "{stretches} of {seconds:.1} s ({} packets)", self.packets)?;
        let laps: Vec<String> = self.laps_hit().iter().map(u16::to_string).collect();
        match laps.len() {
            0 => {}
            1 => write!(f, ", in lap {}", laps.concat())?,
            _ => write!(f, ", in laps {}", laps.join(", "))?,
        }
        if self.endless {
            f.write_str("; and what stood behind the last whole second")?;
        }
        Ok(())
    }
}
