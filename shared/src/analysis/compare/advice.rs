//! Three things to fix: where most is lost again and again, and what was different there.

use serde::Serialize;

use super::flat_out::{driven_less, lost_behind, lost_by};
use super::{Cause, Comparison};

/// How many things are told.
const MOST: usize = 3;
/// Less than this is not worth a sentence, seconds.
const LEAST_S: f64 = 0.015;
/// The same of what nothing explains.
const WORTH_A_WORD_S: f64 = 0.05;
/// What was lost behind a corner is mentioned from here on, seconds.
const LEAST_BEHIND_S: f64 = 0.01;

/// One thing to fix.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Advice {
    /// The corner's number.
    pub corner: u16,
    /// The corner's apex, metres from the line.
    pub place_m: f64,
    /// Seconds lost in the corner and behind it since it was left slower; or on a way that was driven with all of the
    /// throttle, where less drove the car.
    pub loss_s: f64,
    /// How much of that was lost in the corner itself; `None` where none of it was.
    pub in_corner_s: Option<f64>,
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
pub fn find_advice(comparison: &Comparison, others: &[Comparison]) -> Vec<Advice> {
    let mut advice: Vec<Advice> = Vec::new();
    let mut tell = |corner: usize, cause: Cause, own: bool, lost: &dyn Fn(&Comparison) -> Option<f64>| {
        let Some((known, loss_s)) = comparison.corners.get(corner).zip(lost(comparison)) else { return };
        let again: Vec<f64> =
            others.iter().filter(|other| is_same(other, comparison, corner)).filter_map(lost).collect();
        let laps = 1 + again.iter().filter(|lost| **lost >= LEAST_S).count();
        let of = 1 + again.len();
        let in_corner_s = comparison.lost_in(corner).filter(|_| own);
        advice.push(Advice {
            corner: known.number,
            place_m: known.apex_m,
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
            tell(index, cause, true, &|one| lost_by(one, index));
        }
    }
    for corner in std::iter::once(None).chain((0..comparison.losses.len()).map(Some)) {
        if lost_behind(comparison, corner).is_some_and(|lost| lost >= LEAST_S) {
            let less = driven_less(comparison, corner);
            let (at, cause) = less.unwrap_or((corner.unwrap_or_default(), Cause::FullThrottle));
            tell(at, cause, false, &|one| lost_behind(one, corner));
        }
    }
    // What is lost in every lap weighs fully, what was lost once in many only a little.
    let weight = |thing: &Advice| thing.loss_s * thing.laps as f64 / thing.of as f64;
    advice.sort_by(|a, b| weight(b).total_cmp(&weight(a)));
    // What nobody can do anything about is said only where nothing costs more, so that nobody looks for it elsewhere.
    let first = advice.first().filter(|first| first.loss_s >= WORTH_A_WORD_S).cloned();
    advice.retain(|thing| thing.cause.is_known());
    if let Some(first) = first.filter(|first| !first.cause.is_known()) {
        advice.insert(0, first);
    }
    advice.truncate(MOST);
    advice
}

/// Whether another lap knows a corner as the same.
fn is_same(other: &Comparison, own: &Comparison, index: usize) -> bool {
    let corners = own.corners.get(index).zip(other.corners.get(index));
    own.corners.len() == other.corners.len()
        && corners
            .is_some_and(|(mine, theirs)| (mine.apex_m - theirs.apex_m).abs() < mine.exit_m - mine.entry_m)
}

impl Advice {
    /// Seconds lost in the corner itself, and behind it; `None` where the corner's own loss is all there is to say.
    pub fn split_s(&self) -> Option<(f64, f64)> {
        let own_s = self.in_corner_s?;
        let behind_s = self.loss_s - own_s;
        (behind_s.abs() >= LEAST_BEHIND_S).then_some((own_s, behind_s))
    }

    /// The thing in one sentence, with the corner's name.
    pub fn sentence(&self, name: &str) -> String {
        let Self { place_m, loss_s, cause, laps, of, .. } = self;
        let again = if *of > 1 { format!(", in {laps} of {of} laps") } else { String::new() };
        format!("{name} at {place_m:.0} m: {cause}, {loss_s:.2} s lost{again}.")
    }
}
