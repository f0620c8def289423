//! Sends the race as Forza would: one packet per frame about the player's car, in any of its forms.

use trailbrake_games::Vec3;
use trailbrake_games::forza::Kind;
use trailbrake_games::forza::layout::Packet;
use trailbrake_games::table::FrontFirst;

use super::car::WheelState;
use super::emitter::Emitter;
use super::race::{Race, car_state, session_state};
use super::state::CarState;

/// The time of the console at the first packet, in ms.
const FIRST_MS: f64 = 3_458_500.0;
/// The radius of all tyres, in metres.
const TYRE_RADIUS_M: f64 = 0.33;
/// The slip ratio that the game sends as 1.
const BEST_SLIP: f64 = 0.1;
/// The travel of the suspension, from stretched to compressed, in mm.
const TRAVEL_MM: f64 = 120.0;
/// Tank capacity of the simulated car, in kg.
const TANK_KG: f64 = 105.0;
/// Power at full throttle, in watts.
const POWER_W: f64 = 560_000.0;
/// The numbers of an invented car and track.
const CAR: i32 = 99_999;
const TRACK: i32 = 99_998;

/// A game that sends one form of the packet.
#[derive(Debug)]
pub struct Forza {
    form: Kind,
}

impl Forza {
    /// A game that sends this form.
    pub fn new(form: Kind) -> Self {
        Self { form }
    }
}

impl Default for Forza {
    fn default() -> Self {
        Self::new(Kind::Dash2023)
    }
}

impl Emitter for Forza {
    fn frame(&mut self, race: &Race, send: &mut dyn FnMut(&[u8])) {
        let Some(car) = car_state(race, race.player()) else { return };
        let session = session_state(race);
        let packet = if session.paused || session.ended { Packet::default() } else { packet(race, &car) };
        send(&packet.bytes(self.form.version()));
    }
}

fn packet(race: &Race, car: &CarState) -> Packet {
    let lap = &car.lap;
    // Before the line of a flying start there is no lap.
    let before_line = lap.distance_m < 0.0 && lap.number <= 1;
    let lap_s = if before_line && !session_state(race).race { 0.0 } else { lap.time_s };
    let time = |millis: Option<u32>| Some(millis.map_or(0.0, |millis| float(f64::from(millis) / 1e3)));
    let power_w = POWER_W * car.throttle;
    Packet {
        position: Some(right_up_ahead(car.motion.position)),
        speed: Some(float(car.motion.speed_ms)),
        power: Some(float(power_w)),
        torque: Some(float(power_w / (car.rpm.max(1.0) * core::f64::consts::PI / 30.0))),
        tire_temp: Some(wheels(car, |wheel| wheel.surface_c * 1.8 + 32.0)),
        boost: Some(float(12.0 * car.throttle)),
        fuel: Some(float(car.fuel_kg / TANK_KG)),
        distance_traveled: Some(float(if before_line { lap.distance_m } else { lap.total_m })),
        best_lap: time(lap.best_ms),
        last_lap: time(lap.last_ms),
        current_lap: Some(float(lap_s)),
        current_race_time: Some(float(race.session_s())),
        lap_number: Some(u16::try_from(lap.number.saturating_sub(1)).unwrap_or(u16::MAX)),
        race_position: Some(lap.position),
        accel: Some(byte(car.throttle)),
        brake: Some(byte(car.brake)),
        clutch: Some(byte(car.clutch)),
        handbrake: Some(byte(f64::from(u8::from(car.handbrake)))),
        gear: Some(match car.gear {
            ..0 => 0,
            0 => 11,
            forward => forward.cast_unsigned(),
        }),
        // Full left is 1 in the simulator.
        steer: Some((-car.steer.clamp(-1.0, 1.0) * 127.0).round() as i8),
        tire_wear: Some(wheels(car, |wheel| wheel.wear / 100.0)),
        track_ordinal: Some(TRACK),
        ..sled(race, car)
    }
}

fn sled(race: &Race, car: &CarState) -> Packet {
    let (motion, engine) = (&car.motion, &car.model.engine);
    let [left, right] = car.on_kerb.map(i32::from);
    Packet {
        is_race_on: 1,
        timestamp_ms: (FIRST_MS + race.run_s() * 1e3) as u32,
        engine_max_rpm: engine.max_rpm.into(),
        engine_idle_rpm: engine.idle_rpm.into(),
        current_engine_rpm: float(car.rpm),
        acceleration: right_up_ahead([motion.lateral_ms2, motion.vertical_ms2, motion.longitudinal_ms2]),
        velocity: right_up_ahead(motion.local_velocity),
        angular_velocity: Vec3 { x: 0.0, y: float(-motion.yaw_rate), z: 0.0 },
        yaw: float(-motion.yaw),
        pitch: float(-motion.pitch),
        roll: float(-motion.roll),
        normalized_suspension_travel: wheels(car, |wheel| {
            (0.5 + wheel.suspension_mm / TRAVEL_MM).clamp(0.0, 1.0)
        }),
        tire_slip_ratio: wheels(car, |wheel| wheel.slip / BEST_SLIP),
        wheel_rotation_speed: wheels(car, |wheel| wheel.speed_ms / TYRE_RADIUS_M),
        wheel_on_rumble_strip: FrontFirst([left, right, left, right]),
        tire_combined_slip: wheels(car, |wheel| (wheel.slip / BEST_SLIP).abs()),
        suspension_travel_meters: wheels(car, |wheel| wheel.suspension_mm / 1e3),
        car_ordinal: CAR,
        car_class: 8,
        car_performance_index: 999,
        drivetrain_type: 1,
        num_cylinders: 6,
        ..Packet::default()
    }
}

fn wheels(car: &CarState, value: fn(&WheelState) -> f64) -> FrontFirst<f32> {
    // The simulator's order starts with the rear wheels.
    let [rear_left, rear_right, front_left, front_right] = car.wheels.each_ref().map(value);
    FrontFirst([front_left, front_right, rear_left, rear_right].map(float))
}

/// A vector of the simulator, whose x axis points to the left, on the game's axes.
fn right_up_ahead([left, up, ahead]: [f64; 3]) -> Vec3<f32> {
    Vec3::from([-left, up, ahead].map(float))
}

fn byte(share: f64) -> u8 {
    (share.clamp(0.0, 1.0) * 255.0).round() as u8
}

fn float(value: f64) -> f32 {
    value as f32
}

#[cfg(test)]
mod tests;
