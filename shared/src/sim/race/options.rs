//! What can be asked of a race: before it starts, and while it runs.

use super::super::car::Compound;
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
    /// A corner for which somebody brakes earlier than he has to.
    pub early: Option<EarlyBraking>,
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
            early: None,
        }
    }
}

/// One corner of one lap for which a driver brakes earlier than he has to; all else is as it would be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EarlyBraking {
    /// The car, counted from 0.
    pub car: usize,
    /// The lap, counted from 1.
    pub lap: u32,
    /// The corner's number.
    pub corner: u8,
    /// By so many metres.
    pub metres: f64,
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
