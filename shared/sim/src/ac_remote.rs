//! Sends the race as Assetto Corsa's remote telemetry: the player's car in each frame, and every car's laps.

use std::net::SocketAddr;

use trailbrake_games::Vec3;
use trailbrake_games::ac_remote::layout::{Answer, Lap, Request, Update};
use trailbrake_games::ac_remote::{ANSWER, Kind, UPDATE, VERSION, WideText, recognise};
use trailbrake_games::table::{FrontFirst, ONLY_VERSION};

use super::car::{
    AIR_KG_M3, DOWNFORCE_AREA_M2, DRY_MASS_KG, FRICTION, GRAVITY, MAX_RPM, WHEELBASE_M, WheelState,
    downforce_part,
};
use super::emitter::Emitter;
use super::host::Host;
use super::race::{Race, car_state, session_state};
use super::state::{CarState, Outcome, PitState};

/// The folder of an invented car.
const CAR: &str = "trailbrake_single_seater";
/// The radius of all tyres, in metres.
const TYRE_RADIUS_M: f64 = 0.34;
/// Radial deflection of a tyre, in metres per newton.
const TYRE_GIVES: f64 = 1.0 / 260_000.0;
/// Steering wheel angle at full lock, in degrees.
const FULL_WHEEL_DEG: f64 = 150.0;
/// Height of the centre of mass with the springs at rest, in metres.
const MASS_HEIGHT_M: f64 = 0.28;
/// Track width, in metres.
const TRACK_M: f64 = 1.6;
/// Distance from the centre of mass to either axle, in metres.
const HALF_BASE_M: f64 = WHEELBASE_M / 2.0;
/// The slip of peak grip: slip angle in degrees, and slip ratio.
const BEST_SLIP: (f64, f64) = (4.5, 0.08);
/// How far behind the contact patch's centre the lateral force acts without sliding, in metres.
const TRAIL_M: f64 = 0.03;
/// Camber in degrees at rest, and its change per g of cornering.
const CAMBER: (f64, f64) = (-3.3, 0.35);
/// Below this speed the slip angle is undefined, in m/s.
const SLIP_FROM_MS: f64 = 1.0;

/// The sender's state.
#[derive(Debug, Default)]
pub struct AcRemote {
    session: Option<(u64, u32)>,
    /// Laps already reported, per car.
    reported: Vec<u32>,
    /// The latest update, repeated while the game is paused.
    last: Option<Vec<u8>>,
}

impl Emitter for AcRemote {
    fn frame(&mut self, race: &Race, send: &mut dyn FnMut(&[u8])) {
        let session = session_state(race);
        let began = match self.session {
            Some((uid, frame)) => uid != session.uid || (race.frame() < 4 && frame > 4),
            None => true,
        };
        self.session = Some((session.uid, race.frame()));
        if began {
            self.reported = vec![0; race.cars()];
            send(&answer(race).bytes(ONLY_VERSION));
        }
        if let Some(still) = &self.last
            && session.paused
        {
            return send(still);
        }
        let Some(car) = car_state(race, race.player()) else { return };
        let update = update(race, &car).bytes(ONLY_VERSION);
        send(&update);
        self.last = Some(update);
        for (number, reported) in self.reported.iter_mut().enumerate() {
            let Some(car) = car_state(race, number) else { continue };
            let finished = finished(&car);
            if finished > *reported
                && let Some(lap) = lap(race, number, &car)
            {
                send(&lap.bytes(ONLY_VERSION));
            }
            *reported = finished;
        }
    }
}

/// Laps that a car has completed.
fn finished(car: &CarState) -> u32 {
    // At the finish the game counts the lap, but the simulator's lap number stays.
    car.lap.number.saturating_sub(1) + u32::from(car.lap.outcome == Outcome::Finished)
}

fn answer(race: &Race) -> Answer {
    // A track's folder name has no spaces.
    let folder: String =
        race.circuit.name.to_ascii_lowercase().split_whitespace().collect::<Vec<_>>().join("_");
    Answer {
        car_name: WideText::write(CAR),
        driver_name: WideText::write(driver(race, race.player())),
        identifier: ANSWER,
        version: VERSION,
        track_name: WideText::write(&folder),
        ..Answer::default()
    }
}

