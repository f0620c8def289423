//! Things that happen at a moment.

use serde::{Deserialize, Serialize};

use super::{Car, Moment};

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
    /// The game sent an event that this version has no name for.
    Other(String),
}
