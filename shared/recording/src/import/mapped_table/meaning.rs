//! What a column can be.

use serde::{Deserialize, Serialize};
use trailbrake_model::units::Unit;
use trailbrake_model::{Axis, Channel, Scope, Slot, Wheel, number};

use crate::export::motec::units_of;

/// The unit of a time that is written as `1:23.456`.
pub(super) const CLOCK: &str = "mm:ss";
/// The unit of latitude and longitude.
pub(super) const DEGREES: &str = "deg";

/// What a column is: a channel, or what places its rows in time and on earth.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum Meaning {
    /// A time that runs on over the whole file.
    Time,
    /// The lap's number.
    LapNumber,
    /// Degrees north.
    Latitude,
    /// Degrees east.
    Longitude,
    /// A channel. The lap clock and the lap distance begin at 0 with each lap; the total distance runs on.
    Channel(Slot),
}

/// The meanings without a channel of that sense: id and label.
const OWN: [(Meaning, &str, &str); 4] = [
    (Meaning::Time, "time", "Time of the file"),
    (Meaning::LapNumber, "lap_number", "Lap number"),
    (Meaning::Latitude, "latitude", "Latitude"),
    (Meaning::Longitude, "longitude", "Longitude"),
];

/// Channels that have another name beside the time of the file.
const RENAMED: [(Channel, &str); 4] = [
    (Channel::LapClock, "Time in the lap"),
    (Channel::TotalDistance, "Distance of the file"),
    (Channel::LapDistance, "Distance in the lap"),
    (Channel::LapShare, "Share of the lap"),
];

/// The channels that a driver can choose, those that place rows first. Any other one can stand in a mapping, too.
const OFFERED: &[Channel] = &[
    Channel::LapClock,
    Channel::TotalDistance,
    Channel::LapDistance,
    Channel::LapShare,
    Channel::Speed,
    Channel::Throttle,
    Channel::Brake,
    Channel::Clutch,
    Channel::Handbrake,
    Channel::Steering,
    Channel::SteeringAngle,
    Channel::Gear,
    Channel::Rpm,
    Channel::GLateral,
    Channel::GLongitudinal,
    Channel::GVertical,
    Channel::Position,
    Channel::Yaw,
    Channel::Pitch,
    Channel::Roll,
    Channel::AngularVelocity,
    Channel::BrakeBias,
    Channel::AbsActive,
    Channel::TcsActive,
    Channel::Drs,
    Channel::Fuel,
    Channel::FuelVolume,
    Channel::FuelShare,
    Channel::Boost,
    Channel::WaterTemperature,
    Channel::OilTemperature,
    Channel::OilPressure,
    Channel::AirTemperature,
    Channel::TrackTemperature,
    Channel::WheelSpeed,
    Channel::WheelSlip,
    Channel::SlipAngle,
    Channel::TyrePressure,
    Channel::TyreSurfaceTemperature,
    Channel::TyreInnerTemperature,
    Channel::TyreWear,
    Channel::TyreLoad,
    Channel::BrakeTemperature,
    Channel::SuspensionPosition,
    Channel::SuspensionVelocity,
    Channel::RideHeightFront,
    Channel::RideHeightRear,
];

impl Meaning {
    /// The meaning of a channel with one number.
    pub(super) const fn of(channel: Channel) -> Self {
        Self::Channel(channel.slot())
    }

    /// The stable name in a mapping.
    pub fn id(self) -> String {
        match (self, OWN.iter().find(|(own, ..)| *own == self)) {
            (Self::Channel(slot), _) => slot.id(),
            (_, own) => own.map_or("", |(_, id, _)| *id).to_owned(),
        }
    }

    /// The meaning with a name.
    pub fn from_id(id: &str) -> Option<Self> {
        let own = OWN.iter().find(|(_, other, _)| *other == id).map(|(own, ..)| *own);
        own.or_else(|| (0..).map_while(Slot::from_index).find(|slot| slot.id() == id).map(Self::Channel))
    }

    /// The name for drivers.
    pub fn label(self) -> String {
        let Self::Channel(slot) = self else {
            return OWN.iter().find(|(own, ..)| *own == self).map_or("", |(.., label)| *label).to_owned();
        };
        let (channel, part) = (slot.channel(), usize::from(slot.part()));
        let renamed = RENAMED.iter().find(|(other, _)| *other == channel);
        let label = renamed.map_or(channel.label(), |(_, label)| label);
        match channel.scope() {
            Scope::Car => label.to_owned(),
            Scope::Wheels => format!("{label} {}", Wheel::ALL.get(part).map_or("", |wheel| wheel.short())),
            Scope::Vector => format!("{label} {}", Axis::ALL.get(part).map_or("", |axis| axis_name(*axis))),
        }
    }

    /// What a driver can choose, in the order of a list.
    pub fn offered() -> Vec<Self> {
        let slots = OFFERED.iter().flat_map(|channel| {
            let first = channel.slot().index();
            (first..first + usize::from(channel.scope().width())).filter_map(Slot::from_index)
        });
        let own = OWN.iter().map(|(own, ..)| *own);
        own.chain(slots.map(Self::Channel)).collect()
    }

    /// The names of the units that a column of this meaning can have, the usual one first.
    pub fn units(self) -> Vec<&'static str> {
        let seconds = || units_of(Unit::Seconds).into_iter().chain([CLOCK]).collect();
        match self {
            Self::LapNumber => vec![""],
            Self::Latitude | Self::Longitude => vec![DEGREES],
            Self::Time => seconds(),
            Self::Channel(slot) if slot == Channel::LapClock.slot() => seconds(),
            Self::Channel(slot) => units_of(slot.channel().unit()),
        }
    }

    /// A value in our unit, as a driver reads it.
    pub(super) fn written(self, value: f64) -> String {
        let shown = match self {
            Self::LapNumber => return number::write(value, 0),
            Self::Latitude | Self::Longitude => return format!("{}\u{b0}", number::write(value, 5)),
            Self::Time => Unit::Seconds.shown(),
            Self::Channel(slot) => slot.channel().unit().shown(),
        };
        let text = number::write(shown.value(value), shown.decimals);
        if shown.suffix.is_empty() { text } else { format!("{text} {}", shown.suffix) }
    }
}

const fn axis_name(axis: Axis) -> &'static str {
    match axis {
        Axis::X => "x",
        Axis::Y => "y (up)",
        Axis::Z => "z",
    }
}

impl From<Meaning> for String {
    fn from(meaning: Meaning) -> Self {
        meaning.id()
    }
}

impl TryFrom<String> for Meaning {
    type Error = String;

    fn try_from(id: String) -> Result<Self, String> {
        Self::from_id(&id).ok_or_else(|| format!("no column is read as {id:?}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_lead_back_and_labels_differ() {
        let offered = Meaning::offered();
        let mut labels: Vec<String> = offered.iter().map(|meaning| meaning.label()).collect();
        labels.sort_unstable();
        let count = labels.len();
        labels.dedup();
        assert_eq!(labels.len(), count);
        for meaning in offered {
            assert_eq!(Meaning::from_id(&meaning.id()), Some(meaning));
        }
        assert_eq!(Meaning::from_id("tyre_pressure"), None);
        assert_eq!(Meaning::Channel(Channel::TyrePressure.of(Wheel::RearLeft)).label(), "Tyre pressure RL");
    }
}
