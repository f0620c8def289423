//! What the names of columns say about them.

use trailbrake_model::units::Unit;
use trailbrake_model::{Axis, Channel, Slot, Wheel};

use super::meaning::Meaning;
use crate::export::motec::{channel_called, unit_called};

/// Names of columns in lower case, separated by spaces, and what such a column is.
const NAMES: &[(&[&str], Meaning)] = &[
    (
        &[
            "time",
            "timestamp",
            "time stamp",
            "elapsed time",
            "elapsed",
            "session time",
            "race time",
            "total time",
            "seconds",
            "utc time",
            "gps time",
            "t",
            "zeit",
            "temps",
            "tiempo",
        ],
        Meaning::Time,
    ),
    (
        &[
            "lap time",
            "laptime",
            "current lap time",
            "lap current lap time",
            "current laptime",
            "lap clock",
            "time in lap",
            "lap timer",
            "time lap",
            "rundenzeit",
        ],
        Meaning::of(Channel::LapClock),
    ),
    (
        &[
            "lap",
            "lap number",
            "lap no",
            "lap num",
            "lap nr",
            "lap count",
            "lap index",
            "laps",
            "current lap",
            "lapnumber",
            "runde",
        ],
        Meaning::LapNumber,
    ),
    (
        &[
            "lap distance",
            "lap dist",
            "lapdist",
            "lapdistance",
            "distance in lap",
            "distance on lap",
            "dist lap",
            "distance lap",
            "distance from start",
            "lap position",
        ],
        Meaning::of(Channel::LapDistance),
    ),
    (
        &[
            "distance",
            "dist",
            "total distance",
            "distance total",
            "corr dist",
            "distance driven",
            "odometer",
            "strecke",
        ],
        Meaning::of(Channel::TotalDistance),
    ),
    (
        &[
            "lap dist pct",
            "lap distance pct",
            "lap progress",
            "lap percent",
            "lap percentage",
            "lap share",
            "lap fraction",
            "normalized car position",
            "normalised car position",
            "normalized position",
            "normalised position",
            "normalized lap position",
            "spline position",
            "track position",
            "track percent",
        ],
        Meaning::of(Channel::LapShare),
    ),
    (&["lat", "latitude", "gps latitude", "gps lat"], Meaning::Latitude),
    (&["lon", "lng", "longitude", "gps longitude", "gps lon", "gps long"], Meaning::Longitude),
    (
        &[
            "speed",
            "velocity",
            "ground speed",
            "car speed",
            "vehicle speed",
            "v",
            "geschwindigkeit",
            "gps speed",
            "obd speed",
        ],
        Meaning::of(Channel::Speed),
    ),
    (
        &[
            "throttle",
            "gas",
            "accelerator",
            "throttle input",
            "throttle pos",
            "throttle position",
            "tps",
            "throttle pedal",
            "gas pedal",
        ],
        Meaning::of(Channel::Throttle),
    ),
    (
        &["brake", "brakes", "brake input", "brake pos", "brake position", "brake pedal", "bremse"],
        Meaning::of(Channel::Brake),
    ),
    (&["clutch", "clutch input", "clutch pedal", "clutch pos"], Meaning::of(Channel::Clutch)),
    (&["handbrake", "hand brake"], Meaning::of(Channel::Handbrake)),
    (&["steering", "steer", "steering input", "steering pos"], Meaning::of(Channel::Steering)),
    (
        &[
            "steering angle",
            "steer angle",
            "steering wheel angle",
            "steering wheel",
            "steerangle",
            "lenkwinkel",
        ],
        Meaning::of(Channel::SteeringAngle),
    ),
    (&["gear", "gear pos", "current gear", "gang"], Meaning::of(Channel::Gear)),
    (
        &["rpm", "rpms", "engine rpm", "engine speed", "revs", "eng rpm", "drehzahl"],
        Meaning::of(Channel::Rpm),
    ),
    (
        &[
            "g lat",
            "lat g",
            "lateral g",
            "g force lat",
            "lateral acceleration",
            "lat accel",
            "lateral acc",
            "accel lateral",
            "acc lateral",
            "g lateral",
            "gforce lat",
            "g force lateral",
            "lat acc",
            "acceleration lateral",
        ],
        Meaning::of(Channel::GLateral),
    ),
    (
        &[
            "g lon",
            "g long",
            "long g",
            "lon g",
            "longitudinal g",
            "g force long",
            "longitudinal acceleration",
            "long accel",
            "longitudinal acc",
            "accel longitudinal",
            "acc longitudinal",
            "g longitudinal",
            "g force longitudinal",
            "long acc",
        ],
        Meaning::of(Channel::GLongitudinal),
    ),
    (
        &["g vert", "vert g", "vertical g", "g force vert", "vertical acceleration", "vert accel"],
        Meaning::of(Channel::GVertical),
    ),
    (&["fuel", "fuel level", "fuel remaining"], Meaning::of(Channel::FuelVolume)),
    (
        &["water temp", "coolant temp", "water temperature", "coolant temperature", "ect"],
        Meaning::of(Channel::WaterTemperature),
    ),
    (&["oil temp", "oil temperature"], Meaning::of(Channel::OilTemperature)),
    (&["air temp", "air temperature", "ambient temp"], Meaning::of(Channel::AirTemperature)),
    (&["track temp", "track temperature", "road temp"], Meaning::of(Channel::TrackTemperature)),
    (&["brake bias", "brake balance"], Meaning::of(Channel::BrakeBias)),
];

