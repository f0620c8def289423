//! Drivers: their skill, their plan, and how they steer and use the pedals.

mod entries;
mod plan;
mod shortcut;

pub(super) use entries::ENTRIES;
pub use entries::Entry;
pub(crate) use plan::{Intent, Plan};
pub(crate) use shortcut::Shortcut;

use super::car::{BRAKES_MS2, Car, Controls, GRAVITY};
use super::circuit::{Circuit, PitLane};
use super::random::Random;
use super::ring::Shape;

/// Pedal travel that counts as braking, or as being on the throttle.
pub const PEDAL_ON: f64 = 0.1;

/// How far ahead a driver looks to compensate the pedals' delay, in seconds.
const REACTION_S: f64 = 0.05;

/// Speed of the pedals, in full travels per second.
const BRAKE_PRESSED: f64 = 14.0;
const BRAKE_RELEASED: f64 = 9.0;
const THROTTLE_PRESSED: f64 = 5.0;
const THROTTLE_RELEASED: f64 = 14.0;

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
            cornering: self.cornering + self.spread * chance.bell(),
            braking: self.braking + 2.5 * self.spread * chance.bell(),
            late: 1.0,
        };
        if chance.unit() < self.mistakes * (1.0 + 2.0 * wetness) {
            attempt.late = chance.between(1.08, 1.35);
        }
        attempt
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
    /// Share of the drag removed by the slipstream of the car ahead.
    pub(crate) slipstream: f64,
}

/// The pedal in use.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Foot {
    #[default]
    Throttle,
    Brake,
}

/// A driver's pedal state.
#[derive(Clone, Debug, Default)]
pub(crate) struct Driver {
    foot: Foot,
    throttle: f64,
    brake: f64,
}

impl Driver {
    /// Throttle, 0–1.
    pub(crate) fn throttle(&self) -> f64 {
        self.throttle
    }

    /// Follows the plan and sets the controls for the next `dt` seconds.
    pub(crate) fn drive(&mut self, dt: f64, view: &View) -> Controls {
        let wanted = self.wanted_ms2(view);
        let (throttle, brake) = self.pedals(view, wanted);
        self.throttle = follow(self.throttle, throttle, dt, THROTTLE_PRESSED, THROTTLE_RELEASED);
        self.brake = follow(self.brake, brake, dt, BRAKE_PRESSED, BRAKE_RELEASED);
        Controls { throttle: self.throttle, brake: self.brake, curvature: steer(view) }
    }

    /// The acceleration towards the planned speed; `None` for as much as possible.
    fn wanted_ms2(&mut self, view: &View) -> Option<f64> {
        let &View { circuit, car, plan, wish, slipstream, .. } = view;
        let mut target = plan.target(car.travelled_m + car.along_ms * REACTION_S);
        // The plan holds on the line; off it a corner is tighter.
        let off_line_m = (car.offset_m - circuit.racing_line(car.travelled_m).value).abs();
        if car.lateral_ms2.abs() > 8.0 && wish.pit_m.is_none() {
            target.speed_ms *= 1.0 - 0.025 * (off_line_m - 1.0).clamp(0.0, 4.0);
        }
        let mut over = car.speed_ms - target.speed_ms.min(wish.follow_ms);
        if car.lateral_ms2.abs() > 8.0 {
            // In a corner, wait for the tightest part instead of accelerating towards it.
            let soon = plan.target(car.travelled_m + car.along_ms * 0.35);
            over = over.max(car.speed_ms - soon.speed_ms - 1.0);
        }
        let change = if wish.follow_ms < target.speed_ms { 0.0 } else { target.change_ms2 };
        let coasting = -car.drag_ms2(car.speed_ms * car.speed_ms, slipstream)
            - GRAVITY * circuit.course(car.travelled_m).slope
            - 1.2;
        let wanted = change - 9.0 * over;
        // In a corner, prefer waiting to braking again.
        let worth = if car.lateral_ms2.abs() > 8.0 { 9.0 } else { 4.0 };
        match self.foot {
            // Brake only if coasting is not enough.
            Foot::Throttle if over > -0.15 && target.change_ms2 < coasting - worth => self.foot = Foot::Brake,
            Foot::Throttle if over > 2.0 && wanted < coasting - 4.0 => self.foot = Foot::Brake,
            Foot::Brake if wanted > coasting + 0.3 => self.foot = Foot::Throttle,
            _ => {}
        }
        if over < -1.5 { None } else { Some(wanted) }
    }

