//! What is replaced, one after the other, on the way from a lap to its reference.

use super::part::Part;

/// One thing that is replaced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Replacement {
    /// The metres driven.
    MetresDriven,
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

impl Replacement {
    /// All of them, in the order in which things happen.
    pub(super) const ALL: [Self; 16] = [
        Self::MetresDriven,
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
            Self::MetresDriven | Self::Radius => Part::Line,
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

/// What is replaced so far.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Replaced(u32);

impl Replaced {
    /// Replaces one more thing.
    pub(super) fn add(&mut self, replacement: Replacement) {
        self.0 |= 1 << replacement as u32;
    }

    /// Whether a thing is replaced.
    pub(super) fn has(self, replacement: Replacement) -> bool {
        self.0 & (1 << replacement as u32) != 0
    }
}
