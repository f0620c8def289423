//! The named parts of a compared lap, with the time lost in each.

use super::Comparison;
use crate::Part;

/// A lap's smallest named parts in order, with the time lost in each: corners in three parts, and straights. Without
/// corners, its mini-sectors.
pub fn named_parts(comparison: &Comparison) -> Vec<Part> {
    if comparison.corners.is_empty() {
        let minis = comparison.minis.iter();
        return minis
            .filter_map(|mini| Some(Part { from_m: mini.from_m, to_m: mini.to_m, loss_s: mini.loss_s? }))
            .collect();
    }
    let corners = comparison.corners.iter().zip(&comparison.losses);
    let straights = comparison.straights.iter();
    let mut parts: Vec<Part> = corners
        .flat_map(|(corner, loss)| loss.parts(corner))
        .chain(
            straights
                .filter_map(|one| Some(Part { from_m: one.from_m, to_m: one.to_m, loss_s: one.loss_s? })),
        )
        .collect();
    parts.sort_by(|a, b| a.from_m.total_cmp(&b.from_m));
    parts.retain(|part| part.to_m > part.from_m);
    parts
}
