//! The lanes that are shown until a driver chooses others, for the live page, the Analyse page and the report.

use trailbrake_model::Channel;

/// A lane of one quantity, which games send in different channels.
#[derive(Debug)]
pub struct DefaultLane {
    /// What links call it.
    pub id: &'static str,
    /// What the gutter calls it.
    pub name: &'static str,
    /// The channels that can fill it, the preferred one first.
    pub channels: &'static [Channel],
    /// Its height relative to other lanes.
    pub weight: f32,
    /// Whether the report prints it.
    pub printed: bool,
}

/// The lanes from the top. The report leaves out its last ones where it has no room.
pub const DEFAULT_LANES: [&DefaultLane; 8] =
    [&SPEED, &THROTTLE, &BRAKE, &GEAR, &RPM, &STEERING, &G_LATERAL, &G_LONGITUDINAL];

/// Speed.
pub const SPEED: DefaultLane = DefaultLane { weight: 1.8, ..lane("speed", "Speed", &[Channel::Speed]) };
/// The throttle pedal, or the throttle that reaches the engine.
pub const THROTTLE: DefaultLane = lane("throttle", "Throttle", &[Channel::Throttle, Channel::ThrottlePedal]);
/// The brake pedal, or the brake that reaches the wheels.
pub const BRAKE: DefaultLane = lane("brake", "Brake", &[Channel::Brake, Channel::BrakeApplied]);
/// The gear.
pub const GEAR: DefaultLane =
    DefaultLane { weight: 0.8, ..lane("gear", "Gear", &[Channel::Gear, Channel::GearNumber]) };
/// The engine's speed.
pub const RPM: DefaultLane = DefaultLane { printed: false, ..lane("rpm", "RPM", &[Channel::Rpm]) };
/// The steering wheel, or what follows from it.
pub const STEERING: DefaultLane = lane("steering", "Steering", trailbrake_analysis::STEERING);
/// Lateral acceleration.
pub const G_LATERAL: DefaultLane =
    DefaultLane { weight: 0.9, ..lane("g_lateral", "Lateral g", &[Channel::GLateral]) };
/// Longitudinal acceleration.
pub const G_LONGITUDINAL: DefaultLane = DefaultLane {
    weight: 0.9,
    printed: false,
    ..lane("g_longitudinal", "Long. g", &[Channel::GLongitudinal])
};

impl DefaultLane {
    /// The channel that fills it where a game sends several.
    pub fn preferred(&self) -> Channel {
        self.channels.first().copied().unwrap_or(Channel::Speed)
    }
}

const fn lane(id: &'static str, name: &'static str, channels: &'static [Channel]) -> DefaultLane {
    DefaultLane { id, name, channels, weight: 1.0, printed: true }
}
