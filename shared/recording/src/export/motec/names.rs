//! Channel names and units that MoTeC users expect.

use trailbrake_model::units::Unit;
use trailbrake_model::{Channel, Slot};

/// A channel under the name that i2's own layouts look for.
struct I2Channel {
    channel: Channel,
    name: &'static str,
    short: &'static str,
    unit: NamedUnit,
    /// Other names for it, from game loggers and MoTeC's devices.
    aliases: &'static [&'static str],
}

/// A named unit in a file: kept value = value × `scale` + `offset`, in our unit `of`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NamedUnit {
    pub(super) name: &'static str,
    of: Unit,
    scale: f64,
    offset: f64,
}

impl NamedUnit {
    /// Converts a value from our unit to this one.
    pub(super) fn written(self, kept: f32) -> f32 {
        ((f64::from(kept) - self.offset) / self.scale) as f32
    }

    /// Converts a value from this unit to ours.
    pub(super) fn kept(self, value: f32) -> f32 {
        self.to_ours(f64::from(value)) as f32
    }

    /// Like `kept`, with all digits.
    pub(crate) fn to_ours(self, value: f64) -> f64 {
        value * self.scale + self.offset
    }
}

const fn unit(name: &'static str, of: Unit, scale: f64) -> NamedUnit {
    NamedUnit { name, of, scale, offset: 0.0 }
}

const KMH: NamedUnit = unit("km/h", Unit::MetresPerSecond, 1.0 / 3.6);
const PER_CENT: NamedUnit = unit("%", Unit::Ratio, 0.01);
const SHARE: NamedUnit = unit("ratio", Unit::Ratio, 1.0);
const DEGREES: NamedUnit = unit("deg", Unit::Radians, std::f64::consts::PI / 180.0);
const KPA: NamedUnit = unit("kPa", Unit::Pascals, 1e3);
const MILLIMETRES: NamedUnit = unit("mm", Unit::Metres, 1e-3);
const G: NamedUnit = unit("G", Unit::G, 1.0);
const CELSIUS: NamedUnit = unit("C", Unit::Celsius, 1.0);
const METRES: NamedUnit = unit("m", Unit::Metres, 1.0);
const RPM: NamedUnit = unit("rpm", Unit::Rpm, 1.0);
const SECONDS: NamedUnit = unit("s", Unit::Seconds, 1.0);
const LITRES: NamedUnit = unit("l", Unit::Litres, 1.0);
const KILOGRAMS: NamedUnit = unit("kg", Unit::Kilograms, 1.0);
const NEWTONS: NamedUnit = unit("N", Unit::Newtons, 1.0);
const KILOJOULES: NamedUnit = unit("kJ", Unit::Joules, 1e3);
const KILOWATTS: NamedUnit = unit("kW", Unit::Watts, 1e3);
const PLAIN: NamedUnit = unit("", Unit::Count, 1.0);
const PLAIN_NUMBER: NamedUnit = unit("", Unit::Number, 1.0);

