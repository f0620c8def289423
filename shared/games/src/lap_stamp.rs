//! A place in a session by laps and lap clock, for games that send no time of the session.

use super::session_clock::Step;

/// A clock that is behind by no more than this belongs to a packet that arrived out of order, milliseconds.
pub(super) const LATE_MS: i64 = 500;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct LapStamp {
    /// Completed laps.
    pub(super) laps: i32,
    pub(super) clock_ms: i64,
}

impl LapStamp {
    /// What a later packet with this stamp means.
    pub(super) fn step_to(&self, now: &Self) -> Step {
        match i64::from(now.laps) - i64::from(self.laps) {
            0 if now.clock_ms >= self.clock_ms => Step::Flows,
            0 if now.clock_ms >= self.clock_ms - LATE_MS => Step::Late,
            1 => Step::NextLap,
            2.. => Step::Jumps,
            _ => Step::Restarts,
        }
    }

    /// Whether the packet after this one can have this stamp.
    pub(super) fn goes_on_at(&self, now: &Self) -> bool {
        self.laps == now.laps && (0..=LATE_MS).contains(&(now.clock_ms - self.clock_ms))
    }
}