    fn pedals(&self, view: &View, wanted: Option<f64>) -> (f64, f64) {
        let &View { circuit, car, skill, wish, slipstream, .. } = view;
        if wish.hold {
            return (0.0, 1.0);
        }
        let speed2 = car.speed_ms * car.speed_ms;
        let slope = GRAVITY * circuit.course(car.travelled_m).slope;
        let drag = car.drag_ms2(speed2, slipstream) + slope;
        match (self.foot, wanted) {
            (Foot::Brake, Some(wanted)) => (0.0, ((-wanted - drag - 1.2) / BRAKES_MS2).clamp(0.0, 1.0)),
            _ if wish.lift => (0.0, 0.0),
            (_, wanted) => {
                let grip = super::car::Grip::new(car, car.hold(0.0), 0.0);
                let traction = skill.traction * grip.traction(speed2, car.lateral_ms2);
                let asked = wanted.map_or(f64::MAX, |wanted| wanted + drag);
                ((asked.min(traction) / car.drive_ms2().max(0.1)).clamp(0.0, 1.0), 0.0)
            }
        }
    }
}

/// The curvature that leads back to the wanted line and along it.
fn steer(view: &View) -> f64 {
    let &View { circuit, car, skill, wish, .. } = view;
    // Steers for the position at which the wheels will have turned.
    let ahead_m = car.travelled_m + car.along_ms * 0.03;
    let here = circuit.course(ahead_m);
    let line = wanted_line(circuit, ahead_m, skill.line, wish);
    let along = (1.0 - car.offset_m * here.curvature).max(0.2);
    let off = car.offset_m + car.speed_ms * 0.03 * libm::sin(car.angle) - line.value;
    let slant = libm::sin(car.angle) - line.rate / along;
    let reach_m = (0.28 * car.speed_ms).clamp(7.0, 26.0);
    let back = -2.0 * slant / reach_m - off.clamp(-6.0, 6.0) / (reach_m * reach_m);
    here.curvature / along + line.bend / (along * along) + back
}

/// The wanted line: the driver's share of the racing line, an offset from it, or the path through the pits.
fn wanted_line(circuit: &Circuit, travelled_m: f64, part: f64, wish: DriverIntent) -> Shape {
    if let Some(straight) = wish.shortcut.and_then(|shortcut| shortcut.at(circuit, travelled_m)) {
        return straight;
    }
    let line = circuit.racing_line(travelled_m);
    let edge = circuit.half_width_m - 0.8;
    let [right, left] = wish.room_m;
    let free = line.value * part + wish.shift_m;
    // If there is no room, take its middle. In any case drive parallel to the line; only the edge of the track limits
    // the offset.
    let beside = if right > left { 0.5 * (right + left) } else { free.clamp(right, left) };
    let value = beside.clamp(-edge, edge);
    let mut wanted = Shape { value, rate: line.rate * part, bend: line.bend * part };
    if value != beside {
        (wanted.rate, wanted.bend) = (0.0, 0.0);
    }
    if let Some(beyond_m) = wish.pit_m {
        let inside = pit_part(&circuit.pit, circuit.length_m, travelled_m);
        let lane_m = circuit.pit.offset_m + beyond_m * circuit.pit.offset_m.signum();
        wanted.value += (lane_m - wanted.value) * inside;
        wanted.rate *= 1.0 - inside;
        wanted.bend *= 1.0 - inside;
    }
    wanted
}

/// How far over the pit lane's path is: 0 on the track, 1 in the lane.
pub(crate) fn pit_part(pit: &PitLane, length_m: f64, travelled_m: f64) -> f64 {
    let lap_m = travelled_m.rem_euclid(length_m);
    let inside_m = if lap_m > 0.5 * length_m {
        lap_m - length_m + pit.entry_before_line_m
    } else {
        pit.exit_after_line_m - PIT_SETTLE_M - lap_m
    };
    let t = (inside_m / PIT_RAMP_M).clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}

/// Distance over which a car moves into the pit lane and out of it, in metres.
pub(crate) const PIT_RAMP_M: f64 = 90.0;

/// Distance before the pit exit at which a car must be back on the track, in metres, so that it settles there.
pub(crate) const PIT_SETTLE_M: f64 = 40.0;

fn follow(now: f64, wanted: f64, dt: f64, up: f64, down: f64) -> f64 {
    now + (wanted - now).clamp(-down * dt, up * dt)
}
