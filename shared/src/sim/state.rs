//! What a game knows about each car at one moment: everything a packet can be made of.

use super::car::{Car, Compound, Deploy, WheelState, scale};
use super::circuit::Circuit;

/// One car at one moment.
#[derive(Clone, Debug)]
pub struct CarState {
    /// Where it is and how it moves.
    pub motion: Motion,
    /// Throttle, 0–1.
    pub throttle: f64,
    /// Brake, 0–1.
    pub brake: f64,
    /// Clutch, 0–1, pressed being 1.
    pub clutch: f64,
    /// Steering wheel, 1 full left to −1 full right.
    pub steer: f64,
    /// The front wheels' angle, left positive, radians.
    pub wheel_angle: f64,
    /// By how much further they are turned than the path asks for, since the front slides more, radians.
    pub understeer_rad: f64,
    /// −1 reverse, 0 neutral, 1–8.
    pub gear: i8,
    /// Revolutions per minute.
    pub rpm: f64,
    /// Water temperature, °C.
    pub engine_c: f64,
    /// Fuel on board, kg.
    pub fuel_kg: f64,
    /// The wheels: rear left, rear right, front left, front right.
    pub wheels: [WheelState; 4],
    /// The tyres fitted.
    pub compound: Compound,
    /// Damage to the front wing, percent.
    pub wing_damage: f64,
    /// Whether the rear wing is open.
    pub drs: bool,
    /// Whether it may be.
    pub drs_allowed: bool,
    /// Whether the handbrake is pulled.
    pub handbrake: bool,
    /// Whether the left and the right wheels are on a kerb.
    pub on_kerb: [bool; 2],
    /// Whether the pit limiter is on.
    pub limiter: bool,
    /// Energy in the store, joules.
    pub store_j: f64,
    /// How the store is spent.
    pub deploy: Deploy,
    /// Energy put back by the brakes in this lap, joules.
    pub harvested_brakes_j: f64,
    /// Energy put back by the turbocharger in this lap, joules.
    pub harvested_turbo_j: f64,
    /// Energy spent in this lap, joules.
    pub deployed_j: f64,
    /// The lap and the race.
    pub lap: LapState,
}

/// Where a car is and how it moves. The world is right-handed with y up; seen with z forward, x is to the left.
#[derive(Clone, Copy, Debug, Default)]
pub struct Motion {
    /// Position, metres.
    pub position: [f64; 3],
    /// Velocity, m/s.
    pub velocity: [f64; 3],
    /// Where the nose points, a unit vector.
    pub forward: [f64; 3],
    /// Where the right side is, a unit vector.
    pub right: [f64; 3],
    /// Acceleration to the left, m/s².
    pub lateral_ms2: f64,
    /// Acceleration forward, m/s².
    pub longitudinal_ms2: f64,
    /// Acceleration upward besides gravity, m/s².
    pub vertical_ms2: f64,
    /// Heading of the nose, from z towards x, radians of −π to π.
    pub yaw: f64,
    /// Nose up, radians.
    pub pitch: f64,
    /// Left side up, radians.
    pub roll: f64,
    /// Speed, m/s.
    pub speed_ms: f64,
    /// Velocity in the car's own axes: left, up, forward, m/s.
    pub local_velocity: [f64; 3],
    /// Turn to the left, rad/s.
    pub yaw_rate: f64,
    /// Change of that, rad/s².
    pub yaw_ms2: f64,
}

/// A car's lap and race.
#[derive(Clone, Copy, Debug, Default)]
pub struct LapState {
    /// The lap being driven, from 1.
    pub number: u32,
    /// Distance since the line; negative before it was first crossed, metres.
    pub distance_m: f64,
    /// Distance since the line was first crossed, metres.
    pub total_m: f64,
    /// Time of this lap so far, seconds.
    pub time_s: f64,
    /// The last lap's time, ms.
    pub last_ms: Option<u32>,
    /// The best valid lap's time, ms.
    pub best_ms: Option<u32>,
    /// The sector being driven, 0–2.
    pub sector: u8,
    /// The times of this lap's finished sectors, ms; zero until then.
    pub sectors_ms: [u32; 2],
    /// Whether this lap counts no more.
    pub invalid: bool,
    /// Position in the race, or by the best lap; from 1.
    pub position: u8,
    /// Position on the grid, from 1.
    pub grid_position: u8,
    /// Seconds to be added to the result.
    pub penalty_s: u8,
    /// Where it is between track and pits.
    pub pit: PitState,
    /// What it is driving.
    pub run: Run,
    /// How its race goes.
    pub outcome: Outcome,
    /// The flag that it is shown.
    pub flag: Flag,
}

