//! Which variables of a sample are our channels, and how their numbers become ours.

use std::f64::consts::{PI, TAU};

use trailbrake_model::units::{MPS2_PER_G, PASCALS_PER_BAR};
use trailbrake_model::{Axis, Channel, Slot, Wheel};

use super::layout::{Head, Variable};
use super::session_text::SessionText;

/// How a number becomes ours.
pub(in crate::import) type Convert = fn(f64) -> f64;

const SAME: Convert = |value| value;
const OPPOSITE: Convert = |value| -value;
const SHARE: Convert = |value| value.clamp(0.0, 1.0);
const RELEASED: Convert = |released| (1.0 - released).clamp(0.0, 1.0);
const G: Convert = |mps2| mps2 / f64::from(MPS2_PER_G);
/// The vertical acceleration of iRacing is that of a scale: a car at rest has one g.
const G_WITHOUT_GRAVITY: Convert = |mps2| mps2 / f64::from(MPS2_PER_G) - 1.0;
const BAR: Convert = |bar| bar * f64::from(PASCALS_PER_BAR);
const BAR_ABOVE_AIR: Convert = |bar| (bar - 1.0) * f64::from(PASCALS_PER_BAR);
const KPA: Convert = |kpa| kpa * 1e3;
const PER_CENT: Convert = |per_cent| per_cent / 100.0;
/// Clockwise from north; ours is anticlockwise, as seen from above.
const FROM_NORTH: Convert = |north| within_half_turn(-north);
/// Position 0 stands for none.
const FROM_ONE: Convert = |place| if place >= 1.0 { place } else { f64::NAN };

/// A channel and the variable that it is.
const CAR: &[(Slot, &str, Convert)] = &[
    (Channel::Speed.slot(), "Speed", SAME),
    (Channel::Throttle.slot(), "Throttle", SHARE),
    (Channel::Brake.slot(), "Brake", SHARE),
    (Channel::Clutch.slot(), "Clutch", RELEASED),
    (Channel::ThrottlePedal.slot(), "ThrottleRaw", SHARE),
    (Channel::Handbrake.slot(), "HandbrakeRaw", SHARE),
    (Channel::SteeringAngle.slot(), "SteeringWheelAngle", OPPOSITE),
    (Channel::Gear.slot(), "Gear", SAME),
    (Channel::Rpm.slot(), "RPM", SAME),
    (Channel::RacePosition.slot(), "PlayerCarPosition", FROM_ONE),
    (Channel::LocalVelocity.along(Axis::X), "VelocityY", SAME),
    (Channel::LocalVelocity.along(Axis::Y), "VelocityZ", SAME),
    (Channel::LocalVelocity.along(Axis::Z), "VelocityX", SAME),
    (Channel::Yaw.slot(), "YawNorth", FROM_NORTH),
    // Positive where the nose points down; in the model, where it points up.
    (Channel::Pitch.slot(), "Pitch", OPPOSITE),
    (Channel::Roll.slot(), "Roll", SAME),
    (Channel::AngularVelocity.along(Axis::X), "PitchRate", SAME),
    (Channel::AngularVelocity.along(Axis::Y), "YawRate", SAME),
    (Channel::AngularVelocity.along(Axis::Z), "RollRate", SAME),
    (Channel::GLateral.slot(), "LatAccel", G),
    (Channel::GLongitudinal.slot(), "LongAccel", G),
    (Channel::GVertical.slot(), "VertAccel", G_WITHOUT_GRAVITY),
    (Channel::FuelVolume.slot(), "FuelLevel", SAME),
    (Channel::FuelShare.slot(), "FuelLevelPct", SHARE),
    (Channel::WaterTemperature.slot(), "WaterTemp", SAME),
    (Channel::OilTemperature.slot(), "OilTemp", SAME),
    (Channel::OilPressure.slot(), "OilPress", BAR),
    (Channel::Boost.slot(), "ManifoldPress", BAR_ABOVE_AIR),
    (Channel::TrackTemperature.slot(), "TrackTempCrew", SAME),
    (Channel::AirTemperature.slot(), "AirTemp", SAME),
    (Channel::Rain.slot(), "Precipitation", SHARE),
    (Channel::TimeOfDay.slot(), "SessionTimeOfDay", SAME),
    (Channel::ErsStore.slot(), "EnergyERSBattery", SAME),
    (Channel::ErsDeployed.slot(), "EnergyBatteryToMGU_KLap", SAME),
    (Channel::PowerMguK.slot(), "PowerMGU_K", SAME),
    (Channel::Drs.slot(), "DRS_Status", |status| switch(status == DRS_OPEN)),
    (Channel::DrsAllowed.slot(), "DRS_Status", |status| switch(status >= DRS_ALLOWED)),
    (Channel::AbsActive.slot(), "BrakeABSactive", SAME),
    (Channel::Abs.slot(), "dcABS", SAME),
    (Channel::TractionControl.slot(), "dcTractionControl", SAME),
    (Channel::FuelMix.slot(), "dcFuelMixture", SAME),
    (Channel::BrakeBias.slot(), "dcBrakeBias", PER_CENT),
    (Channel::PitLimiter.slot(), "EngineWarnings", |bits| switch(has(bits, PIT_LIMITER))),
    (Channel::RevLimiter.slot(), "EngineWarnings", |bits| switch(has(bits, REV_LIMITER))),
    (Channel::Flag.slot(), "SessionFlags", flag),
];

