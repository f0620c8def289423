//! Sends the race as Gran Turismo would: one encrypted packet per tick about the player's car, in every size and byte
//! order.

use trailbrake_games::gran_turismo::Letter;
use trailbrake_games::gran_turismo::cipher::Scheme;
use trailbrake_games::gran_turismo::layout::{ExtensionB, ExtensionC, ExtensionTilde, PacketA, PacketC};
use trailbrake_games::{Text, Vec3};
use zerocopy::{BE, ByteOrder, F32, FromZeros, IntoBytes, LE};

use super::car::WheelState;
use super::emitter::Emitter;
use super::race::{Race, Sky};
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
        let Some(car) = race.car(race.player()) else { return };
        let scene = self.scene(race);
        let id = FIRST_ID.wrapping_add(self.frames);
        self.frames = self.frames.wrapping_add(1);
        let (mut packet, scheme) = match self.dialect {
            Dialect::Gt7 => (self.extended(race, &car, scene, id, Letter::C), Letter::C.scheme()),
            Dialect::Gt7With(letter) => (self.extended(race, &car, scene, id, letter), letter.scheme()),
            Dialect::Sport => {
                (basis::<LE>(race, &car, scene, id, Scheme::Sport).as_bytes().to_vec(), Scheme::Sport)
            }
            Dialect::Gt6 => {
                (basis::<BE>(race, &car, scene, id, Scheme::Gt6).as_bytes().to_vec(), Scheme::Gt6)
            }
        };
        self.lap = car.lap.number;
        // Any seed works; consecutive packets get very different ones.
        scheme.seal(id.cast_unsigned().wrapping_mul(0x9E37_79B1).to_le_bytes(), &mut packet);
        send(&packet);
    }
}

