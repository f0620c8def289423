//! How fast packets follow each other.

use std::str::FromStr;

/// How fast packets follow each other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Speed {
    /// So many times as fast as they were received.
    Times(f64),
    /// As fast as they are taken.
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
