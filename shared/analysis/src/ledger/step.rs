//! The steps from a lap to its reference: each replaces one thing by the reference's.

use super::part::Part;

/// One thing that is replaced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step {
    /// The metres driven.
    Way,
    /// The speed at the beginning.
    BroughtIn,
    /// The throttle before the braking, and how long the car coasts.
    Lift,
    /// The place where the car is slow enough.
    BrakePoint,
    /// The time that the brake takes to build up.
    BuildUp,
    /// The deceleration on the brake.
    Braking,
    /// The way from there to the slowest place.
    Release,
    /// The radius at the slowest place.
    Radius,
    /// The minimum speed at that radius.
    MinimumSpeed,
    /// The throttle on the exit.
    Throttle,
    /// A throttle that is eased again.
    SecondLift,
    /// Gears.
    Gears,
    /// Electrical energy.
    Battery,
    /// DRS.
    Drs,
    /// Acceleration at full throttle that nothing else explains.
    Drive,
    /// Acceleration below full throttle that nothing else explains.
    Other,
}

impl Step {
    /// All of them, in the order in which things happen.
    pub(super) const ALL: [Self; 16] = [
        Self::Way,
        Self::BroughtIn,
        Self::Lift,
        Self::BrakePoint,
        Self::BuildUp,
        Self::Braking,
        Self::Release,
        Self::Radius,
        Self::MinimumSpeed,
        Self::Throttle,
        Self::SecondLift,
        Self::Gears,
        Self::Battery,
        Self::Drs,
        Self::Drive,
        Self::Other,
    ];

    /// The part that it belongs to.
    pub(super) fn part(self) -> Part {
        match self {
            Self::Way | Self::Radius => Part::Line,
            Self::BroughtIn => Part::BroughtIn,
            Self::Lift => Part::Lift,
            Self::BrakePoint => Part::BrakePoint,
            Self::BuildUp => Part::BuildUp,
            Self::Braking => Part::Braking,
            Self::Release => Part::Release,
            Self::MinimumSpeed => Part::MinimumSpeed,
            Self::Throttle => Part::Throttle,
            Self::SecondLift => Part::SecondLift,
            Self::Gears => Part::Gears,
            Self::Battery => Part::Battery,
            Self::Drs => Part::Drs,
            Self::Drive => Part::Drive,
            Self::Other => Part::Rest,
        }
    }
}

/// The steps that were taken so far.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Taken(u32);

impl Taken {
    /// Takes one more.
    pub(super) fn take(&mut self, step: Step) {
        self.0 |= 1 << step as u32;
    }

    /// Whether a step was taken.
    pub(super) fn has(self, step: Step) -> bool {
        self.0 & (1 << step as u32) != 0
    }
}
