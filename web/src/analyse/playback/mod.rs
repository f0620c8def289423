//! Playback: the cursor moves at the pace of the main lap.

mod playing;
mod transport;

use crate::replay::SPEEDS;

pub(super) use transport::Transport;

/// Whether the laps play, and how fast.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Playing {
    /// When the cursor moved last, in milliseconds of the page.
    moved_ms: Option<f64>,
    speed: usize,
    /// When the address was updated last.
    address_ms: f64,
}

/// The address follows this often during playback.
const ADDRESS_EVERY_MS: f64 = 1_000.0;

/// Real speed is the third of all.
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

    /// How many times faster than real.
    pub(crate) fn speed(self) -> f64 {
        SPEEDS.get(self.speed).copied().unwrap_or(1.0)
    }

    /// Seconds of the lap that have gone by until now.
    fn passed_s(&mut self, now_ms: f64) -> f64 {
        let before = self.moved_ms.replace(now_ms).unwrap_or(now_ms);
        (now_ms - before).max(0.0) / 1e3 * self.speed()
    }
}
