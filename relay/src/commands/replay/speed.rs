//! The speed of a replay.

use std::str::FromStr;

/// The speed of a replay.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Speed {
    /// A multiple of real time.
    Times(f64),
    /// As fast as the receiver takes them.
    Max,
}

impl FromStr for Speed {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text == "max" {
            return Ok(Self::Max);
        }
        let times = text.parse().ok().filter(|times| (0.25..=1000.0).contains(times));
        times.map(Self::Times).ok_or_else(|| "a number from 0.25 on, such as 2, or max".to_owned())
    }
}
