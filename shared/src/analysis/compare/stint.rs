//! What other laps of a stint add to a comparison: what is lost again and again, and how alike the laps are.

use super::{Comparison, Thing, things};

/// A comparison, seen beside other laps against the same reference.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Stint {
    /// How many laps were looked at, the one of the comparison among them.
    pub laps: usize,
    /// The largest losses, those that come again first.
    pub things: Vec<Thing>,
    /// How far the places are spread where the brake came on for each corner: a standard deviation, metres. `None` of
    /// fewer than two.
    pub brake_spread_m: Vec<Option<f64>>,
}

impl Stint {
    /// What other laps against the same reference say of a comparison.
    pub fn new(comparison: &Comparison, others: &[Comparison]) -> Self {
        Self {
            laps: 1 + others.len(),
            things: things(comparison, others),
            brake_spread_m: (0..comparison.corners.len())
                .map(|index| brake_spread_m(comparison, others, index))
                .collect(),
        }
    }
}

/// How far the places are spread where the brake came on for a corner, over laps that know the same corners.
pub fn brake_spread_m(comparison: &Comparison, others: &[Comparison], index: usize) -> Option<f64> {
    let on = |one: &Comparison| one.tables.first()?.rows.get(index)?.brake_on_m;
    let same = others.iter().filter(|other| other.corners.len() == comparison.corners.len());
    let places: Vec<f64> = same.filter_map(on).chain(on(comparison)).collect();
    let count = places.len() as f64;
    let mean = places.iter().sum::<f64>() / count;
    let squares: f64 = places.iter().map(|place| (place - mean).powi(2)).sum();
    (places.len() > 1).then(|| (squares / (count - 1.0)).sqrt())
}
