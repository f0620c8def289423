//! What can be asked of a race: before it starts, and while it runs.

use super::super::car::{Compound, Disturbance};
use super::super::circuit::Plan;
use super::weather::Sky;

/// How a session begins, and with that what kind it is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Start {
    /// A race: from the grid, when the lights go out.
    Grid,
    /// Practice: everybody is already driving, the player shortly before the line.
    #[default]
    Flying,
}

/// What a run of the demo should be.
#[derive(Clone, Debug, PartialEq)]
pub struct Options {
    /// The seed; the same options with the same seed give the same run to the last bit.
    pub seed: u64,
    /// Which of [`CIRCUITS`](super::super::circuit::CIRCUITS).
    pub circuit: usize,
    /// A circuit of its own instead, such as an [`invented`](super::super::circuit::invented()) one.
    pub plan: Option<Plan>,
    /// How many cars, at most twenty.
    pub cars: usize,
    /// Which of them is the player's.
    pub player: usize,
    /// How the session begins.
    pub start: Start,
    /// Laps of a race.
    pub laps: u8,
    /// Length of a practice session, seconds.
    pub duration_s: u16,
    /// What comes from the sky at first.
    pub sky: Sky,
    /// Things to happen, each so many seconds after the start of the run.
    pub requests: Vec<(f64, Request)>,
    /// Whether to write down laps and corners for [`Truth`](super::super::truth::Truth).
    pub keep_truth: bool,
    /// Whether a new session begins some seconds after one has ended.
    pub again: bool,
    /// Something that somebody does worse than he could in one corner.
    pub mistake: Option<Mistake>,
    /// How the cars answer the wheel in each part of a corner.
    pub balance: Balance,
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
            requests: Vec::new(),
            keep_truth: true,
            again: true,
            mistake: None,
            balance: Balance::default(),
        }
    }
}

/// What a driver does worse than he could in one corner of one lap; all else is as it would be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mistake {
    /// The car, counted from 0.
    pub car: usize,
    /// The lap, counted from 1.
    pub lap: u32,
    /// The corner's number.
    pub corner: u8,
    /// What it is.
    pub what: MistakeKind,
}

/// Ways to lose time in a corner.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum MistakeKind {
    /// He brakes so many metres earlier.
    BrakesEarly(f64),
    /// He comes off the throttle so many metres before he brakes.
    LiftsEarly(f64),
    /// He drives through at this part of the speed that he could have.
    DrivesSlowly(f64),
    /// He waits for so many metres before he is on the throttle again.
    WaitsWithThrottle(f64),
}

/// By how much further than its path asks for a car's front wheels have to be turned in each part of a corner, radians for each
/// m/s² beyond what tyres bear alike: a front that slides more than the rear is positive, a rear that does is negative.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Balance {
    /// From where the track begins to turn until halfway to the apex.
    pub entry: f64,
    /// Around the apex.
    pub middle: f64,
    /// From halfway behind the apex until the track is straight again.
    pub exit: f64,
}

/// Something that should happen in a race.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Request {
    /// Everything goes back by so many seconds, at most half a minute.
    Rewind {
        /// Seconds to go back.
        seconds: f64,
    },
    /// The game stands still for a while.
    Pause {
        /// Seconds to stand.
        seconds: f64,
    },
    /// The session starts over.
    Restart {
        /// Whether it gets a new identity, as a session that is left and entered again does.
        new_identity: bool,
    },
    /// A car comes to the pits at the end of the lap.
    Pit {
        /// The car, counted from 0.
        car: usize,
        /// The tyres it gets.
        tyres: Compound,
    },
    /// A car brakes much too late for a corner that is still ahead, and leaves the track.
    RunWide {
        /// The car, counted from 0.
        car: usize,
    },
    /// A car turns around where it leaves a corner that is still ahead.
    Spin {
        /// The car, counted from 0.
        car: usize,
    },
    /// A car takes the straight way across the inside of a corner that is still ahead.
    Cut {
        /// The car, counted from 0.
        car: usize,
    },
    /// Something upsets a car, as soon as it can happen to it.
    Disturbance {
        /// The car, counted from 0.
        car: usize,
        /// What it is.
        what: Disturbance,
        /// For how long, seconds.
        seconds: f64,
    },
    /// A car breaks down.
    Retire {
        /// The car, counted from 0.
        car: usize,
    },
    /// The weather changes.
    Weather(Sky),
    /// The field is slowed down for a while.
    SafetyCar {
        /// Whether only by the boards and not by a car.
        virtually: bool,
        /// Seconds until it ends.
        seconds: f64,
    },
}
