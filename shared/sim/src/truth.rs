//! The simulator's ground truth about a run, recorded for tests.

use serde::{Deserialize, Serialize};

use super::circuit::Corner;
pub use super::race::{BrakingNote, CornerNote, ExcursionNote, LapMarks};

/// Everything known about a demo run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Truth {
    /// The seed that reproduces the run.
    pub seed: u64,
    /// The circuit.
    pub circuit: CircuitTruth,
    /// The player's car.
    pub player: usize,
    /// The drivers' names, in the order of the cars.
    pub drivers: Vec<String>,
    /// Pedal travel from which braking and throttle count, 0–1.
    pub pedal_on: f64,
    /// The sessions; a restart begins a new one.
    pub sessions: Vec<SessionTruth>,
}

/// The circuit of a run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct CircuitTruth {
    /// The circuit's name.
    pub name: String,
    /// Lap length along the centre line, in metres.
    pub length_m: f64,
    /// Where sectors 2 and 3 begin, in metres.
    pub sector_lines_m: [f64; 2],
    /// The corners.
    pub corners: Vec<Corner>,
}

/// One session.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SessionTruth {
    /// The session's id.
    pub uid: u64,
    /// When it began, in seconds since the start of the run.
    pub began_s: f64,
    /// Whether it is a race; otherwise each car drives for itself.
    pub race: bool,
    /// Laps to drive; 0 for no limit.
    pub laps: u8,
    /// All completed laps, in the order of completion.
    pub finished: Vec<LapTruth>,
    /// The rewinds.
    pub rewinds: Vec<RewindTruth>,
    /// Pauses: start and end, in seconds since the start of the run.
    pub pauses_s: Vec<[f64; 2]>,
    /// The pit stops.
    pub pit_stops: Vec<PitStopTruth>,
    /// The contacts that a server reports.
    #[serde(default)]
    pub contacts: Vec<ContactTruth>,
    /// Runs of a rally stage that have ended.
    #[serde(default)]
    pub stage_runs: Vec<StageRunTruth>,
}

/// One run of a rally stage.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct StageRunTruth {
    /// The number of runs before it.
    pub number: u32,
    /// The start of the stage, in seconds since the start of the run.
    pub began_s: f64,
    /// Times from the start to each split passed, in ms.
    pub splits_ms: Vec<u32>,
    /// The stage time, in ms.
    pub time_ms: Option<u32>,
    /// How it ended.
    pub end: Option<RunEnd>,
    /// Jumps, with all wheels in the air.
    pub jumps: Vec<JumpTruth>,
    /// When the car hit an obstacle, in seconds of the stage clock.
    pub hits_s: Vec<f64>,
    /// How often the car was put back on the road.
    pub recovered: u32,
}

/// How a run of a stage ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum RunEnd {
    /// At the finish.
    Finished,
    /// Left before the finish.
    Abandoned,
    /// Restarted by the driver.
    Restarted,
}

/// One jump.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct JumpTruth {
    /// When the car landed, in seconds of the stage clock.
    pub clock_s: f64,
    /// Time in the air, in seconds.
    pub seconds: f64,
    /// Length of the jump, in metres.
    pub far_m: f64,
    /// Vertical impact speed, in m/s.
    pub hard_ms: f64,
}

/// One lap.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct LapTruth {
    /// The car, from 0.
    pub car: usize,
    /// The lap number, from 1.
    pub number: u32,
    /// Session time of its end, in seconds.
    pub ended_s: f64,
    /// The lap time, in ms.
    pub time_ms: u32,
    /// The sector times, in ms.
    pub sectors_ms: Vec<u32>,
    /// The lap's marks.
    pub marks: LapMarks,
    /// Whether a later rewind went back to before its end and so undid it.
    pub undone: bool,
    /// Whether the driver followed the planted task in it.
    #[serde(default)]
    pub followed_task: bool,
    /// The corners.
    pub corners: Vec<CornerNote>,
    /// The excursions.
    #[serde(default)]
    pub excursions: Vec<ExcursionNote>,
}

/// One rewind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct RewindTruth {
    /// When it happened, in seconds since the start of the run.
    pub at_s: f64,
    /// Session time before it, in seconds.
    pub from_s: f64,
    /// Session time after it, in seconds.
    pub to_s: f64,
}

/// One pit stop.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct PitStopTruth {
    /// The car, from 0.
    pub car: usize,
    /// The lap of the stop.
    pub lap: u32,
    /// Time standing still, in seconds.
    pub stood_s: f64,
}

/// One contact between cars, or with something beside the track.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct ContactTruth {
    /// Seconds since the start of the run.
    pub at_s: f64,
    /// The car.
    pub car: usize,
    /// The other car; `None` for contact with the environment.
    pub with: Option<usize>,
    /// Impact speed, in km/h.
    pub kmh: f64,
    /// World position, in metres.
    pub place: [f64; 3],
}
