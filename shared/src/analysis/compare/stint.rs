//! What other laps of a stint add to a comparison: what is lost again and again, and how alike the laps are.

use super::{Advice, Comparison, find_advice};
use crate::analysis::CornerTable;

/// A comparison, seen beside other laps against the same reference.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Stint {
    /// How many laps were looked at, the one of the comparison among them.
    pub laps: usize,
    /// The largest losses, those that come again first.
    pub advice: Vec<Advice>,
    /// How far the places are spread where the brake came on for each corner: a standard deviation, metres. `None` of
    /// fewer than two.
    pub brake_spread_m: Vec<Option<f64>>,
}

impl Stint {
    /// What other laps against the same reference say of a comparison; whether the reference is one of the stint too.
    pub fn new(comparison: &Comparison, others: &[Comparison], reference_too: bool) -> Self {
        Self {
            laps: 1 + others.len(),
            advice: find_advice(comparison, others),
            brake_spread_m: (0..comparison.corners.len())
                .map(|index| brake_spread_m(comparison, others, reference_too, index))
                .collect(),
        }
    }
}

/// How far the brake points of a corner are spread over laps of a stint that know the same corners: the
/// comparison's, others against the same reference, and that itself where it is one of the stint too.
fn brake_spread_m(
    comparison: &Comparison,
    others: &[Comparison],
    reference_too: bool,
    index: usize,
) -> Option<f64> {
    let on = |table: &CornerTable| table.rows.get(index)?.brake_on_m;
    let same = others.iter().filter(|other| other.corners.len() == comparison.corners.len());
    // Every lap is told on the line of the quicker of itself and the reference.
    let elsewhere = same.filter_map(|other| other.place_on(on(other.tables.first()?)?, comparison));
    let [lap, reference] = &comparison.tables;
    let own = on(lap).into_iter().chain(on(reference).filter(|_| reference_too));
    let places: Vec<f64> = own.chain(elsewhere).collect();
    let count = places.len() as f64;
    let mean = places.iter().sum::<f64>() / count;
    let squares: f64 = places.iter().map(|place| (place - mean).powi(2)).sum();
    (places.len() > 1).then(|| (squares / (count - 1.0)).sqrt())
}
