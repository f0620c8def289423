//! The task that advice leads to: what to do differently, in words and as a change of a measure.

use trailbrake_model::units::{Unit, Units};

use super::measure::TaskMeasure;
use crate::{Cause, ExcursionKind};

/// One km/h in m/s.
const KMH_MS: f64 = 1.0 / 3.6;

/// A proposal for a task.
#[derive(Clone, Debug, PartialEq)]
pub struct TaskProposal {
    /// What to do, for the driver.
    pub words: String,
    /// The measure and its change in the measure's unit; `None` if no measure of a corner shows it.
    pub change: Option<(TaskMeasure, f64)>,
}

impl TaskProposal {
    /// The opposite of what cost time. `None` if the driver can't do anything about it in this lap.
    pub fn against(cause: &Cause, units: &Units) -> Option<Self> {
        let amount = |unit: Unit, value: f64| {
            let unit = units.shown(unit);
            format!("{:.*} {}", unit.decimals, unit.value(value), unit.suffix)
        };
        let speed = |kmh: f64| amount(Unit::MetresPerSecond, kmh * KMH_MS);
        let (words, change) = match *cause {
            Cause::Excursion(ExcursionKind::Pits | ExcursionKind::Reset)
            | Cause::SlowerAtLine { .. }
            | Cause::StandingStart
            | Cause::FullThrottle
            | Cause::Unexplained => return None,
            Cause::Excursion(ExcursionKind::Cut) => ("Stay off the inside of the track".to_owned(), None),
            Cause::Excursion(_) => ("Stay on the track".to_owned(), None),
            Cause::BrakedEarlier { metres } => {
                (format!("Brake {metres:.0} m later"), Some((TaskMeasure::BrakePoint, metres)))
            }
            Cause::BrakedLater { metres } => {
                (format!("Brake {metres:.0} m earlier"), Some((TaskMeasure::BrakePoint, -metres)))
            }
            Cause::LiftedEarlier { metres } => {
                (format!("Lift {metres:.0} m later"), Some((TaskMeasure::Lift, metres)))
            }
            Cause::Coasted { seconds } => {
                ("Go from one pedal to the other".to_owned(), Some((TaskMeasure::Coasting, -seconds)))
            }
            Cause::SlowerApex { kmh } => (
                format!("Carry {} more to the apex", speed(kmh)),
                Some((TaskMeasure::MinimumSpeed, kmh * KMH_MS)),
            ),
            Cause::ThrottleLater { metres } => (
                format!("Go to the throttle {metres:.0} m earlier"),
                Some((TaskMeasure::ThrottlePoint, -metres)),
            ),
            Cause::SlowerExit { kmh } => {
                (format!("Exit {} faster", speed(kmh)), Some((TaskMeasure::ExitSpeed, kmh * KMH_MS)))
            }
            Cause::LessElectric { kilojoules } => {
                (format!("Deploy {} more here", amount(Unit::Joules, kilojoules * 1e3)), None)
            }
            Cause::LessDrs { metres } => (format!("Open the rear wing {metres:.0} m longer"), None),
        };
        Some(Self { words, change })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_proposal_is_the_opposite_of_the_cause() {
        let against = |cause: Cause| TaskProposal::against(&cause, &Units::default());
        for (cause, words, measure, change) in [
            (Cause::BrakedEarlier { metres: 14.2 }, "Brake 14 m later", TaskMeasure::BrakePoint, 14.2),
            (Cause::BrakedLater { metres: 6.0 }, "Brake 6 m earlier", TaskMeasure::BrakePoint, -6.0),
            (Cause::SlowerApex { kmh: 3.6 }, "Carry 4 km/h more to the apex", TaskMeasure::MinimumSpeed, 1.0),
            (Cause::Coasted { seconds: 0.3 }, "Go from one pedal to the other", TaskMeasure::Coasting, -0.3),
        ] {
            let proposal = against(cause).expect("a proposal");
            assert_eq!(proposal.words, words);
            let (proposed, by) = proposal.change.expect("a measure");
            assert_eq!(proposed, measure);
            assert!((by - change).abs() < 1e-9, "{words}: {by}");
        }
    }

    #[test]
    fn nothing_is_proposed_that_the_driver_cannot_do() {
        for cause in [
            Cause::FullThrottle,
            Cause::StandingStart,
            Cause::SlowerAtLine { kmh: 9.0 },
            Cause::Unexplained,
            Cause::Excursion(ExcursionKind::Pits),
        ] {
            assert_eq!(TaskProposal::against(&cause, &Units::default()), None);
        }
        let left = TaskProposal::against(&Cause::Excursion(ExcursionKind::Detour), &Units::default());
        assert_eq!(
            left.map(|proposal| (proposal.words, proposal.change)),
            Some(("Stay on the track".to_owned(), None))
        );
    }
}
