//! Things that happen at a moment.

use serde::{Deserialize, Serialize};

use super::{Car, Moment, Signal};
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
    /// All wheels were in the air, and the car is down again.
    Landed {
        /// How long it flew.
        millis: u32,
        /// How far, seen from above.
        centimetres: u32,
    },
    /// The car hit something: no tyre holds that hard.
    Hit {
        /// How hard, in thousandths of g.
        milli_g: u32,
    },
    /// The car hit another one, or something else, and the game says how hard.
    Collision(Box<Collision>),
    /// In the lap that ended the car left the track so often.
    Cuts {
        /// How often.
        count: u8,
    },
    /// Somebody has taken the car; their game loads.
    Connected,
    /// The driver's game has loaded.
    Loaded,
    /// The driver has left.
    Disconnected,
    /// The driver says something to the others.
    Chat {
        /// What.
        text: String,
    },
    /// The driver has the server do something.
    Command {
        /// What, as it was typed into the chat.
        text: String,
    },
    /// The server was started.
    ServerStarted {
        /// The version of what it speaks.
        protocol: u8,
    },
    /// What was asked of the server cannot be done.
    ServerRefused {
        /// Why, in the server's words.
        text: String,
    },
    /// The results of the session are kept.
    Report {
        /// In which file of the server.
        file: String,
    },
    /// The car is in the service area.
    ServiceEntered,
    /// The car left the service area.
    ServiceLeft,
    /// Something changed that scripts wait for.
    Signal {
        /// What changed.
        signal: Signal,
        /// The new value, as [`Signal::argument`] says; `None` where there is none.
        value: Option<i32>,
    },
    /// The track is one that the user has named.
    TrackDetected {
        /// The name.
        name: String,
    },
    /// The game sent an event that this version has no name for.
    Other(String),
}

/// How a car hit something.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Collision {
    /// The car that it hit; `None` for anything else.
    pub with: Option<Car>,
    /// How fast, in millimetres a second.
    pub mm_per_s: u32,
    /// Where in the world, as [`Axis`](super::Axis) says, in centimetres.
    pub place_cm: [i32; 3],
    /// Where on the car, in centimetres from its middle, in the game's own directions: x to a side, y up, z ahead.
    pub on_car_cm: [i32; 3],
}

impl EventKind {
    /// The stable name that scripts know the event by.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::SessionStarted => "on_session_start",
            Self::SessionEnded => "on_session_end",
            Self::Rewound { .. } => "on_rewind",
            Self::Restarted => "on_restart",
            Self::Paused => "on_pause",
            Self::Resumed => "on_resume",
            Self::Go => "on_go",
            Self::Split { .. } => "on_split",
            Self::Finished { .. } => "on_finish",
            Self::Abandoned => "on_abandon",
            Self::Recovered => "on_recover",
            Self::Landed { .. } => "on_landing",
            Self::Hit { .. } => "on_hit",
            Self::Collision(_) => "on_collision",
            Self::Cuts { .. } => "on_cuts",
            Self::Connected => "on_connect",
            Self::Loaded => "on_loaded",
            Self::Disconnected => "on_disconnect",
            Self::Chat { .. } => "on_chat",
            Self::Command { .. } => "on_command",
            Self::ServerStarted { .. } => "on_server_start",
            Self::ServerRefused { .. } => "on_server_refusal",
            Self::Report { .. } => "on_report",
            Self::ServiceEntered => "on_service_enter",
            Self::ServiceLeft => "on_service_leave",
            Self::Signal { signal, .. } => signal.name(),
            Self::TrackDetected { .. } => "on_track_detected",
            Self::Other(_) => "on_other",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_events_share_a_name() {
        let kinds = [
            EventKind::SessionStarted,
            EventKind::SessionEnded,
            EventKind::Rewound { millis: 1 },
            EventKind::Restarted,
            EventKind::Paused,
            EventKind::Resumed,
            EventKind::Go,
            EventKind::Split { number: 1, time: LapTime(1) },
            EventKind::Finished { time: None },
            EventKind::Abandoned,
            EventKind::Recovered,
            EventKind::Landed { millis: 1, centimetres: 1 },
            EventKind::Hit { milli_g: 1 },
            EventKind::Collision(Box::new(Collision {
                with: None,
                mm_per_s: 1,
                place_cm: [0; 3],
                on_car_cm: [0; 3],
            })),
            EventKind::Cuts { count: 1 },
            EventKind::Connected,
            EventKind::Loaded,
            EventKind::Disconnected,
            EventKind::Chat { text: "gg".into() },
            EventKind::Command { text: "/help".into() },
            EventKind::ServerStarted { protocol: 4 },
            EventKind::ServerRefused { text: "no such car".into() },
            EventKind::Report { file: "race.json".into() },
            EventKind::ServiceEntered,
            EventKind::ServiceLeft,
            EventKind::TrackDetected { name: "Spa".into() },
            EventKind::Other("SSTA".into()),
        ];
        let signals = Signal::ALL.iter().map(|&signal| EventKind::Signal { signal, value: None });
        let names: Vec<&str> =
            kinds.iter().map(EventKind::name).chain(signals.map(|kind| kind.name())).collect();
        let distinct: std::collections::BTreeSet<_> = names.iter().collect();
        assert_eq!(distinct.len(), names.len());
        assert!(names.iter().all(|name| name.starts_with("on_")));
    }
}
