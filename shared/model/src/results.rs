//! What a game reports besides what it measures: results, laps that were driven, tyres, rules, the weather to come.

use serde::{Deserialize, Serialize};

use super::{Car, NamedId, ResultStatus, SessionKind, Weather};
use crate::time::LapTime;

/// The weather that is expected at some time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Forecast {
    /// In how many minutes.
    pub minutes: u8,
    /// The weather.
    pub weather: Weather,
    /// The temperature of the track in °C.
    pub track_celsius: i8,
    /// The temperature of the air in °C.
    pub air_celsius: i8,
    /// How probable rain is, in percent. `None` if the game does not say.
    pub rain_percent: Option<u8>,
}

/// A rule of the session, or an aid that the player drives with.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rule {
    /// What is ruled, in the words of the game's menu.
    pub rule: String,
    /// How.
    pub setting: String,
}

/// A stint on one set of tyres.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TyreStint {
    /// The last lap; `None` while it lasts.
    pub last_lap: Option<u16>,
    /// The compound as the game's display shows it, as a number of the compound channel.
    pub compound: u8,
    /// The compound of the season, as a number of its channel.
    pub compound_of_season: u8,
}

/// A car's result.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct CarResult {
    /// The car.
    pub car: Car,
    /// The position.
    pub position: u8,
    /// The position on the grid, 0 for none.
    pub grid: u8,
    /// The laps.
    pub laps: u16,
    /// The points.
    pub points: u8,
    /// The stops.
    pub pit_stops: u8,
    /// How it ended.
    pub result: ResultStatus,
    /// Why it ended so. `None` if the game does not say.
    pub reason: Option<String>,
    /// The best lap.
    pub best_lap: Option<LapTime>,
    /// The race time without penalties, in milliseconds.
    pub race_ms: Option<u64>,
    /// Penalties, in seconds.
    pub penalty_s: u8,
    /// How many penalties there were.
    pub penalties: u8,
    /// The stints.
    pub stints: Vec<TyreStint>,
}

/// A lap that a game lists.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PastLap {
    /// The time; `None` of the lap under way.
    pub time: Option<LapTime>,
    /// The sectors.
    pub sectors: [Option<LapTime>; 3],
    /// Whether it counts.
    pub valid: bool,
    /// Whether each sector counts.
    pub valid_sectors: [bool; 3],
}

/// All laps of a car, as the game lists them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PastLaps {
    /// The laps from the first on, with the one under way.
    pub laps: Vec<PastLap>,
    /// The number of the best lap.
    pub best_lap: Option<u16>,
    /// The numbers of the laps with the best sectors.
    pub best_sectors: [Option<u16>; 3],
    /// The stints.
    pub stints: Vec<TyreStint>,
}

/// A set of tyres.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct TyreSet {
    /// The compound as the game's display shows it, as a number of the compound channel.
    pub compound: u8,
    /// The compound of the season, as a number of its channel.
    pub compound_of_season: u8,
    /// The wear, as a share.
    pub wear: f32,
    /// Whether it may be fitted.
    pub available: bool,
    /// Whether it is fitted.
    pub fitted: bool,
    /// The session that the game recommends it for.
    pub recommended_for: SessionKind,
    /// The laps that it lasts.
    pub laps_left: u8,
    /// The laps that the game recommends at most.
    pub usable_laps: u8,
    /// How much slower a lap is on it than on the fitted set, in milliseconds.
    pub slower_ms: i16,
}

/// Somebody in the lobby.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LobbyPlayer {
    /// The name.
    pub name: String,
    /// Whether the game will drive.
    pub ai: bool,
    /// The team.
    pub team: NamedId,
    /// The nationality.
    pub nationality: NamedId,
    /// What they play on.
    pub platform: NamedId,
    /// The number on the car.
    pub race_number: Option<u8>,
    /// Whether others may see their telemetry. `None` if the game does not say.
    pub shows_telemetry: Option<bool>,
    /// Whether their name is shown to others. `None` if the game does not say.
    pub shows_name: Option<bool>,
    /// The tech level of F1 World.
    pub tech_level: Option<u16>,
    /// Whether they are ready; `None` for one who only watches.
    pub ready: Option<bool>,
}

/// Whose lap a time trial is driven against.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Rival {
    /// The best of this session.
    SessionBest,
    /// The best ever.
    PersonalBest,
    /// Another driver's.
    Other,
}

/// A lap that a time trial is driven against.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RivalLap {
    /// Whose it is.
    pub whose: Rival,
    /// The car that drives it as a ghost.
    pub car: Car,
    /// The team.
    pub team: NamedId,
    /// The time.
    pub time: Option<LapTime>,
    /// The sectors.
    pub sectors: [Option<LapTime>; 3],
    /// Whether it counts.
    pub valid: bool,
    /// What was driven with: traction control, automatic gears, ABS, equal cars, a setup of one's own.
    pub aids: [bool; 5],
}
