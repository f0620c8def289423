//! What the simulator knows about a run, written down for tests to compare against.

use serde::{Deserialize, Serialize};

use super::circuit::Corner;
pub use super::race::{BrakingNote, CornerNote, ExcursionNote, LapMarks};

/// Everything known about one run of the demo.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Truth {
    /// The seed from which the run can be repeated.
    pub seed: u64,
    /// The circuit.
    pub circuit: CircuitTruth,
    /// Which of the cars is the player's.
    pub player: usize,
    /// The drivers' names, in the order of the cars.
    pub drivers: Vec<String>,
    /// Pedal travel from which on braking and throttle count, 0–1.
    pub pedal_on: f64,
    /// The sessions: a restart begins a new one.
    pub sessions: Vec<SessionTruth>,
}

/// What is known about the circuit.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct CircuitTruth {
    /// Its name.
    pub name: String,
    /// The lap along the centre line, metres.
    pub length_m: f64,
    /// Where sectors 2 and 3 begin, metres.
    pub sector_lines_m: [f64; 2],
    /// The corners.
    pub corners: Vec<Corner>,
}

/// What is known about one session.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SessionTruth {
    /// The session's identity.
    pub uid: u64,
    /// When it began, seconds since the start of the run.
    pub began_s: f64,
    /// Whether it is a race; else cars drive on their own.
    pub race: bool,
    /// Laps to drive, 0 for any number.
    pub laps: u8,
    /// Every lap that ended, in the order in which they did.
    pub finished: Vec<LapTruth>,
    /// Times that the run went back.
    pub rewinds: Vec<RewindTruth>,
    /// Times that the game stood still: from and to, seconds since the start of the run.
    pub pauses_s: Vec<[f64; 2]>,
    /// Stops at the pits.
    pub pit_stops: Vec<PitStopTruth>,
    /// Runs of a rally stage that have ended.
    #[serde(default)]
    pub stage_runs: Vec<StageRunTruth>,
}

/// What is known about one run of a rally stage.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct StageRunTruth {
    /// How many runs came before it.
    pub number: u32,
    /// When the start was given, seconds since the start of the run.
    pub began_s: f64,
    /// The times from the start to the splits that were passed, ms.
    pub splits_ms: Vec<u32>,
    /// The time of the stage, ms.
    pub time_ms: Option<u32>,
    /// How it ended.
    pub end: Option<RunEnd>,
    /// Where all wheels were in the air.
    pub jumps: Vec<JumpTruth>,
    /// When the car hit something, seconds of the stage's clock.
    pub hits_s: Vec<f64>,
    /// How often the car was put back on the road.
    pub recovered: u32,
}

/// How a run of a stage ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum RunEnd {
    /// At the finish.
    Finished,
    /// Left before it.
    Abandoned,
    /// The driver went back to the start.
    Restarted,
}

/// One flight.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct JumpTruth {
    /// When the car was down again, seconds of the stage's clock.
    pub clock_s: f64,
    /// How long it was in the air, seconds.
    pub seconds: f64,
    /// How far it flew, metres.
    pub far_m: f64,
    /// How fast it met the road, m/s.
    pub hard_ms: f64,
}

/// What is known about one lap.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct LapTruth {
    /// The car, counted from 0.
    pub car: usize,
    /// The lap's number, counted from 1.
    pub number: u32,
    /// Session time at which it ended, seconds.
    pub ended_s: f64,
    /// Its time, ms.
    pub time_ms: u32,
    /// Its sectors' times, ms.
    pub sectors_ms: Vec<u32>,
    /// What is to be said about it.
    pub marks: LapMarks,
    /// Whether the run later went back to before its end, so that it never happened.
    pub undone: bool,
    /// Its corners.
    pub corners: Vec<CornerNote>,
    /// Where the car was not on its way around the track.
    #[serde(default)]
    pub excursions: Vec<ExcursionNote>,
}

/// One time that the run went back.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct RewindTruth {
    /// Seconds since the start of the run.
    pub at_s: f64,
    /// Session time before, seconds.
    pub from_s: f64,
    /// Session time after, seconds.
    pub to_s: f64,
}

/// One stop at the pits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct PitStopTruth {
    /// The car, counted from 0.
    pub car: usize,
    /// The lap in which the car stopped.
    pub lap: u32,
    /// How long it stood, seconds.
    pub stood_s: f64,
}
