//! The units of a column.

use trailbrake_model::Channel;

use super::field::Field;
use super::meaning::{CLOCK, DEGREES, Meaning};
use crate::export::motec::{NamedUnit, unit_called};

/// How a column's fields become our numbers.
#[derive(Clone, Copy, Debug)]
pub(super) enum ColumnUnit {
    /// Numbers without a unit.
    Plain,
    /// Minutes and seconds.
    Clock,
    Named(NamedUnit),
}

impl ColumnUnit {
    /// The unit with a name, if it measures what the column is.
    pub(super) fn called(name: &str, meaning: Meaning) -> Option<Self> {
        match meaning {
            Meaning::LapNumber => name.is_empty().then_some(Self::Plain),
            Meaning::Latitude | Meaning::Longitude => (name == DEGREES).then_some(Self::Plain),
            Meaning::Time if name == CLOCK => Some(Self::Clock),
            Meaning::Time => unit_called(name, Channel::LapClock).map(Self::Named),
            Meaning::Channel(slot) if slot == Channel::LapClock.slot() && name == CLOCK => Some(Self::Clock),
            Meaning::Channel(slot) => unit_called(name, slot.channel()).map(Self::Named),
        }
    }

    /// A field in our unit.
    pub(super) fn read(self, field: &[u8], decimal_comma: bool) -> Field {
        match self {
            Self::Plain => Field::read(field, decimal_comma),
            Self::Clock => Field::read_clock(field, decimal_comma),
            Self::Named(unit) => match Field::read(field, decimal_comma) {
                Field::Number(value) => Field::Number(unit.to_ours(value)),
                other => other,
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_unit_that_is_offered_is_known() {
        for meaning in Meaning::offered() {
            let units = meaning.units();
            assert!(!units.is_empty(), "{meaning:?}");
            for unit in units {
                assert!(ColumnUnit::called(unit, meaning).is_some(), "{} in {unit}", meaning.id());
            }
        }
        assert!(ColumnUnit::called("km/h", Meaning::Time).is_none());
        assert_eq!(Meaning::of(Channel::Speed).written(50.0), "180 km/h");
        assert_eq!(Meaning::Time.written(83.4561), "83.456 s");
    }
}
