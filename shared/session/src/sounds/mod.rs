//! What a driver hears while driving: sentences on straights, and tones that count down to a brake point. Everything is
//! data with its moment; the page plays it.

mod announcer;
mod countdown;
mod tone;
mod words;

pub use announcer::Announcer;
pub use countdown::{Countdown, Onset};
pub use tone::{RATE_HZ, Tone};

/// What a driver wants to hear. Nothing by default.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sounds {
    /// Lap time and delta after the line.
    pub lap_times: bool,
    /// The corner that cost most in the last lap, and why.
    pub costliest_corner: bool,
    /// The name of the next corner.
    pub corner_names: bool,
    /// Tones that count down to the brake point.
    pub countdown: bool,
}

impl Sounds {
    /// Whether anything is spoken.
    pub fn speaks(self) -> bool {
        self.lap_times || self.costliest_corner || self.corner_names
    }
}
