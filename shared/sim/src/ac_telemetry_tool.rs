//! Sends the race as Assetto Corsa's Telemetry Tool would: all cars in one packet per frame.

use trailbrake_games::Vec3;
use trailbrake_games::ac_telemetry_tool::layout::{
    Driver, TELEMETRY, TEST_FLOAT, TEST_INT, Telemetry, VERSION, Version, Words,
};
use trailbrake_games::f1::names;
use trailbrake_games::table::{Entries, FrontFirst, ONLY_VERSION};
use trailbrake_model::units::{MPS_PER_KMH, MPS2_PER_G};

use super::car::{Compound, STORE_J, WheelState};
use super::emitter::Emitter;
use super::race::{Race, car_state, session_state};
use super::state::{CarState, Motion, Outcome, PitState};

/// Frames between two version packets.
const VERSION_EVERY: u64 = 100;
/// The content of a version packet, of unknown meaning.
const VERSION_BYTES: [u8; 4] = 12.5_f32.to_le_bytes();
/// Steering wheel angle at full lock, in degrees.
const FULL_WHEEL_DEG: f64 = 270.0;
/// Distance from the car's centre to either axle, in metres.
const AXLE_M: f64 = 1.8;
/// Below this speed the slip angle is undefined, in m/s.
const SLIP_FROM_MS: f64 = 3.0;
/// The slip of peak grip: slip ratio, and slip angle in radians.
const BEST_SLIP: (f64, f64) = (0.1, 0.14);
/// Ride height at rest, in metres.
const RIDE_M: f64 = 0.09;

/// The plugin's state.
#[derive(Debug, Default)]
pub struct AcTelemetryTool {
    frames: u64,
    cars: Vec<CarMemory>,
}

/// The state kept per car.
#[derive(Clone, Copy, Debug, Default)]
struct CarMemory {
    lap: u32,
    /// Sector times of the current lap and of the one before, in ms.
    sectors_ms: [u32; 2],
    last_sectors_ms: [u32; 3],
}

impl AcTelemetryTool {
    /// The race's car with this driver id. Id 0 is the player; the other cars follow in order.
    pub fn car_of(race: &Race, driver_id: usize) -> usize {
        let player = race.player();
        match driver_id {
            0 => player,
            other if other <= player => other - 1,
            other => other,
        }
    }
}

impl Emitter for AcTelemetryTool {
    fn frame(&mut self, race: &Race, send: &mut dyn FnMut(&[u8])) {
        if self.frames.is_multiple_of(VERSION_EVERY) {
            send(&Version { packet_type: VERSION, content: VERSION_BYTES }.bytes(ONLY_VERSION));
        }
        self.frames += 1;
        let states: Vec<CarState> = (0..race.cars()).filter_map(|car| car_state(race, car)).collect();
        self.cars.resize(states.len(), CarMemory::default());
        let mut drivers = Vec::new();
        for id in 0..states.len() {
            let car = Self::car_of(race, id);
            let Some((state, remembered)) = states.get(car).zip(self.cars.get_mut(car)) else { continue };
            remembered.follow(state);
            let ahead = states.iter().filter(|other| other.lap.total_m > state.lap.total_m).count();
            let mut driver = driver(race, state, remembered);
            driver.driver_id = u32::try_from(id).unwrap_or(u32::MAX);
            driver.track_position = whole(ahead + 1);
            entry(race, car, state.compound, &mut driver);
            drivers.push(driver);
        }
        let drivers = Entries::Made(drivers);
        send(&Telemetry { packet_type: TELEMETRY, drivers }.bytes(ONLY_VERSION));
    }
}

impl CarMemory {
    fn follow(&mut self, state: &CarState) {
        let lap = &state.lap;
        if lap.number != self.lap {
            let [first, second] = self.sectors_ms;
            let third = lap.last_ms.and_then(|last| last.checked_sub(first + second));
            let next = lap.number == self.lap + 1 && first > 0 && second > 0;
            self.last_sectors_ms = third.filter(|_| next).map_or([0; 3], |third| [first, second, third]);
            self.lap = lap.number;
        }
        self.sectors_ms = lap.sectors_ms;
    }
}