/// Units found in files, by name.
const UNITS: &[NamedUnit] = &[
    KMH,
    unit("kph", Unit::MetresPerSecond, 1.0 / 3.6),
    unit("kmh", Unit::MetresPerSecond, 1.0 / 3.6),
    unit("mph", Unit::MetresPerSecond, 0.447_04),
    unit("m/s", Unit::MetresPerSecond, 1.0),
    unit("kmph", Unit::MetresPerSecond, 1.0 / 3.6),
    unit("km/hr", Unit::MetresPerSecond, 1.0 / 3.6),
    unit("kn", Unit::MetresPerSecond, 1852.0 / 3600.0),
    unit("knots", Unit::MetresPerSecond, 1852.0 / 3600.0),
    unit("ft/s", Unit::MetresPerSecond, 0.3048),
    PER_CENT,
    SHARE,
    unit("percent", Unit::Ratio, 0.01),
    unit("pct", Unit::Ratio, 0.01),
    DEGREES,
    unit("degrees", Unit::Radians, std::f64::consts::PI / 180.0),
    unit("\u{b0}", Unit::Radians, std::f64::consts::PI / 180.0),
    unit("rad", Unit::Radians, 1.0),
    unit("deg/s", Unit::RadiansPerSecond, std::f64::consts::PI / 180.0),
    unit("\u{b0}/s", Unit::RadiansPerSecond, std::f64::consts::PI / 180.0),
    unit("rad/s", Unit::RadiansPerSecond, 1.0),
    KPA,
    unit("psi", Unit::Pascals, 6_894.757),
    unit("bar", Unit::Pascals, 1e5),
    unit("Pa", Unit::Pascals, 1.0),
    METRES,
    MILLIMETRES,
    unit("cm", Unit::Metres, 1e-2),
    unit("mi", Unit::Metres, 1_609.344),
    unit("miles", Unit::Metres, 1_609.344),
    unit("metres", Unit::Metres, 1.0),
    unit("meters", Unit::Metres, 1.0),
    unit("feet", Unit::Metres, 0.3048),
    unit("in", Unit::Metres, 0.0254),
    unit("km", Unit::Metres, 1e3),
    unit("ft", Unit::Metres, 0.3048),
    G,
    unit("m/s/s", Unit::G, 1.0 / 9.806_65),
    unit("m/s^2", Unit::G, 1.0 / 9.806_65),
    unit("m/s\u{b2}", Unit::G, 1.0 / 9.806_65),
    CELSIUS,
    unit("\u{b0}C", Unit::Celsius, 1.0),
    unit("deg C", Unit::Celsius, 1.0),
    NamedUnit { name: "F", of: Unit::Celsius, scale: 5.0 / 9.0, offset: -160.0 / 9.0 },
    RPM,
    unit("1/min", Unit::Rpm, 1.0),
    unit("rev/min", Unit::Rpm, 1.0),
    SECONDS,
    unit("ms", Unit::Seconds, 1e-3),
    unit("min", Unit::Seconds, 60.0),
    unit("sec", Unit::Seconds, 1.0),
    unit("seconds", Unit::Seconds, 1.0),
    unit("msec", Unit::Seconds, 1e-3),
    LITRES,
    unit("gal", Unit::Litres, 3.785_411_784),
    KILOGRAMS,
    unit("lb", Unit::Kilograms, 0.453_592_37),
    NEWTONS,
    unit("kN", Unit::Newtons, 1e3),
    KILOJOULES,
    unit("MJ", Unit::Joules, 1e6),
    KILOWATTS,
    PLAIN,
    unit("gear", Unit::Count, 1.0),
    unit("no", Unit::Count, 1.0),
    unit("#", Unit::Count, 1.0),
];

const fn known(
    channel: Channel,
    name: &'static str,
    short: &'static str,
    unit: NamedUnit,
    aliases: &'static [&'static str],
) -> I2Channel {
    I2Channel { channel, name, short, unit, aliases }
}

