//! Sends the rally as DiRT Rally would: in every packet length that the game can be set to, and in the older layouts.

use trailbrake_games::dirt_rally::layout::{self, ALL_CHANNELS, TELEMETRY_SIZES};
use trailbrake_games::table::{FrontFirst, ONLY_VERSION, RearFirst};
use trailbrake_games::{Text, Vec3};

use super::car::{GRAVITY, WheelState};
use super::emitter::Emitter;
use super::race::{self, Finish, Options, Phase, Race, SERVICE_S, Stage, Start, car_state};
use super::state::{CarState, Motion};

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
        race::start(Options { start, ..options })
    }

    fn frame(&mut self, race: &Race, send: &mut dyn FnMut(&[u8])) {
        let (Some(stage), Some(car)) = (race.stage(), car_state(race, race.player())) else { return };
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
            PacketVersion::Everything | PacketVersion::Bytes(_) => self.send_list(channels(rally), send),
            PacketVersion::Motion => send(&motion(rally).bytes(ONLY_VERSION)),
            PacketVersion::OlderFirst => send(&older_single(rally).bytes(ONLY_VERSION)),
            PacketVersion::OlderSecond => {
                send(&older_motion(rally).bytes(ONLY_VERSION));
                send(&older_telemetry(rally).bytes(TELEMETRY_SIZES.at(1)));
            }
        }
    }
}

impl DirtRally {
    fn take_away(self, send: &mut dyn FnMut(&[u8])) {
        match self.sends {
            PacketVersion::Everything | PacketVersion::Bytes(_) => {
                self.send_list(layout::Channels::default(), send);
            }
            // The other packets can't express it.
            PacketVersion::Motion | PacketVersion::OlderFirst | PacketVersion::OlderSecond => {}
        }
    }

    fn send_list(self, channels: layout::Channels, send: &mut dyn FnMut(&[u8])) {
        let mut bytes = channels.bytes(ALL_CHANNELS);
        if let PacketVersion::Bytes(len) = self.sends {
            bytes.truncate(len);
        }
        send(&bytes);
    }
}

fn channels(rally: &Rally) -> layout::Channels {
    let Rally { race, stage, car } = rally;
    let Motion { position, velocity, forward, right, .. } = car.motion;
    let in_service = stage.phase == Phase::Service;
    let over = stage.phase == Phase::Finished && stage.finish == Finish::Completed;
    let (run, length_m) = (&stage.run, race.circuit.sent_length_m());
    let seconds = |millis: u32| float(f64::from(millis) / 1e3);
    let (first, second) = (run.splits_ms.first(), run.splits_ms.get(1));
    let engine = &car.model.engine;
    layout::Channels {
        total_time: float(rally.event_s()),
        lap_time: float(stage.clock_s()),
        lap_distance: float(car.lap.distance_m),
        progress: float(car.lap.distance_m.max(0.0) / length_m),
        position: floats(position),
        speed: float(velocity.map(|part| part * part).iter().sum::<f64>().sqrt()),
        velocity: floats(velocity),
        right: floats(right),
        forward: floats(forward),
        suspension_position: wheels(car, |wheel| wheel.suspension_mm),
        suspension_velocity: wheels(car, |wheel| wheel.suspension_mm_s),
        wheel_speed: wheels(car, |wheel| wheel.speed_ms),
        throttle: float(car.throttle),
        steer: float(-car.steer),
        brake: float(car.brake),
        clutch: float(car.clutch),
        gear: f32::from(car.gear),
        g_lateral: float(car.motion.lateral_ms2 / GRAVITY),
        g_longitudinal: float(car.motion.longitudinal_ms2 / GRAVITY),
        engine_rate: rate(if in_service { 0.0 } else { car.rpm }),
        native_sli_support: Some(1.0),
        race_position: Some(1.0),
        sector: Some(run.splits_ms.len() as f32),
        sector_1_time: first.map(|first| seconds(*first)),
        sector_2_time: first.zip(second).map(|(first, second)| seconds(second - first)),
        brake_temp: Some(layout::SentWheels(wheels(car, |wheel| wheel.brake_c).0.map(Some))),
        laps_completed: over.then_some(1.0),
        total_laps: Some(1.0),
        track_length: Some(float(length_m)),
        last_lap_time: over.then(|| seconds(run.time_ms.unwrap_or_default())),
        max_rpm: Some(rate(engine.max_rpm.into())),
        idle_rpm: Some(rate(engine.idle_rpm.into())),
        max_gears: Some(f32::from(engine.gears())),
        ..layout::Channels::default()
    }
}

