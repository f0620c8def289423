//! Drivers: their skill, their plan, and how they steer and use the pedals.

mod entries;
mod pedals;
mod plan;
mod shortcut;
mod steering;

pub(super) use entries::ENTRIES;
pub use entries::Entry;
pub(crate) use plan::{Intent, Plan};
pub(crate) use shortcut::Shortcut;

use super::car::{Car, Controls};
use super::circuit::Circuit;
use super::random::Random;
use pedals::Pedals;
use steering::Hands;
pub(crate) use steering::{PIT_RAMP_M, PIT_SETTLE_M};

/// Pedal travel that counts as braking, or as being on the throttle.
pub const PEDAL_ON: f64 = 0.1;

/// Share of the grip that a driver leaves unused in the first lap, and more of it in every later lap.
const CAREFUL: f64 = 0.008;
const TIRED_PER_LAP: f64 = 1e-4;

/// Keeps the form of a lap apart from other random numbers.
const FORM: u64 = 0xF0;

/// A driver's skill. Shares are of what the car is capable of.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Skill {
    /// Share of the grip used in corners.
    pub(crate) cornering: f64,
    /// Share of the grip used in braking.
    pub(crate) braking: f64,
    /// Share of the traction used.
    pub(crate) traction: f64,
    /// Variation from corner to corner and lap to lap.
    pub(crate) spread: f64,
    /// Probability of a mistake per corner.
    pub(crate) mistakes: f64,
    /// Share of the racing line's offset that the driver uses.
    pub(crate) line: f64,
}

impl Skill {
    /// The skill of a driver's rank in the field (0 is the best), with random variation.
    pub(crate) fn of_rank(rank: usize, cars: usize, chance: &mut Random) -> Self {
        let behind = rank as f64 / cars.max(2) as f64;
        Self {
            cornering: 0.955 - 0.040 * behind + 0.003 * chance.bell(),
            braking: 0.940 - 0.070 * behind + 0.006 * chance.bell(),
            traction: 0.950 - 0.080 * behind + 0.006 * chance.bell(),
            spread: 0.0035 + 0.0035 * behind,
            mistakes: 0.003 + 0.006 * behind,
            line: (0.99 - 0.05 * chance.unit()).min(1.0),
        }
    }
}

/// How a driver takes one corner in one lap.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Attempt {
    pub(crate) cornering: f64,
    pub(crate) braking: f64,
    /// The braking power that the driver plans with, relative to the possible one.
    pub(crate) late: f64,
}

impl Skill {
    /// The attempt at one corner; deterministic for its arguments.
    pub(crate) fn attempt(&self, seed: u64, place: [u64; 4], wetness: f64) -> Attempt {
        let mut chance = Random::of(seed, place);
        let mut attempt = Attempt {
            cornering: self.cornering + self.spread * chance.bell() + self.form(seed, place),
            braking: self.braking + 2.5 * self.spread * chance.bell(),
            late: 1.0,
        };
        if chance.unit() < self.mistakes * (1.0 + 2.0 * wetness) {
            attempt.late = chance.between(1.08, 1.35);
        }
        attempt
    }

    /// What a driver gains or loses in a whole lap: first laps are careful, some laps are better than others, and
    /// concentration fades.
    fn form(&self, seed: u64, [car, lap, _, epoch]: [u64; 4]) -> f64 {
        // Cars start before the line, in the lap before the first.
        let laps = (lap as i64).max(0) as f64;
        let daily = Random::of(seed, [car, lap, epoch, FORM]).bell();
        0.6 * self.spread * daily - CAREFUL * libm::exp(-laps / 2.0) - TIRED_PER_LAP * laps.min(40.0)
    }
}

/// A driver's lateral position and limits beyond the usual line.
#[derive(Clone, Copy, Debug)]
pub(crate) struct DriverIntent {
    /// Offset to the left of the racing line, in metres.
    pub(crate) shift_m: f64,
    /// Offsets between which other cars leave room, in metres.
    pub(crate) room_m: [f64; 2],
    /// During a pit visit: how far beyond the middle of the pit lane, in metres.
    pub(crate) pit_m: Option<f64>,
    /// A straight cut across the inside of a corner.
    pub(crate) shortcut: Option<Shortcut>,
    /// The highest speed behind the car ahead, in m/s.
    pub(crate) follow_ms: f64,
    /// Whether to stay off the throttle, whatever the plan says.
    pub(crate) lift: bool,
    /// Whether to stand still on the brake.
    pub(crate) hold: bool,
}

/// The inputs of a driver's decision.
#[derive(Clone, Copy, Debug)]
pub(crate) struct View<'a> {
    pub(crate) circuit: &'a Circuit,
    pub(crate) car: &'a Car,
    pub(crate) skill: &'a Skill,
    pub(crate) plan: &'a Plan,
    pub(crate) wish: DriverIntent,
    /// The share of the best friction that tyres and weather leave.
    pub(crate) hold: f64,
    /// Share of the drag removed by the slipstream of the car ahead.
    pub(crate) slipstream: f64,
}

/// A driver at the wheel.
#[derive(Clone, Debug, Default)]
pub(crate) struct Driver {
    pedals: Pedals,
    hands: Hands,
}

impl Driver {
    /// Throttle, 0–1.
    pub(crate) fn throttle(&self) -> f64 {
        self.pedals.throttle
    }

    /// Follows the plan and sets the controls for the next `dt` seconds.
    pub(crate) fn drive(&mut self, dt: f64, view: &View) -> Controls {
        self.pedals.press(dt, view);
        Controls {
            throttle: self.pedals.throttle,
            brake: self.pedals.brake,
            curvature: self.hands.steer(dt, view),
            keep_gear: self.pedals.brakes_soon(view),
        }
    }
}
