//! The reference lap, decoded separately when playback begins in the middle of a recording.

use std::ops::Range;

use trailbrake_shared::recording::{DecodedLap, LapReading, LapRow, Reading, Recording};
use trailbrake_shared::session::{Session, recall_lap};

/// A lap from before the first decoded packet.
pub(super) struct ReferenceLap {
    row: LapRow,
    step: Step,
    /// Whether the current session has it.
    is_given: bool,
}

enum Step {
    Reading(Box<LapReading>),
    Decoded {
        lap: Box<DecodedLap>,
        blocks: u64,
    },
    /// The lap could not be decoded from its packets.
    Missing,
}

impl ReferenceLap {
    pub(super) fn new(recording: &Recording, row: LapRow) -> Self {
        let step = Step::Reading(Box::new(LapReading::new(recording, &row)));
        Self { row, step, is_given: false }
    }

    /// The same lap for a session whose decoding restarted, which has to be given it again; `None` if `row` is another
    /// lap.
    pub(super) fn for_another_session(self, row: &LapRow) -> Option<Self> {
        (self.row == *row).then_some(Self { is_given: false, ..self })
    }

    /// The bytes to fetch; `None` once all are read.
    pub(super) fn needs(&self) -> Option<Range<u64>> {
        match &self.step {
            Step::Reading(reading) => reading.needs(),
            Step::Decoded { .. } | Step::Missing => None,
        }
    }

    /// Takes fetched bytes.
    pub(super) fn give(&mut self, range: &Range<u64>, bytes: &[u8]) {
        let Step::Reading(reading) = &mut self.step else { return };
        if reading.needs().as_ref() != Some(range) {
            return;
        }
        reading.give(bytes);
        if reading.needs().is_none() {
            let blocks = reading.packets().blocks();
            let decoded = |lap| Step::Decoded { lap: Box::new(lap), blocks };
            self.step = reading.finish().map_or(Step::Missing, decoded);
        }
    }

    /// Gives the decoded lap to the session, as soon as the session has the lap's row.
    pub(super) fn hand_over(&mut self, session: &mut Session) {
        if let Step::Decoded { lap, .. } = &self.step
            && !self.is_given
        {
            self.is_given = recall_lap(session, &self.row, &lap.lap, &lap.columns);
        }
    }

    /// The number of blocks decompressed for it.
    pub(super) fn blocks(&self) -> u64 {
        match &self.step {
            Step::Reading(reading) => reading.packets().blocks(),
            Step::Decoded { blocks, .. } => *blocks,
            Step::Missing => 0,
        }
    }
}
