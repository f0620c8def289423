//! Three things to fix: where most is lost again and again, and what the driver did differently there.

use std::fmt;

use serde::Serialize;

use super::{Comparison, CornerLoss};
use crate::analysis::{AsideKind, CornerRow};
use crate::order;

/// How many things are told.
const MOST: usize = 3;
/// Less than this is not worth a sentence, seconds.
const LEAST_S: f64 = 0.015;
/// A difference smaller than this is none: metres of a pedal, metres of a lift, m/s, seconds.
const LEAST_M: f64 = 3.0;
const LEAST_LIFT_M: f64 = 6.0;
const LEAST_MS: f64 = 0.3;
const LEAST_COASTING_S: f64 = 0.08;
/// No more than this part of a loss lies before a place behind which it came about.
const MOST_BEFORE: f64 = 0.25;
const KMH: f64 = 3.6;

/// What the driver did differently, as measured.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Cause {
    /// The car was not on its way around the track.
    Aside(AsideKind),
    /// The brake came on so many metres earlier.
    BrakedEarlier {
        /// Metres.
        metres: f64,
    },
    /// The brake came on so many metres later, and the corner paid for it.
    BrakedLater {
        /// Metres.
        metres: f64,
    },
    /// The foot came off the throttle so many metres earlier, though the brake did not come on earlier.
    LiftedEarlier {
        /// Metres.
        metres: f64,
    },
    /// So many seconds longer neither pedal was pressed.
    Coasted {
        /// Seconds.
        seconds: f64,
    },
    /// The slowest place was so much slower.
    SlowerApex {
        /// km/h.
        kmh: f64,
    },
    /// The throttle came on so many metres later.
    ThrottleLater {
        /// Metres.
        metres: f64,
    },
    /// The corner was left so much slower.
    SlowerExit {
        /// km/h.
        kmh: f64,
    },
}

/// One thing to fix.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Thing {
    /// The corner's number.
    pub corner: u16,
    /// The corner's apex, metres from the line.
    pub place_m: f64,
    /// Seconds lost in the corner and on the straight behind it that its exit cost.
    pub loss_s: f64,
    /// What was different.
    pub cause: Cause,
    /// In how many of the laps that were looked at something was lost here.
    pub laps: usize,
    /// How many laps were looked at.
    pub of: usize,
}

/// The largest losses of a lap against its reference, each with what was measured to be different.
///
/// `others` are more laps against the same reference: what is lost in most of them goes before what was lost once.
pub fn things(comparison: &Comparison, others: &[Comparison]) -> Vec<Thing> {
    let mut things: Vec<Thing> = Vec::new();
    for (index, loss) in comparison.losses.iter().enumerate() {
        let own_s = with_straight(comparison, index, loss);
        if own_s < LEAST_S {
            continue;
        }
        let Some(cause) = cause(comparison, index, loss) else { continue };
        let again: Vec<f64> = others
            .iter()
            .filter_map(|other| Some(with_straight(other, index, same(other, comparison, index)?)))
            .collect();
        let laps = 1 + again.iter().filter(|lost| **lost >= LEAST_S).count();
        let place_m = comparison.corners.get(index).map_or(loss.from_m, |corner| corner.apex_m);
        let of = 1 + again.len();
        things.push(Thing { corner: loss.number, place_m, loss_s: own_s, cause, laps, of });
    }
    // What is lost in every lap weighs fully, what was lost once in many only a little.
    let weight = |thing: &Thing| thing.loss_s * thing.laps as f64 / thing.of as f64;
    order::sort_by(&mut things, &|a, b| weight(b).total_cmp(&weight(a)));
    things.truncate(MOST);
    things
}

/// The loss of another lap in the same corner; `None` where that has other corners.
fn same<'a>(other: &'a Comparison, own: &Comparison, index: usize) -> Option<&'a CornerLoss> {
    let (mine, theirs) = (own.corners.get(index)?, other.corners.get(index)?);
    let same = (mine.apex_m - theirs.apex_m).abs() < mine.exit_m - mine.entry_m;
    other.losses.get(index).filter(|_| same && own.corners.len() == other.corners.len())
}

/// What was lost in a corner, and on the straight behind it where the corner was left slower.
fn with_straight(comparison: &Comparison, index: usize, loss: &CornerLoss) -> f64 {
    let behind = comparison.straights.iter().find(|straight| straight.after == loss.number);
    let slower = rows(comparison, index).and_then(|(lap, reference)| Some(reference.exit_ms? - lap.exit_ms?));
    let straight = behind.filter(|_| slower.is_some_and(|slower| slower >= LEAST_MS));
    loss.loss_s() + straight.map_or(0.0, |straight| straight.loss_s.max(0.0))
}