/// A channel of each wheel, and the variables of which it is the mean, behind the wheel's letters.
const WHEELS: &[(Channel, &[&str], Convert)] = &[
    (Channel::WheelSpeed, &["speed"], SAME),
    (Channel::SuspensionPosition, &["shockDefl"], SAME),
    (Channel::SuspensionVelocity, &["shockVel"], SAME),
    (Channel::TyrePressure, &["pressure"], KPA),
    (Channel::TyreSurfaceTemperature, &["tempL", "tempM", "tempR"], SAME),
    (Channel::TyreInnerTemperature, &["tempCL", "tempCM", "tempCR"], SAME),
    // What is left of the tread.
    (Channel::TyreWear, &["wearL", "wearM", "wearR"], RELEASED),
];
/// The wheels' letters, in our order.
const LETTERS: [(Wheel, &str); 4] =
    [(Wheel::FrontLeft, "LF"), (Wheel::FrontRight, "RF"), (Wheel::RearLeft, "LR"), (Wheel::RearRight, "RR")];

/// A channel that is the mean of two wheels' variables.
const AXLES: &[(Channel, [&str; 2])] = &[
    (Channel::RideHeightFront, ["LFrideHeight", "RFrideHeight"]),
    (Channel::RideHeightRear, ["LRrideHeight", "RRrideHeight"]),
];

const DRS_ALLOWED: f64 = 2.0;
const DRS_OPEN: f64 = 3.0;
/// Bits of `EngineWarnings`.
const PIT_LIMITER: u32 = 0x10;
const REV_LIMITER: u32 = 0x20;
/// Bits of `SessionFlags`.
const GREEN: u32 = 0x4 | 0x400;
const YELLOW: u32 = 0x8 | 0x100 | 0x4000 | 0x8000;
const RED: u32 = 0x10;
const BLUE: u32 = 0x20;

/// The channels that iRacing's variable with this name is.
pub(in crate::import) fn channels_called(name: &str) -> Vec<(Slot, Convert)> {
    let called = CAR.iter().filter(|(_, other, _)| *other == name);
    called.map(|(slot, _, convert)| (*slot, *convert)).collect()
}

/// The channels of a file.
pub(super) struct Channels {
    readers: Vec<ChannelReader>,
    /// Figures of the car, which never change.
    constants: Vec<(Slot, f32)>,
}

struct ChannelReader {
    slot: Slot,
    /// The value is the mean of these.
    variables: Vec<Variable>,
    convert: Convert,
    /// What is added to it; an angle stays within half a turn.
    turned: f64,
}

impl Channels {
    /// The channels that a file has.
    pub(super) fn of(head: &Head, text: &SessionText) -> Self {
        let mut readers = Vec::new();
        let mut add = |slot: Slot, names: &[&str], convert: Convert| {
            let variables: Option<Vec<Variable>> = names.iter().map(|name| head.variable(name)).collect();
            if let Some(variables) = variables {
                readers.push(ChannelReader { slot, variables, convert, turned: 0.0 });
            }
        };
        for (slot, name, convert) in CAR {
            add(*slot, &[*name], *convert);
        }
        for (channel, endings, convert) in WHEELS {
            for (wheel, letters) in LETTERS {
                let names: Vec<String> = endings.iter().map(|ending| format!("{letters}{ending}")).collect();
                let names: Vec<&str> = names.iter().map(String::as_str).collect();
                add(channel.of(wheel), &names, *convert);
            }
        }
        for (channel, names) in AXLES {
            add(channel.slot(), names, SAME);
        }
        // Older files have the yaw from the track's own north only.
        if head.variable("YawNorth").is_none()
            && let Some((yaw, offset)) = head.variable("Yaw").zip(text.north_offset)
        {
            let (slot, variables) = (Channel::Yaw.slot(), vec![yaw]);
            readers.push(ChannelReader { slot, variables, convert: SAME, turned: -offset });
        }
        let constants = [
            (Channel::IdleRpm, text.idle_rpm),
            (Channel::MaxRpm, text.red_line_rpm),
            (Channel::ShiftRpm, text.shift_rpm),
            (Channel::MaxGears, text.gears),
            (Channel::FuelVolumeCapacity, text.tank_l),
        ];
        let constants = constants.into_iter().filter_map(|(channel, value)| {
            let value = value.filter(|value| *value > 0.0)?;
            Some((channel.slot(), value as f32))
        });
        Self { readers, constants: constants.collect() }
    }

    /// Adds the values of a sample.
    pub(super) fn read(&self, sample: &[u8], values: &mut Vec<(Slot, f32)>) {
        values.extend(self.readers.iter().filter_map(|reader| Some((reader.slot, reader.value(sample)?))));
    }

    /// The figures of the car.
    pub(super) fn constants(&self) -> &[(Slot, f32)] {
        &self.constants
    }
}

impl ChannelReader {
    fn value(&self, sample: &[u8]) -> Option<f32> {
        let sum = self.variables.iter().try_fold(0.0, |sum, variable| Some(sum + variable.value(sample)?))?;
        let value = (self.convert)(sum / self.variables.len() as f64);
        let value = if self.turned == 0.0 { value } else { within_half_turn(value + self.turned) };
        Some(value as f32).filter(|value| value.is_finite())
    }
}

/// An angle between minus half a turn and half a turn.
pub(in crate::import) fn within_half_turn(angle: f64) -> f64 {
    let turned = (angle + PI).rem_euclid(TAU);
    turned - PI
}

fn switch(is_on: bool) -> f64 {
    f64::from(u8::from(is_on))
}

fn has(bits: f64, of: u32) -> bool {
    // The cast turns what is no bit field into none or all of the bits.
    bits as u32 & of != 0
}

/// The number of the most important flag.
fn flag(bits: f64) -> f64 {
    let shown = [(RED, 4.0), (YELLOW, 3.0), (BLUE, 2.0), (GREEN, 1.0)];
    shown.into_iter().find(|(flag, _)| has(bits, *flag)).map_or(0.0, |(_, number)| number)
}
