//! The tones as samples.

use std::f32::consts::TAU;

/// Samples per second.
pub const RATE_HZ: u32 = 48_000;
/// A tone rises and falls over this time, so that it does not click, seconds.
const EDGE_S: f32 = 0.003;
/// The loudest sample.
const LEVEL: f32 = 0.6;

/// A tone of the countdown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tone {
    /// One of three before the brake point.
    Short,
    /// At the brake point.
    Long,
}

impl Tone {
    /// Frequency, Hz, and duration, seconds.
    const fn sound(self) -> (f32, f32) {
        match self {
            Self::Short => (880.0, 0.08),
            Self::Long => (1320.0, 0.3),
        }
    }

    /// The tone's samples, from -1 to 1.
    pub fn samples(self) -> Vec<f32> {
        let (frequency_hz, long_s) = self.sound();
        let rate = RATE_HZ as f32;
        let count = (long_s * rate) as usize;
        let sample = |index: usize| {
            let at_s = index as f32 / rate;
            let edge = (at_s / EDGE_S).min((long_s - at_s) / EDGE_S).clamp(0.0, 1.0);
            LEVEL * edge * (TAU * frequency_hz * at_s).sin()
        };
        (0..count).map(sample).collect()
    }
}