/// The channels with a MoTeC name.
const KNOWN: &[I2Channel] = &[
    known(
        Channel::Speed,
        "Ground Speed",
        "Speed",
        KMH,
        &["Speed", "Corr Speed", "Vehicle Speed", "GPS Speed", "Speed Over Ground"],
    ),
    known(
        Channel::Throttle,
        "Throttle Pos",
        "Throttl",
        PER_CENT,
        &["Throttle", "Throttle Position", "Throttle Pedal Pos", "Pedal Pos"],
    ),
    known(Channel::Brake, "Brake Pos", "Brake", PER_CENT, &["Brake", "Brake Position", "Brake Pedal Pos"]),
    known(
        Channel::Clutch,
        "Clutch Pos",
        "Clutch",
        PER_CENT,
        &["Clutch", "Clutch Position", "Clutch Pedal Pos"],
    ),
    known(Channel::Steering, "Steering Pos", "Steer", PER_CENT, &["Steering"]),
    known(
        Channel::SteeringAngle,
        "Steering Angle",
        "SteerAn",
        DEGREES,
        &["STEERANGLE", "Steering Wheel Angle", "SteeringWheelAngle", "Steered Angle"],
    ),
    known(Channel::Gear, "Gear", "Gear", PLAIN, &["Gear Pos", "Current Gear"]),
    known(Channel::Rpm, "Engine RPM", "RPM", RPM, &["RPMS", "RPM", "Engine Speed", "Eng RPM"]),
    known(
        Channel::LapDistance,
        "Lap Distance",
        "LapDist",
        METRES,
        &["LAP_DISTANCE", "LapDist", "Lap Dist", "Corr Dist", "Distance"],
    ),
    known(
        Channel::GLateral,
        "G Force Lat",
        "GLat",
        G,
        &["G_LAT", "CG Accel Lateral", "Lateral Acceleration", "LatAccel", "G Lat"],
    ),
    known(
        Channel::GLongitudinal,
        "G Force Long",
        "GLong",
        G,
        &["G_LON", "CG Accel Longitudinal", "Longitudinal Acceleration", "LongAccel", "G Long"],
    ),
    known(Channel::GVertical, "G Force Vert", "GVert", G, &["CG Accel Vertical", "VertAccel", "G Vert"]),
    known(
        Channel::TyrePressure,
        "Tyre Pressure",
        "TyrePr",
        KPA,
        &["Tire Pressure", "TYRE_PRESS", "Tyre Pres"],
    ),
    known(Channel::TyreSurfaceTemperature, "Tyre Temp Surface", "TyreTs", CELSIUS, &[]),
    known(
        Channel::TyreInnerTemperature,
        "Tyre Temp Core",
        "TyreTc",
        CELSIUS,
        &["Tire Temp Core", "TYRE_TAIR"],
    ),
    known(Channel::BrakeTemperature, "Brake Temp", "BrakeT", CELSIUS, &["BRAKE_TEMP"]),
    known(
        Channel::SuspensionPosition,
        "Suspension Travel",
        "SusTrav",
        MILLIMETRES,
        &["SUS_TRAVEL", "Susp Pos"],
    ),
    known(Channel::WheelSpeed, "Wheel Speed", "WhlSpd", KMH, &["WHEEL_SPEED"]),
    known(Channel::EngineTemperature, "Engine Temp", "EngT", CELSIUS, &["Eng Temp"]),
    known(Channel::OilTemperature, "Oil Temp", "OilT", CELSIUS, &["Eng Oil Temp", "Engine Oil Temp"]),
    known(
        Channel::WaterTemperature,
        "Water Temp",
        "WaterT",
        CELSIUS,
        &["Eng Water Temp", "Engine Water Temp"],
    ),
    known(Channel::Position, "Position", "Pos", METRES, &["Car Coord"]),
    known(Channel::FuelVolume, "Fuel Level", "FuelLev", LITRES, &[]),
    known(Channel::FuelLevel, "Fuel Game Units", "FuelGU", PLAIN_NUMBER, &[]),
    known(Channel::Yaw, "Yaw Angle", "Yaw", DEGREES, &[]),
    known(Channel::Pitch, "Pitch Angle", "Pitch", DEGREES, &[]),
    known(Channel::Roll, "Roll Angle", "Roll", DEGREES, &[]),
    known(Channel::WheelSlip, "Tyre Slip Ratio", "SlipR", PER_CENT, &["Tire Slip Ratio", "Slip Ratio"]),
    known(Channel::SlipAngle, "Tyre Slip Angle", "SlipA", DEGREES, &["Tire Slip Angle"]),
    known(Channel::TyreLoad, "Tyre Load", "Load", NEWTONS, &["Tire Load"]),
    known(Channel::TyreForceLateral, "Tyre Force Lat", "FLat", NEWTONS, &[]),
    known(Channel::TyreForceLongitudinal, "Tyre Force Long", "FLong", NEWTONS, &[]),
    known(Channel::TyreWear, "Tyre Wear", "Wear", PER_CENT, &["Tire Wear"]),
    known(Channel::TyreDamage, "Tyre Damage", "TyDam", PER_CENT, &["Tire Damage"]),
    known(Channel::TyreBlisters, "Tyre Blisters", "Blist", PER_CENT, &["Tire Blisters"]),
    known(Channel::BrakeDamage, "Brake Damage", "BrDam", PER_CENT, &[]),
    known(Channel::Camber, "Camber", "Camber", DEGREES, &[]),
    known(Channel::CamberGain, "Camber Gain", "CambG", DEGREES, &[]),
    known(Channel::FrontWheelsAngle, "Front Wheels Angle", "FWhlAng", DEGREES, &[]),
    known(Channel::WheelAngle, "Wheel Angle", "WhlAng", DEGREES, &[]),
    known(Channel::BodySlipAngle, "Body Slip Angle", "BodySlp", DEGREES, &["Chassis Slip Angle"]),
    known(Channel::BodyPitch, "Body Pitch Angle", "BodyPit", DEGREES, &[]),
    known(Channel::RollFront, "Roll Angle Front", "RollF", DEGREES, &[]),
    known(Channel::RollRear, "Roll Angle Rear", "RollR", DEGREES, &[]),
    known(Channel::RideHeightFront, "Ride Height Front", "RideF", MILLIMETRES, &[]),
    known(Channel::RideHeightRear, "Ride Height Rear", "RideR", MILLIMETRES, &[]),
    known(Channel::BrakeBias, "Brake Bias", "BrkBias", PER_CENT, &["Brake Bias Pos"]),
    known(Channel::Drs, "DRS Active", "DRS", PLAIN, &[]),
    known(Channel::DrsAllowed, "DRS Available", "DRSAvl", PLAIN, &[]),
    known(Channel::ErsStore, "ERS Store", "ERSSt", KILOJOULES, &["KERS Charge Energy"]),
    known(Channel::ErsHarvestedMguK, "ERS Harvested MGU-K", "ERSHvK", KILOJOULES, &[]),
    known(Channel::ErsHarvestedMguH, "ERS Harvested MGU-H", "ERSHvH", KILOJOULES, &[]),
    known(Channel::ErsDeployed, "ERS Deployed", "ERSDep", KILOJOULES, &["KERS Deployed Energy"]),
    known(Channel::ErsHarvestLimit, "ERS Harvest Limit", "ERSLim", KILOJOULES, &[]),
    known(Channel::PowerEngine, "Engine Power", "EngPwr", KILOWATTS, &["Eng Power"]),
    known(Channel::PowerMguK, "MGU-K Power", "MGUKPwr", KILOWATTS, &[]),
    known(Channel::TrackTemperature, "Track Temp", "TrackT", CELSIUS, &["Road Temp"]),
    known(Channel::AirTemperature, "Air Temp", "AirT", CELSIUS, &["Ambient Temp"]),
    known(Channel::SpeedTrap, "Speed Trap", "SpdTrap", KMH, &[]),
    known(Channel::DamageFrontLeftWing, "Damage Front Wing Left", "DamFWL", PER_CENT, &[]),
    known(Channel::DamageFrontRightWing, "Damage Front Wing Right", "DamFWR", PER_CENT, &[]),
    known(Channel::DamageRearWing, "Damage Rear Wing", "DamRW", PER_CENT, &[]),
    known(Channel::DamageFloor, "Damage Floor", "DamFlr", PER_CENT, &[]),
    known(Channel::DamageDiffuser, "Damage Diffuser", "DamDif", PER_CENT, &[]),
    known(Channel::DamageSidepod, "Damage Sidepod", "DamSide", PER_CENT, &[]),
    known(Channel::DamageEngine, "Damage Engine", "DamEng", PER_CENT, &[]),
    known(Channel::DamageGearbox, "Damage Gearbox", "DamGbx", PER_CENT, &[]),
    known(Channel::WearMguH, "Wear MGU-H", "WearMGH", PER_CENT, &[]),
    known(Channel::WearEnergyStore, "Wear Energy Store", "WearES", PER_CENT, &[]),
    known(Channel::WearControlElectronics, "Wear Control Electronics", "WearCE", PER_CENT, &[]),
    known(Channel::WearCombustionEngine, "Wear Combustion Engine", "WearICE", PER_CENT, &[]),
    known(Channel::WearMguK, "Wear MGU-K", "WearMGK", PER_CENT, &[]),
    known(Channel::WearTurbo, "Wear Turbo", "WearTC", PER_CENT, &[]),
];

