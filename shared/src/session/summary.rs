//! What is known of a sender's sessions and laps without their samples.

use serde::{Deserialize, Serialize};

use super::LogEntry;
use crate::laps::Lap;
use crate::model::{Car, Participant, SessionInfo, SessionKind, Track, TrackPrint, Vehicle};
use crate::time::Micros;

/// A lap, whose it is and when its packets were received.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LapRow {
    /// In which of the sender's sessions, counted from 0; sessions without a lap are not counted.
    #[serde(default)]
    pub session: u16,
    /// In which car.
    pub car: Car,
    /// The name of who drove it, where the game sent one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub driver: Option<String>,
    /// What kind of car it is, in words, where the game sent it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// When it began, on the clock of the packets.
    pub from: Micros,
    /// When it ended; of the lap under way, when the last packet was received.
    pub to: Micros,
    /// The lap.
    pub lap: Lap,
}

/// Names a lap among all that a sender drove, and so in its recording.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LapId {
    /// In which session, counted from 0.
    pub session: u16,
    /// In which car.
    pub car: Car,
    /// The lap's serial among the car's laps in the session.
    pub serial: u32,
}

impl LapRow {
    /// The lap's name.
    pub fn id(&self) -> LapId {
        LapId { session: self.session, car: self.car, serial: self.lap.serial }
    }
}

/// Something that happened in one of the sender's sessions.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SessionEvent {
    /// In which session, counted from 0.
    pub session: u16,
    /// What happened, and when.
    pub entry: LogEntry,
}

/// What the game reported of a session, last.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct SessionSummary {
    /// The game, where a feed has several.
    pub game: Option<String>,
    /// What the session is like.
    pub info: Option<SessionInfo>,
    /// Everyone in it.
    pub participants: Vec<Participant>,
    /// The player's car.
    pub player: Option<Car>,
    /// What kind of car that is, where the game sends it.
    pub vehicle: Option<Vehicle>,
    /// What the track looks like, where it has no name.
    pub track: Option<TrackPrint>,
}

impl SessionSummary {
    /// The same, completed by what was known before: a part of a recording may lack the packets that said it.
    pub fn or(self, before: Self) -> Self {
        let info = match (self.info, before.info) {
            (Some(info), Some(before)) => Some(SessionInfo { track: info.track.or(before.track), ..info }),
            (info, before) => info.or(before),
        };
        let participants = if self.participants.is_empty() { before.participants } else { self.participants };
        Self {
            game: self.game.or(before.game),
            info,
            participants,
            player: self.player.or(before.player),
            vehicle: self.vehicle.or(before.vehicle),
            track: self.track.or(before.track),
        }
    }

    /// The track as its game calls it: by a name, or by its own word or number for it.
    pub fn track(&self) -> Option<&Track> {
        self.info.as_ref().and_then(|info| info.track.as_ref())
    }

    /// What the driver called the track, where its game has no name for it.
    pub fn track_print(&self) -> Option<&str> {
        self.track.as_ref().map(|print| print.name.as_str()).filter(|name| !name.is_empty())
    }

    /// Whether a rally stage was driven.
    pub fn is_stage(&self) -> bool {
        self.info.as_ref().is_some_and(|info| info.kind == SessionKind::Stage)
    }

    /// What the player drives, in words.
    pub fn car_words(&self) -> Option<String> {
        let player = self.player?;
        car_words(self.vehicle.as_ref(), self.participants.iter().find(|one| one.car == player))
    }

    /// The player's name.
    pub fn driver(&self) -> Option<&str> {
        let player = self.player?;
        let driver = self.participants.iter().find(|one| one.car == player)?;
        Some(driver.name.trim()).filter(|name| !name.is_empty())
    }
}

/// What somebody drives, in words: the car, else the team, else the game's id of the car.
pub fn car_words(vehicle: Option<&Vehicle>, driver: Option<&Participant>) -> Option<String> {
    let name = vehicle.and_then(|vehicle| vehicle.name.clone());
    let team = driver.and_then(|driver| driver.team.name.clone());
    name.or(team).or_else(|| vehicle.and_then(Vehicle::title))
}