impl GranTurismo {
    fn scene(&mut self, race: &Race) -> Scene {
        let session = race.session();
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

    fn extended(&mut self, race: &Race, car: &CarState, scene: Scene, id: i32, letter: Letter) -> Vec<u8> {
        let steering_rad = car.steer * FULL_WHEEL_RAD;
        let before = std::mem::replace(&mut self.steering_rad, steering_rad);
        let lap = &car.lap;
        let clock = match lap.last_ms {
            _ if scene == Scene::Menu => -1.0,
            _ if lap.distance_m < 0.0 && lap.number == 1 && !race.session().race => -1.0,
            // At the line the game shows the previous lap's clock for one more packet.
            Some(last) if lap.number == self.lap + 1 => f64::from(last) + lap.time_s * 1e3,
            _ => lap.time_s * 1e3,
        };
        let packet = PacketC {
            a: basis::<LE>(race, car, scene, id, letter.scheme()),
            b: ExtensionB {
                steering_angle: float(steering_rad),
                steering_speed: float((steering_rad - before) * 60.0),
                sway: float(-car.motion.lateral_ms2),
                heave: float(car.motion.vertical_ms2),
                surge: float(car.motion.longitudinal_ms2),
            },
            tilde: ExtensionTilde {
                throttle_pedal: byte(car.throttle),
                brake_applied: byte(car.brake),
                power_type: 2,
                ..ExtensionTilde::new_zeroed()
            },
            c: ExtensionC {
                surface: surfaces(car),
                current_lap_time: (clock.round() as i32).into(),
                wheel_angle_fl: float(car.wheel_angle),
                wheel_angle_fr: float(car.wheel_angle),
                wheelbase: 2.7.into(),
                car_category: Text::write("GR1"),
            },
        };
        let mut bytes = packet.as_bytes().to_vec();
        bytes.truncate(letter.size());
        bytes
    }
}

/// The surface under each wheel: front left, front right, rear left, rear right.
fn surfaces(car: &CarState) -> [u8; 4] {
    let [left, right] = car.on_kerb.map(|on_kerb| if on_kerb { b'C' } else { b'T' });
    [left, right, left, right]
}

fn basis<O: ByteOrder>(race: &Race, car: &CarState, scene: Scene, id: i32, scheme: Scheme) -> PacketA<O> {
    let mut a = PacketA::<O>::new_zeroed();
    a.magic = scheme.magic();
    a.packet_id = id.into();
    a.time_of_day = TIME_OF_DAY.into();
    if scene == Scene::Menu {
        let nothing = (-1).into();
        (a.current_lap, a.total_laps, a.best_lap, a.last_lap) = (nothing, nothing, (-1).into(), (-1).into());
        (a.grid_position, a.cars_before_start) = (nothing, nothing);
        a.rotation_w = 1.0.into();
        a.gears = 0xff;
        return a;
    }
    let session = race.session();
    let (motion, lap) = (&car.motion, &car.lap);
    a.position = floats(motion.position);
    a.velocity = floats(motion.velocity);
    let [x, y, z, w] = quaternion(motion);
    a.rotation = floats([x, y, z]);
    a.rotation_w = float(w);
    a.angular_velocity = floats([0.0, motion.yaw_rate, 0.0]);
    a.body_height = 0.09.into();
    a.speed = float(motion.speed_ms);
    let [_, height_m, _] = motion.position;
    a.road_normal = floats([0.0, 1.0, 0.0]);
    a.road_distance = float(-height_m);
    wheels(&mut a, car);
    powertrain(&mut a, car);
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
    a.flags = switches.iter().map(|(bit, on)| u16::from(*on) << bit).sum::<u16>().into();
    let grid = (i16::from(lap.grid_position), i16::try_from(race.cars()).unwrap_or(i16::MAX));
    let (position, cars) = if waiting { grid } else { (-1, -1) };
    (a.grid_position, a.cars_before_start) = (position.into(), cars.into());
    let total = if session.race { i16::from(session.laps) } else { 0 };
    let current = match lap.outcome {
        Outcome::Finished if session.race => total + 1,
        _ if lap.distance_m < 0.0 && lap.number <= 1 => 0,
        _ => i16::try_from(lap.number).unwrap_or(i16::MAX),
    };
    (a.current_lap, a.total_laps) = (current.into(), total.into());
    let millis = |time: Option<u32>| time.and_then(|time| i32::try_from(time).ok()).unwrap_or(-1).into();
    (a.best_lap, a.last_lap) = (millis(lap.best_ms), millis(lap.last_ms));
    a
}

/// Whether traction control cuts in.
fn spins(car: &CarState) -> bool {
    let [rear_left, rear_right, ..] = car.wheels;
    car.throttle > 0.3 && rear_left.slip.max(rear_right.slip) > SPINNING
}

fn wheels<O: ByteOrder>(a: &mut PacketA<O>, car: &CarState) {
    let each = |value: fn(&WheelState) -> f64| {
        // The simulator's order starts with the rear wheels.
        let [rear_left, rear_right, front_left, front_right] = car.wheels.each_ref().map(value);
        [front_left, front_right, rear_left, rear_right].map(float)
    };
    a.tyre_surface_temperature = each(|wheel| wheel.surface_c);
    // In most recordings of the game, rolling forward is negative.
    a.wheel_angular_speed = each(|wheel| -wheel.speed_ms / TYRE_RADIUS_M);
    a.tyre_radius = [float(TYRE_RADIUS_M); 4];
    a.suspension_height = each(|wheel| wheel.suspension_mm / 1e3);
}

fn powertrain<O: ByteOrder>(a: &mut PacketA<O>, car: &CarState) {
    let [low, high] = SHIFT_RPM;
    a.engine_rpm = float(car.rpm);
    a.fuel_level = float(car.fuel_kg / TANK_KG * 100.0);
    a.fuel_capacity = 100.0.into();
    a.boost = float(0.6 + car.throttle);
    a.oil_pressure = 6.0.into();
    (a.water_temperature, a.oil_temperature) = (85.0.into(), 110.0.into());
    (a.rpm_alert_min, a.rpm_alert_max) = (low.into(), high.into());
    a.calculated_max_speed = 340.into();
    let current = match car.gear {
        ..0 => 0,
        0 => NO_GEAR,
        forward => forward.cast_unsigned().min(NO_GEAR - 1),
    };
    // Under braking the game suggests a downshift while there is a lower gear.
    let suggested = if car.brake > 0.3 && car.gear > 1 { current - 1 } else { NO_GEAR };
    a.gears = suggested << 4 | current;
    (a.throttle, a.brake) = (byte(car.throttle), byte(car.brake));
    a.clutch_pedal = float(car.clutch);
    a.clutch_engagement = float(1.0 - car.clutch);
    a.rpm_after_clutch = float(car.rpm * (1.0 - car.clutch));
    a.transmission_top_speed = 3.4.into();
    a.gear_ratios = GEAR_RATIOS.map(Into::into);
    a.car_code = CAR_CODE.into();
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

fn float<O: ByteOrder>(value: f64) -> F32<O> {
    F32::new(value as f32)
}

fn floats<O: ByteOrder>([x, y, z]: [f64; 3]) -> Vec3<F32<O>> {
    Vec3 { x: float(x), y: float(y), z: float(z) }
}

#[cfg(test)]
mod tests;