fn rows(comparison: &Comparison, index: usize) -> Option<(&CornerRow, &CornerRow)> {
    let [lap, reference] = &comparison.tables;
    lap.rows.get(index).zip(reference.rows.get(index))
}

/// What was different, in the part of the corner that cost most; `None` where nothing is that could be measured.
fn cause(comparison: &Comparison, index: usize, loss: &CornerLoss) -> Option<Cause> {
    let [lap_placed, _] = &comparison.placed;
    let aside = lap_placed.asides.iter().find(|aside| aside.to_m >= loss.from_m && aside.from_m <= loss.to_m);
    if let Some(aside) = aside {
        return Some(Cause::Aside(aside.kind));
    }
    let (lap, reference) = rows(comparison, index)?;
    let less = |a: Option<f64>, b: Option<f64>, least: f64| {
        let less = b? - a?;
        (less >= least).then_some(less)
    };
    let earlier =
        less(lap.brake_on_m, reference.brake_on_m, LEAST_M).map(|metres| Cause::BrakedEarlier { metres });
    let later =
        less(reference.brake_on_m, lap.brake_on_m, LEAST_M).map(|metres| Cause::BrakedLater { metres });
    let lifted =
        less(lap.lift_m, reference.lift_m, LEAST_LIFT_M).map(|metres| Cause::LiftedEarlier { metres });
    let coasted = less(reference.coasting_s, lap.coasting_s, LEAST_COASTING_S)
        .map(|seconds| Cause::Coasted { seconds });
    let apex = less(lap.min_ms, reference.min_ms, LEAST_MS).map(|ms| Cause::SlowerApex { kmh: ms * KMH });
    let throttle = less(reference.throttle_on_m, lap.throttle_on_m, LEAST_M)
        .map(|metres| Cause::ThrottleLater { metres });
    let exit = less(lap.exit_ms, reference.exit_ms, LEAST_MS).map(|ms| Cause::SlowerExit { kmh: ms * KMH });
    // A foot that waits slows the car, and all that comes of it is lost behind where the other one was on the throttle.
    if let Some(throttle) = throttle.filter(|_| is_lost_behind(comparison, loss, reference.throttle_on_m)) {
        return Some(throttle);
    }
    let mut parts = vec![
        (loss.entry_s, [earlier, lifted, coasted, apex]),
        (loss.middle_s, [apex, earlier, lifted, later]),
        (loss.exit_s, [throttle, apex, exit, None]),
    ];
    order::sort_by(&mut parts, &|(a, _), (b, _)| b.total_cmp(a));
    let costly = parts.iter().filter(|(lost, _)| *lost > 0.0);
    costly.flat_map(|(_, causes)| causes).copied().flatten().next().or(exit)
}

/// Whether most of what a corner cost was lost behind a place.
fn is_lost_behind(comparison: &Comparison, loss: &CornerLoss, place_m: Option<f64>) -> bool {
    let at = |place_m: f64| comparison.at(place_m);
    let before = place_m.and_then(|place_m| Some(at(place_m)? - at(loss.from_m)?));
    before.is_some_and(|before_s| before_s < MOST_BEFORE * loss.loss_s())
}

/// Prints what was different: `braked 14 m earlier`.
impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Aside(AsideKind::Stop) => f.write_str("stood still"),
            Self::Aside(AsideKind::Detour) => f.write_str("left the track"),
            Self::Aside(AsideKind::Cut) => f.write_str("cut the corner"),
            Self::Aside(AsideKind::Spin) => f.write_str("spun"),
            Self::Aside(AsideKind::Pits) => f.write_str("went through the pit lane"),
            Self::BrakedEarlier { metres } => write!(f, "braked {metres:.0} m earlier"),
            Self::BrakedLater { metres } => write!(f, "braked {metres:.0} m later and paid for it"),
            Self::LiftedEarlier { metres } => write!(f, "off the throttle {metres:.0} m earlier"),
            Self::Coasted { seconds } => write!(f, "coasted {seconds:.2} s longer"),
            Self::SlowerApex { kmh } => write!(f, "{kmh:.0} km/h slower at the slowest place"),
            Self::ThrottleLater { metres } => write!(f, "on the throttle {metres:.0} m later"),
            Self::SlowerExit { kmh } => write!(f, "left the corner {kmh:.0} km/h slower"),
        }
    }
}

impl Thing {
    /// The thing in one sentence, with the corner's name.
    pub fn sentence(&self, name: &str) -> String {
        let Self { place_m, loss_s, cause, laps, of, .. } = self;
        let again = if *of > 1 { format!(", in {laps} of {of} laps") } else { String::new() };
        format!("{name} at {place_m:.0} m: {cause}, {loss_s:.2} s lost{again}.")
    }
}
