//! Sends the rally as DiRT Rally would: in every packet length that the game can be set to, and in the older layouts.

use trailbrake_games::dirt_rally::layout;
use trailbrake_games::{Text, Vec3};
use zerocopy::{FromZeros, IntoBytes};

use super::car::{GRAVITY, WheelState};
use super::emitter::Emitter;
use super::race::{Finish, Options, Phase, Race, SERVICE_S, Stage, Start};
use super::state::{CarState, Motion};

type F32 = zerocopy::F32<zerocopy::LE>;

/// Position units per metre in the shortest packet.
const STEPS_PER_METRE: f64 = 65_535.0;

/// What the game is set to send.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PacketVersion {
    /// All channels.
    #[default]
    Everything,
    /// The first bytes of the channel list.
    Bytes(usize),
    /// Motion only.
    Motion,
    /// The first game's packet in the older description.
    OlderFirst,
    /// The second game's packets in the older description.
    OlderSecond,
}

/// The sender's state.
#[derive(Clone, Copy, Debug, Default)]
pub struct DirtRally {
    sends: PacketVersion,
    away: bool,
}

impl DirtRally {
    /// A game with this setting.
    pub fn new(sends: PacketVersion) -> Self {
        Self { sends, away: false }
    }
}

/// A stage as the game knows it at one moment.
struct Rally<'a> {
    race: &'a Race,
    stage: &'a Stage,
    car: CarState,
}

impl Rally<'_> {
    /// Seconds since the car left the service area, including pauses.
    fn event_s(&self) -> f64 {
        (self.race.run_s() - SERVICE_S).max(0.0)
    }
}

impl Emitter for DirtRally {
    fn begin(&mut self, options: Options) -> Race {
        let start = match options.start {
            Start::Stage(finish) => Start::Stage(finish),
            Start::Grid | Start::Flying => Start::Stage(Finish::default()),
        };
        Race::new(Options { start, ..options })
    }

    fn frame(&mut self, race: &Race, send: &mut dyn FnMut(&[u8])) {
        let (Some(stage), Some(car)) = (race.stage(), race.car(race.player())) else { return };
        let was_away = std::mem::replace(&mut self.away, stage.phase == Phase::Away);
        if self.away {
            // Without a car, send one empty packet and then nothing until the next run.
            if !was_away {
                self.take_away(send);
            }
            return;
        }
        let rally = &Rally { race, stage, car };
        match self.sends {
            PacketVersion::Everything => send(channels(rally).as_bytes()),
            PacketVersion::Bytes(len) => send(channels(rally).as_bytes().get(..len).unwrap_or_default()),
            PacketVersion::Motion => send(motion(rally).as_bytes()),
            PacketVersion::OlderFirst => send(older_single(rally).as_bytes()),
            PacketVersion::OlderSecond => {
                send(older_motion(rally).as_bytes());
                send(older_telemetry(rally).as_bytes());
            }
        }
    }
}

impl DirtRally {
    fn take_away(self, send: &mut dyn FnMut(&[u8])) {
        let nothing = layout::Channels::new_zeroed();
        match self.sends {
            PacketVersion::Everything => send(nothing.as_bytes()),
            PacketVersion::Bytes(len) => send(nothing.as_bytes().get(..len).unwrap_or_default()),
            // The other packets can't express it.
            PacketVersion::Motion | PacketVersion::OlderFirst | PacketVersion::OlderSecond => {}
        }
    }
}

fn channels(rally: &Rally) -> layout::Channels {
    let Rally { race, stage, car } = rally;
    let Motion { position, velocity, forward, right, .. } = car.motion;
    let in_service = stage.phase == Phase::Service;
    let over = stage.phase == Phase::Finished && stage.finish == Finish::Completed;
    let (run, length_m) = (&stage.run, race.circuit.sent_length_m());
    let seconds = |millis: u32| float(f64::from(millis) / 1e3);
    let mut packet = layout::Channels::new_zeroed();
    packet.total_time = float(rally.event_s());
    packet.lap_time = float(stage.clock_s());
    packet.lap_distance = float(car.lap.distance_m);
    packet.progress = float(car.lap.distance_m.max(0.0) / length_m);
    (packet.position, packet.velocity) = (floats(position), floats(velocity));
    packet.speed = float(velocity.map(|part| part * part).iter().sum::<f64>().sqrt());
    (packet.right, packet.forward) = (floats(right), floats(forward));
    packet.suspension_position = wheels(car, |wheel| wheel.suspension_mm);
    packet.suspension_velocity = wheels(car, |wheel| wheel.suspension_mm_s);
    packet.wheel_speed = wheels(car, |wheel| wheel.speed_ms);
    (packet.throttle, packet.brake) = (float(car.throttle), float(car.brake));
    (packet.steer, packet.clutch) = (float(-car.steer), float(car.clutch));
    packet.gear = f32::from(car.gear).into();
    packet.g_lateral = float(car.motion.lateral_ms2 / GRAVITY);
    packet.g_longitudinal = float(car.motion.longitudinal_ms2 / GRAVITY);
    packet.engine_rate = rate(if in_service { 0.0 } else { car.rpm });
    packet.native_sli_support = 1.0.into();
    packet.race_position = 1.0.into();
    packet.sector = float(run.splits_ms.len() as f64);
    if let [first, rest @ ..] = run.splits_ms.as_slice() {
        packet.sector_1_time = seconds(*first);
        packet.sector_2_time = rest.first().map_or(0.0.into(), |second| seconds(second - first));
    }
    packet.brake_temp = wheels(car, |wheel| wheel.brake_c);
    packet.total_laps = 1.0.into();
    packet.track_length = float(length_m);
    if over {
        packet.laps_completed = 1.0.into();
        packet.last_lap_time = seconds(run.time_ms.unwrap_or_default());
    }
    let engine = &car.model.engine;
    (packet.max_rpm, packet.idle_rpm) = (rate(engine.max_rpm.into()), rate(engine.idle_rpm.into()));
    packet.max_gears = f32::from(engine.gears()).into();
    packet
}

