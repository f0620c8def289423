//! Sends the race as Assetto Corsa's Telemetry Tool would: all cars in one packet per frame.

use trailbrake_games::Vec3;
use trailbrake_games::ac_telemetry_tool::layout::{
    Driver, TELEMETRY, TEST_FLOAT, TEST_INT, VERSION, Version, Words,
};
use trailbrake_games::f1_2018::names;
use trailbrake_model::units::{MPS_PER_KMH, MPS2_PER_G};
use zerocopy::{F32, FromZeros, I16, IntoBytes, LE};

use super::car::{Compound, STORE_J, WheelState};
use super::emitter::Emitter;
use super::race::Race;
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
            send(Version { packet_type: VERSION, content: VERSION_BYTES }.as_bytes());
        }
        self.frames += 1;
        let states: Vec<CarState> = (0..race.cars()).filter_map(|car| race.car(car)).collect();
        self.cars.resize(states.len(), CarMemory::default());
        let mut packet = vec![TELEMETRY];
        for id in 0..states.len() {
            let car = Self::car_of(race, id);
            let Some((state, remembered)) = states.get(car).zip(self.cars.get_mut(car)) else { continue };
            remembered.follow(state);
            let ahead = states.iter().filter(|other| other.lap.total_m > state.lap.total_m).count();
            let mut driver = driver(race, state, remembered);
            driver.driver_id = u32::try_from(id).unwrap_or(u32::MAX).into();
            driver.track_position = whole(ahead + 1);
            entry(race, car, state.compound, &mut driver);
            packet.extend_from_slice(driver.as_bytes());
        }
        send(&packet);
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
    let millis = |millis: u32| i32::try_from(millis).unwrap_or(i32::MAX).into();
    let mut driver = Driver::new_zeroed();
    driver.lap_time = ((lap.time_s * 1e3) as u32).into();
    driver.last_lap = lap.last_ms.unwrap_or_default().into();
    driver.best_lap = lap.best_ms.unwrap_or_default().into();
    let [first, second] = lap.sectors_ms;
    driver.current_sectors = [first, second, 0].map(millis);
    driver.last_sectors = remembered.last_sectors_ms.map(millis);
    driver.steer = float(-state.steer * FULL_WHEEL_DEG);
    driver.throttle = float(state.throttle);
    driver.brake = float(state.brake);
    driver.clutch = float(1.0 - state.clutch);
    driver.gear = (i16::from(state.gear) + 1).into();
    driver.engine_rpm = float(state.rpm);
    driver.speed_kmh = float(motion.speed_ms / f64::from(MPS_PER_KMH));
    driver.leaderboard_position = i16::from(lap.position).into();
    let finished = race.session().race && lap.outcome == Outcome::Finished;
    // The lap that ended at the finish is included.
    driver.lap_count = whole((lap.number as usize).saturating_sub(usize::from(!finished)));
    driver.position = floats(motion.position);
    driver.spline_position = (lap.distance_m / race.circuit.length_m).rem_euclid(1.0).into();
    driver.test_float = TEST_FLOAT.into();
    driver.test_int = TEST_INT.into();
    driver.connected = 1;
    driver.in_pit = (lap.pit == PitState::Stopped).into();
    driver.in_pit_lane = (lap.pit != PitState::Track).into();
    driver.lap_invalidated = lap.invalid.into();
    let g = |ms2: f64| float(ms2 / f64::from(MPS2_PER_G));
    driver.acc_g = [g(motion.lateral_ms2), g(motion.vertical_ms2), g(motion.longitudinal_ms2)];
    driver.drs_available = state.drs_allowed.into();
    driver.drs_enabled = state.drs.into();
    driver.race_finished = finished.into();
    driver.ers_max_kj = float(STORE_J / 1e3);
    driver.ers_current_kj = float(state.store_j / 1e3);
    driver.turbo_boost = float(0.2 + 0.8 * state.throttle);
    driver.world_velocity = floats(motion.velocity);
    driver.local_velocity = floats(motion.local_velocity);
    wheels(state, &mut driver);
    driver
}

fn wheels(state: &CarState, driver: &mut Driver) {
    // The simulator's order starts with the rear wheels.
    let each = |value: &dyn Fn(&WheelState) -> f64| {
        let [rear_left, rear_right, front_left, front_right] = state.wheels.each_ref().map(value);
        [front_left, front_right, rear_left, rear_right]
    };
    let height = |left: f64, right: f64| float(RIDE_M - (left + right) / 2.0 / 1e3);
    let [fl, fr, rl, rr] = each(&|wheel| wheel.suspension_mm);
    driver.ride_height = [height(fl, fr), height(rl, rr)];
    driver.tyre_core_temperature = each(&|wheel| wheel.inner_c).map(float);
    let (ratios, angles) = (each(&|wheel| wheel.slip), slip_angles(&state.motion, state.wheel_angle));
    driver.slip_ratio = ratios.map(float);
    driver.slip_angle_deg = angles.map(|angle| float(angle.to_degrees()));
    let (best_ratio, best_angle) = BEST_SLIP;
    let [a, b, c, d] = ratios.map(|ratio| ratio / best_ratio);
    let [e, f, g, h] = angles.map(|angle| angle / best_angle);
    driver.nd_slip =
        [(a, e), (b, f), (c, g), (d, h)].map(|(along, across)| float(libm::hypot(along, across)));
    // Sliding speed of the tread over the ground.
    driver.wheel_slip = ratios.map(|ratio| float((ratio * state.motion.speed_ms).abs()));
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

fn whole(count: usize) -> I16<LE> {
    i16::try_from(count).unwrap_or(i16::MAX).into()
}

fn float(value: f64) -> F32<LE> {
    (value as f32).into()
}

fn floats([x, y, z]: [f64; 3]) -> Vec3<F32<LE>> {
    Vec3 { x: float(x), y: float(y), z: float(z) }
}