fn motion(rally: &Rally) -> layout::Motion {
    let motion = &rally.car.motion;
    let &Motion { position: [across, up, along], velocity, yaw, yaw_rate, .. } = motion;
    let steps = |metres: f64| (metres * STEPS_PER_METRE).round() as i32;
    layout::Motion {
        total_time: (rally.event_s() * 1e3).round() as u32,
        angular_velocity: vector([0.0, yaw_rate, 0.0]),
        yaw: float(yaw),
        pitch: float(motion.pitch),
        roll: 0.0,
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
    layout::OlderSingle {
        total_time: real.total_time,
        lap_time: real.lap_time,
        lap_distance: real.lap_distance,
        total_distance: real.lap_distance,
        position: real.position,
        speed: real.speed,
        velocity: real.velocity,
        roll: real.right,
        pitch: real.forward,
        suspension_position: front_first(real.suspension_position),
        suspension_velocity: front_first(real.suspension_velocity),
        wheel_speed: front_first(real.wheel_speed),
        throttle: real.throttle,
        steer: real.steer,
        brake: real.brake,
        clutch: real.clutch,
        gear: car.gear,
        g_lateral: real.g_lateral,
        g_longitudinal: real.g_longitudinal,
        rpm: float(car.rpm),
        angular_velocity: floats([0.0, car.motion.yaw_rate, 0.0]),
        ..layout::OlderSingle::default()
    }
}

fn older_motion(rally: &Rally) -> layout::OlderMotion {
    let real = channels(rally);
    let motion = &rally.car.motion;
    layout::OlderMotion {
        position: real.position,
        velocity: real.velocity,
        pitch: real.forward,
        roll: real.right,
        yaw: floats(up(motion.right, motion.forward)),
        angular_velocity: floats([0.0, motion.yaw_rate, 0.0]),
        g_lateral: real.g_lateral,
        g_longitudinal: real.g_longitudinal,
        suspension_position: front_first(real.suspension_position),
        suspension_velocity: front_first(real.suspension_velocity),
        wheel_speed: front_first(real.wheel_speed),
        ..layout::OlderMotion::default()
    }
}

fn older_telemetry(rally: &Rally) -> layout::OlderTelemetry {
    let car = &rally.car;
    let percent = |share: f64| (share.clamp(0.0, 1.0) * 100.0).round() as u8;
    let controls = layout::OlderControls {
        packet_id: 6,
        speed: float(car.motion.speed_ms),
        rpm: car.rpm.round() as u16,
        gear: u16::from(car.gear.unsigned_abs()),
        throttle: percent(car.throttle),
        steer: (-car.steer * 100.0).round() as i8,
        brake: percent(car.brake),
        clutch: percent(car.clutch),
        brake_temp: front_first(RearFirst(car.wheels.map(|wheel| wheel.brake_c.max(0.0).round() as u16))),
        ..layout::OlderControls::default()
    };
    let surface = f32::from(rally.race.circuit.ground(car.lap.distance_m).surface.number());
    let surface_type = Some(FrontFirst([surface; 4]));
    layout::OlderTelemetry { controls, surface_type, ..layout::OlderTelemetry::default() }
}

/// One value per wheel, rear wheels first as in the game.
fn wheels(car: &CarState, value: fn(&WheelState) -> f64) -> RearFirst<f32> {
    RearFirst(car.wheels.each_ref().map(|wheel| float(value(wheel))))
}

/// The wheel order of the older description.
fn front_first<T>(
    RearFirst([rear_left, rear_right, front_left, front_right]): RearFirst<T>,
) -> FrontFirst<T> {
    FrontFirst([front_left, front_right, rear_left, rear_right])
}

/// The game's unit of engine speed: radians per second.
fn rate(rpm: f64) -> f32 {
    float(rpm * std::f64::consts::PI / 30.0)
}

fn up([a, b, c]: [f64; 3], [x, y, z]: [f64; 3]) -> [f64; 3] {
    [b * z - c * y, c * x - a * z, a * y - b * x]
}

fn vector([x, y, z]: [f64; 3]) -> layout::MotionVector {
    layout::MotionVector { x: float(x), z: float(z), y: float(y) }
}

fn float(value: f64) -> f32 {
    value as f32
}

fn floats([x, y, z]: [f64; 3]) -> Vec3<f32> {
    Vec3 { x: float(x), y: float(y), z: float(z) }
}

#[cfg(test)]
mod tests;
