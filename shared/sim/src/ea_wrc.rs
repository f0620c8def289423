//! Sends the rally as EA SPORTS WRC would: in Trailbrake's structures, or in the game's default one.

use trailbrake_games::ea_wrc::{Field, Numbers, SessionMark, Structure};

use super::car::WheelState;
use super::emitter::Emitter;
use super::race::{self, Finish, Options, Phase, Race, Stage, Start, car_state, session_state};
use super::state::CarState;
use super::truth::RunEnd;

/// The duration of a frame, in seconds.
const FRAME_S: f64 = 1.0 / 60.0;
/// The number of the reverse gear.
const REVERSE: f64 = 10.0;
/// Seconds since the game was started, when the demo begins.
const STARTED_S: f64 = 120.0;
/// The official time comes so many seconds after the line.
const OFFICIAL_AFTER_S: f64 = 0.3;
/// Below full revs by so much, the first shift light comes on, and the gear should change, rpm.
const SHIFT_RPM: [f64; 2] = [800.0, 300.0];
/// The penalty for a recovery, in seconds.
const RECOVERY_S: f64 = 10.0;
/// Ids of a car, its class and maker, a location and a route.
const IDS: [(Field, f64); 5] = [
    (Field::VehicleId, 104.0),
    (Field::VehicleClassId, 19.0),
    (Field::VehicleManufacturerId, 6.0),
    (Field::LocationId, 27.0),
    (Field::RouteId, 361.0),
];

/// What the game is set to send.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PacketVersion {
    /// All fields, marked.
    #[default]
    Everything,
    /// The default structure and ids, marked.
    WithIds,
    /// The game's default structure, without marks.
    Default,
}

impl PacketVersion {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Everything, Self::WithIds, Self::Default];

    fn structure(self) -> Structure<'static> {
        match self {
            Self::Everything => Structure::EVERYTHING,
            Self::WithIds => Structure::WITH_IDS,
            Self::Default => Structure::WRC,
        }
    }
}

/// The sender's state.
#[derive(Clone, Debug, Default)]
pub struct EaWrc {
    sends: PacketVersion,
    packets: u64,
    /// The phase of the last frame, and whether it was a pause.
    phase: Option<Phase>,
    paused: bool,
    /// Seconds since the finish.
    finished_s: f64,
}

impl EaWrc {
    /// A game with this setting.
    pub fn new(sends: PacketVersion) -> Self {
        Self { sends, ..Self::default() }
    }

    fn send(&mut self, mark: SessionMark, moment: &StageMoment<'_>, send: &mut dyn FnMut(&[u8])) {
        if self.sends == PacketVersion::Default && mark != SessionMark::Update {
            return;
        }
        self.packets += 1;
        let mut numbers = moment.numbers();
        numbers.set(Field::PacketUid, self.packets as f64);
        let mut bytes = Vec::new();
        if self.sends != PacketVersion::Default {
            bytes.extend(mark.bytes());
        }
        bytes.extend(self.sends.structure().write(&numbers));
        send(&bytes);
    }
}

/// A stage as the game knows it at one moment.
#[derive(Clone, Copy)]
struct StageMoment<'a> {
    race: &'a Race,
    stage: &'a Stage,
    car: &'a CarState,
    clock_s: f64,
    has_official: bool,
}

impl Emitter for EaWrc {
    fn begin(&mut self, options: Options) -> Race {
        let start = match options.start {
            Start::Stage(finish) => Start::Stage(finish),
            Start::Grid | Start::Flying => Start::Stage(Finish::default()),
        };
        race::start(Options { start, ..options })
    }

