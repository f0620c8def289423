//! The cause of a loss: the first thing that the driver did differently, in words, and the cure.

use serde::Serialize;
use trailbrake_model::units::{MPS2_PER_G, Unit, Units};

use super::LedgerRow;
use super::measured::{Figure, Measured};
use super::part::Part;
use crate::ExcursionKind;

/// A cause that cost less is none, seconds.
const LEAST_S: f64 = 0.015;
/// A smaller gain is not mentioned, seconds.
const LEAST_GAINED_S: f64 = 0.002;
/// Smaller differences of a place are none, metres.
const LEAST_M: f64 = 3.0;
/// Softer braking that costs at least this part of the earlier brake point is what forced it.
const FORCING_SHARE: f64 = 0.5;
/// A cause that costs at least this part of a symptom stands before it.
const EXPLAINING_SHARE: f64 = 0.4;
/// A lap that is slower than this part of the reference's speed at the line did not begin flying.
const FLYING_SHARE: f64 = 0.5;

/// What follows from braking too late.
const AFTER_LATE_BRAKING: [Part; 3] = [Part::Line, Part::Release, Part::MinimumSpeed];

/// The first thing that a lap did differently in a corner or on a straight, which cost the time.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Cause {
    /// The part that it is.
    pub part: Part,
    /// What was measured, if one figure says it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub measured: Option<Measured>,
    /// What kind of an excursion it was.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub excursion: Option<ExcursionKind>,
    /// Seconds that it cost, with all that follows from it.
    pub cost_s: f64,
    /// Seconds that it gained before it cost more, if that is worth a word.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gained_s: Option<f64>,
}

impl Cause {
    /// The largest cause of a row's loss that is the driver's doing. `None` if there is none, or the row gained on the
    /// whole.
    pub fn of(row: &LedgerRow) -> Option<Self> {
        if row.loss_s.is_some_and(|loss_s| loss_s <= 0.0) {
            return None;
        }
        if let Some(kind) = row.excursion {
            let cost_s = row.part_s(Part::Excursion);
            let cause =
                Self { part: Part::Excursion, measured: None, excursion: Some(kind), cost_s, gained_s: None };
            // A reset with its penalty is nothing that a corner could teach.
            return Some(cause).filter(|_| cost_s >= LEAST_S && kind != ExcursionKind::Reset);
        }
        let too_late = Self::too_late(row);
        let mut causes: Vec<Self> = too_late.into_iter().collect();
        for part in row.parts.iter().filter(|part| part.part.is_driving() && part.part != Part::Rest) {
            let follows = AFTER_LATE_BRAKING.contains(&part.part) || part.part == Part::Throttle;
            if too_late.is_some() && follows {
                continue;
            }
            let mut cost_s = part.whole_s();
            // A driver who brakes softly has to brake early: the cure is the pressure.
            let early_s = row.part_s(Part::BrakePoint).max(0.0);
            if matches!(part.part, Part::BuildUp | Part::Braking) && cost_s >= FORCING_SHARE * early_s {
                cost_s += early_s;
            }
            causes.push(Self {
                part: part.part,
                measured: part.measured,
                excursion: None,
                cost_s,
                gained_s: None,
            });
        }
        causes.retain(|cause| cause.cost_s >= LEAST_S);
        causes.sort_by(|a, b| b.cost_s.total_cmp(&a.cost_s));
        // A symptom is named only where nothing else explains much.
        let mut causes = causes.into_iter();
        let first = causes.next()?;
        let other = causes.next().filter(|other| other.cost_s >= EXPLAINING_SHARE * first.cost_s);
        Some(other.filter(|_| first.is_symptom()).unwrap_or(first))
    }

    /// A later brake point that gained less than it cost in the corner.
    fn too_late(row: &LedgerRow) -> Option<Self> {
        let part = row.parts.iter().find(|part| part.part == Part::BrakePoint)?;
        let is_later = part.measured.is_some_and(|measured| measured.more() >= LEAST_M);
        let corner_s: f64 = AFTER_LATE_BRAKING.into_iter().map(|part| row.part_s(part)).sum();
        let follows_s = corner_s + row.part_s(Part::Throttle).max(0.0);
        let cost_s = part.whole_s() + follows_s;
        (is_later && follows_s >= LEAST_S && cost_s >= LEAST_S).then_some(Self {
            part: Part::BrakePoint,
            measured: part.measured,
            excursion: None,
            cost_s,
            gained_s: Some(-part.whole_s()).filter(|gained_s| *gained_s >= LEAST_GAINED_S),
        })
    }

