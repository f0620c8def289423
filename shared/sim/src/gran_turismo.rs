//! Sends the race as Gran Turismo would: one encrypted packet per tick about the player's car, in every size and byte
//! order.

use trailbrake_games::gran_turismo::Letter;
use trailbrake_games::gran_turismo::cipher::Scheme;
use trailbrake_games::gran_turismo::layout::Packet;
use trailbrake_games::table::FrontFirst;
use trailbrake_games::{Text, Vec3};

use super::car::WheelState;
use super::emitter::Emitter;
use super::race::{Race, Sky, car_state, session_state};
use super::state::{CarState, Motion, Outcome};

/// The first packet's id: the console has been on for a while.
const FIRST_ID: i32 = 1_000;
/// The radius of all tyres, in metres.
const TYRE_RADIUS_M: f64 = 0.34;
/// Steering wheel angle at full lock, in radians.
const FULL_WHEEL_RAD: f64 = 2.6;
/// Tank capacity of the simulated car, in kg; the game's scale ends at 100.
const TANK_KG: f64 = 105.0;
/// Engine speed at which the shift light comes on and flashes, in rpm.
const SHIFT_RPM: [u16; 2] = [11_000, 11_800];
/// 14:30 as time of day, in ms.
const TIME_OF_DAY: i32 = 52_200_000;
const GEAR_RATIOS: [f32; 8] = [2.9, 2.3, 1.9, 1.6, 1.35, 1.17, 1.03, 0.92];
/// The gear nibble for no gear.
const NO_GEAR: u8 = 15;
/// Rear slip ratio from which traction control cuts in.
const SPINNING: f64 = 0.018;
/// Ticks that are not sent while a race restarts.
const RESTART_TICKS: i32 = 841;
/// The code of an invented car.
const CAR_CODE: i32 = 999_999;

/// A game of the series and the packet variant requested.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Dialect {
    /// Gran Turismo 7 with packet C.
    #[default]
    Gt7,
    /// Gran Turismo 7 with another packet.
    Gt7With(Letter),
    /// Gran Turismo Sport.
    Sport,
    /// Gran Turismo 6.
    Gt6,
}

/// What the game shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Scene {
    /// The main menus; no lap is counted.
    Menu,
    /// A loading bar over the previous scene.
    Loading,
    /// The race menu, with the cars on the grid.
    AtTrack,
    /// The race.
    Driving,
}

/// The sender's state.
#[derive(Debug, Default)]
pub struct GranTurismo {
    dialect: Dialect,
    frames: i32,
    session: Option<(u64, u32)>,
    restarted: bool,
    lap: u32,
    steering_rad: f64,
}

impl GranTurismo {
    /// A game that has not sent anything yet.
    pub fn new(dialect: Dialect) -> Self {
        Self { dialect, ..Self::default() }
    }
}

impl Emitter for GranTurismo {
    fn frame(&mut self, race: &Race, send: &mut dyn FnMut(&[u8])) {
        let Some(car) = car_state(race, race.player()) else { return };
        let scene = self.scene(race);
        let id = FIRST_ID.wrapping_add(self.frames);
        self.frames = self.frames.wrapping_add(1);
        let (letter, scheme) = match self.dialect {
            Dialect::Gt7 => (Letter::C, Letter::C.scheme()),
            Dialect::Gt7With(letter) => (letter, letter.scheme()),
            Dialect::Sport => (Letter::A, Scheme::Sport),
            Dialect::Gt6 => (Letter::A, Scheme::Gt6),
        };
        let basis = Packet { magic: scheme.magic(), packet_id: id, ..basis(race, &car, scene) };
        let packet = self.extended(basis, race, &car, scene);
        let mut packet = match self.dialect {
            Dialect::Gt6 => packet.bytes(letter.version().in_big_endian()),
            Dialect::Gt7 | Dialect::Gt7With(_) | Dialect::Sport => packet.bytes(letter.version()),
        };
        self.lap = car.lap.number;
        // Any seed works; consecutive packets get very different ones.
        scheme.seal(id.cast_unsigned().wrapping_mul(0x9E37_79B1).to_le_bytes(), &mut packet);
        send(&packet);
    }
}