/// The name, short name and unit of a channel in a log.
pub(super) struct NumberFormat {
    pub(super) name: String,
    pub(super) short: String,
    pub(super) unit: NamedUnit,
}

/// How a slot is written: with MoTeC's name and unit if there is one, else with a name made from our id, in our unit.
pub(super) fn written(slot: Slot) -> NumberFormat {
    let channel = slot.channel();
    let part = slot
        .id()
        .strip_prefix(channel.id())
        .map(|part| part.replace('_', " ").to_uppercase())
        .unwrap_or_default();
    match KNOWN.iter().find(|known| known.channel == channel) {
        Some(known) => NumberFormat {
            name: format!("{}{part}", known.name),
            short: short(known.short, &part),
            unit: known.unit,
        },
        None => {
            let of = channel.unit();
            let unit = NamedUnit { name: of.symbol().unwrap_or_default(), of, scale: 1.0, offset: 0.0 };
            let name = title_of(channel);
            NumberFormat { short: short(&name, &part), name: format!("{name}{part}"), unit }
        }
    }
}

/// Abbreviations in ids, as they are spelled in names.
const ABBREVIATIONS: &[(&str, &str)] = &[
    ("abs", "ABS"),
    ("asm", "ASM"),
    ("drs", "DRS"),
    ("ers", "ERS"),
    ("kers", "KERS"),
    ("mguh", "MGU-H"),
    ("mguk", "MGU-K"),
    ("rpm", "RPM"),
    ("tcs", "TCS"),
    ("udp", "UDP"),
];