/// Names of places, which are axes of a position.
const PLACES: [(&str, Axis); 3] = [("x", Axis::X), ("y", Axis::Y), ("z", Axis::Z)];
const BEFORE_AXIS: &[&str] = &[
    "",
    "pos",
    "position",
    "world",
    "world position",
    "car coord",
    "coord",
    "world pos",
    "car pos",
    "car position",
];

/// Wheels in names, and channels of wheels.
const WHEELS: &[(&str, Wheel)] = &[
    ("fl", Wheel::FrontLeft),
    ("fr", Wheel::FrontRight),
    ("rl", Wheel::RearLeft),
    ("rr", Wheel::RearRight),
    ("lf", Wheel::FrontLeft),
    ("rf", Wheel::FrontRight),
    ("lr", Wheel::RearLeft),
];
const OF_WHEELS: &[(&[&str], Channel)] = &[
    (&["tyre pressure", "tire pressure", "tyre press", "tire press", "pressure"], Channel::TyrePressure),
    (
        &["tyre temp", "tire temp", "tyre temperature", "tire temperature", "tyre temp surface"],
        Channel::TyreSurfaceTemperature,
    ),
    (&["tyre temp core", "tire temp core", "tyre core temp"], Channel::TyreInnerTemperature),
    (&["brake temp", "brake temperature"], Channel::BrakeTemperature),
    (&["wheel speed"], Channel::WheelSpeed),
    (
        &["suspension travel", "susp travel", "suspension position", "suspension", "damper", "damper pos"],
        Channel::SuspensionPosition,
    ),
    (&["tyre wear", "tire wear"], Channel::TyreWear),
    (&["tyre load", "tire load", "wheel load"], Channel::TyreLoad),
];

/// Units that only names of columns have, as a mapping names them.
const UNITS_IN_NAMES: &[(&str, &str)] = &[
    ("kph", "km/h"),
    ("kmh", "km/h"),
    ("km h", "km/h"),
    ("kmph", "km/h"),
    ("sec", "s"),
    ("seconds", "s"),
    ("msec", "ms"),
    ("milliseconds", "ms"),
    ("metres", "m"),
    ("meters", "m"),
    ("feet", "ft"),
    ("miles", "mi"),
    ("percent", "%"),
    ("pct", "%"),
    ("degrees", "deg"),
    ("\u{b0}", "deg"),
    ("celsius", "C"),
    ("hh:mm:ss", "mm:ss"),
    ("mm:ss.fff", "mm:ss"),
    ("m:s", "mm:ss"),
];

/// A column's name, apart from its unit.
#[derive(Debug, PartialEq)]
pub(super) struct ColumnName {
    /// In lower case, separated by spaces.
    words: String,
    /// The name without its unit.
    bare: String,
    /// The unit in the name, or an empty text.
    pub(super) unit: String,
}

/// Whether a text is a unit of anything.
pub(super) fn is_unit(text: &str) -> bool {
    let text = unit_named(text);
    const KINDS: [Channel; 13] = [
        Channel::Speed,
        Channel::LapClock,
        Channel::LapDistance,
        Channel::Throttle,
        Channel::SteeringAngle,
        Channel::GLateral,
        Channel::Rpm,
        Channel::WaterTemperature,
        Channel::TyrePressure,
        Channel::FuelVolume,
        Channel::Fuel,
        Channel::TyreLoad,
        Channel::AngularVelocity,
    ];
    text == "mm:ss"
        || text == "no"
        || KINDS.iter().any(|channel| !text.is_empty() && unit_called(text, *channel).is_some())
}