impl GranTurismo {
    fn scene(&mut self, race: &Race) -> Scene {
        let session = session_state(race);
        let began = self.session.is_none_or(|(_, frame)| race.frame() < 4 && frame > 4);
        if began {
            self.restarted = self.session.is_some_and(|(uid, _)| uid == session.uid);
            if self.restarted {
                self.frames = self.frames.wrapping_add(RESTART_TICKS);
            }
        }
        self.session = Some((session.uid, race.frame()));
        // Only a standing start leaves time for menus.
        let [menu_s, loading_s, grid_s] = match (session.race, self.restarted) {
            (true, false) => [1.0, 2.0, 3.5],
            (true, true) => [0.0, 1.0, 2.0],
            (false, _) => [0.0; 3],
        };
        match race.session_s() {
            _ if session.ended => Scene::Menu,
            now_s if now_s < menu_s => Scene::Menu,
            now_s if now_s < loading_s => Scene::Loading,
            now_s if now_s < grid_s => Scene::AtTrack,
            _ => Scene::Driving,
        }
    }

    /// The packet with everything that the larger ones have.
    fn extended(&mut self, basis: Packet, race: &Race, car: &CarState, scene: Scene) -> Packet {
        let steering_rad = car.steer * FULL_WHEEL_RAD;
        let before = std::mem::replace(&mut self.steering_rad, steering_rad);
        let lap = &car.lap;
        let clock = match lap.last_ms {
            _ if scene == Scene::Menu => -1.0,
            _ if lap.distance_m < 0.0 && lap.number == 1 && !session_state(race).race => -1.0,
            // At the line the game shows the previous lap's clock for one more packet.
            Some(last) if lap.number == self.lap + 1 => f64::from(last) + lap.time_s * 1e3,
            _ => lap.time_s * 1e3,
        };
        Packet {
            steering_angle: Some(float(steering_rad)),
            steering_speed: Some(float((steering_rad - before) * 60.0)),
            sway: Some(float(-car.motion.lateral_ms2)),
            heave: Some(float(car.motion.vertical_ms2)),
            surge: Some(float(car.motion.longitudinal_ms2)),
            throttle_pedal: Some(byte(car.throttle)),
            brake_applied: Some(byte(car.brake)),
            power_type: Some(2),
            surface: Some(surfaces(car)),
            current_lap_time: Some(clock.round() as i32),
            wheel_angle_fl: Some(float(car.wheel_angle)),
            wheel_angle_fr: Some(float(car.wheel_angle)),
            wheelbase: Some(2.7),
            car_category: Some(Text::write("GR1")),
            ..basis
        }
    }
}

/// The surface under each wheel: front left, front right, rear left, rear right.
fn surfaces(car: &CarState) -> FrontFirst<u8> {
    let [left, right] = car.on_kerb.map(|on_kerb| if on_kerb { b'C' } else { b'T' });
    FrontFirst([left, right, left, right])
}

fn basis(race: &Race, car: &CarState, scene: Scene) -> Packet {
    if scene == Scene::Menu {
        return Packet {
            time_of_day: TIME_OF_DAY,
            current_lap: -1,
            total_laps: -1,
            best_lap: -1,
            last_lap: -1,
            grid_position: -1,
            cars_before_start: -1,
            rotation_w: 1.0,
            gears: 0xff,
            ..Packet::default()
        };
    }
    let session = session_state(race);
    let (motion, lap) = (&car.motion, &car.lap);
    let [x, y, z, w] = quaternion(motion);
    let [_, height_m, _] = motion.position;
    let waiting = session.race && lap.distance_m < 0.0 && motion.speed_ms < 0.1;
    let switches = [
        (0, scene == Scene::Driving),
        (1, session.paused),
        (2, scene == Scene::Loading),
        (3, car.gear != 0),
        (4, true),
        (5, car.rpm > f64::from(SHIFT_RPM[0])),
        (6, waiting || car.handbrake),
        (7, matches!(session.sky, Sky::LightRain | Sky::HeavyRain | Sky::Storm)),
        (11, spins(car)),
    ];
    let grid = (i16::from(lap.grid_position), i16::try_from(race.cars()).unwrap_or(i16::MAX));
    let (grid_position, cars_before_start) = if waiting { grid } else { (-1, -1) };
    let total_laps = if session.race { i16::from(session.laps) } else { 0 };
    let current_lap = match lap.outcome {
        Outcome::Finished if session.race => total_laps + 1,
        _ if lap.distance_m < 0.0 && lap.number <= 1 => 0,
        _ => i16::try_from(lap.number).unwrap_or(i16::MAX),
    };
    let millis = |time: Option<u32>| time.and_then(|time| i32::try_from(time).ok()).unwrap_or(-1);
    Packet {
        time_of_day: TIME_OF_DAY,
        position: floats(motion.position),
        velocity: floats(motion.velocity),
        rotation: floats([x, y, z]),
        rotation_w: float(w),
        angular_velocity: floats([0.0, motion.yaw_rate, 0.0]),
        body_height: 0.09,
        speed: float(motion.speed_ms),
        road_normal: floats([0.0, 1.0, 0.0]),
        road_distance: float(-height_m),
        flags: switches.iter().map(|(bit, on)| u16::from(*on) << bit).sum(),
        grid_position,
        cars_before_start,
        current_lap,
        total_laps,
        best_lap: millis(lap.best_ms),
        last_lap: millis(lap.last_ms),
        tyre_surface_temperature: wheels(car, |wheel| wheel.surface_c),
        // In most recordings of the game, rolling forward is negative.
        wheel_angular_speed: wheels(car, |wheel| -wheel.speed_ms / TYRE_RADIUS_M),
        tyre_radius: wheels(car, |_| TYRE_RADIUS_M),
        suspension_height: wheels(car, |wheel| wheel.suspension_mm / 1e3),
        ..powertrain(car)
    }
}