/// Where a car is between track and pits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PitState {
    /// On the track.
    #[default]
    Track,
    /// Driving through the pit lane.
    Lane,
    /// Standing before its garage.
    Stopped,
}

/// What a car is driving.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Run {
    /// Nothing.
    Garage,
    /// A timed lap.
    Flying,
    /// A lap into the pits.
    In,
    /// A lap out of the pits, or to the line.
    Out,
    /// A race.
    #[default]
    Track,
}

/// How a car's race goes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Outcome {
    /// It goes on.
    #[default]
    Active,
    /// Over the finish line.
    Finished,
    /// Broken down.
    Retired,
}

/// A marshal's flag.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Flag {
    /// None.
    #[default]
    None,
    /// Clear again.
    Green,
    /// Danger ahead.
    Yellow,
}

impl Motion {
    /// The motion of a car on its circuit.
    pub(super) fn of(circuit: &Circuit, car: &Car) -> Self {
        let here = circuit.pose(car.travelled_m);
        let (sin, cos) = (libm::sin(here.heading), libm::cos(here.heading));
        let offset_m = car.offset_m;
        // Along the centre line and across it: exactly the change of the position.
        let along_ms = car.speed_ms * libm::cos(car.angle) / scale(&here, offset_m);
        let ahead = along_ms * (here.level - offset_m * here.curvature);
        let across = car.speed_ms * libm::sin(car.angle);
        let velocity = [ahead * sin + across * cos, along_ms * here.slope, ahead * cos - across * sin];

        let yaw = here.heading + car.angle + car.slip_angle();
        let pitch = libm::asin(here.slope.clamp(-0.5, 0.5)) - 0.0006 * car.longitudinal_ms2;
        let roll = 0.0007 * car.lateral_ms2;
        let (sin_yaw, cos_yaw) = (libm::sin(yaw), libm::cos(yaw));
        let forward = [libm::cos(pitch) * sin_yaw, libm::sin(pitch), libm::cos(pitch) * cos_yaw];
        let level = [-cos_yaw, 0.0, sin_yaw];
        // The level right side, tilted about the nose: roll lifts the left side and so lowers the right one.
        let below = cross(forward, level);
        let (sin_roll, cos_roll) = (libm::sin(roll), libm::cos(roll));
        let left = [0, 1, 2]
            .map(|axis: usize| -(component(level, axis) * cos_roll + component(below, axis) * sin_roll));
        let right = left.map(|component| -component);
        let up = cross(forward, left);
        Self {
            position: [
                here.position[0] + offset_m * cos,
                here.position[1],
                here.position[2] - offset_m * sin,
            ],
            velocity,
            forward,
            right,
            lateral_ms2: car.lateral_ms2,
            longitudinal_ms2: car.longitudinal_ms2,
            vertical_ms2: car.vertical_ms2,
            yaw: libm::atan2(sin_yaw, cos_yaw),
            pitch,
            roll,
            speed_ms: car.speed_ms,
            local_velocity: [dot(velocity, left), dot(velocity, up), dot(velocity, forward)],
            yaw_rate: car.yaw_rate(),
            yaw_ms2: car.yaw_ms2,
        }
    }
}

fn component(vector: [f64; 3], axis: usize) -> f64 {
    vector.get(axis).copied().unwrap_or_default()
}

fn dot([a, b, c]: [f64; 3], [x, y, z]: [f64; 3]) -> f64 {
    a * x + b * y + c * z
}

fn cross([a, b, c]: [f64; 3], [x, y, z]: [f64; 3]) -> [f64; 3] {
    [b * z - c * y, c * x - a * z, a * y - b * x]
}