fn lap(race: &Race, number: usize, car: &CarState) -> Option<Lap> {
    Some(Lap {
        car_identifier: i32::try_from(number).ok()?,
        lap: count(finished(car)),
        driver_name: WideText::write(driver(race, number)),
        car_name: WideText::write(CAR),
        time: count(car.lap.last_ms?),
    })
}

fn driver(race: &Race, car: usize) -> &'static str {
    race.entry(car).map_or("", |entry| entry.name)
}

fn update(race: &Race, car: &CarState) -> Update {
    let (motion, lap) = (&car.motion, &car.lap);
    let [x, y, z] = motion.position.map(|part| part as f32);
    // The simulator keeps wheels in another game's order.
    let [rl, rr, fl, fr] = &car.wheels;
    let [left, right] = [true, false];
    let felt = [
        felt(car, fl, true, left),
        felt(car, fr, true, right),
        felt(car, rl, false, left),
        felt(car, rr, false, right),
    ];
    let of = |value: fn(&WheelState) -> f64| FrontFirst([fl, fr, rl, rr].map(|wheel| value(wheel) as f32));
    let feels = |value: fn(&WheelFeedback) -> f64| FrontFirst(felt.each_ref().map(|felt| value(felt) as f32));
    let pressed_mm = car.wheels.iter().map(|wheel| wheel.suspension_mm).sum::<f64>() / 4.0;
    Update {
        identifier: UPDATE,
        size: Update::size(ONLY_VERSION) as i32,
        speed_kmh: (motion.speed_ms * 3.6) as f32,
        speed_mph: (motion.speed_ms * 3.6 / 1.609_344) as f32,
        speed_ms: motion.speed_ms as f32,
        in_pit: u8::from(lap.pit == PitState::Stopped),
        engine_limiter_on: u8::from(car.rpm >= MAX_RPM.into()),
        g_lateral: (motion.lateral_ms2 / GRAVITY) as f32,
        g_vertical: (motion.vertical_ms2 / GRAVITY) as f32,
        g_longitudinal: (motion.longitudinal_ms2 / GRAVITY) as f32,
        lap_time: (lap.time_s * 1e3).round() as i32,
        last_lap: count(lap.last_ms.unwrap_or_default()),
        best_lap: count(lap.best_ms.unwrap_or_default()),
        lap_count: count(finished(car)),
        gas: car.throttle as f32,
        brake: car.brake as f32,
        clutch: (1.0 - car.clutch) as f32,
        engine_rpm: car.rpm as f32,
        steer: (-car.steer * FULL_WHEEL_DEG) as f32,
        gear: i32::from(car.gear) + 1,
        cg_height: (MASS_HEIGHT_M - pressed_mm / 1e3) as f32,
        wheel_angular_speed: of(|wheel| wheel.speed_ms / TYRE_RADIUS_M),
        slip_angle: feels(|felt| felt.slip_angle_deg),
        slip_ratio: of(|wheel| wheel.slip),
        nd_slip: feels(|felt| felt.combined),
        load: feels(|felt| felt.load_n),
        dy: feels(|felt| felt.friction),
        mz: feels(|felt| felt.aligning_nm),
        camber: feels(|felt| felt.camber_rad),
        tyre_radius: FrontFirst([TYRE_RADIUS_M as f32; 4]),
        tyre_loaded_radius: feels(|felt| TYRE_RADIUS_M - felt.load_n * TYRE_GIVES),
        suspension_height: of(|wheel| wheel.suspension_mm / 1e3),
        position_normalised: (lap.distance_m / race.circuit.length_m).rem_euclid(1.0) as f32,
        position: Vec3 { x, y, z },
        ..Update::default()
    }
}

/// Forces and slip at one wheel.
struct WheelFeedback {
    load_n: f64,
    slip_angle_deg: f64,
    combined: f64,
    friction: f64,
    aligning_nm: f64,
    camber_rad: f64,
}

