//! The cause of a loss: what the driver or the car did differently there.

use serde::Serialize;
use trailbrake_model::units::{Unit, Units};

use super::flat_corners::is_carried;
use super::{Comparison, CornerLoss};
use crate::{CornerRow, ExcursionKind};

/// Smaller differences are ignored: of a brake or throttle point, metres; of a lift, metres; of a speed, m/s; of
/// coasting, seconds.
const LEAST_M: f64 = 3.0;
const LEAST_LIFT_M: f64 = 6.0;
pub(super) const LEAST_MS: f64 = 0.3;
const LEAST_COASTING_S: f64 = 0.08;
/// A loss counts as lost after a place if at most this part of it lies before.
const MOST_BEFORE: f64 = 0.25;
const KMH: f64 = 3.6;

/// The cause of a loss, with the measured difference.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Cause {
    /// An excursion.
    Excursion(ExcursionKind),
    /// The brake point was earlier.
    BrakedEarlier {
        /// Metres.
        metres: f64,
    },
    /// The brake point was later, and time was lost in the corner.
    BrakedLater {
        /// Metres.
        metres: f64,
    },
    /// The lift was earlier, but the brake point was not.
    LiftedEarlier {
        /// Metres.
        metres: f64,
    },
    /// Coasting took longer.
    Coasted {
        /// Seconds.
        seconds: f64,
    },
    /// The minimum speed was lower.
    SlowerApex {
        /// km/h.
        kmh: f64,
    },
    /// The throttle point was later.
    ThrottleLater {
        /// Metres.
        metres: f64,
    },
    /// The exit speed was lower.
    SlowerExit {
        /// km/h.
        kmh: f64,
    },
    /// Less electrical energy was deployed in a flat-out section.
    LessElectric {
        /// Kilojoules.
        kilojoules: f64,
    },
    /// DRS was open for fewer metres of a flat-out section.
    LessDrs {
        /// Metres.
        metres: f64,
    },
    /// The car was slower at the start line, where a flying lap begins.
    SlowerAtLine {
        /// km/h.
        kmh: f64,
    },
    /// The lap began at a standstill or on the grid, and the reference flying.
    StandingStart,
    /// Lost at full throttle, and no channel shows why.
    FullThrottle,
    /// No measured difference is large enough to explain it.
    Unexplained,
}

impl Cause {
    /// Whether the cause is known, and something that the driver can change.
    pub fn is_known(&self) -> bool {
        !matches!(self, Self::StandingStart | Self::FullThrottle | Self::Unexplained)
    }

    /// The difference in the part of the corner that cost most. `None` if there is no measurable difference, or if the
    /// corner is taken flat out, where the driver could do nothing differently.
    pub(super) fn of(comparison: &Comparison, index: usize, loss: &CornerLoss) -> Option<Self> {
        let [lap_placed, _] = &comparison.placed;
        let excursion = lap_placed
            .excursions
            .iter()
            .find(|excursion| excursion.to_m >= loss.from_m && excursion.from_m <= loss.to_m);
        if let Some(excursion) = excursion {
            return Some(Self::Excursion(excursion.kind));
        }
        if is_carried(comparison, index) {
            return None;
        }
        let (lap, reference) = comparison.rows(index)?;
        let less = |a: Option<f64>, b: Option<f64>, least: f64| {
            let less = b? - a?;
            (less >= least).then_some(less)
        };
        let earlier =
            less(lap.brake_on_m, reference.brake_on_m, LEAST_M).map(|metres| Self::BrakedEarlier { metres });
        let later =
            less(reference.brake_on_m, lap.brake_on_m, LEAST_M).map(|metres| Self::BrakedLater { metres });
        let lifted =
            less(lap.lift_m, reference.lift_m, LEAST_LIFT_M).map(|metres| Self::LiftedEarlier { metres });
        let coasted = less(reference.coasting_s, lap.coasting_s, LEAST_COASTING_S)
            .map(|seconds| Self::Coasted { seconds });
        let throttle = less(reference.throttle_on_m, lap.throttle_on_m, LEAST_M)
            .map(|metres| Self::ThrottleLater { metres });
        // Without a brake point or a lift, the car brings a speed deficit into the corner, which is not caused there.
        let brought = slower(lap, reference, |row| row.entry_ms).unwrap_or_default().max(0.0);
        let brought = if lap.brake_on_m.or(lap.lift_m).is_some() { 0.0 } else { brought };
        let slower = |of: fn(&CornerRow) -> Option<f64>| {
            slower(lap, reference, of).filter(|ms| ms - brought >= LEAST_MS).map(|ms| ms * KMH)
        };
        let apex = slower(|row| row.min_ms).map(|kmh| Self::SlowerApex { kmh });
        let exit = slower(|row| row.exit_ms).map(|kmh| Self::SlowerExit { kmh });
        // A late throttle point costs speed, and its loss lies after the reference's throttle point.
        if let Some(throttle) = throttle.filter(|_| is_lost_behind(comparison, loss, reference.throttle_on_m))
        {
            return Some(throttle);
        }
        let mut parts = [
            (loss.entry_s?, [earlier, lifted, coasted, apex]),
            (loss.middle_s?, [apex, earlier, lifted, later]),
            (loss.exit_s?, [throttle, apex, exit, None]),
        ];
        parts.sort_by(|(a, _), (b, _)| b.total_cmp(a));
        let costly = parts.iter().filter(|(lost, _)| *lost > 0.0);
        costly.flat_map(|(_, causes)| causes).copied().flatten().next().or(exit)
    }
}

