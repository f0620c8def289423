//! How much less grip one lap had all around than the other, where its tyres or rain explain that.
//!
//! A driver who is slower in one corner made a mistake there. A car that pulls less in every corner at the same radius has less
//! grip, and that is charged to the tyres or to the wet track if the game says that they differ.

use trailbrake_model::{Channel, Wheel};

use super::measured::{Figure, Measured};
use super::part::Part;
use crate::LapColumns;
use crate::laps::LapFlag;
use crate::statistics::median;

/// Least differences: laps on the tyres, and how much of them is worn off.
const LEAST_LAPS: f64 = 3.0;
const LEAST_WEAR: f64 = 0.04;
/// The grip is known from at least so many corners.
const LEAST_CORNERS: usize = 4;
/// Corners whose squared speeds are further apart show what downforce does, m²/s².
const APART2: f64 = 500.0;

/// What a lap's grip depends on, besides the driver.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct GripConditions {
    /// The game's number of the tyres' compound.
    compound: Option<f64>,
    /// Laps on the tyres.
    age: Option<f64>,
    /// How much of the four tyres is worn off, 0 to 1.
    wear: Option<f64>,
    rain: bool,
}

impl GripConditions {
    /// Those in the middle of a lap.
    pub(super) fn of(lap: &LapColumns<'_>) -> Self {
        let usual = |slot| {
            let values = lap.values(slot)?;
            values.get(values.len() / 2).copied()
        };
        let wheels = Wheel::ALL.map(|wheel| usual(Channel::TyreWear.of(wheel)));
        let wear = wheels.into_iter().sum::<Option<f64>>().map(|sum| sum / 4.0);
        Self {
            compound: usual(Channel::TyreCompound.slot()),
            age: usual(Channel::TyreAge.slot()),
            wear,
            rain: lap.flags.has(LapFlag::Rain),
        }
    }
}

/// The lateral grip of a lap at the slowest place of a corner.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct LateralGrip {
    /// The reference's squared speed there, m²/s².
    pub(super) speed2: f64,
    /// The lap's lateral acceleration over the reference's, as a logarithm.
    pub(super) log: f64,
}

/// What a lap did in a corner for its grip. Each is the lap's over the reference's, as a logarithm.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct CornerGrip {
    pub(super) lateral: LateralGrip,
    /// Squared minimum speed at the same radius.
    pub(super) speed: f64,
    /// Deceleration on the brake.
    pub(super) braking: f64,
    /// Acceleration on the exit, below full throttle.
    pub(super) exit: f64,
}

/// How much less or more grip a lap had all around.
#[derive(Clone, Copy, Debug)]
pub(super) struct GripChange {
    /// What explains it.
    pub(super) part: Part,
    pub(super) measured: Option<Measured>,
    /// The lap's grip over the reference's at a standstill, as a logarithm, and how it changes with the squared speed: downforce makes
    /// of less grip even less at speed.
    log: f64,
    per_speed2: f64,
}

impl GripChange {
    /// The change from the reference to the lap, by the grip in their corners. `None` if nothing explains it.
    pub(super) fn of([lap, reference]: [&GripConditions; 2], corners: &[LateralGrip]) -> Option<Self> {
        let (part, measured, is_less) = Self::explained([lap, reference])?;
        if corners.len() < LEAST_CORNERS {
            return None;
        }
        let logs: Vec<f64> = corners.iter().map(|corner| corner.log).collect();
        let usual = median(&logs)?;
        if is_less.is_some_and(|is_less| is_less != (usual < 0.0)) {
            return None;
        }
        // Medians, since in some corners the driver made a mistake.
        let slope =
            |one: &LateralGrip, other: &LateralGrip| (one.log - other.log) / (one.speed2 - other.speed2);
        let apart = |one: &LateralGrip, other: &LateralGrip| (one.speed2 - other.speed2).abs() >= APART2;
        let slopes: Vec<f64> = corners
            .iter()
            .enumerate()
            .flat_map(|(index, one)| corners.iter().skip(index + 1).map(move |other| (one, other)))
            .filter(|(one, other)| apart(one, other))
            .map(|(one, other)| slope(one, other))
            .collect();
        let slope = median(&slopes).unwrap_or_default();
        // Downforce never makes up for it.
        let per_speed2 = if slope * usual > 0.0 { slope } else { 0.0 };
        let levels: Vec<f64> = corners.iter().map(|corner| corner.log - per_speed2 * corner.speed2).collect();
        Some(Self { part, measured, log: median(&levels)?, per_speed2 })
    }

