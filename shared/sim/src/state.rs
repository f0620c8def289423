//! The state of each car that emitters build packets from.

use super::car::{Car, CarModel, Compound, Deploy, Flight, WheelState, scale};
use super::circuit::Circuit;

/// A car at one moment.
#[derive(Clone, Debug)]
pub struct CarState {
    /// The kind of car.
    pub model: &'static CarModel,
    /// Whether all wheels are in the air.
    pub airborne: bool,
    /// The car's motion.
    pub motion: Motion,
    /// Throttle, 0–1.
    pub throttle: f64,
    /// Brake, 0–1.
    pub brake: f64,
    /// Clutch pedal, 0–1; 1 is fully pressed.
    pub clutch: f64,
    /// Steering, 1 full left to −1 full right.
    pub steer: f64,
    /// Front wheel angle, left positive, in radians.
    pub wheel_angle: f64,
    /// Extra front wheel angle beyond what the path needs, because the front slides more, in radians.
    pub understeer_rad: f64,
    /// −1 reverse, 0 neutral, 1–8.
    pub gear: i8,
    /// Engine speed, in rpm.
    pub rpm: f64,
    /// Water temperature, in °C.
    pub engine_c: f64,
    /// Fuel on board, in kg.
    pub fuel_kg: f64,
    /// The wheels: rear left, rear right, front left, front right.
    pub wheels: [WheelState; 4],
    /// The fitted tyres.
    pub compound: Compound,
    /// Front wing damage, in per cent.
    pub wing_damage: f64,
    /// Whether DRS is open.
    pub drs: bool,
    /// Whether DRS is allowed.
    pub drs_allowed: bool,
    /// Whether the handbrake is pulled.
    pub handbrake: bool,
    /// Whether the left and the right wheels are on a kerb.
    pub on_kerb: [bool; 2],
    /// Whether the pit limiter is on.
    pub limiter: bool,
    /// Energy in the store, in joules.
    pub store_j: f64,
    /// The deployment mode.
    pub deploy: Deploy,
    /// Energy harvested from the brakes in this lap, in joules.
    pub harvested_brakes_j: f64,
    /// Energy harvested from the turbocharger in this lap, in joules.
    pub harvested_turbo_j: f64,
    /// Energy deployed in this lap, in joules.
    pub deployed_j: f64,
    /// The car's lap and race.
    pub lap: LapState,
}

/// A car's motion. The world is right-handed with y up: looking along z, x is to the left.
#[derive(Clone, Copy, Debug, Default)]
pub struct Motion {
    /// Position, in metres.
    pub position: [f64; 3],
    /// Velocity, in m/s.
    pub velocity: [f64; 3],
    /// Unit vector to the front.
    pub forward: [f64; 3],
    /// Unit vector to the right.
    pub right: [f64; 3],
    /// Leftward acceleration, in m/s².
    pub lateral_ms2: f64,
    /// Forward acceleration, in m/s².
    pub longitudinal_ms2: f64,
    /// Upward acceleration without gravity, in m/s².
    pub vertical_ms2: f64,
    /// Heading from z towards x, −π to π, in radians.
    pub yaw: f64,
    /// Pitch, nose up positive, in radians.
    pub pitch: f64,
    /// Roll, left side up positive, in radians.
    pub roll: f64,
    /// Speed, in m/s.
    pub speed_ms: f64,
    /// Velocity in car axes (left, up, forward), in m/s.
    pub local_velocity: [f64; 3],
    /// Yaw rate, left positive, in rad/s.
    pub yaw_rate: f64,
    /// Yaw acceleration, in rad/s².
    pub yaw_ms2: f64,
}

/// A car's lap and race.
#[derive(Clone, Copy, Debug, Default)]
pub struct LapState {
    /// The current lap, from 1.
    pub number: u32,
    /// Lap distance, in metres; negative before the first line crossing.
    pub distance_m: f64,
    /// Distance since the first line crossing, in metres.
    pub total_m: f64,
    /// Lap time so far, in seconds.
    pub time_s: f64,
    /// The last lap time, in ms.
    pub last_ms: Option<u32>,
    /// The best valid lap time, in ms.
    pub best_ms: Option<u32>,
    /// The current sector, 0–2.
    pub sector: u8,
    /// Times of this lap's completed sectors, in ms; zero until then.
    pub sectors_ms: [u32; 2],
    /// Whether this lap is invalid.
    pub invalid: bool,
    /// Position in the race, or by best lap; from 1.
    pub position: u8,
    /// Grid position, from 1.
    pub grid_position: u8,
    /// Time penalty, in seconds.
    pub penalty_s: u8,
    /// Whether the car is on the track or in the pits.
    pub pit: PitState,
    /// What the car is driving.
    pub run: Run,
    /// The state of the car's race.
    pub outcome: Outcome,
    /// The flag shown to the car.
    pub flag: Flag,
}

/// Whether a car is on the track or in the pits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PitState {
    /// On the track.
    #[default]
    Track,
    /// Driving in the pit lane.
    Lane,
    /// Stopped at its pit box.
    Stopped,
}

/// What a car is driving.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Run {
    /// Nothing.
    Garage,
    /// A timed lap.
    Flying,
    /// An in lap.
    In,
    /// An out lap, or the way to the line.
    Out,
    /// A race.
    #[default]
    Track,
}

/// The state of a car's race.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Outcome {
    /// Still racing.
    #[default]
    Active,
    /// Finished.
    Finished,
    /// Retired.
    Retired,
}

/// A marshal's flag.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Flag {
    /// None.
    #[default]
    None,
    /// All clear.
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
        // Components along and across the centre line: the exact derivative of the position.
        let along_ms = car.speed_ms * libm::cos(car.angle) / scale(&here, offset_m);
        let ahead = along_ms * (here.level - offset_m * here.curvature);
        let across = car.speed_ms * libm::sin(car.angle);
        let on_road = Flight { height_m: here.position[1], rise_ms: along_ms * here.slope };
        let Flight { height_m, rise_ms } = car.flight.unwrap_or(on_road);
        let velocity = [ahead * sin + across * cos, rise_ms, ahead * cos - across * sin];

        let yaw = here.heading + car.angle + car.slip_angle();
        let pitch = libm::asin(here.slope.clamp(-0.5, 0.5)) - 0.0006 * car.longitudinal_ms2;
        let roll = 0.0007 * car.lateral_ms2;
        let (sin_yaw, cos_yaw) = (libm::sin(yaw), libm::cos(yaw));
        let forward = [libm::cos(pitch) * sin_yaw, libm::sin(pitch), libm::cos(pitch) * cos_yaw];
        let level = [-cos_yaw, 0.0, sin_yaw];
        // The level right vector rotated about the nose: roll lifts the left side and lowers the right.
        let below = cross(forward, level);
        let (sin_roll, cos_roll) = (libm::sin(roll), libm::cos(roll));
        let left = [0, 1, 2]
            .map(|axis: usize| -(component(level, axis) * cos_roll + component(below, axis) * sin_roll));
        let right = left.map(|component| -component);
        let up = cross(forward, left);
        Self {
            position: [here.position[0] + offset_m * cos, height_m, here.position[2] - offset_m * sin],
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
