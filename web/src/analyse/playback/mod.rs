//! Playback of the laps: the cursor moves with the main lap's clock.

mod playing;
mod transport;

use crate::replay::SPEEDS;

pub(crate) use playing::PlaybackStore;
pub(super) use transport::Transport;

/// The state of playback.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Playing {
    /// When the cursor last moved, on the page's clock in milliseconds; `None` while paused.
    moved_ms: Option<f64>,
    /// Index into [`SPEEDS`].
    speed: usize,
    /// When the address was last updated, on the page's clock in milliseconds.
    address_ms: f64,
}

/// The interval of address updates during playback.
const ADDRESS_EVERY_MS: f64 = 1_000.0;

/// The index of real speed in [`SPEEDS`].
const REAL: usize = 2;

impl Default for Playing {
    fn default() -> Self {
        Self { moved_ms: None, speed: REAL, address_ms: 0.0 }
    }
}

impl Playing {
    /// Whether the laps play.
    pub(crate) fn plays(self) -> bool {
        self.moved_ms.is_some()
    }

    /// The speed as a multiple of real time.
    pub(crate) fn speed(self) -> f64 {
        SPEEDS.get(self.speed).copied().unwrap_or(1.0)
    }

    /// Seconds of the lap that passed since the cursor last moved; sets that to `now_ms`.
    fn passed_s(&mut self, now_ms: f64) -> f64 {
        let before = self.moved_ms.replace(now_ms).unwrap_or(now_ms);
        (now_ms - before).max(0.0) / 1e3 * self.speed()
    }
}