fn felt(car: &CarState, wheel: &WheelState, front: bool, left: bool) -> WheelFeedback {
    let motion = &car.motion;
    let mass_kg = DRY_MASS_KG + car.fuel_kg;
    let (ahead, aside) = (if front { 1.0 } else { -1.0 }, if left { 1.0 } else { -1.0 });
    let wing = downforce_part(car.drs, car.wing_damage);
    let pressed_n = 0.5 * AIR_KG_M3 * DOWNFORCE_AREA_M2 * wing * motion.speed_ms * motion.speed_ms;
    // In a left turn load moves to the right wheels, under braking to the front ones.
    let moved_n = mass_kg
        * MASS_HEIGHT_M
        * (aside * motion.lateral_ms2 / TRACK_M + ahead * motion.longitudinal_ms2 / WHEELBASE_M)
        / 2.0;
    let weight_n = mass_kg * (GRAVITY + motion.vertical_ms2);
    let load_n = ((weight_n + pressed_n) / 4.0 - moved_n).max(0.0);

    let [across, _, along] = motion.local_velocity;
    let steered = if front { car.wheel_angle } else { 0.0 };
    let slip_angle = if motion.speed_ms < SLIP_FROM_MS {
        0.0
    } else {
        steered - libm::atan2(across + ahead * HALF_BASE_M * motion.yaw_rate, along)
    };
    let (best_deg, best_ratio) = BEST_SLIP;
    let slip_angle_deg = slip_angle.to_degrees();
    let combined = libm::hypot(slip_angle_deg / best_deg, wheel.slip / best_ratio);
    let heavier = load_n / (mass_kg * GRAVITY / 4.0) - 1.0;
    let friction =
        if load_n > 0.0 { FRICTION * car.compound.hold(0.0) * (1.0 - 0.045 * heavier) } else { 0.0 };
    // A wheel's share of the lateral force is its share of the load.
    let share = load_n / (weight_n + pressed_n).max(1.0);
    let sideways_n = mass_kg * motion.lateral_ms2 * share;
    let (camber_deg, per_g) = CAMBER;
    WheelFeedback {
        load_n,
        slip_angle_deg,
        combined,
        friction,
        aligning_nm: -sideways_n * TRAIL_M * (1.0 - 0.6 * combined).max(-0.1),
        camber_rad: (camber_deg - aside * per_g * motion.lateral_ms2 / GRAVITY).to_radians(),
    }
}

fn count(number: u32) -> i32 {
    i32::try_from(number).unwrap_or(i32::MAX)
}

/// The game's side of the protocol: answers handshakes and keeps the subscribers.
#[derive(Debug, Default)]
pub(super) struct Handshake {
    answer: Vec<u8>,
    updates: Vec<SocketAddr>,
    laps: Vec<SocketAddr>,
}

/// The most subscribers per kind of packet.
const MOST_LISTENERS: usize = 16;

impl Host for Handshake {
    fn receive(&mut self, from: SocketAddr, datagram: &[u8]) -> Option<&[u8]> {
        if datagram.len() != Request::size(ONLY_VERSION) {
            return None;
        }
        match Request::of_bytes(datagram, ONLY_VERSION).operation {
            0 => return Some(self.answer.as_slice()).filter(|answer| !answer.is_empty()),
            1 => add(&mut self.updates, from),
            2 => add(&mut self.laps, from),
            3 => {
                for all in [&mut self.updates, &mut self.laps] {
                    all.retain(|one| *one != from);
                }
            }
            _ => {}
        }
        None
    }

    fn listeners(&mut self, packet: &[u8]) -> &[SocketAddr] {
        match recognise(packet) {
            // Kept until a client asks.
            Ok(Kind::Answer) => {
                self.answer = packet.to_vec();
                &[]
            }
            Ok(Kind::Update) => &self.updates,
            Ok(Kind::Lap) => &self.laps,
            Err(_) => &[],
        }
    }
}

fn add(listeners: &mut Vec<SocketAddr>, one: SocketAddr) {
    if !listeners.contains(&one) && listeners.len() < MOST_LISTENERS {
        listeners.push(one);
    }
}

#[cfg(test)]
mod tests;