/// A MoTeC-style name made from a channel's id: `shift_rpm` becomes `Shift RPM`. Labels are too long for a file, and
/// ids are unique.
fn title_of(channel: Channel) -> String {
    let words = channel.id().split('_').map(|word| {
        let abbreviation = ABBREVIATIONS.iter().find(|(id, _)| *id == word);
        abbreviation.map_or_else(|| capitalised(word), |(_, written)| (*written).to_owned())
    });
    words.collect::<Vec<_>>().join(" ")
}

fn capitalised(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().map(|first| first.to_ascii_uppercase()).into_iter().chain(letters).collect()
}

fn short(name: &str, part: &str) -> String {
    let part = part.trim();
    let room = 7_usize.saturating_sub(part.len());
    name.chars().filter(char::is_ascii_alphanumeric).take(room).chain(part.chars()).collect()
}

/// The channel that a name in a file stands for.
pub(crate) fn channel_called(name: &str) -> Option<Channel> {
    let same = |other: &str| other.eq_ignore_ascii_case(name.trim());
    let known = KNOWN.iter().find(|known| same(known.name) || known.aliases.iter().any(|alias| same(alias)));
    known.map(|known| known.channel).or_else(|| {
        let own =
            |channel: &Channel| same(channel.label()) || same(channel.id()) || same(&title_of(*channel));
        Channel::ALL.iter().copied().find(own)
    })
}

/// Suffixes of wheels and axes in channel names, and ours.
const PARTS: &[(&str, &str)] = &[
    ("FL", "_fl"),
    ("FR", "_fr"),
    ("RL", "_rl"),
    ("RR", "_rr"),
    ("LF", "_fl"),
    ("RF", "_fr"),
    ("LR", "_rl"),
    ("X", "_x"),
    ("Y", "_y"),
    ("Z", "_z"),
];

/// Splits a name into the channel's name and our suffix of the wheel or axis: `Tyre Pressure FL`, `TYRE_PRESS_LF`.
pub(super) fn part_called(name: &str) -> (&str, Option<&'static str>) {
    let Some((before, part)) = name.rsplit_once([' ', '_']) else { return (name, None) };
    match PARTS.iter().find(|(other, _)| *other == part) {
        Some((_, ending)) => (before, Some(ending)),
        None => (name, None),
    }
}

/// The unit of a pedal without a unit in the log: a ratio if no sample exceeds one, else per cent.
pub(super) fn unit_of_pedal(samples: &[f32]) -> NamedUnit {
    const ROUNDED: f32 = 1.01;
    if samples.iter().all(|sample| *sample <= ROUNDED) { SHARE } else { PER_CENT }
}

