//! The parts of a loss.

use serde::Serialize;

use super::measured::Measured;

/// What the lap did differently there, in the order in which it happens.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Part {
    /// Another speed at the start line, where a lap begins.
    BroughtIn,
    /// Off the throttle earlier, before the braking or without one.
    Lift,
    /// The braking, with all that follows, begins earlier or later.
    BrakePoint,
    /// The brake builds up more slowly.
    BuildUp,
    /// Less deceleration on the brake.
    Braking,
    /// From the release of the brake to the slowest place.
    Release,
    /// The minimum speed, at the same radius.
    MinimumSpeed,
    /// More metres driven, or a tighter radius at the slowest place.
    Line,
    /// The throttle comes later, more slowly or less.
    Throttle,
    /// Off the throttle again on the exit.
    SecondLift,
    /// Another gear, or time lost in shifts.
    Gears,
    /// Less electrical energy deployed.
    Battery,
    /// DRS open for less of the way.
    Drs,
    /// Less acceleration at full throttle, in the same gear: drag, fuel or damage.
    Drive,
    /// The same where one of the two laps had a car ahead.
    Tow,
    /// Less grip all around: older tyres, or others.
    Tyres,
    /// Less grip all around, in rain.
    Wet,
    /// What was done differently where another car was in the way.
    Traffic,
    /// An excursion.
    Excursion,
    /// What nothing explains.
    Rest,
}

impl Part {
    /// What is not the driver's doing.
    pub const NOT_DRIVING: [Self; 7] =
        [Self::Battery, Self::Drs, Self::Drive, Self::Tow, Self::Tyres, Self::Wet, Self::Traffic];

    /// Whether it is the driver's doing, as far as is known.
    pub fn is_driving(self) -> bool {
        !Self::NOT_DRIVING.contains(&self)
    }

    /// The group whose colour it has.
    pub const fn group(self) -> PartGroup {
        match self {
            Self::BroughtIn => PartGroup::BroughtIn,
            Self::Lift | Self::BrakePoint => PartGroup::BrakePoint,
            Self::BuildUp | Self::Braking => PartGroup::Braking,
            Self::Release => PartGroup::Release,
            Self::MinimumSpeed => PartGroup::MinimumSpeed,
            Self::Line => PartGroup::Line,
            Self::Throttle | Self::SecondLift => PartGroup::Throttle,
            Self::Gears => PartGroup::Gears,
            Self::Battery | Self::Drs | Self::Drive | Self::Tow | Self::Tyres | Self::Wet | Self::Traffic => {
                PartGroup::NotDriving
            }
            Self::Excursion => PartGroup::Excursion,
            Self::Rest => PartGroup::Rest,
        }
    }

    /// Its name.
    pub const fn label(self) -> &'static str {
        match self {
            Self::Line => "line",
            Self::BroughtIn => "speed at the line",
            Self::Lift => "lift",
            Self::BrakePoint => "brake point",
            Self::BuildUp => "brake build-up",
            Self::Braking => "braking",
            Self::Release => "release",
            Self::MinimumSpeed => "min speed",
            Self::Throttle => "throttle",
            Self::SecondLift => "second lift",
            Self::Gears => "gears",
            Self::Battery => "battery",
            Self::Drs => "DRS",
            Self::Drive => "drive",
            Self::Tow => "tow",
            Self::Tyres => "tyres",
            Self::Wet => "wet track",
            Self::Traffic => "traffic",
            Self::Excursion => "excursion",
            Self::Rest => "rest",
        }
    }
}

/// Parts that have one colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PartGroup {
    /// The speed at the start line.
    BroughtIn,
    /// Brake point and lift.
    BrakePoint,
    /// Braking and its build-up.
    Braking,
    /// The release.
    Release,
    /// The minimum speed.
    MinimumSpeed,
    /// The line.
    Line,
    /// The throttle, and lifting again.
    Throttle,
    /// Gears.
    Gears,
    /// What is not the driver's doing.
    NotDriving,
    /// Excursions.
    Excursion,
    /// What nothing explains.
    Rest,
}

impl PartGroup {
    /// All groups, in the order in which things happen.
    pub const ALL: [Self; 11] = [
        Self::BroughtIn,
        Self::BrakePoint,
        Self::Braking,
        Self::Release,
        Self::MinimumSpeed,
        Self::Line,
        Self::Throttle,
        Self::Gears,
        Self::NotDriving,
        Self::Excursion,
        Self::Rest,
    ];

    /// Its name in style sheets.
    pub const fn id(self) -> &'static str {
        match self {
            Self::BroughtIn => "brought-in",
            Self::BrakePoint => "brake-point",
            Self::Braking => "braking",
            Self::Release => "release",
            Self::MinimumSpeed => "min-speed",
            Self::Line => "line",
            Self::Throttle => "throttle",
            Self::Gears => "gear",
            Self::NotDriving => "not-you",
            Self::Excursion => "excursion",
            Self::Rest => "rest",
        }
    }

    /// Its name.
    pub const fn label(self) -> &'static str {
        match self {
            Self::BrakePoint => "brake point, lift",
            Self::NotDriving => "not you",
            Self::BroughtIn => Part::BroughtIn.label(),
            Self::Braking => Part::Braking.label(),
            Self::Release => Part::Release.label(),
            Self::MinimumSpeed => Part::MinimumSpeed.label(),
            Self::Line => Part::Line.label(),
            Self::Throttle => Part::Throttle.label(),
            Self::Gears => Part::Gears.label(),
            Self::Excursion => Part::Excursion.label(),
            Self::Rest => Part::Rest.label(),
        }
    }
}

/// A part of a loss.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct PartLoss {
    /// Which part.
    pub part: Part,
    /// Seconds lost by it in the row; negative for time gained.
    pub loss_s: f64,
    /// Seconds lost by it after the row, because of the speed at the row's end.
    pub after_s: f64,
    /// What was measured, if one figure says it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub measured: Option<Measured>,
}

impl PartLoss {
    /// Changes a part of a row, which is added if it is not there.
    pub(super) fn change(parts: &mut Vec<Self>, part: Part, change: impl FnOnce(&mut Self)) {
        match parts.iter_mut().find(|known| known.part == part) {
            Some(known) => change(known),
            None => {
                let mut new = Self { part, loss_s: 0.0, after_s: 0.0, measured: None };
                change(&mut new);
                parts.push(new);
            }
        }
    }

    /// Seconds lost by it in the row and after.
    pub fn whole_s(&self) -> f64 {
        self.loss_s + self.after_s
    }
}