    /// Seconds that the same thing cost in a row of another lap.
    pub fn cost_in(&self, row: &LedgerRow) -> f64 {
        match Self::of(row).filter(|other| other.part == self.part && other.is_late() == self.is_late()) {
            Some(other) => other.cost_s,
            None if self.is_late() => 0.0,
            None => row.part_s(self.part),
        }
    }

    /// Whether the brake point was too late.
    fn is_late(&self) -> bool {
        self.part == Part::BrakePoint && self.measured.is_some_and(|measured| measured.more() > 0.0)
    }

    /// Whether the lap did not begin flying, and the reference did.
    fn is_standing_start(&self) -> bool {
        self.part == Part::BroughtIn && self.measured.is_some_and(|at| at.lap < FLYING_SHARE * at.reference)
    }

    /// Whether only a symptom is known: the car was slower there, and nothing says why.
    pub fn is_symptom(&self) -> bool {
        self.part == Part::MinimumSpeed
    }

    /// What the driver did differently: `braked 8 m too late`.
    pub fn words(&self, units: &Units) -> String {
        let speed = |ms: f64| amount(units, Unit::MetresPerSecond, ms);
        let measured = self.measured;
        let more = measured.map(|measured| measured.more());
        let later = |metres: f64, late: &str, early: &str| {
            format!("{:.0} m {}", metres.abs(), if metres > 0.0 { late } else { early })
        };
        match (self.part, more, measured) {
            (Part::Excursion, ..) => match self.excursion {
                Some(ExcursionKind::Stop) => "stood still".to_owned(),
                Some(ExcursionKind::Detour) | None => "left the track".to_owned(),
                Some(ExcursionKind::Cut) => "cut the corner".to_owned(),
                Some(ExcursionKind::Spin) => "spun".to_owned(),
                Some(ExcursionKind::Pits) => "went through the pit lane".to_owned(),
                Some(ExcursionKind::Reset) => "was reset to the track".to_owned(),
            },
            (Part::BroughtIn, ..) if self.is_standing_start() => {
                "started from the grid or the pits, the reference did not".to_owned()
            }
            (Part::BroughtIn, Some(more), _) => format!("came in {} slower", speed(-more)),
            (Part::Lift, Some(more), _) if more.abs() >= LEAST_M => {
                format!("lifted {}", later(more, "later", "too early"))
            }
            (Part::Lift, ..) => "lifted where the reference did not".to_owned(),
            (Part::BrakePoint, Some(more), _) if more.abs() >= LEAST_M => {
                format!("braked {}", later(more, "too late", "too early"))
            }
            (Part::BrakePoint, ..) => "slowed too early".to_owned(),
            (Part::BuildUp, _, Some(Measured { lap, reference, .. })) => {
                format!("built up the brake in {lap:.2} s, the reference in {reference:.2} s")
            }
            (Part::Braking, _, Some(Measured { lap, reference, .. })) => {
                format!(
                    "braked with {:.1} g, the reference with {:.1} g",
                    lap / f64::from(MPS2_PER_G),
                    reference / f64::from(MPS2_PER_G)
                )
            }
            (Part::BuildUp | Part::Braking, ..) => "braked more softly".to_owned(),
            (Part::Release, Some(more), Some(Measured { figure: Figure::CoastingS, .. })) if more > 0.0 => {
                format!("coasted {more:.2} s longer")
            }
            (Part::Release, Some(more), Some(Measured { figure: Figure::ReleaseM, .. })) => {
                format!("released the brake {}", later(more, "later", "earlier"))
            }
            (Part::Release, Some(more), Some(Measured { figure: Figure::DrivenM, .. })) if more >= 1.0 => {
                format!("slow for {more:.0} m longer before the apex")
            }
            (Part::Release, ..) => "lost time between brake and apex".to_owned(),
            (Part::Line, _, Some(Measured { figure: Figure::RadiusM, lap, reference }))
                if lap < reference =>
            {
                format!("took a tighter line: {lap:.0} m radius, the reference {reference:.0} m")
            }
            (Part::Line, ..) => "drove a longer line".to_owned(),
            (Part::MinimumSpeed, Some(more), _) => format!("{} slower at the apex", speed(-more)),
            (Part::MinimumSpeed, None, _) => "slower at the apex".to_owned(),
            (Part::Throttle, Some(more), Some(Measured { figure: Figure::ThrottleOnM, .. }))
                if more > 0.0 =>
            {
                format!("on the throttle {more:.0} m later")
            }
            (Part::Throttle, Some(more), Some(Measured { figure: Figure::FullThrottleM, .. }))
                if more > 0.0 =>
            {
                format!("on full throttle {more:.0} m later")
            }
            (Part::Throttle, ..) => "used less throttle".to_owned(),
            (Part::SecondLift, ..) => "lifted again on the exit".to_owned(),
            (Part::Gears, Some(more), Some(Measured { lap, reference, .. })) => {
                let high = if more > 0.0 { "high" } else { "low" };
                format!("took gear {lap:.0}, too {high}: the reference took {reference:.0}")
            }
            (Part::Gears, ..) => "lost time in gears and shifts".to_owned(),
            (Part::BroughtIn, ..) => "came in slower".to_owned(),
            (
                Part::Battery
                | Part::Drs
                | Part::Drive
                | Part::Tow
                | Part::Tyres
                | Part::Wet
                | Part::Traffic
                | Part::Rest,
                ..,
            ) => self.part.label().to_owned(),
        }
    }