fn motion(rally: &Rally) -> layout::Motion {
    let motion = &rally.car.motion;
    let &Motion { position: [across, up, along], velocity, yaw, yaw_rate, .. } = motion;
    let steps = |metres: f64| ((metres * STEPS_PER_METRE).round() as i32).into();
    layout::Motion {
        total_time: ((rally.event_s() * 1e3).round() as u32).into(),
        angular_velocity: vector([0.0, yaw_rate, 0.0]),
        yaw: float(yaw),
        pitch: float(motion.pitch),
        roll: 0.0.into(),
        acceleration: vector([motion.lateral_ms2, 0.0, motion.longitudinal_ms2]),
        velocity: vector(velocity),
        // In this packet x has the opposite sign.
        position: layout::MotionPosition { x: steps(-across), z: steps(along), y: steps(up) },
        four_cc: Text(*b"ToCA"),
    }
}

fn older_single(rally: &Rally) -> layout::OlderSingle {
    let real = channels(rally);
    let car = &rally.car;
    let mut packet = layout::OlderSingle::new_zeroed();
    (packet.total_time, packet.lap_time, packet.lap_distance) =
        (real.total_time, real.lap_time, real.lap_distance);
    packet.total_distance = real.lap_distance;
    (packet.position, packet.velocity, packet.speed) = (real.position, real.velocity, real.speed);
    (packet.roll, packet.pitch) = (real.right, real.forward);
    packet.suspension_position = front_first(real.suspension_position);
    packet.suspension_velocity = front_first(real.suspension_velocity);
    packet.wheel_speed = front_first(real.wheel_speed);
    (packet.throttle, packet.steer, packet.brake, packet.clutch) =
        (real.throttle, real.steer, real.brake, real.clutch);
    packet.gear = car.gear;
    (packet.g_lateral, packet.g_longitudinal) = (real.g_lateral, real.g_longitudinal);
    packet.rpm = float(car.rpm);
    packet.angular_velocity = floats([0.0, car.motion.yaw_rate, 0.0]);
    packet
}

fn older_motion(rally: &Rally) -> layout::OlderMotion {
    let real = channels(rally);
    let motion = &rally.car.motion;
    let mut packet = layout::OlderMotion::new_zeroed();
    (packet.position, packet.velocity) = (real.position, real.velocity);
    (packet.pitch, packet.roll) = (real.forward, real.right);
    packet.yaw = floats(up(motion.right, motion.forward));
    packet.angular_velocity = floats([0.0, motion.yaw_rate, 0.0]);
    (packet.g_lateral, packet.g_longitudinal) = (real.g_lateral, real.g_longitudinal);
    packet.suspension_position = front_first(real.suspension_position);
    packet.suspension_velocity = front_first(real.suspension_velocity);
    packet.wheel_speed = front_first(real.wheel_speed);
    packet
}

fn older_telemetry(rally: &Rally) -> layout::OlderTelemetry {
    let car = &rally.car;
    let percent = |share: f64| (share.clamp(0.0, 1.0) * 100.0).round() as u8;
    let mut packet = layout::OlderTelemetry::new_zeroed();
    packet.controls.packet_id = 6;
    packet.controls.speed = float(car.motion.speed_ms);
    packet.controls.rpm = (car.rpm.round() as u16).into();
    packet.controls.gear = u16::from(car.gear.unsigned_abs()).into();
    packet.controls.throttle = percent(car.throttle);
    packet.controls.steer = (-car.steer * 100.0).round() as i8;
    packet.controls.brake = percent(car.brake);
    packet.controls.clutch = percent(car.clutch);
    packet.controls.brake_temp =
        front_first(car.wheels.map(|wheel| (wheel.brake_c.max(0.0).round() as u16).into()));
    let ground = rally.race.circuit.ground(car.lap.distance_m);
    packet.surface_type = [f32::from(ground.surface.number()).into(); 4];
    packet
}

/// One value per wheel, rear wheels first as in the game.
fn wheels(car: &CarState, value: fn(&WheelState) -> f64) -> [F32; 4] {
    car.wheels.each_ref().map(|wheel| float(value(wheel)))
}

/// The wheel order of the older description.
fn front_first<T>([rear_left, rear_right, front_left, front_right]: [T; 4]) -> [T; 4] {
    [front_left, front_right, rear_left, rear_right]
}

/// The game's unit of engine speed: radians per second.
fn rate(rpm: f64) -> F32 {
    float(rpm * std::f64::consts::PI / 30.0)
}

fn up([a, b, c]: [f64; 3], [x, y, z]: [f64; 3]) -> [f64; 3] {
    [b * z - c * y, c * x - a * z, a * y - b * x]
}

fn vector([x, y, z]: [f64; 3]) -> layout::MotionVector {
    layout::MotionVector { x: float(x), z: float(z), y: float(y) }
}

fn float(value: f64) -> F32 {
    (value as f32).into()
}

fn floats([x, y, z]: [f64; 3]) -> Vec3<F32> {
    Vec3 { x: float(x), y: float(y), z: float(z) }
}

#[cfg(test)]
mod tests;