    /// What may have changed the grip, and whether the lap then has less: with another compound it may have either.
    fn explained([lap, reference]: [&GripConditions; 2]) -> Option<(Part, Option<Measured>, Option<bool>)> {
        if lap.rain != reference.rain {
            return Some((Part::Wet, None, Some(lap.rain)));
        }
        let differs = |figure: Figure, of: fn(&GripConditions) -> Option<f64>, least: f64| {
            let (lap, reference) = of(lap).zip(of(reference))?;
            ((lap - reference).abs() >= least).then_some(Measured { figure, lap, reference })
        };
        let older = differs(Figure::TyreLaps, |tyres| tyres.age, LEAST_LAPS)
            .or_else(|| differs(Figure::TyreWear, |tyres| tyres.wear, LEAST_WEAR));
        if lap.compound.zip(reference.compound).is_some_and(|(own, other)| own != other) {
            return Some((Part::Tyres, older, None));
        }
        older.map(|older| (Part::Tyres, Some(older), Some(older.more() > 0.0)))
    }

    /// The lap's grip over the reference's, as a logarithm, at a squared speed.
    pub(super) fn at(&self, speed2: f64) -> f64 {
        self.log + self.per_speed2 * speed2
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FRESH: GripConditions =
        GripConditions { compound: Some(16.0), age: Some(1.0), wear: None, rain: false };

    /// Corners with less grip, and with even less at speed.
    fn corners(log: f64, per_speed2: f64) -> Vec<LateralGrip> {
        let speeds2 = [600.0, 900.0, 1_600.0, 2_500.0, 3_600.0];
        speeds2.map(|speed2| LateralGrip { speed2, log: log + per_speed2 * speed2 }).into()
    }

    #[test]
    fn tyres_explain_less_grip_where_they_are_older() {
        let old = GripConditions { age: Some(14.0), ..FRESH };
        let mut shown = corners(-0.05, -2e-5);
        // The driver's own mistake.
        shown[2].log -= 0.3;
        let change = GripChange::of([&old, &FRESH], &shown).expect("a change");
        assert_eq!((change.part, change.measured.map(|figure| figure.more())), (Part::Tyres, Some(13.0)));
        assert!((change.at(1_600.0) + 0.082).abs() < 0.005, "{change:?}");
        assert!(GripChange::of([&FRESH, &FRESH], &shown).is_none());
        assert!(GripChange::of([&old, &FRESH], &shown[..3]).is_none(), "too few corners");
        // Older tyres do not grip better.
        assert!(GripChange::of([&old, &FRESH], &corners(0.05, 0.0)).is_none());
        assert!(GripChange::of([&FRESH, &old], &corners(0.05, 0.0)).is_some());
        // Others may.
        let other = GripConditions { compound: Some(18.0), ..FRESH };
        for log in [0.05, -0.05] {
            let change = GripChange::of([&other, &FRESH], &corners(log, 0.0)).expect("a change");
            assert_eq!((change.part, change.measured), (Part::Tyres, None));
        }
    }

    #[test]
    fn tyres_of_which_one_lap_says_nothing_explain_nothing() {
        let unknown = GripConditions { compound: None, age: None, ..FRESH };
        for pair in [[&unknown, &FRESH], [&FRESH, &unknown]] {
            assert!(GripChange::of(pair, &corners(-0.05, 0.0)).is_none());
        }
    }

    #[test]
    fn rain_stands_before_tyres() {
        let wet = GripConditions { rain: true, compound: Some(7.0), ..FRESH };
        let change = GripChange::of([&wet, &FRESH], &corners(-0.3, 0.0)).expect("a change");
        assert_eq!(change.part, Part::Wet);
        assert!(GripChange::of([&wet, &FRESH], &corners(0.1, 0.0)).is_none());
    }

    #[test]
    fn downforce_never_makes_up_for_less_grip() {
        let old = GripConditions { age: Some(14.0), ..FRESH };
        let change = GripChange::of([&old, &FRESH], &corners(-0.2, 2e-5)).expect("a change");
        assert_eq!(change.at(600.0), change.at(3_600.0));
    }
}
