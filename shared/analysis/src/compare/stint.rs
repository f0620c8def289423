//! What other laps of a stint add to a comparison: how often each loss is repeated, and how consistent the brake points are.

use super::{Comparison, ThingsToFix};
use crate::CornerTable;
use crate::ledger::Ledger;

/// What other laps add to a comparison against the same reference.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Stint {
    /// Number of laps, including the comparison's own.
    pub laps: usize,
    /// What to fix first, and how many laps have each.
    pub to_fix: ThingsToFix,
    /// Standard deviation of the brake point of each corner, metres. `None` for fewer than two.
    pub brake_spread_m: Vec<Option<f64>>,
}

impl Stint {
    /// Adds other laps against the same reference. `reference_too` says whether the reference is in
    /// the stint.
    pub fn new(comparison: &Comparison, others: &[Comparison], reference_too: bool) -> Self {
        Self {
            laps: 1 + others.len(),
            to_fix: ThingsToFix::of(&comparison.ledger, &comparison.corners, &ledgers(comparison, others)),
            brake_spread_m: (0..comparison.corners.len())
                .map(|index| brake_spread_m(comparison, others, reference_too, index))
                .collect(),
        }
    }
}

/// The ledgers of other laps with the same corners.
pub(super) fn ledgers<'a>(comparison: &Comparison, others: &'a [Comparison]) -> Vec<&'a Ledger> {
    let same = others.iter().filter(|other| other.corners.len() == comparison.corners.len());
    same.map(|other| &other.ledger).collect()
}

/// Standard deviation of a corner's brake point, metres: over the comparison's lap, the `others` with the same corners,
/// and the reference if it is in the stint.
fn brake_spread_m(
    comparison: &Comparison,
    others: &[Comparison],
    reference_too: bool,
    index: usize,
) -> Option<f64> {
    let on = |table: &CornerTable| table.rows.get(index)?.brake_on_m;
    let same = others.iter().filter(|other| other.corners.len() == comparison.corners.len());
    // Each comparison is on the line of its quicker lap, so brake points are mapped to this one's.
    let elsewhere = same.filter_map(|other| other.place_on(on(other.tables.first()?)?, comparison));
    let [lap, reference] = &comparison.tables;
    let own = on(lap).into_iter().chain(on(reference).filter(|_| reference_too));
    let places: Vec<f64> = own.chain(elsewhere).collect();
    let count = places.len() as f64;
    let mean = places.iter().sum::<f64>() / count;
    let squares: f64 = places.iter().map(|place| (place - mean).powi(2)).sum();
    (places.len() > 1).then(|| (squares / (count - 1.0)).sqrt())
}
