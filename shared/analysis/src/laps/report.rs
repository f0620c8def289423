//! What a progress report says of its lap.

use trailbrake_model::{DriverStatus, LapProgress};

use super::{Lap, LapFlag, LapFlags};

/// Whether a progress report repeats the one before but for time, place and position.
#[inline]
pub(super) fn repeats(before: &LapProgress, now: &LapProgress) -> bool {
    before.sector == now.sector
        && before.pit == now.pit
        && before.driver == now.driver
        && before.result == now.result
        && before.invalid == now.invalid
        && before.inferred == now.inferred
        && before.penalties == now.penalties
        && before.last_lap == now.last_lap
        && before.sectors == now.sectors
        && before.remarks == now.remarks
}

/// Notes the sectors and flags of a progress report. Returns whether anything is new.
pub(super) fn note(lap: &mut Lap, progress: &LapProgress) -> bool {
    let sectors = lap.sectors;
    lap.sectors.update(progress.sectors);
    let remarks = progress.remarks;
    lap.unconfirmed |= remarks.unconfirmed;
    let reported = LapFlags::NONE
        .with_if(LapFlag::Incomplete, remarks.incomplete)
        .with_if(LapFlag::Rewound, remarks.rewound)
        .with_if(LapFlag::Paused, remarks.paused)
        .with_if(LapFlag::Excluded, remarks.excluded)
        .with_if(LapFlag::Replay, remarks.replay)
        .with_if(LapFlag::Reset, remarks.reset)
        .with_if(LapFlag::Rain, remarks.rain)
        .with_if(LapFlag::Inferred, progress.inferred)
        .with_if(LapFlag::Invalid, progress.invalid)
        .with_if(LapFlag::Pit, progress.pit.is_in_pits())
        .with_if(LapFlag::In, progress.driver == DriverStatus::InLap)
        // If the box lies before the line, the car is on its way out again before its in lap ends.
        .with_if(LapFlag::Out, progress.driver == DriverStatus::OutLap && !lap.flags.has(LapFlag::In));
    let is_new = !lap.flags.has_all(reported);
    if is_new {
        let flags = LapFlag::ALL.iter().filter(|flag| reported.has(**flag));
        flags.for_each(|flag| lap.mark(*flag, progress.moment.seconds()));
    }
    is_new || sectors != lap.sectors
}
