//! Three things to fix: the places with the largest losses, and the cause of each.

use serde::Serialize;
use trailbrake_model::units::Units;

use super::flat_corners::is_carried;
use super::flat_out::{StartLoss, driven_less, excursion_behind, first_slow_corner, lost_behind, lost_by};
use super::{Cause, Comparison};
use crate::ExcursionKind;

/// Largest number of items.
const MOST: usize = 3;
/// Smaller losses are ignored, seconds.
const LEAST_S: f64 = 0.015;
/// A loss with an unknown cause is reported from here on, seconds.
const WORTH_A_WORD_S: f64 = 0.05;
/// The part lost after the corner is mentioned from here on, seconds.
const LEAST_BEHIND_S: f64 = 0.01;

/// A reset to the track with its penalty. It is in the list of excursions, and nothing that a corner could teach.
const RESET: Cause = Cause::Excursion(ExcursionKind::Reset);

/// One thing to fix.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Advice {
    /// The corner's number.
    pub corner: u16,
    /// Whether the time was lost between the start line and that corner.
    pub from_start: bool,
    /// The corner's apex, metres from the start line; 0 for a loss from there on.
    pub place_m: f64,
    /// Seconds lost in the corner, and after it because of its slower exit; or in a flat-out section because of less
    /// drive or a lower speed at the start line.
    pub loss_s: f64,
    /// The part of that lost in the corner itself. `None` for a loss in a flat-out section.
    pub in_corner_s: Option<f64>,
    /// What was different.
    pub cause: Cause,
    /// Number of laps that lost time here.
    pub laps: usize,
    /// Number of laps compared.
    pub of: usize,
}

/// The largest losses of a lap against its reference, each with its cause.
///
/// `others` are more laps against the same reference: they say how often time is lost there, and change neither the places
/// nor their order.
pub fn find_advice(comparison: &Comparison, others: &[Comparison]) -> Vec<Advice> {
    let mut advice: Vec<Advice> = Vec::new();
    let mut add = |corner: usize, cause: Cause, place: Place, lost: &dyn Fn(&Comparison) -> Option<f64>| {
        let Some((known, loss_s)) = comparison.corners.get(corner).zip(lost(comparison)) else { return };
        let again: Vec<f64> =
            others.iter().filter(|other| is_same(other, comparison, corner)).filter_map(lost).collect();
        let laps = 1 + again.iter().filter(|lost| **lost >= LEAST_S).count();
        let of = 1 + again.len();
        let in_corner_s = if place == Place::Corner { comparison.lost_in(corner) } else { None };
        let from_start = place == Place::FromStart;
        advice.push(Advice {
            corner: known.number,
            from_start,
            place_m: if from_start { 0.0 } else { known.apex_m },
            loss_s,
            in_corner_s,
            cause,
            laps,
            of,
        });
    };
    for (index, loss) in comparison.losses.iter().enumerate() {
        if lost_by(comparison, index).is_some_and(|lost| lost >= LEAST_S) {
            let cause = Cause::of(comparison, index, loss).unwrap_or(Cause::Unexplained);
            if cause == RESET {
                continue;
            }
            add(index, cause, Place::Corner, &|one| lost_by(one, index));
        }
    }
    let until = first_slow_corner(comparison);
    if let Some((begun, until)) = StartLoss::of(comparison).zip(until)
        && begun.seconds >= LEAST_S
    {
        let lost = |one: &Comparison| Some(StartLoss::of(one).map_or(0.0, |begun| begun.seconds));
        add(until, begun.cause, Place::FromStart, &lost);
    }
    // A flat-out section begins behind a corner that is not taken at full throttle, or at the start line.
    let slow = (0..comparison.losses.len()).filter(|index| !is_carried(comparison, *index));
    for corner in std::iter::once(None).chain(slow.map(Some)) {
        if lost_behind(comparison, corner).is_some_and(|lost| lost >= LEAST_S) {
            let lost = |one: &Comparison| lost_behind(one, corner);
            let place = if corner.is_some() { Place::Section } else { Place::FromStart };
            if let Some(kind) = excursion_behind(comparison, corner) {
                let cause = Cause::Excursion(kind);
                if let Some(at) = corner.or(until).filter(|_| cause != RESET) {
                    add(at, cause, place, &lost);
                }
                continue;
            }
            match (driven_less(comparison, corner), corner.or(until)) {
                (Some((at, cause)), _) => add(at, cause, Place::Section, &lost),
                (None, Some(at)) => add(at, Cause::FullThrottle, place, &lost),
                (None, None) => {}
            }
        }
    }
    advice.sort_by(|a, b| b.loss_s.total_cmp(&a.loss_s));
    // A loss that nobody can do anything about is reported only if it is the largest, so that nobody looks for it
    // elsewhere.
    let first = advice.first().filter(|first| first.loss_s >= WORTH_A_WORD_S).cloned();
    advice.retain(|thing| thing.cause.is_known());
    if let Some(first) = first.filter(|first| !first.cause.is_known()) {
        advice.insert(0, first);
    }
    advice.truncate(MOST);
    advice
}

/// Where time was lost.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    /// In the corner, and after it because of its exit.
    Corner,
    /// In a flat-out section around the corner or after it.
    Section,
    /// From the start line to the corner.
    FromStart,
}

/// Whether a corner is the same in another comparison.
fn is_same(other: &Comparison, own: &Comparison, index: usize) -> bool {
    let corners = own.corners.get(index).zip(other.corners.get(index));
    own.corners.len() == other.corners.len()
        && corners
            .is_some_and(|(mine, theirs)| (mine.apex_m - theirs.apex_m).abs() < mine.exit_m - mine.entry_m)
}

impl Advice {
    /// Seconds lost in the corner itself, and after it. `None` if the corner's own loss is all there is.
    pub fn split_s(&self) -> Option<(f64, f64)> {
        let own_s = self.in_corner_s?;
        let behind_s = self.loss_s - own_s;
        (behind_s.abs() >= LEAST_BEHIND_S).then_some((own_s, behind_s))
    }

    /// Where the time was lost, by the corner's name.
    pub fn title(&self, corner: &str) -> String {
        match self.cause {
            _ if self.from_start => format!("Start to {corner}"),
            Cause::FullThrottle | Cause::Excursion(_) if self.in_corner_s.is_none() => {
                format!("After {corner}")
            }
            _ => corner.to_owned(),
        }
    }

    /// The advice in one sentence, with the corner's name.
    pub fn sentence(&self, corner: &str, units: &Units) -> String {
        let Self { from_start, place_m, loss_s, laps, of, .. } = self;
        let (title, cause) = (self.title(corner), self.cause.words(units));
        let place = if *from_start { String::new() } else { format!(" at {place_m:.0} m") };
        let again = if *of > 1 { format!(", in {laps} of {of} laps") } else { String::new() };
        format!("{title}{place}: {cause}, {loss_s:.2} s lost{again}.")
    }
}