/// A unit as a mapping names it.
pub(super) fn unit_named(text: &str) -> &str {
    let text = text.trim();
    let same = |(name, _): &&(&str, &str)| name.eq_ignore_ascii_case(text);
    UNITS_IN_NAMES.iter().find(same).map_or(text, |(_, unit)| unit)
}

impl ColumnName {
    /// Takes a name such as `Speed [km/h]`, `speed_kmh`, `ThrottlePos (%)` or `Throttle %` apart.
    pub(super) fn of(name: &str) -> Self {
        let name = name.trim();
        let closed = name.strip_suffix([']', ')', '}']).and_then(|open| open.rsplit_once(['[', '(', '{']));
        let (bare, unit) = match closed {
            Some((bare, unit)) => (bare.trim(), unit_named(unit).to_owned()),
            None => {
                let last = name.rsplit_once([' ', '_', '-']).filter(|(bare, _)| !bare.is_empty());
                match last.filter(|(_, unit)| unit.len() > 1 && is_unit(unit) || *unit == "%") {
                    Some((bare, unit)) => (bare.trim(), unit_named(unit).to_owned()),
                    None => (name, String::new()),
                }
            }
        };
        Self { words: words(bare), bare: bare.to_owned(), unit }
    }

    /// What the name says the column is.
    pub(super) fn meaning(&self, whole: &str) -> Option<Meaning> {
        // Our own tables name slot and unit.
        if let Some(slot) = Slot::headed(whole) {
            return Some(Meaning::Channel(slot));
        }
        // In `Engine RPM` the unit is a part of the name.
        let with_unit = Self { words: words(whole), bare: whole.to_owned(), unit: String::new() };
        self.named().or_else(|| with_unit.named())
    }

    fn named(&self) -> Option<Meaning> {
        let named = NAMES.iter().find(|(names, _)| names.contains(&self.words.as_str()));
        if let Some((_, meaning)) = named {
            return Some(*meaning);
        }
        let axis = self.axis().map(|axis| Meaning::Channel(Channel::Position.along(axis)));
        axis.or_else(|| self.wheel()).or_else(|| {
            let channel = channel_called(&self.bare).or_else(|| channel_called(&self.words))?;
            (channel.scope().width() == 1).then_some(Meaning::of(channel))
        })
    }

    /// The axis, if the column is a coordinate.
    fn axis(&self) -> Option<Axis> {
        let (before, last) = self.words.rsplit_once(' ').unwrap_or(("", &self.words));
        let axis = PLACES.iter().find(|(name, _)| *name == last).map(|(_, axis)| *axis);
        axis.filter(|_| BEFORE_AXIS.contains(&before))
    }

    /// The channel of a wheel: `Tyre Temp FL`, `lf tyre pressure`.
    fn wheel(&self) -> Option<Meaning> {
        let wheel = |word: &str| WHEELS.iter().find(|(name, _)| *name == word).map(|(_, wheel)| *wheel);
        let behind = self.words.rsplit_once(' ').and_then(|(rest, last)| Some((rest, wheel(last)?)));
        let before = || self.words.split_once(' ').and_then(|(first, rest)| Some((rest, wheel(first)?)));
        let (rest, wheel) = behind.or_else(before)?;
        let known = OF_WHEELS.iter().find(|(names, _)| names.contains(&rest)).map(|(_, channel)| *channel);
        let channel =
            known.or_else(|| channel_called(rest).filter(|channel| channel.scope().width() == 4))?;
        Some(Meaning::Channel(channel.of(wheel)))
    }
}

/// The unit of a channel that has a plain number in tables, and others that it may be instead.
pub(super) fn alternatives(meaning: Meaning) -> Vec<Meaning> {
    let others: &[Channel] = match meaning {
        Meaning::Channel(slot) => match slot.channel() {
            Channel::Steering | Channel::SteeringAngle => &[Channel::Steering, Channel::SteeringAngle],
            Channel::FuelVolume | Channel::Fuel => &[Channel::FuelVolume, Channel::Fuel, Channel::FuelShare],
            Channel::LapDistance | Channel::TotalDistance => &[Channel::LapShare],
            Channel::LapShare => &[Channel::LapDistance],
            _ => &[],
        },
        _ => &[],
    };
    std::iter::once(meaning).chain(others.iter().map(|channel| Meaning::of(*channel))).collect()
}

