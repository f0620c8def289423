//! What is known of a sender's sessions and laps without their samples.

use serde::{Deserialize, Serialize};
use trailbrake_analysis::laps::Lap;
use trailbrake_model::time::Micros;
use trailbrake_model::{Car, CarResult, Participant, SessionInfo, SessionKind, Track, TrackPrint, Vehicle};

use super::LogEntry;

/// A lap with its driver and car, and when its packets were received.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LapRow {
    /// The number of the sender's session, counted from 0; sessions without a lap are not counted.
    #[serde(default)]
    pub session: u16,
    /// The car.
    pub car: Car,
    /// The driver's name, where the game sent one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub driver: Option<String>,
    /// The car model as text, where the game sent it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// Whether the player drove all of it, if they drove several cars in the session. Otherwise the session's player is
    /// the driver of their car's laps.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub player: Option<bool>,
    /// When it began, on the clock of the packets.
    pub from: Micros,
    /// When it ended; for the lap under way, when the last packet was received.
    pub to: Micros,
    /// The lap.
    pub lap: Lap,
}

/// Identifies a lap among all laps of a sender, and so in its recording.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LapId {
    /// The session, counted from 0.
    pub session: u16,
    /// The car.
    pub car: Car,
    /// The lap's serial among the car's laps in the session.
    pub serial: u32,
}

/// Laps of one car whose starts differ by less than this are the same lap, seconds.
const SAME_LAP_S: f64 = 1.0;

impl LapRow {
    /// The lap's id.
    pub fn id(&self) -> LapId {
        LapId { session: self.session, car: self.car, serial: self.lap.serial }
    }

    /// Whether both are rows of one lap, as copies or clips of a recording have them.
    pub fn is_same_lap(&self, other: &Self) -> bool {
        self.car == other.car && self.from.seconds_since(other.from).abs() < SAME_LAP_S
    }
}

/// A log entry of one of the sender's sessions.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SessionEvent {
    /// The session, counted from 0.
    pub session: u16,
    /// The log entry.
    pub entry: LogEntry,
}

/// The latest facts that the game reported of a session.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct SessionSummary {
    /// The game, where a feed has several.
    pub game: Option<String>,
    /// The session info.
    pub info: Option<SessionInfo>,
    /// The drivers and their cars.
    pub participants: Vec<Participant>,
    /// The player's car.
    pub player: Option<Car>,
    /// The player's car model, where the game sends it.
    pub vehicle: Option<Vehicle>,
    /// The player's result, once the game has reported it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub result: Option<CarResult>,
    /// The track's shape, where the track has no name.
    pub track: Option<TrackPrint>,
}

impl SessionSummary {
    /// Fills what is missing from an earlier summary: part of a recording may lack the packets with these facts.
    pub fn or(self, before: Self) -> Self {
        let info = match (self.info, before.info) {
            (Some(info), Some(before)) => {
                let track = Track::or_recognised(info.track, before.track.as_ref()).or(before.track);
                Some(SessionInfo { track, ..info })
            }
            (info, before) => info.or(before),
        };
        let participants = if self.participants.is_empty() { before.participants } else { self.participants };
        Self {
            game: self.game.or(before.game),
            info,
            participants,
            player: self.player.or(before.player),
            vehicle: self.vehicle.or(before.vehicle),
            result: self.result.or(before.result),
            track: self.track.or(before.track),
        }
    }

    /// The track as the game sends it: a name, or the game's own id.
    pub fn track(&self) -> Option<&Track> {
        self.info.as_ref().and_then(|info| info.track.as_ref())
    }

    /// The driver's name for the track, where the game has none.
    pub fn track_print(&self) -> Option<&str> {
        self.track.as_ref().map(|print| print.name.as_str()).filter(|name| !name.is_empty())
    }

    /// Whether this was a rally stage.
    pub fn is_stage(&self) -> bool {
        self.info.as_ref().is_some_and(|info| info.kind == SessionKind::Stage)
    }

    /// The player's car as text.
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

/// A car as text: its model, else the team, else the game's id of the model.
pub fn car_words(vehicle: Option<&Vehicle>, driver: Option<&Participant>) -> Option<String> {
    let name = vehicle.and_then(|vehicle| vehicle.name.clone());
    let team = driver.and_then(|driver| driver.team.name.clone());
    name.or(team).or_else(|| vehicle.and_then(Vehicle::title))
}
