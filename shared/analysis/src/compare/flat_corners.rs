//! Corners that are taken at full throttle.

use super::Comparison;

/// Whether the lap takes a corner at full throttle and without an excursion. Its speed there then comes from before the
/// corner.
pub(super) fn is_carried(comparison: &Comparison, index: usize) -> bool {
    let [placed, _] = &comparison.placed;
    let excursion = comparison.losses.get(index).is_none_or(|loss| {
        placed
            .excursions
            .iter()
            .any(|excursion| excursion.to_m >= loss.from_m && excursion.from_m <= loss.to_m)
    });
    !excursion && comparison.rows(index).is_some_and(|(lap, _)| lap.flat == Some(true))
}