fn driver(race: &Race, state: &CarState, remembered: &CarMemory) -> Driver {
    let (motion, lap) = (&state.motion, &state.lap);
    let millis = |millis: u32| i32::try_from(millis).unwrap_or(i32::MAX);
    let [first, second] = lap.sectors_ms;
    let finished = session_state(race).race && lap.outcome == Outcome::Finished;
    let g = |ms2: f64| (ms2 / f64::from(MPS2_PER_G)) as f32;
    // The simulator's order starts with the rear wheels.
    let each = |value: &dyn Fn(&WheelState) -> f64| {
        let [rear_left, rear_right, front_left, front_right] = state.wheels.each_ref().map(value);
        [front_left, front_right, rear_left, rear_right]
    };
    let height = |left: f64, right: f64| (RIDE_M - (left + right) / 2.0 / 1e3) as f32;
    let [fl, fr, rl, rr] = each(&|wheel| wheel.suspension_mm);
    let (ratios, angles) = (each(&|wheel| wheel.slip), slip_angles(motion, state.wheel_angle));
    let (best_ratio, best_angle) = BEST_SLIP;
    let [a, b, c, d] = ratios.map(|ratio| ratio / best_ratio);
    let [i, j, k, l] = angles.map(|angle| angle / best_angle);
    Driver {
        lap_time: (lap.time_s * 1e3) as u32,
        last_lap: lap.last_ms.unwrap_or_default(),
        best_lap: lap.best_ms.unwrap_or_default(),
        current_sectors: [first, second, 0].map(millis),
        last_sectors: remembered.last_sectors_ms.map(millis),
        steer: (-state.steer * FULL_WHEEL_DEG) as f32,
        throttle: state.throttle as f32,
        brake: state.brake as f32,
        clutch: (1.0 - state.clutch) as f32,
        gear: i16::from(state.gear) + 1,
        engine_rpm: state.rpm as f32,
        speed_kmh: (motion.speed_ms / f64::from(MPS_PER_KMH)) as f32,
        leaderboard_position: i16::from(lap.position),
        // The lap that ended at the finish is included.
        lap_count: whole((lap.number as usize).saturating_sub(usize::from(!finished))),
        position: vector(motion.position),
        spline_position: (lap.distance_m / race.circuit.length_m).rem_euclid(1.0),
        test_float: TEST_FLOAT,
        test_int: TEST_INT,
        connected: 1,
        in_pit: (lap.pit == PitState::Stopped).into(),
        in_pit_lane: (lap.pit != PitState::Track).into(),
        lap_invalidated: lap.invalid.into(),
        acc_g: [motion.lateral_ms2, motion.vertical_ms2, motion.longitudinal_ms2].map(g),
        drs_available: state.drs_allowed.into(),
        drs_enabled: state.drs.into(),
        race_finished: finished.into(),
        ers_max_kj: (STORE_J / 1e3) as f32,
        ers_current_kj: (state.store_j / 1e3) as f32,
        turbo_boost: (0.2 + 0.8 * state.throttle) as f32,
        ride_height: [height(fl, fr), height(rl, rr)],
        tyre_core_temperature: floats(each(&|wheel| wheel.inner_c)),
        slip_ratio: floats(ratios),
        slip_angle_deg: floats(angles.map(f64::to_degrees)),
        nd_slip: floats([(a, i), (b, j), (c, k), (d, l)].map(|(along, across)| libm::hypot(along, across))),
        // Sliding speed of the tread over the ground.
        wheel_slip: floats(ratios.map(|ratio| (ratio * motion.speed_ms).abs())),
        world_velocity: vector(motion.velocity),
        local_velocity: vector(motion.local_velocity),
        ..Driver::default()
    }
}

/// Slip angles in radians, front left first.
fn slip_angles(motion: &Motion, wheel_angle: f64) -> [f64; 4] {
    let [left, _, ahead] = motion.local_velocity;
    if motion.speed_ms < SLIP_FROM_MS {
        return [0.0; 4];
    }
    let front = wheel_angle - libm::atan2(left + AXLE_M * motion.yaw_rate, ahead);
    let rear = -libm::atan2(left - AXLE_M * motion.yaw_rate, ahead);
    [front, front, rear, rear]
}

fn entry(race: &Race, car: usize, compound: Compound, driver: &mut Driver) {
    let Some(entry) = race.entry(car) else { return };
    driver.driver_name = Words::write(entry.name);
    // The country code is the first letters of the nationality.
    let nationality =
        names::name(names::NATIONALITIES, entry.nationality).unwrap_or_default().to_ascii_uppercase();
    driver.nationality = Words::write(&nationality);
    driver.car_name = Words::write(&format!("invented_team_{}", entry.team + 1));
    driver.tyre_compound = Words::write(match compound {
        Compound::Ultrasoft => "US",
        Compound::Soft => "S",
        Compound::Medium => "M",
        Compound::Intermediate => "INT",
        Compound::Wet => "WET",
    });
}

fn whole(count: usize) -> i16 {
    i16::try_from(count).unwrap_or(i16::MAX)
}

fn floats(wheels: [f64; 4]) -> FrontFirst<f32> {
    FrontFirst(wheels.map(|value| value as f32))
}

fn vector(axes: [f64; 3]) -> Vec3<f32> {
    let [x, y, z] = axes.map(|value| value as f32);
    Vec3 { x, y, z }
}