    fn frame(&mut self, race: &Race, send: &mut dyn FnMut(&[u8])) {
        let (Some(stage), Some(car)) = (race.stage(), car_state(race, race.player())) else { return };
        let car = &car;
        let before = self.phase.replace(stage.phase);
        let is_past_line = stage.phase == Phase::Finished;
        // The stage's clock runs on behind the line, which the car crossed between two frames.
        self.finished_s = match (is_past_line, before) {
            (false, _) => 0.0,
            (true, Some(Phase::Finished)) => self.finished_s + FRAME_S,
            (true, _) => {
                let past_m = car.lap.distance_m - length_m(race);
                (past_m / car.motion.speed_ms.max(1.0)).clamp(0.0, FRAME_S)
            }
        };
        let has_official = self.finished_s > OFFICIAL_AFTER_S;
        let clock_s = match stage.run.time_ms {
            Some(time_ms) if is_past_line => f64::from(time_ms) / 1e3 + self.finished_s,
            _ => stage.clock_s(),
        };
        let moment = &StageMoment { race, stage, car, clock_s, has_official };
        let was_paused = std::mem::replace(&mut self.paused, session_state(race).paused);
        match (stage.phase, before) {
            // A menu.
            (Phase::Service, _) | (Phase::Away, None | Some(Phase::Away | Phase::Service)) => {}
            (Phase::Away, Some(Phase::Driving)) if stage.run.end == Some(RunEnd::Finished) => {
                self.send(SessionMark::Update, moment, send);
                self.send(SessionMark::End, &StageMoment { has_official: true, ..*moment }, send);
            }
            (Phase::Away, _) => {
                let has_official = stage.run.end == Some(RunEnd::Finished);
                self.send(SessionMark::End, &StageMoment { has_official, ..*moment }, send);
            }
            // The mark is repeated while the game is paused.
            _ if self.paused => self.send(SessionMark::Pause, moment, send),
            (Phase::Waiting, Some(Phase::Service | Phase::Away) | None) => {
                self.send(SessionMark::Start, moment, send);
                self.send(SessionMark::Update, moment, send);
            }
            _ => {
                if was_paused {
                    self.send(SessionMark::Resume, moment, send);
                }
                self.send(SessionMark::Update, moment, send);
            }
        }
    }
}

