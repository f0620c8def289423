//! Units. Values keep the unit named here from the decoder on; only display converts.

use serde::{Deserialize, Serialize};

/// The unit that a channel's values are stored in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Unit {
    /// An integer, a state or an enum.
    Count,
    /// A fraction without a unit: a coefficient, or a quantity whose unit only the game knows.
    Number,
    /// A fraction from 0 to 1, shown in per cent.
    Ratio,
    /// Change of a fraction per second, shown in per cent per second.
    RatioPerSecond,
    /// Metres per second.
    MetresPerSecond,
    /// Metres.
    Metres,
    /// Seconds.
    Seconds,
    /// Revolutions per minute: used instead of rad/s, since every dashboard shows rpm.
    Rpm,
    /// Radians.
    Radians,
    /// Radians per second.
    RadiansPerSecond,
    /// Radians per second squared.
    RadiansPerSecondSquared,
    /// Metres per second squared.
    MetresPerSecondSquared,
    /// Multiples of standard gravity, the drivers' unit of acceleration.
    G,
    /// Degrees Celsius.
    Celsius,
    /// Pascals.
    Pascals,
    /// Kilograms.
    Kilograms,
    /// Litres.
    Litres,
    /// Joules.
    Joules,
    /// Newtons.
    Newtons,
    /// Newton metres.
    NewtonMetres,
    /// Watts.
    Watts,
}

/// Pascals in one pound per square inch.
pub const PASCALS_PER_PSI: f32 = 6_894.757;
/// Pascals in one bar.
pub const PASCALS_PER_BAR: f32 = 1e5;
/// Metres per second squared in one standard gravity.
pub const MPS2_PER_G: f32 = 9.806_65;
/// Metres per second in one kilometre per hour.
pub const MPS_PER_KMH: f32 = 1.0 / 3.6;

/// Converts rad/s to revolutions per minute.
pub fn rpm(radians_per_second: f32) -> f32 {
    (f64::from(radians_per_second) * (30.0 / std::f64::consts::PI)) as f32
}

/// A way to display a unit: scale, offset and suffix.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DisplayUnit {
    /// The suffix after a number.
    pub suffix: &'static str,
    /// Displayed value = stored value × `scale` + `offset`.
    pub scale: f64,
    /// See `scale`.
    pub offset: f64,
    /// Digits after the decimal point.
    pub decimals: usize,
}

impl DisplayUnit {
    /// The displayed value.
    pub fn value(&self, kept: f64) -> f64 {
        kept * self.scale + self.offset
    }
}