/// A unit that is usual where neither name nor unit row has one; the values decide between several.
pub(super) fn usual_unit(unit: Unit, most: f64) -> Option<&'static str> {
    /// A ratio may be a little more than 1, since it is rounded.
    const MOST_RATIO: f64 = 1.01;
    Some(match unit {
        Unit::Ratio if most <= MOST_RATIO => "ratio",
        Unit::Ratio if most <= 100.0 * MOST_RATIO => "%",
        // Raw numbers of a sensor.
        Unit::Ratio => return None,
        // Faster than any car, in metres per second.
        Unit::MetresPerSecond if most > 110.0 => "km/h",
        Unit::MetresPerSecond => "m/s",
        Unit::Radians if most > 8.0 => "deg",
        Unit::Radians => "rad",
        Unit::G if most > 6.5 => "m/s^2",
        Unit::G => "G",
        Unit::Pascals if most < 6.0 => "bar",
        Unit::Pascals if most < 80.0 => "psi",
        Unit::Pascals if most < 1_000.0 => "kPa",
        Unit::Pascals => "Pa",
        Unit::Metres => "m",
        Unit::Celsius => "C",
        Unit::Rpm => "rpm",
        Unit::Litres => "l",
        Unit::Kilograms => "kg",
        Unit::Newtons => "N",
        Unit::RadiansPerSecond => "rad/s",
        other => other.symbol().unwrap_or_default(),
    })
}

/// `SteeringWheelAngle`, `steering_wheel_angle` and `Steering Wheel Angle` are the same words.
fn words(name: &str) -> String {
    let mut words = String::new();
    let mut before = ' ';
    for letter in name.chars() {
        let begins = letter.is_uppercase() && before.is_lowercase();
        if !letter.is_alphanumeric() || begins {
            words.push(' ');
        }
        if letter.is_alphanumeric() {
            words.extend(letter.to_lowercase());
        }
        before = letter;
    }
    words.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_many_programs_are_understood() {
        let channel = |channel: Channel| Some(Meaning::of(channel));
        let wheel = |channel: Channel, wheel| Some(Meaning::Channel(channel.of(wheel)));
        for (name, meaning, unit) in [
            ("Speed [km/h]", channel(Channel::Speed), "km/h"),
            ("speed_kmh", channel(Channel::Speed), "km/h"),
            ("Throttle %", channel(Channel::Throttle), "%"),
            ("ThrottlePos (%)", channel(Channel::Throttle), "%"),
            ("LapDist", channel(Channel::LapDistance), ""),
            ("LapDistPct", channel(Channel::LapShare), ""),
            ("Distance (m)", channel(Channel::TotalDistance), "m"),
            ("Lap Time [ms]", channel(Channel::LapClock), "ms"),
            ("SteeringWheelAngle", channel(Channel::SteeringAngle), ""),
            ("Ground Speed", channel(Channel::Speed), ""),
            ("Speed m/s", channel(Channel::Speed), "m/s"),
            ("Engine RPM", channel(Channel::Rpm), "RPM"),
            ("G_LAT", channel(Channel::GLateral), ""),
            ("speed [m/s]", channel(Channel::Speed), "m/s"),
            ("Tyre Temp FL", wheel(Channel::TyreSurfaceTemperature, Wheel::FrontLeft), ""),
            ("LR Tire Pressure (psi)", wheel(Channel::TyrePressure, Wheel::RearLeft), "psi"),
            ("Pos X", Some(Meaning::Channel(Channel::Position.along(Axis::X))), ""),
            ("Time [s]", Some(Meaning::Time), "s"),
            ("Lap #", Some(Meaning::LapNumber), ""),
            ("Latitude (deg)", Some(Meaning::Latitude), "deg"),
            ("Longitude", Some(Meaning::Longitude), ""),
            ("Weather", None, ""),
        ] {
            let column = ColumnName::of(name);
            assert_eq!((column.meaning(name), column.unit.as_str()), (meaning, unit), "{name}");
        }
    }

    #[test]
    fn units_are_known_under_their_usual_names() {
        for unit in ["km/h", "%", "s", "\u{b0}", "deg", "G", "rpm", "psi", "no", "mm:ss"] {
            assert!(is_unit(unit), "{unit}");
        }
        for other in ["", "Speed", "Lap", "Gear"] {
            assert!(!is_unit(other), "{other}");
        }
    }
}
