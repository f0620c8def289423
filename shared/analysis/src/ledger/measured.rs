//! The figure of a part: the lap's and the reference's.

use serde::Serialize;
use trailbrake_model::number::{self, write_signed};
use trailbrake_model::units::{MPS2_PER_G, Unit, Units};

/// A figure of the lap and of the reference.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Measured {
    /// What the figure is.
    pub figure: Figure,
    /// The lap's.
    pub lap: f64,
    /// The reference's.
    pub reference: f64,
}

impl Measured {
    /// By how much the lap's is larger than the reference's.
    pub fn more(&self) -> f64 {
        self.lap - self.reference
    }
}

/// What a figure is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Figure {
    /// A place, metres from the start line.
    PlaceM,
    /// Metres driven.
    DrivenM,
    /// A radius, metres.
    RadiusM,
    /// A speed, m/s.
    SpeedMs,
    /// A deceleration, m/s².
    DecelerationMs2,
    /// A duration, seconds.
    Seconds,
    /// Where the brake is released, metres from the start line.
    ReleaseM,
    /// Time on neither pedal, seconds.
    CoastingS,
    /// Where the throttle begins, metres from the start line.
    ThrottleOnM,
    /// Where the throttle is full, metres from the start line.
    FullThrottleM,
    /// The gear at the slowest place.
    Gear,
    /// Energy, joules.
    Joules,
    /// Metres with DRS open.
    OpenM,
    /// Fuel on board, kilograms.
    FuelKg,
    /// Laps on the tyres.
    TyreLaps,
    /// How much of the tyres is worn off, 0 to 1.
    TyreWear,
}

/// A figure in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MeasuredWords {
    /// The lap's, without its unit: `−132`.
    pub lap: String,
    /// The reference's.
    pub reference: String,
    /// The difference: `8 m later`.
    pub difference: String,
}

impl Measured {
    /// The figure in words. Places are counted from `apex_m`, or from the start line.
    pub fn words(&self, units: &Units, apex_m: Option<f64>) -> MeasuredWords {
        let Self { figure, lap, reference } = *self;
        let is_place = figure.is_place();
        let (scale, decimals, suffix) = figure.shown(units);
        let from = if is_place { apex_m.unwrap_or_default() } else { 0.0 };
        let value = |value: f64| {
            let value = (value - from) * scale;
            if is_place { write_signed(value, decimals) } else { number::write(value, decimals) }
        };
        let apart = number::write((self.more() * scale).abs(), decimals);
        let is_more = self.more() > 0.0;
        let difference = match is_place {
            _ if apart.chars().all(|letter| matches!(letter, '0' | '.')) => "same".to_owned(),
            true => format!("{apart}{suffix} {}", if is_more { "later" } else { "earlier" }),
            false => format!("{apart}{suffix} {}", if is_more { "more" } else { "less" }),
        };
        MeasuredWords { lap: value(lap), reference: value(reference), difference }
    }
}

impl Figure {
    /// Whether it is a place on the track.
    const fn is_place(self) -> bool {
        matches!(self, Self::PlaceM | Self::ReleaseM | Self::ThrottleOnM | Self::FullThrottleM)
    }

    /// The scale from its unit to the shown one, the decimals and the suffix there.
    fn shown(self, units: &Units) -> (f64, usize, String) {
        match self {
            Self::PlaceM
            | Self::ReleaseM
            | Self::ThrottleOnM
            | Self::FullThrottleM
            | Self::DrivenM
            | Self::RadiusM
            | Self::OpenM => (1.0, 0, " m".to_owned()),
            Self::SpeedMs => {
                let unit = units.shown(Unit::MetresPerSecond);
                (unit.scale, unit.decimals + 1, format!(" {}", unit.suffix))
            }
            Self::DecelerationMs2 => (1.0 / f64::from(MPS2_PER_G), 1, " g".to_owned()),
            Self::Seconds | Self::CoastingS => (1.0, 2, " s".to_owned()),
            Self::Gear => (1.0, 0, String::new()),
            Self::TyreLaps => (1.0, 0, " laps".to_owned()),
            Self::TyreWear => (100.0, 0, " %".to_owned()),
            Self::FuelKg => {
                let unit = units.shown(Unit::Kilograms);
                (unit.scale, unit.decimals, format!(" {}", unit.suffix))
            }
            Self::Joules => (1e-6, 2, " MJ".to_owned()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_are_written_with_their_difference() {
        let words = |figure: Figure, lap: f64, reference: f64| {
            let measured = Measured { figure, lap, reference };
            let MeasuredWords { lap, reference, difference } = measured.words(&Units::default(), Some(500.0));
            [lap, reference, difference].join(", ")
        };
        assert_eq!(words(Figure::PlaceM, 368.0, 360.0), "−132, −140, 8 m later");
        assert_eq!(words(Figure::FullThrottleM, 578.0, 578.2), "+78, +78, same");
        assert_eq!(words(Figure::SpeedMs, 25.0, 26.0), "90.0, 93.6, 3.6 km/h less");
        assert_eq!(words(Figure::DecelerationMs2, 41.2, 45.1), "4.2, 4.6, 0.4 g less");
        assert_eq!(words(Figure::CoastingS, 0.5, 0.2), "0.50, 0.20, 0.30 s more");
        assert_eq!(words(Figure::Joules, 1.2e6, 2.0e6), "1.20, 2.00, 0.80 MJ less");
    }
}