impl Unit {
    /// The display units to choose from, the default first. Drivers choose per quantity.
    pub fn choices(self) -> &'static [DisplayUnit] {
        const fn shown(suffix: &'static str, scale: f64, offset: f64, decimals: usize) -> DisplayUnit {
            DisplayUnit { suffix, scale, offset, decimals }
        }
        match self {
            Self::Count => const { &[shown("", 1.0, 0.0, 0)] },
            Self::Number => const { &[shown("", 1.0, 0.0, 2)] },
            Self::Ratio => const { &[shown("%", 100.0, 0.0, 0)] },
            Self::RatioPerSecond => const { &[shown("%/s", 100.0, 0.0, 0)] },
            Self::MetresPerSecond => {
                const {
                    &[
                        shown("km/h", 3.6, 0.0, 0),
                        shown("mph", 3.6 / 1.609_344, 0.0, 0),
                        shown("m/s", 1.0, 0.0, 1),
                    ]
                }
            }
            Self::Metres => const { &[shown("m", 1.0, 0.0, 1), shown("ft", 1.0 / 0.3048, 0.0, 1)] },
            Self::Seconds => const { &[shown("s", 1.0, 0.0, 3)] },
            Self::Rpm => const { &[shown("rpm", 1.0, 0.0, 0)] },
            Self::Radians => {
                const { &[shown("°", 57.295_779_513_082_32, 0.0, 1), shown("rad", 1.0, 0.0, 3)] }
            }
            Self::RadiansPerSecond => {
                const { &[shown("°/s", 57.295_779_513_082_32, 0.0, 1), shown("rad/s", 1.0, 0.0, 3)] }
            }
            Self::RadiansPerSecondSquared => const { &[shown("rad/s²", 1.0, 0.0, 2)] },
            Self::MetresPerSecondSquared => const { &[shown("m/s²", 1.0, 0.0, 1)] },
            Self::G => const { &[shown("g", 1.0, 0.0, 2)] },
            Self::Celsius => const { &[shown("°C", 1.0, 0.0, 0), shown("°F", 1.8, 32.0, 0)] },
            Self::Pascals => {
                const {
                    &[
                        shown("bar", 1e-5, 0.0, 2),
                        shown("psi", 1.0 / 6_894.757, 0.0, 1),
                        shown("kPa", 1e-3, 0.0, 0),
                    ]
                }
            }
            Self::Kilograms => const { &[shown("kg", 1.0, 0.0, 1), shown("lb", 1.0 / 0.453_592_37, 0.0, 1)] },
            Self::Litres => const { &[shown("l", 1.0, 0.0, 1), shown("gal", 1.0 / 3.785_411_784, 0.0, 1)] },
            Self::Joules => const { &[shown("MJ", 1e-6, 0.0, 2), shown("kJ", 1e-3, 0.0, 0)] },
            Self::Newtons => {
                const {
                    &[
                        shown("N", 1.0, 0.0, 0),
                        shown("kN", 1e-3, 0.0, 2),
                        shown("lbf", 1.0 / 4.448_221_615, 0.0, 0),
                    ]
                }
            }
            Self::NewtonMetres => {
                const { &[shown("Nm", 1.0, 0.0, 1), shown("lbf ft", 1.0 / 1.355_817_948, 0.0, 1)] }
            }
            Self::Watts => const { &[shown("kW", 1e-3, 0.0, 0), shown("hp", 1.0 / 745.699_872, 0.0, 0)] },
        }
    }

    /// The unit's name in files, in ASCII; `None` for plain numbers.
    pub const fn symbol(self) -> Option<&'static str> {
        Some(match self {
            Self::Count | Self::Number => return None,
            Self::Ratio => "ratio",
            Self::RatioPerSecond => "ratio/s",
            Self::MetresPerSecond => "m/s",
            Self::Metres => "m",
            Self::Seconds => "s",
            Self::Rpm => "rpm",
            Self::Radians => "rad",
            Self::RadiansPerSecond => "rad/s",
            Self::RadiansPerSecondSquared => "rad/s^2",
            Self::MetresPerSecondSquared => "m/s^2",
            Self::G => "g",
            Self::Celsius => "C",
            Self::Pascals => "Pa",
            Self::Kilograms => "kg",
            Self::Litres => "l",
            Self::Joules => "J",
            Self::Newtons => "N",
            Self::NewtonMetres => "Nm",
            Self::Watts => "W",
        })
    }

    /// The default display unit.
    pub fn shown(self) -> &'static DisplayUnit {
        const PLAIN: DisplayUnit = DisplayUnit { suffix: "", scale: 1.0, offset: 0.0, decimals: 2 };
        self.choices().first().unwrap_or(&PLAIN)
    }
}

/// The quantities whose display unit drivers choose.
pub const QUANTITIES: &[(Unit, &str)] = &[
    (Unit::MetresPerSecond, "Speed"),
    (Unit::Celsius, "Temperature"),
    (Unit::Pascals, "Pressure"),
    (Unit::Kilograms, "Fuel mass"),
    (Unit::Litres, "Fuel volume"),
    (Unit::Joules, "Energy"),
    (Unit::Radians, "Angle"),
    (Unit::RadiansPerSecond, "Rotation"),
    (Unit::Newtons, "Force"),
    (Unit::NewtonMetres, "Torque"),
    (Unit::Watts, "Power"),
];