/// Whether traction control cuts in.
fn spins(car: &CarState) -> bool {
    let [rear_left, rear_right, ..] = car.wheels;
    car.throttle > 0.3 && rear_left.slip.max(rear_right.slip) > SPINNING
}

fn wheels(car: &CarState, value: fn(&WheelState) -> f64) -> FrontFirst<f32> {
    // The simulator's order starts with the rear wheels.
    let [rear_left, rear_right, front_left, front_right] = car.wheels.each_ref().map(value);
    FrontFirst([front_left, front_right, rear_left, rear_right].map(float))
}

fn powertrain(car: &CarState) -> Packet {
    let [low, high] = SHIFT_RPM;
    let current = match car.gear {
        ..0 => 0,
        0 => NO_GEAR,
        forward => forward.cast_unsigned().min(NO_GEAR - 1),
    };
    // Under braking the game suggests a downshift while there is a lower gear.
    let suggested = if car.brake > 0.3 && car.gear > 1 { current - 1 } else { NO_GEAR };
    Packet {
        engine_rpm: float(car.rpm),
        fuel_level: float(car.fuel_kg / TANK_KG * 100.0),
        fuel_capacity: 100.0,
        boost: float(0.6 + car.throttle),
        oil_pressure: 6.0,
        water_temperature: 85.0,
        oil_temperature: 110.0,
        rpm_alert_min: low,
        rpm_alert_max: high,
        calculated_max_speed: 340,
        gears: suggested << 4 | current,
        throttle: byte(car.throttle),
        brake: byte(car.brake),
        clutch_pedal: float(car.clutch),
        clutch_engagement: float(1.0 - car.clutch),
        rpm_after_clutch: float(car.rpm * (1.0 - car.clutch)),
        transmission_top_speed: 3.4,
        gear_ratios: GEAR_RATIOS,
        car_code: CAR_CODE,
        ..Packet::default()
    }
}

/// The rotation from car axes (right, up, back) to world axes, scalar last.
fn quaternion(motion: &Motion) -> [f64; 4] {
    let ([rx, ry, rz], [fx, fy, fz]) = (motion.right, motion.forward);
    let [ux, uy, uz] = [ry * fz - rz * fy, rz * fx - rx * fz, rx * fy - ry * fx];
    let [bx, by, bz] = [-fx, -fy, -fz];
    // All magnitudes are known; the signs follow from the largest component, so nothing is divided by a small number.
    let sizes = [1.0 + rx - uy - bz, 1.0 - rx + uy - bz, 1.0 - rx - uy + bz, 1.0 + rx + uy + bz];
    let [x, y, z, w] = sizes.map(|size: f64| libm::sqrt(size.max(0.0)));
    let largest = sizes.into_iter().fold(0.0, f64::max);
    let [sx, sy, _, sw] = sizes;
    let parts = if sw == largest {
        [(uz - by) / w, (bx - rz) / w, (ry - ux) / w, w]
    } else if sy == largest {
        [(ry + ux) / y, y, (uz + by) / y, (bx - rz) / y]
    } else if sx == largest {
        [x, (ry + ux) / x, (bx + rz) / x, (uz - by) / x]
    } else {
        [(bx + rz) / z, (uz + by) / z, z, (ry - ux) / z]
    };
    parts.map(|part| part / 2.0)
}

fn byte(share: f64) -> u8 {
    (share.clamp(0.0, 1.0) * 255.0).round() as u8
}

fn float(value: f64) -> f32 {
    value as f32
}

fn floats(vector: [f64; 3]) -> Vec3<f32> {
    Vec3::from(vector.map(float))
}

#[cfg(test)]
mod tests;