/// The lap's speed deficit to the reference, m/s.
pub(super) fn slower(
    lap: &CornerRow,
    reference: &CornerRow,
    of: fn(&CornerRow) -> Option<f64>,
) -> Option<f64> {
    Some(of(reference)? - of(lap)?)
}

/// Whether most of a corner's loss lies after a place.
fn is_lost_behind(comparison: &Comparison, loss: &CornerLoss, place_m: Option<f64>) -> bool {
    let at = |place_m: f64| comparison.at(place_m);
    let before = place_m.and_then(|place_m| Some(at(place_m)? - at(loss.from_m)?));
    before.zip(loss.loss_s()).is_some_and(|(before_s, all_s)| before_s < MOST_BEFORE * all_s)
}

impl Cause {
    /// The difference in words: `braked 14 m earlier`.
    pub fn words(&self, units: &Units) -> String {
        let speed = |kmh: f64| {
            let unit = units.shown(Unit::MetresPerSecond);
            format!("{:.*} {}", unit.decimals, unit.value(kmh / KMH), unit.suffix)
        };
        match self {
            Self::Excursion(ExcursionKind::Stop) => "stood still".to_owned(),
            Self::Excursion(ExcursionKind::Detour) => "left the track".to_owned(),
            Self::Excursion(ExcursionKind::Cut) => "cut the corner".to_owned(),
            Self::Excursion(ExcursionKind::Spin) => "spun".to_owned(),
            Self::Excursion(ExcursionKind::Pits) => "went through the pit lane".to_owned(),
            Self::Excursion(ExcursionKind::Reset) => "was reset to the track".to_owned(),
            Self::BrakedEarlier { metres } => format!("braked {metres:.0} m earlier"),
            Self::BrakedLater { metres } => format!("braked {metres:.0} m too late"),
            Self::LiftedEarlier { metres } => format!("off the throttle {metres:.0} m earlier"),
            Self::Coasted { seconds } => format!("coasted {seconds:.2} s longer"),
            Self::SlowerApex { kmh } => format!("{} slower at the apex", speed(*kmh)),
            Self::ThrottleLater { metres } => format!("on the throttle {metres:.0} m later"),
            Self::SlowerExit { kmh } => format!("exit {} slower", speed(*kmh)),
            Self::LessElectric { kilojoules } => {
                let unit = units.shown(Unit::Joules);
                format!(
                    "{:.*} {} less ERS deployed",
                    unit.decimals,
                    unit.value(kilojoules * 1e3),
                    unit.suffix
                )
            }
            Self::LessDrs { metres } => format!("the rear wing open for {metres:.0} m less"),
            Self::SlowerAtLine { kmh } => format!("{} slower at the line", speed(*kmh)),
            Self::StandingStart => "started from a standstill, the reference did not".to_owned(),
            Self::FullThrottle => {
                "lost at full throttle: less power, less tow or more drag, not your driving".to_owned()
            }
            Self::Unexplained => "nothing that was measured explains it".to_owned(),
        }
    }
}
