//! Events: what happened at a moment.

use serde::{Deserialize, Serialize};

use super::{Car, Moment, RaceEvent, Signal};
use crate::time::LapTime;

/// An event, with its time and car.
#[derive(Clone, Debug, PartialEq)]
pub struct Event {
    /// When it happened.
    pub moment: Moment,
    /// The car; `None` when it concerns the whole session.
    pub car: Option<Car>,
    /// What happened.
    pub kind: EventKind,
}

/// The kinds of event.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum EventKind {
    /// A session began; the data of the last one is void.
    SessionStarted,
    /// A session ended.
    SessionEnded,
    /// The game was rewound: what was driven after the new moment is void.
    Rewound {
        /// How far, in milliseconds.
        millis: u32,
    },
    /// The session was restarted.
    Restarted,
    /// The game was paused.
    Paused,
    /// The game resumed after a pause.
    Resumed,
    /// The start: the clock of the stage or race runs.
    Go,
    /// A split of a stage was passed.
    Split {
        /// The number of the split, from 1.
        number: u8,
        /// The time from the start to the split.
        time: LapTime,
    },
    /// The finish was reached.
    Finished {
        /// The time of the stage, or of a race's last lap; `None` if the game did not send it.
        time: Option<LapTime>,
    },
    /// The stage was left before its finish.
    Abandoned,
    /// The car was reset to the track.
    Recovered,
    /// Penalty seconds were added to the clock of the lap or stage.
    Penalty {
        /// How much, in milliseconds.
        millis: u32,
    },
    /// All wheels were airborne, and the car has landed.
    Landed {
        /// The time in the air, in milliseconds.
        millis: u32,
        /// The horizontal distance, in centimetres.
        centimetres: u32,
    },
    /// The car hit something: the acceleration is more than tyres can cause.
    Hit {
        /// The acceleration, in thousandths of g.
        milli_g: u32,
    },
    /// A collision reported by the game, with its impact speed.
    Collision(Box<Collision>),
    /// How often the car left the track in the lap that ended.
    Cuts {
        /// How often.
        count: u8,
    },
    /// A driver has taken the car; their game is loading.
    Connected,
    /// The driver's game has loaded.
    Loaded,
    /// The driver has left.
    Disconnected,
    /// A chat message of the driver.
    Chat {
        /// The message.
        text: String,
    },
    /// A server command of the driver.
    Command {
        /// The command, as typed into the chat.
        text: String,
    },
    /// The server was started.
    ServerStarted {
        /// The version of its protocol.
        protocol: u8,
    },
    /// The server refused a request.
    ServerRefused {
        /// The server's reason.
        text: String,
    },
    /// The results of the session were saved.
    Report {
        /// The file on the server.
        file: String,
    },
    /// The car is in the service area.
    ServiceEntered,
    /// The car left the service area.
    ServiceLeft,
    /// A change that scripts wait for.
    Signal {
        /// What changed.
        signal: Signal,
        /// The new value, as described by [`Signal::argument`]; `None` if there is none.
        value: Option<i32>,
    },
    /// The track is one that the driver has named, or that its path was recognised as.
    TrackDetected {
        /// The name.
        name: String,
    },
    /// What race control, the referee, or another car did.
    Race(Box<RaceEvent>),
    /// An event of the game that this version does not know.
    Other(String),
}

/// The details of a collision.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Collision {
    /// The other car; `None` for anything else.
    pub with: Option<Car>,
    /// The impact speed in millimetres per second.
    pub mm_per_s: u32,
    /// The position in the world, in centimetres, on the axes of [`Axis`](super::Axis).
    pub place_cm: [i32; 3],
    /// The position on the car, in centimetres from its centre, on the game's own axes: x to a side, y up, z ahead.
    pub on_car_cm: [i32; 3],
}

impl EventKind {
    /// The stable event name for scripts.
    pub fn name(&self) -> &'static str {
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
            Self::Penalty { .. } => "on_penalty",
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
            Self::Race(event) => event.name(),
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
            EventKind::Penalty { millis: 1 },
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
            EventKind::Race(Box::new(RaceEvent::ChequeredFlag)),
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