impl StageMoment<'_> {
    fn numbers(&self) -> Numbers {
        let Self { race, stage, car, .. } = self;
        let (motion, engine, run) = (&car.motion, &car.model.engine, &stage.run);
        let length_m = length_m(race);
        let [left_x, left_y, left_z] = motion.right.map(|part| -part);
        let [ahead_x, ahead_y, ahead_z] = motion.forward;
        let [up_x, up_y, up_z] = cross(motion.forward, [left_x, left_y, left_z]);
        let along = |axis: usize| {
            let part = |vector: [f64; 3]| vector.get(axis).copied().unwrap_or_default();
            motion.lateral_ms2 * part([left_x, left_y, left_z])
                + motion.vertical_ms2 * part([up_x, up_y, up_z])
                + motion.longitudinal_ms2 * part(motion.forward)
        };
        let max_rpm = f64::from(engine.max_rpm);
        let [lights_from, lights_to] = SHIFT_RPM.map(|below| max_rpm - below);
        let speed = motion.velocity.map(|part| part * part).iter().sum::<f64>().sqrt();
        let millis = |millis: u32| f64::from(millis) / 1e3;
        let starts = [0].into_iter().chain(run.splits_ms.iter().copied());
        let sector_ms = run.splits_ms.iter().zip(starts).last().map_or(0, |(end, start)| end - start);
        let [position_x, position_y, position_z] = motion.position;
        let [velocity_x, velocity_y, velocity_z] = motion.velocity;
        let mut numbers = Numbers::default();
        let single = [
            (Field::GameTotalTime, STARTED_S + race.run_s()),
            (Field::GameDeltaTime, FRAME_S),
            (Field::GameFrameCount, ((STARTED_S + race.run_s()) * 60.0).round()),
            (
                Field::ShiftlightsFraction,
                ((car.rpm - lights_from) / (lights_to - lights_from)).clamp(0.0, 1.0),
            ),
            (Field::ShiftlightsRpmStart, lights_from),
            (Field::ShiftlightsRpmEnd, lights_to),
            (Field::ShiftlightsRpmValid, 1.0),
            (Field::GearIndex, if car.gear < 0 { REVERSE } else { f64::from(car.gear) }),
            (Field::GearIndexNeutral, 0.0),
            (Field::GearIndexReverse, REVERSE),
            (Field::GearMaximum, f64::from(engine.gears())),
            (Field::Speed, speed),
            (Field::TransmissionSpeed, motion.speed_ms),
            (Field::PositionX, position_x),
            (Field::PositionY, position_y),
            (Field::PositionZ, position_z),
            (Field::VelocityX, velocity_x),
            (Field::VelocityY, velocity_y),
            (Field::VelocityZ, velocity_z),
            (Field::AccelerationX, along(0)),
            (Field::AccelerationY, along(1)),
            (Field::AccelerationZ, along(2)),
            (Field::LeftDirectionX, left_x),
            (Field::LeftDirectionY, left_y),
            (Field::LeftDirectionZ, left_z),
            (Field::ForwardDirectionX, ahead_x),
            (Field::ForwardDirectionY, ahead_y),
            (Field::ForwardDirectionZ, ahead_z),
            (Field::UpDirectionX, up_x),
            (Field::UpDirectionY, up_y),
            (Field::UpDirectionZ, up_z),
            (Field::EngineRpmMax, max_rpm),
            (Field::EngineRpmIdle, f64::from(engine.idle_rpm)),
            (Field::EngineRpmCurrent, car.rpm),
            (Field::Throttle, car.throttle),
            (Field::Brake, car.brake),
            (Field::Clutch, car.clutch),
            (Field::Steering, -car.steer),
            (Field::Handbrake, f64::from(u8::from(car.handbrake))),
            (Field::StageCurrentTime, self.clock_s),
            (Field::StageCurrentDistance, car.lap.distance_m),
            (Field::StageLength, length_m),
            (Field::StagePreviousSplitTime, millis(sector_ms)),
            (Field::StageProgress, car.lap.distance_m / length_m),
            (Field::StageResultTimePenalty, RECOVERY_S * f64::from(run.recovered)),
            (Field::GameMode, 0.0),
        ];
        single.into_iter().chain(IDS).for_each(|(field, number)| numbers.set(field, number));
        for (fields, value) in WHEELS {
            fields.into_iter().zip(&car.wheels).for_each(|(field, wheel)| numbers.set(field, value(wheel)));
        }
        match run.end {
            Some(RunEnd::Finished) if self.has_official => {
                numbers.set(Field::StageResultTime, millis(run.time_ms.unwrap_or_default()));
                numbers.set(Field::StageResultStatus, 1.0);
            }
            Some(RunEnd::Abandoned) => numbers.set(Field::StageResultStatus, 4.0),
            _ => {}
        }
        numbers
    }
}

/// What is sent of each wheel, the rear ones first as in the simulator.
type OfWheels = ([Field; 4], fn(&WheelState) -> f64);

const WHEELS: [OfWheels; 4] = [
    ([Field::HubPositionBl, Field::HubPositionBr, Field::HubPositionFl, Field::HubPositionFr], |wheel| {
        wheel.suspension_mm / 1e3
    }),
    ([Field::HubVelocityBl, Field::HubVelocityBr, Field::HubVelocityFl, Field::HubVelocityFr], |wheel| {
        wheel.suspension_mm_s / 1e3
    }),
    (
        [Field::CpForwardSpeedBl, Field::CpForwardSpeedBr, Field::CpForwardSpeedFl, Field::CpForwardSpeedFr],
        |wheel| wheel.speed_ms,
    ),
    (
        [
            Field::BrakeTemperatureBl,
            Field::BrakeTemperatureBr,
            Field::BrakeTemperatureFl,
            Field::BrakeTemperatureFr,
        ],
        |wheel| wheel.brake_c,
    ),
];

/// The stage's length, at which it is timed.
fn length_m(race: &Race) -> f64 {
    race.circuit.finish_m().unwrap_or_else(|| race.circuit.sent_length_m())
}

fn cross([a, b, c]: [f64; 3], [x, y, z]: [f64; 3]) -> [f64; 3] {
    [b * z - c * y, c * x - a * z, a * y - b * x]
}

#[cfg(test)]
mod tests;
