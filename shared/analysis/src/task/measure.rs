//! What a task can be about: the measures of a corner.

use serde::{Deserialize, Serialize};
use trailbrake_model::Channel;
use trailbrake_model::units::{Unit, Units};

use crate::CornerRow;

/// A measure of a corner that a task sets a goal for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TaskMeasure {
    /// Where the driver lifts, metres from the start line.
    Lift,
    /// The brake point, metres from the start line.
    BrakePoint,
    /// Where the driver releases the brake, metres from the start line.
    Release,
    /// The minimum speed, m/s.
    MinimumSpeed,
    /// The throttle point, metres from the start line.
    ThrottlePoint,
    /// Where the throttle is full, metres from the start line.
    FullThrottle,
    /// The exit speed, m/s.
    ExitSpeed,
    /// Coasting, seconds.
    Coasting,
}

impl TaskMeasure {
    /// Every measure, in the order of a corner.
    pub const ALL: [Self; 8] = [
        Self::Lift,
        Self::BrakePoint,
        Self::Release,
        Self::MinimumSpeed,
        Self::ThrottlePoint,
        Self::FullThrottle,
        Self::ExitSpeed,
        Self::Coasting,
    ];

    /// The unit of its values.
    pub const fn unit(self) -> Unit {
        match self {
            Self::Lift | Self::BrakePoint | Self::Release | Self::ThrottlePoint | Self::FullThrottle => {
                Unit::Metres
            }
            Self::MinimumSpeed | Self::ExitSpeed => Unit::MetresPerSecond,
            Self::Coasting => Unit::Seconds,
        }
    }

    /// Whether its values are places on the track.
    pub fn is_place(self) -> bool {
        self.unit() == Unit::Metres
    }

    /// Its name: `brake point`.
    pub const fn label(self) -> &'static str {
        match self {
            Self::Lift => "lift",
            Self::BrakePoint => "brake point",
            Self::Release => "release",
            Self::MinimumSpeed => "minimum speed",
            Self::ThrottlePoint => "throttle point",
            Self::FullThrottle => "full throttle",
            Self::ExitSpeed => "exit speed",
            Self::Coasting => "coasting",
        }
    }

    /// Its value in a lap's row of the corner.
    pub fn of(self, row: &CornerRow) -> Option<f64> {
        match self {
            Self::Lift => row.lift_m,
            Self::BrakePoint => row.brake_on_m,
            Self::Release => row.release_m,
            Self::MinimumSpeed => row.min_ms,
            Self::ThrottlePoint => row.throttle_on_m,
            Self::FullThrottle => row.full_throttle_m,
            Self::ExitSpeed => row.exit_ms,
            Self::Coasting => row.coasting_s,
        }
    }

    /// The pedal that the driver may leave alone, so that a lap has no such place.
    pub(super) const fn pedal(self) -> Option<Channel> {
        match self {
            Self::BrakePoint | Self::Release => Some(Channel::Brake),
            Self::Lift | Self::ThrottlePoint | Self::FullThrottle => Some(Channel::Throttle),
            Self::MinimumSpeed | Self::ExitSpeed | Self::Coasting => None,
        }
    }

    /// What a driver did instead, if the corner has no such place.
    pub(super) const fn absent_words(self) -> &'static str {
        match self {
            Self::BrakePoint | Self::Release => "no braking",
            Self::Lift | Self::ThrottlePoint => "no lift",
            Self::FullThrottle => "no full throttle",
            Self::MinimumSpeed | Self::ExitSpeed | Self::Coasting => "not measured",
        }
    }

    /// A difference in words, with its direction: `6 m later`. `None` if it rounds to nothing.
    pub fn difference(self, by: f64, units: &Units, [more, less]: [&str; 2]) -> Option<String> {
        let amount = match self.unit() {
            Unit::MetresPerSecond => {
                let unit = units.shown(Unit::MetresPerSecond);
                format!("{:.*} {}", unit.decimals, unit.value(by.abs()), unit.suffix)
            }
            Unit::Seconds => format!("{:.1} s", by.abs()),
            _ => format!("{:.0} m", by.abs()),
        };
        let is_something = amount.chars().any(|letter| ('1'..='9').contains(&letter));
        is_something.then(|| format!("{amount} {}", if by > 0.0 { more } else { less }))
    }

    /// How a change of this measure is described: more of it, and less of it.
    pub fn change_words(self) -> [&'static str; 2] {
        match self.unit() {
            Unit::MetresPerSecond => ["higher", "lower"],
            Unit::Seconds => ["longer", "shorter"],
            _ => ["later", "earlier"],
        }
    }

    /// How a lap that is beside the goal is described: too much, and too little.
    pub(super) fn beside_words(self) -> [&'static str; 2] {
        match self.unit() {
            Unit::MetresPerSecond => ["fast", "slow"],
            Unit::Seconds => ["too long", "too short"],
            _ => ["late", "early"],
        }
    }
}
