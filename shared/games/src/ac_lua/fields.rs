//! The known values of the app's JSON: accepted names, shape and channel.

use trailbrake_model::{Axis, Channel as C, Slot, Wheel};

use super::json::Path;

/// The parts of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    /// One number.
    One,
    /// x, y and z, by name or in this order.
    Axes,
    /// Front left, front right, rear left and rear right, by the names `fl`, `fr`, `rl` and `rr` or in this order.
    Wheels,
}

/// A known value.
pub(super) struct Field {
    /// Its name in the older documentation, which nests its parts; joined with underscores it is the flat name.
    pub(super) name: &'static str,
    /// Other accepted names.
    pub(super) aliases: &'static [&'static str],
    pub(super) shape: Shape,
    /// The channel that it fills.
    pub(super) channel: C,
    /// The factor from sent to stored numbers.
    pub(super) scale: f64,
    /// Whether this name alone identifies the app: other programs' JSON is unlikely to have it.
    pub(super) distinctive: bool,
}

/// The maximum number of parts of a field.
pub(super) const MOST_PARTS: usize = 4;

const fn field(name: &'static str, channel: C) -> Field {
    Field { name, aliases: &[], shape: Shape::One, channel, scale: 1.0, distinctive: false }
}

const fn several(name: &'static str, shape: Shape, channel: C) -> Field {
    Field { shape, ..field(name, channel) }
}

const fn also(field: Field, aliases: &'static [&'static str]) -> Field {
    Field { aliases, ..field }
}

const fn distinctive(field: Field) -> Field {
    Field { distinctive: true, ..field }
}

/// Every known field. Where a unit is unknown the channel has none: no unit is assumed.
pub(super) static FIELDS: [Field; 21] = [
    distinctive(field("speed_ms", C::Speed)),
    field("rpm", C::Rpm),
    field("gear", C::GearNumber),
    field("throttle", C::Throttle),
    field("brake", C::Brake),
    field("clutch", C::ClutchLevel),
    field("steer", C::SteeringLevel),
    field("fuel", C::FuelLevel),
    distinctive(Field { scale: 1e-3, ..field("lap_time_ms", C::LapClock) }),
    also(several("position", Shape::Axes, C::Position), &["pos"]),
    distinctive(several("suspension_travel", Shape::Wheels, C::SuspensionPosition)),
    also(several("tyre_wear", Shape::Wheels, C::TyreWearLevel), &["tire_wear"]),
    field("damage_body", C::DamageLevelBody),
    field("damage_suspension", C::DamageLevelSuspension),
    field("damage_engine", C::DamageLevelEngine),
    also(field("damage_transmission", C::DamageLevelGearbox), &["damage_gearbox"]),
    field("damage_aero", C::DamageLevelAero),
    also(field("weather_track_temp", C::TrackTemperature), &["track_temp"]),
    also(field("weather_ambient_temp", C::AirTemperature), &["ambient_temp"]),
    also(field("weather_rain", C::Rain), &["rain"]),
    distinctive(also(
        several("tyre_temps", Shape::Wheels, C::TyreTemperature),
        &["tyre_temp", "tire_temps", "tire_temp"],
    )),
];

impl Shape {
    /// The names of its parts, each with its index in a list.
    pub(super) const fn parts(self) -> &'static [[&'static str; 2]] {
        match self {
            Self::One => &[["", ""]],
            Self::Axes => &[["x", "0"], ["y", "1"], ["z", "2"]],
            Self::Wheels => &[["fl", "0"], ["fr", "1"], ["rl", "2"], ["rr", "3"]],
        }
    }
}

impl Field {
    /// The part of this field at `path`, if any.
    pub(super) fn part(&self, path: &Path) -> Option<usize> {
        let part_of = |name: &str| {
            let rest = path.spelling().strip_prefix(name)?;
            if self.shape == Shape::One {
                return rest.is_empty().then_some(0);
            }
            let part = rest.strip_prefix('_')?;
            self.shape.parts().iter().position(|spellings| spellings.contains(&part))
        };
        self.aliases.iter().find_map(|alias| part_of(alias)).or_else(|| part_of(self.name))
    }

    /// The slot of one of its parts.
    pub(super) fn slot(&self, part: usize) -> Slot {
        match self.shape {
            Shape::One => self.channel.slot(),
            Shape::Axes => Axis::ALL.get(part).map_or(self.channel.slot(), |axis| self.channel.along(*axis)),
            Shape::Wheels => {
                Wheel::ALL.get(part).map_or(self.channel.slot(), |wheel| self.channel.of(*wheel))
            }
        }
    }
}
