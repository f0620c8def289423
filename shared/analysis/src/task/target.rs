//! The goal of a task, and how near to it counts.

use serde::{Deserialize, Serialize};
use trailbrake_model::units::Unit;

use super::mark::{MarkedPass, TaskMark};
use super::measure::TaskMeasure;
use super::pass::PassValue;

/// Up to this many tolerances beside the goal a lap is near.
const NEAR: f64 = 2.0;
/// Usual tolerances: of a place, metres; of a speed, m/s; of coasting, seconds.
const PLACE_M: f64 = 4.0;
const SPEED_MS: f64 = 0.4;
const COASTING_S: f64 = 0.1;
/// The furthest goal, metres, and the largest one of another unit.
const FURTHEST_M: f64 = 100_000.0;
const LARGEST: f64 = 1_000.0;

/// On which side of the goal a lap may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Aim {
    /// On neither: at the goal.
    Exact,
    /// Above the goal, or behind the place.
    AtLeast,
    /// Below the goal, or before the place.
    AtMost,
}

/// The goal of a task.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct TaskTarget {
    /// What is measured.
    pub measure: TaskMeasure,
    /// The goal in the measure's unit; a place is on the reference's axis.
    pub goal: f64,
    /// How far beside the goal still hits it, in the same unit.
    pub tolerance: f64,
    /// On which side of the goal a lap may be.
    pub aim: Aim,
}

impl TaskTarget {
    /// A target with the usual tolerance and aim. A speed may be higher, coasting shorter, and the throttle earlier.
    pub fn new(measure: TaskMeasure, goal: f64) -> Self {
        let tolerance = match measure.unit() {
            Unit::MetresPerSecond => SPEED_MS,
            Unit::Seconds => COASTING_S,
            _ => PLACE_M,
        };
        let aim = match measure {
            TaskMeasure::Lift | TaskMeasure::BrakePoint | TaskMeasure::Release => Aim::Exact,
            TaskMeasure::MinimumSpeed | TaskMeasure::ExitSpeed => Aim::AtLeast,
            TaskMeasure::ThrottlePoint | TaskMeasure::FullThrottle | TaskMeasure::Coasting => Aim::AtMost,
        };
        Self { measure, goal, tolerance, aim }
    }

    /// Whether goal and tolerance are possible values.
    pub fn is_possible(&self) -> bool {
        let most = if self.measure.is_place() { FURTHEST_M } else { LARGEST };
        (0.0..=most).contains(&self.goal) && self.tolerance > 0.0 && self.tolerance <= most
    }

    /// Marks one lap. `None` if the lap was not measured there.
    pub fn mark(&self, value: PassValue) -> Option<MarkedPass> {
        let measured = match value {
            PassValue::Missing => return None,
            PassValue::Absent => {
                return Some(MarkedPass { mark: TaskMark::Miss, measured: None, off: None });
            }
            PassValue::Known(measured) => measured,
        };
        let off = measured - self.goal;
        let beside = match self.aim {
            Aim::Exact => off.abs(),
            Aim::AtLeast => -off,
            Aim::AtMost => off,
        };
        let mark = match beside {
            beside if beside <= self.tolerance => TaskMark::Hit,
            beside if beside <= NEAR * self.tolerance => TaskMark::Near,
            _ => TaskMark::Miss,
        };
        Some(MarkedPass { mark, measured: Some(measured), off: Some(off) })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use trailbrake_model::units::Units;

    use super::*;

    fn check(target: TaskTarget, value: f64, mark: TaskMark, words: &str) {
        let marked = target.mark(PassValue::Known(value)).expect("a mark");
        let shown = marked.words(target.measure, &Units::default());
        assert_eq!((marked.mark, shown.as_str()), (mark, words), "{target:?} {value}");
    }

    #[test]
    fn a_brake_point_is_hit_from_both_sides() {
        let target = TaskTarget::new(TaskMeasure::BrakePoint, 500.0);
        check(target, 496.4, TaskMark::Hit, "4 m early");
        check(target, 500.3, TaskMark::Hit, "on target");
        check(target, 494.0, TaskMark::Near, "6 m early");
        check(target, 512.0, TaskMark::Miss, "12 m late");
    }

    #[test]
    fn a_speed_may_be_higher_and_coasting_shorter() {
        let speed = TaskTarget::new(TaskMeasure::MinimumSpeed, 30.0);
        check(speed, 33.0, TaskMark::Hit, "11 km/h fast");
        check(speed, 29.5, TaskMark::Near, "2 km/h slow");
        check(speed, 28.0, TaskMark::Miss, "7 km/h slow");
        let coasting = TaskTarget::new(TaskMeasure::Coasting, 0.0);
        check(coasting, 0.02, TaskMark::Hit, "on target");
        check(coasting, 0.6, TaskMark::Miss, "0.6 s too long");
        let throttle = TaskTarget::new(TaskMeasure::ThrottlePoint, 700.0);
        check(throttle, 680.0, TaskMark::Hit, "20 m early");
        check(throttle, 720.0, TaskMark::Miss, "20 m late");
    }

    #[test]
    fn a_corner_without_braking_is_a_miss_and_one_without_data_is_not_marked() {
        let target = TaskTarget::new(TaskMeasure::BrakePoint, 500.0);
        let marked = target.mark(PassValue::Absent).expect("a mark");
        assert_eq!(marked.mark, TaskMark::Miss);
        assert_eq!(marked.words(target.measure, &Units::default()), "no braking");
        assert_eq!(target.mark(PassValue::Missing), None);
    }

    #[test]
    fn impossible_targets_are_found() {
        let target = TaskTarget::new(TaskMeasure::BrakePoint, 500.0);
        assert!(target.is_possible());
        for wrong in [-1.0, f64::NAN, 1e9] {
            assert!(!TaskTarget { goal: wrong, ..target }.is_possible(), "{wrong}");
        }
        for wrong in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            assert!(!TaskTarget { tolerance: wrong, ..target }.is_possible(), "{wrong}");
        }
    }

    proptest! {
        #[test]
        fn nearer_is_never_worse(goal in 0.0_f64..5e3, nearer in 0.0_f64..50.0, more in 0.0_f64..50.0, which in 0..8_usize) {
            let target = TaskTarget { aim: Aim::Exact, ..TaskTarget::new(TaskMeasure::ALL[which], goal) };
            let mark = |value: f64| target.mark(PassValue::Known(value)).expect("a mark").mark;
            prop_assert!(mark(goal + nearer) <= mark(goal + nearer + more));
            prop_assert!(mark(goal - nearer) <= mark(goal - nearer - more));
        }
    }
}
