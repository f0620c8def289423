//! Arguments of several commands: the lap, and a part of it.

use std::ops::RangeInclusive;
use std::str::FromStr;

use trailbrake_shared::lap_catalogue::{Drivers, LapChoice, LapQuery};
use trailbrake_shared::model::Car;

/// The query for a lap, from options that count from 1.
pub(super) fn query(
    lap: Option<LapChoice>,
    car: Option<u8>,
    session: Option<u16>,
    run: Option<u16>,
) -> LapQuery {
    LapQuery {
        drivers: car.map_or(Drivers::Player, |car| Drivers::Car(Car(car))),
        session: from_zero(session),
        run: from_zero(run),
        laps: lap.into_iter().collect(),
        ..LapQuery::default()
    }
}

/// Parses a single lap.
pub(super) fn one_lap(text: &str) -> Result<LapChoice, &'static str> {
    match text.parse() {
        Ok(LapChoice::Best) => Ok(LapChoice::Best),
        Ok(LapChoice::Numbers(first, last)) if first == last => Ok(LapChoice::Numbers(first, last)),
        _ => Err("a lap's number, or best"),
    }
}

/// Converts a number counted from 1 into one counted from 0.
pub(crate) fn from_zero(number: Option<u16>) -> Option<u16> {
    number.and_then(|number| number.checked_sub(1))
}

/// A section of a lap, metres from the line.
#[derive(Clone, Debug, PartialEq)]
pub struct Metres(pub RangeInclusive<f32>);

impl FromStr for Metres {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let ends = text.split_once("..").and_then(|(from, to)| Some((from.parse().ok()?, to.parse().ok()?)));
        let rising = ends.filter(|(from, to): &(f32, f32)| from.is_finite() && to > from);
        rising
            .map(|(from, to)| Self(from..=to))
            .ok_or_else(|| "two places in metres, such as 1200..1500".to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_two_numbers_that_rise() {
        assert_eq!("1200..1500.5".parse(), Ok(Metres(1200.0..=1500.5)));
        for wrong in ["", "5", "5..", "9..5", "a..b", "0..NaN", "inf..inf"] {
            assert!(wrong.parse::<Metres>().is_err(), "{wrong}");
        }
    }
}