    /// What to do about it, in a short sentence. `None` if the driver can't do anything there. `apex_m` is the corner's
    /// apex, from which places are counted.
    pub fn cure(&self, units: &Units, apex_m: Option<f64>) -> Option<String> {
        let place = |place_m: f64| {
            let before_m = apex_m? - place_m;
            let side = if before_m >= 0.0 { "before" } else { "after" };
            Some(format!("{:.0} m {side} the apex", before_m.abs()))
        };
        let reference = self.measured.map(|measured| measured.reference);
        let figure = self.measured.map(|measured| measured.figure);
        let there = reference.and_then(place);
        let is_more = self.measured.is_some_and(|measured| measured.more() > 0.0);
        let cure = match self.part {
            Part::Excursion => match self.excursion {
                Some(ExcursionKind::Pits | ExcursionKind::Reset) => return None,
                Some(ExcursionKind::Cut) => "Stay off the inside of the track.".to_owned(),
                _ => "Stay on the track.".to_owned(),
            },
            Part::BroughtIn if self.is_standing_start() => return None,
            Part::BroughtIn => "Drive the last corner for its exit.".to_owned(),
            Part::Lift => match there.filter(|_| figure == Some(Figure::PlaceM)) {
                Some(there) => format!("Stay on full throttle until {there}."),
                None => "Stay on full throttle.".to_owned(),
            },
            Part::BrakePoint => match there {
                Some(there) if self.is_late() => format!("Brake {there} again."),
                Some(there) => format!("Brake {there}."),
                None => "Brake where the reference brakes.".to_owned(),
            },
            Part::BuildUp => "Brake hard at once.".to_owned(),
            Part::Braking => match reference {
                Some(ms2) => format!("Press harder: the car can do {:.1} g.", ms2 / f64::from(MPS2_PER_G)),
                None => "Press harder.".to_owned(),
            },
            Part::Release => match figure {
                Some(Figure::CoastingS) if is_more => "Go straight from one pedal to the other.".to_owned(),
                Some(Figure::ReleaseM) if is_more => format!("Release the brake {}.", there?),
                Some(Figure::ReleaseM) => format!("Trail the brake to {}.", there?),
                _ => "Keep the brake on until the car turns, then let it roll.".to_owned(),
            },
            Part::Line if figure == Some(Figure::RadiusM) => {
                "Open the corner: use the width at entry and exit.".to_owned()
            }
            Part::Line => "Drive the shorter line of the reference.".to_owned(),
            Part::MinimumSpeed => match reference {
                Some(ms) => format!("The car has grip for {}.", amount(units, Unit::MetresPerSecond, ms)),
                None => return None,
            },
            Part::Throttle => match (figure, there) {
                (Some(Figure::ThrottleOnM), Some(there)) => format!("Begin to open the throttle {there}."),
                (Some(Figure::FullThrottleM), Some(there)) => format!("Be on full throttle {there}."),
                _ => "Open the throttle as the reference does.".to_owned(),
            },
            Part::SecondLift => "Open the throttle once: wait until it can stay open.".to_owned(),
            Part::Gears => match reference.filter(|_| figure == Some(Figure::Gear)) {
                Some(gear) => format!("Take gear {gear:.0}."),
                None => "Shift where the reference shifts.".to_owned(),
            },
            Part::Battery
            | Part::Drs
            | Part::Drive
            | Part::Tow
            | Part::Tyres
            | Part::Wet
            | Part::Traffic
            | Part::Rest => return None,
        };
        Some(cure)
    }
}

fn amount(units: &Units, unit: Unit, value: f64) -> String {
    let unit = units.shown(unit);
    format!("{:.*} {}", unit.decimals, unit.value(value), unit.suffix)
}
