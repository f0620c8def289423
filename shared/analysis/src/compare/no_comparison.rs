//! Why two laps can't be compared.

use std::fmt;

use serde::Serialize;

use crate::Answer;

/// Why two laps can't be compared.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum NoComparison {
    /// A lap has too few rows.
    Empty,
    /// The laps are of different tracks, or of one track in opposite directions.
    OtherTrack(Answer),
    /// The game has different names for the tracks, and there are no positions to compare.
    OtherName,
    /// A lap is far from the other lap's line.
    Far {
        /// The median offset, metres.
        metres: f64,
    },
    /// An incomplete lap was driven elsewhere than the other one.
    Elsewhere {
        /// The part of it that is far from the other lap's line, 0 to 1.
        share: f64,
    },
    /// A lap is incomplete, and nothing shows where on the track it was.
    Unplaced,
    /// The lap begins elsewhere than the reference, and can't be shifted to its start line.
    OtherStart {
        /// How much further on it begins, metres.
        further_m: f64,
        /// Whether the line is closed, so that a complete lap could be shifted.
        closed: bool,
    },
}

impl fmt::Display for NoComparison {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => f.write_str("too little of a lap was received"),
            Self::OtherTrack(answer) => answer.fmt(f),
            Self::OtherName => {
                f.write_str("they are of different tracks, by the names that the game has for them")
            }
            Self::Far { metres } => {
                write!(
                    f,
                    "half of the one lap is {metres:.0} m and more away from where the other was driven"
                )
            }
            Self::Elsewhere { share } => {
                write!(f, "{:.0} % of one lap is away from the path of the other", share * 100.0)
            }
            Self::Unplaced => {
                f.write_str("one lap is incomplete, and nothing shows where on the track it was")
            }
            Self::OtherStart { further_m, closed } => {
                let why = if *closed {
                    "one lap was not driven from its line to its line"
                } else {
                    "on a route from a start to a finish, only laps that begin together can be compared"
                };
                write!(f, "they begin {:.0} m apart, and {why}", further_m.abs())
            }
        }
    }
}
