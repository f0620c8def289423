//! What laps are placed by.

use std::fmt;

use serde::{Deserialize, Serialize};

/// What a lap's rows are placed by, from the most to the least exact.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Method {
    /// The position, projected on the reference line.
    Position,
    /// The game's lap fraction.
    Share,
    /// The game's distance since the start line.
    Distance,
    /// The distance driven by speed, stretched to the length of the line.
    Speed,
    /// The fraction of the lap's time that has passed, if nothing else is known.
    Fraction,
}

impl Method {
    /// The method in words, to follow "aligned by".
    pub const fn words(self) -> &'static str {
        match self {
            Self::Position => "position on the reference line",
            Self::Share => "the game's share of the lap",
            Self::Distance => "the game's distance",
            Self::Speed => "speed over time",
            Self::Fraction => "share of the lap's time",
        }
    }
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.words())
    }
}
