//! Things that happen at a moment.

use serde::{Deserialize, Serialize};

use super::{Car, Moment};
use crate::time::LapTime;

/// Something that happened, when, and to whom.
#[derive(Clone, Debug, PartialEq)]
pub struct Event {
    /// When it happened.
    pub moment: Moment,
    /// The car it happened to; `None` when it concerns the whole session.
    pub car: Option<Car>,
    /// What happened.
    pub kind: EventKind,
}

/// What happened.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum EventKind {
    /// A session began: what was known of the last one no longer holds.
    SessionStarted,
    /// A session ended.
    SessionEnded,
    /// The game went back in time, by this many milliseconds: what was driven after that moment did not happen.
    Rewound {
        /// How far back.
        millis: u32,
    },
    /// The session was started anew.
    Restarted,
    /// The game was paused.
    Paused,
    /// The game goes on after a pause.
    Resumed,
    /// The start was given: the clock of the stage, or of the race, runs.
    Go,
    /// A split of a stage was passed.
    Split {
        /// Which one, counted from 1.
        number: u8,
        /// The time from the start to there.
        time: LapTime,
    },
    /// The finish was reached.
    Finished {
        /// The time of the stage, or of a race's last lap; `None` where the game did not say.
        time: Option<LapTime>,
    },
    /// The stage was left before its finish.
    Abandoned,
    /// The car was put back on the road.
    Recovered,
    /// The car is in the service area.
    ServiceEntered,
    /// The car left the service area.
    ServiceLeft,
    /// The game sent an event that this version has no name for.
    Other(String),
}
