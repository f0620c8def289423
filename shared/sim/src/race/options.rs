//! Options of a race, and requests while it runs.

use super::super::car::{Compound, Disturbance};
use super::super::circuit::Plan;
use super::mistakes::Mistake;
use super::planted_task::PlantedTask;
use super::weather::Sky;

/// The oldest of the years.
const OLDEST_YEAR: u16 = 2018;

/// The start of a session, and thus its kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Start {
    /// A race with a standing start when the lights go out.
    Grid,
    /// Practice with all cars already driving, the player just before the line.
    #[default]
    Flying,
    /// Runs of a rally stage, by one car.
    Stage(Finish),
}

/// How a game signals the finish of a rally stage.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Finish {
    /// Counts the stage as completed and sends its time, as in career events.
    #[default]
    Completed,
    /// Removes the car, as in a time trial.
    TakenAway,
}

/// Options of a demo run.
#[derive(Clone, Debug, PartialEq)]
pub struct Options {
    /// The seed; the same options give the same run bit for bit.
    pub seed: u64,
    /// Index into [`CIRCUITS`](super::super::circuit::CIRCUITS).
    pub circuit: usize,
    /// A plan to use instead, such as an [`invented`](super::super::circuit::invented()) one.
    pub plan: Option<Plan>,
    /// Number of cars, at most twenty.
    pub cars: usize,
    /// The player's car.
    pub player: usize,
    /// How the session starts.
    pub start: Start,
    /// Laps of a race.
    pub laps: u8,
    /// Duration of a practice session, in seconds.
    pub duration_s: u16,
    /// The weather at the start.
    pub sky: Sky,
    /// How much of the player's tyres is worn off at the start, in per cent.
    pub tyre_wear: f64,
    /// Requests, each with its time in seconds since the start of the run.
    pub requests: Vec<(f64, Request)>,
    /// Whether to record laps and corners in [`Truth`](super::super::truth::Truth).
    pub keep_truth: bool,
    /// Whether another session, or run of a stage, starts some seconds after the end.
    pub again: bool,
    /// Planted mistakes, any number of them in any corners and laps.
    pub mistakes: Vec<Mistake>,
    /// A planted coaching task.
    pub task: Option<PlantedTask>,
    /// The cars' balance in each part of a corner.
    pub balance: Balance,
    /// The year of the game that sends, where games of several years are one feed.
    pub year: u16,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            seed: 1,
            circuit: 0,
            plan: None,
            cars: 20,
            player: 7,
            start: Start::Flying,
            laps: 5,
            duration_s: 3_600,
            sky: Sky::LightCloud,
            tyre_wear: 0.0,
            requests: Vec::new(),
            keep_truth: true,
            again: true,
            mistakes: Vec::new(),
            task: None,
            balance: Balance::default(),
            year: OLDEST_YEAR,
        }
    }
}

/// Extra front wheel angle in each part of a corner, in radians per m/s² of lateral acceleration above the level at
/// which front and rear slip alike. Positive is understeer, negative oversteer.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Balance {
    /// From the corner's entry to halfway to the apex.
    pub entry: f64,
    /// Around the apex.
    pub middle: f64,
    /// From halfway after the apex to the corner's exit.
    pub exit: f64,
}

/// An event to happen in a race.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Request {
    /// Rewinds the session by up to half a minute.
    Rewind {
        /// Seconds to go back.
        seconds: f64,
    },
    /// Pauses the game.
    Pause {
        /// Duration in seconds.
        seconds: f64,
    },
    /// Restarts the session, or the run of a stage.
    Restart {
        /// Whether the session gets a new id, as one that was left and entered again does.
        new_identity: bool,
    },
    /// A car comes to the pits at the end of the lap.
    Pit {
        /// The car, from 0.
        car: usize,
        /// The tyres to fit.
        tyres: Compound,
    },
    /// A car brakes much too late for a coming corner and leaves the track.
    RunWide {
        /// The car, from 0.
        car: usize,
    },
    /// A car spins at the exit of a coming corner.
    Spin {
        /// The car, from 0.
        car: usize,
    },
    /// A car cuts straight across the inside of a coming corner.
    Cut {
        /// The car, from 0.
        car: usize,
    },
    /// Disturbs a car as soon as the conditions allow it.
    Disturbance {
        /// The car, from 0.
        car: usize,
        /// The disturbance.
        what: Disturbance,
        /// Duration in seconds.
        seconds: f64,
    },
    /// The car is put back on the stage.
    Recover,
    /// The car hits an obstacle on the stage.
    Hit,
    /// The driver leaves the stage.
    Leave,
    /// A car breaks down.
    Retire {
        /// The car, from 0.
        car: usize,
    },
    /// The weather changes.
    Weather(Sky),
    /// The field is slowed down for a while.
    SafetyCar {
        /// Whether it is a virtual safety car.
        virtually: bool,
        /// Duration in seconds.
        seconds: f64,
    },
}
