//! How far a car is in its lap, in words that every game's own words for a lap are put into.

use serde::{Deserialize, Serialize};

use super::{Car, Moment};
use crate::time::LapTime;

/// The times of the sectors that are finished in the current lap.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SectorTimes {
    /// The first sector, once it is finished.
    pub first: Option<LapTime>,
    /// The second sector by itself, once it is finished.
    pub second: Option<LapTime>,
}

/// Whether a car is in the pits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum PitStatus {
    /// On the track.
    #[default]
    OnTrack,
    /// In the pit lane.
    Pitting,
    /// At its pit box.
    InPitArea,
    /// A number that this version does not know.
    Other(u8),
}

/// What a driver is doing, as far as laps go.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum DriverStatus {
    /// In the garage.
    Garage,
    /// On a timed lap.
    FlyingLap,
    /// On the way in.
    InLap,
    /// On the way out.
    OutLap,
    /// Racing.
    #[default]
    OnTrack,
    /// A number that this version does not know.
    Other(u8),
}

/// How a car stands in the classification.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum ResultStatus {
    /// The slot holds no car.
    Invalid,
    /// Not taking part at the moment.
    Inactive,
    /// Driving.
    #[default]
    Active,
    /// Took the chequered flag.
    Finished,
    /// Disqualified.
    Disqualified,
    /// Not classified.
    NotClassified,
    /// Retired.
    Retired,
    /// A number that this version does not know.
    Other(u8),
}

/// What a file notes about a lap as a whole. Games send none of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LapRemarks {
    /// The lap was not received from its beginning, or not driven to its end.
    pub incomplete: bool,
    /// The game went back in time during the lap.
    pub rewound: bool,
    /// The game was paused during the lap.
    pub paused: bool,
    /// The driver does not want it counted.
    pub excluded: bool,
    /// Nothing says that the game counted the lap.
    pub unconfirmed: bool,
}

/// Where a car is in its lap, and what its game says of this lap and the one before.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct LapProgress {
    /// Which car.
    pub car: Car,
    /// When.
    pub moment: Moment,
    /// The lap under way, counted from 1 as drivers do.
    pub lap: u16,
    /// Seconds since this lap began. `None` where the game sends no clock.
    pub clock: Option<f32>,
    /// Metres since the line; negative before it is first crossed. `None` where the game sends no distance.
    pub distance: Option<f32>,
    /// Metres driven since the session began; falls on a rewind.
    pub total_distance: Option<f32>,
    /// The official time of the lap before, once there is one.
    pub last_lap: Option<LapTime>,
    /// The official time of the car's best lap.
    pub best_lap: Option<LapTime>,
    /// Whether the game struck the lap before, where it says so only once the lap has ended.
    pub last_struck: bool,
    /// The official time from the start of the race to the line, when the car last crossed it.
    pub race_time: Option<LapTime>,
    /// The sector the car is in, counted from 0.
    pub sector: u8,
    /// The finished sectors of this lap.
    pub sectors: SectorTimes,
    /// Whether laps are inferred from a clock that began anew, since the game counts none.
    pub inferred: bool,
    /// Whether the game has struck this lap.
    pub invalid: bool,
    /// What a file notes about this lap.
    pub remarks: LapRemarks,
    /// Whether the car is in the pits.
    pub pit: PitStatus,
    /// What the driver is doing.
    pub driver: DriverStatus,
    /// How the car stands in the classification.
    pub result: ResultStatus,
    /// The place in the race, from 1; 0 where unknown.
    pub position: u8,
    /// The place on the grid, from 1; 0 where unknown.
    pub grid: u8,
    /// Seconds of penalty to be added at the end.
    pub penalties: u8,
}