/// The named unit, if it measures the channel's quantity.
pub(crate) fn unit_called(name: &str, channel: Channel) -> Option<NamedUnit> {
    let same = |unit: &&NamedUnit| unit.of == channel.unit() && unit.name.eq_ignore_ascii_case(name.trim());
    let kept = NamedUnit { name: "", of: channel.unit(), scale: 1.0, offset: 0.0 };
    let is_kept = channel.unit().symbol().unwrap_or_default().eq_ignore_ascii_case(name.trim());
    UNITS.iter().find(same).copied().or_else(|| is_kept.then_some(kept))
}

/// The names of the units of a quantity, one for each size, the usual one first.
pub(crate) fn units_of(of: Unit) -> Vec<&'static str> {
    let mut units: Vec<NamedUnit> = Vec::new();
    for unit in UNITS.iter().filter(|unit| unit.of == of) {
        if !units.iter().any(|other| (other.scale, other.offset) == (unit.scale, unit.offset)) {
            units.push(*unit);
        }
    }
    if units.is_empty() {
        return vec![of.symbol().unwrap_or_default()];
    }
    units.into_iter().map(|unit| unit.name).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_channel_has_a_readable_name_of_its_own() {
        let slots: Vec<Slot> = (0..).map_while(Slot::from_index).collect();
        assert!(slots.len() > Channel::ALL.len());
        let mut names = BTreeSet::new();
        for slot in slots {
            let NumberFormat { name, short, unit } = written(slot);
            assert!(name.len() <= 31 && short.len() <= 7 && !short.is_empty(), "{name} {short}");
            assert!(name.is_ascii() && unit.name.len() <= 11, "{name} [{}]", unit.name);
            assert!(
                !name.contains('_') && name.starts_with(|first: char| first.is_ascii_uppercase()),
                "{name}"
            );
            assert_ne!(name, slot.id());
            let (bare, _) = part_called(&name);
            assert_eq!(channel_called(bare), Some(slot.channel()), "{name}");
            assert!(names.insert(name.to_ascii_lowercase()), "{name} stands for two channels");
        }
        assert_eq!(written(Channel::ShiftRpm.slot()).name, "Shift RPM");
    }

    #[test]
    fn what_later_games_send_has_the_units_of_race_engineers() {
        let check = |channel: Channel, kept: f32, expected: (&str, &str, f32)| {
            let NumberFormat { name, unit, .. } = written(channel.slot());
            let value = unit.written(kept);
            assert_eq!((name.as_str(), unit.name), (expected.0, expected.1));
            assert!((value - expected.2).abs() < 1e-3 * expected.2.abs(), "{name}: {value}");
            assert!((unit.kept(value) - kept).abs() <= 1e-5 * kept.abs(), "{name}");
            assert!(unit_called(unit.name, channel).is_some(), "{name} [{}] is not read", unit.name);
        };
        check(Channel::ErsStore, 3_531_262.0, ("ERS Store", "kJ", 3531.262));
        check(Channel::PowerEngine, 462_246.0, ("Engine Power", "kW", 462.246));
        check(Channel::RideHeightFront, 0.028_78, ("Ride Height Front", "mm", 28.78));
        check(Channel::BrakeBias, 0.58, ("Brake Bias", "%", 58.0));
        check(Channel::BodySlipAngle, -0.063_86, ("Body Slip Angle", "deg", -3.6589));
        check(Channel::WearTurbo, 0.12, ("Wear Turbo", "%", 12.0));
        let slip =
            (0..).map_while(Slot::from_index).find(|slot| slot.id() == "slip_angle_fl").expect("a wheel");
        assert_eq!(written(slip).name, "Tyre Slip Angle FL");
        // Under the names of older exports and of other loggers, too.
        for (name, channel) in [
            ("Slip Angle", Channel::SlipAngle),
            ("Tire Slip Angle", Channel::SlipAngle),
            ("Wheel Slip", Channel::WheelSlip),
            ("DRS", Channel::Drs),
            ("Power Engine", Channel::PowerEngine),
        ] {
            assert_eq!(channel_called(name), Some(channel), "{name}");
        }
    }
}
