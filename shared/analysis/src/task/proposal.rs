//! The task that advice leads to: what to do differently, in words and as a change of a measure.

use trailbrake_model::units::Units;

use super::measure::TaskMeasure;
use crate::Advice;
use crate::ledger::{Figure, Part};

/// A proposal for a task.
#[derive(Clone, Debug, PartialEq)]
pub struct TaskProposal {
    /// What to do, for the driver.
    pub words: String,
    /// The measure and its change in the measure's unit; `None` if no measure of a corner shows it.
    pub change: Option<(TaskMeasure, f64)>,
}

impl TaskProposal {
    /// To do as the reference does. `None` if the driver can't do anything about it, or it is not in a corner.
    pub fn against(advice: &Advice, units: &Units) -> Option<Self> {
        advice.row.corner?;
        let words = advice.cure_sentence(units)?;
        let words = words.trim_end_matches('.').to_owned();
        let change = advice.cause.measured.and_then(|measured| {
            let measure = match (advice.cause.part, measured.figure) {
                (Part::Lift, Figure::PlaceM) => TaskMeasure::Lift,
                (Part::BrakePoint, Figure::PlaceM) => TaskMeasure::BrakePoint,
                (_, Figure::ReleaseM) => TaskMeasure::Release,
                (_, Figure::CoastingS) => TaskMeasure::Coasting,
                (_, Figure::ThrottleOnM) => TaskMeasure::ThrottlePoint,
                (_, Figure::FullThrottleM) => TaskMeasure::FullThrottle,
                (Part::MinimumSpeed, Figure::SpeedMs) => TaskMeasure::MinimumSpeed,
                _ => return None,
            };
            Some((measure, -measured.more()))
        });
        Some(Self { words, change })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ExcursionKind;
    use crate::ledger::{Cause, Measured, RowPlace};

    /// Advice in a corner at 500 m.
    fn advice(part: Part, measured: Option<Measured>) -> Advice {
        let cause = Cause { part, measured, excursion: None, cost_s: 0.1, gained_s: None };
        Advice { row: RowPlace::corner(5), place_m: 500.0, loss_s: 0.1, cause, usual: None }
    }

    #[test]
    fn a_proposal_is_to_do_as_the_reference_does() {
        for (part, figure, lap, reference, words, measure) in [
            (
                Part::BrakePoint,
                Figure::PlaceM,
                386.0,
                400.2,
                "Brake 100 m before the apex",
                TaskMeasure::BrakePoint,
            ),
            (
                Part::BrakePoint,
                Figure::PlaceM,
                406.0,
                400.0,
                "Brake 100 m before the apex again",
                TaskMeasure::BrakePoint,
            ),
            (
                Part::MinimumSpeed,
                Figure::SpeedMs,
                24.0,
                25.0,
                "The car has grip for 90 km/h",
                TaskMeasure::MinimumSpeed,
            ),
            (
                Part::Release,
                Figure::CoastingS,
                0.5,
                0.2,
                "Go straight from one pedal to the other",
                TaskMeasure::Coasting,
            ),
            (
                Part::Throttle,
                Figure::ThrottleOnM,
                520.0,
                505.0,
                "Begin to open the throttle 5 m after the apex",
                TaskMeasure::ThrottlePoint,
            ),
        ] {
            let advice = advice(part, Some(Measured { figure, lap, reference }));
            let proposal = TaskProposal::against(&advice, &Units::default()).expect("a proposal");
            assert_eq!(proposal.words, words);
            let (proposed, by) = proposal.change.expect("a measure");
            assert_eq!(proposed, measure);
            assert!((by - (reference - lap)).abs() < 1e-9, "{words}: {by}");
        }
    }

    #[test]
    fn nothing_is_proposed_that_the_driver_cannot_do() {
        let units = Units::default();
        for part in [Part::Drive, Part::Tow, Part::Traffic, Part::Battery, Part::Rest] {
            assert_eq!(TaskProposal::against(&advice(part, None), &units), None);
        }
        let mut left = advice(Part::Excursion, None);
        left.cause.excursion = Some(ExcursionKind::Pits);
        assert_eq!(TaskProposal::against(&left, &units), None);
        left.cause.excursion = Some(ExcursionKind::Detour);
        let proposal = TaskProposal::against(&left, &units).expect("a proposal");
        assert_eq!((proposal.words.as_str(), proposal.change), ("Stay on the track", None));
        let straight = Advice { row: RowPlace::straight(4), ..advice(Part::Lift, None) };
        assert_eq!(TaskProposal::against(&straight, &units), None);
    }
}