/// The display units that a driver chose.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Units {
    /// For each of the [`QUANTITIES`], the place of the chosen unit among its choices.
    chosen: [u8; QUANTITIES.len()],
}

impl Units {
    /// The units named in a list such as `mph,psi`. Unknown names are ignored.
    pub fn from_words(words: &str) -> Self {
        let mut units = Self::default();
        for suffix in words.split(',') {
            for (unit, _) in QUANTITIES {
                units.choose(*unit, suffix);
            }
        }
        units
    }

    /// The names of the units that are not the default ones, as [`Self::from_words`] reads them.
    pub fn words(&self) -> String {
        let chosen = QUANTITIES.iter().map(|(unit, _)| (unit, self.shown(*unit)));
        let other: Vec<&str> =
            chosen.filter(|(unit, shown)| *shown != unit.shown()).map(|(_, shown)| shown.suffix).collect();
        other.join(",")
    }

    /// Chooses a quantity's display unit by its suffix. One that it does not have changes nothing.
    pub fn choose(&mut self, unit: Unit, suffix: &str) {
        let place = unit.choices().iter().position(|choice| choice.suffix == suffix);
        let quantity = QUANTITIES.iter().position(|(quantity, _)| *quantity == unit);
        if let Some((place, chosen)) = place.zip(quantity.and_then(|quantity| self.chosen.get_mut(quantity)))
        {
            *chosen = place as u8;
        }
    }

    /// The display unit of a quantity.
    pub fn shown(&self, unit: Unit) -> &'static DisplayUnit {
        let quantity = QUANTITIES.iter().position(|(quantity, _)| *quantity == unit);
        let place = quantity.and_then(|quantity| self.chosen.get(quantity)).copied().unwrap_or_default();
        unit.choices().get(usize::from(place)).unwrap_or(unit.shown())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chosen_units_are_kept_by_their_names() {
        let units = Units::from_words("mph,psi,parsec,km/h bar,°F");
        assert_eq!(units.words(), "mph,°F,psi");
        assert_eq!(Units::from_words(&units.words()), units);
        assert_eq!(units.shown(Unit::MetresPerSecond).suffix, "mph");
        assert_eq!(units.shown(Unit::Kilograms).suffix, "kg");
        assert_eq!(Units::default().words(), "");
        let mut units = units;
        units.choose(Unit::MetresPerSecond, "km/h");
        units.choose(Unit::Metres, "ft");
        assert_eq!(units.words(), "°F,psi");
        // No two quantities share the name of a unit.
        let mut names: Vec<&str> =
            QUANTITIES.iter().flat_map(|(unit, _)| unit.choices()).map(|choice| choice.suffix).collect();
        names.sort_unstable();
        let count = names.len();
        names.dedup();
        assert_eq!(names.len(), count);
    }

    #[test]
    fn radians_per_second_become_whole_revolutions() {
        let engines =
            [(932.005_86, 8900.0), (115.191_734, 1100.0), (837.758_06, 8000.0), (151.843_66, 1450.0)];
        for (radians, revolutions) in engines {
            assert!((rpm(radians) - revolutions).abs() < 2e-4, "{radians} rad/s");
        }
    }

    #[test]
    fn speeds_and_pressures_convert() {
        let speed = Unit::MetresPerSecond.choices();
        assert!((speed[0].value(100.0) - 360.0).abs() < 1e-9);
        assert!((speed[1].value(44.704) - 100.0).abs() < 1e-9);
        let pressure = Unit::Pascals.choices();
        assert!((pressure[1].value(f64::from(23.0 * PASCALS_PER_PSI)) - 23.0).abs() < 1e-4);
        assert!((Unit::Newtons.choices()[2].value(4_448.221_615) - 1000.0).abs() < 1e-6);
        assert!((Unit::NewtonMetres.choices()[1].value(135.581_794_8) - 100.0).abs() < 1e-6);
        assert!((Unit::Celsius.choices()[1].value(100.0) - 212.0).abs() < 1e-9);
    }
}
