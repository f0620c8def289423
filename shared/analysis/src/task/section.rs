//! The part of the track in which a corner's time is taken.

use serde::{Deserialize, Serialize};

use crate::{Corner, CornerReference, CornerRow};

/// The section begins this far before the place where the reference slows, metres: other laps may slow earlier.
const LEAD_M: f64 = 80.0;
/// It ends this far behind the exit at most, metres. Further on, tow and engine decide more than the exit.
const BEHIND_M: f64 = 300.0;
/// The throttle is watched this far behind the exit, metres.
const WATCHED_M: f64 = 80.0;
/// No track is longer, metres.
const FURTHEST_M: f64 = 100_000.0;
/// The corner of a task is the nearest one within this distance, metres.
const SAME_CORNER_M: f64 = 60.0;

/// A corner with the two places between which its time is taken, metres on the reference's axis.
#[derive(Clone, Debug, PartialEq)]
pub struct CornerSection {
    /// The corner.
    pub corner: Corner,
    /// Where the time begins: before any lap slows.
    pub from_m: f64,
    /// Where it ends: where the reference is about to slow again, or some way down the straight.
    pub to_m: f64,
    /// Where every measure of the corner is known.
    pub measured_m: f64,
    /// The place of the corner among the reference's corners.
    pub(super) index: usize,
}

impl CornerSection {
    /// The section of the corner whose apex is nearest to a place. `None` if there is none nearby.
    pub fn at(reference: &CornerReference, apex_m: f64) -> Option<Self> {
        let apart_m = |corner: &Corner| (corner.apex_m - apex_m).abs();
        let rows: Vec<(&Corner, &CornerRow)> = reference.rows().collect();
        let nearest = rows.iter().enumerate().min_by(|(_, a), (_, b)| apart_m(a.0).total_cmp(&apart_m(b.0)));
        let (index, (corner, row)) = nearest.filter(|(_, near)| apart_m(near.0) <= SAME_CORNER_M)?;
        let slows_m = |corner: &Corner, row: &CornerRow| {
            row.lift_m.or(row.brake_on_m).unwrap_or(corner.entry_m).min(corner.entry_m)
        };
        let before = index.checked_sub(1).and_then(|before| rows.get(before));
        let before_m = before.map_or(0.0, |(before, _)| before.exit_m);
        let from_m = (slows_m(corner, row) - LEAD_M).max(before_m);
        // A corner that is taken flat out belongs to the straight.
        let next = rows.iter().skip(index + 1).find(|(_, row)| row.flat != Some(true));
        let next_m = next.map_or(reference.length_m(), |(next, row)| slows_m(next, row) - LEAD_M);
        let to_m = next_m.min(corner.exit_m + BEHIND_M).max(corner.exit_m);
        let next_entry_m = rows.get(index + 1).map_or(reference.length_m(), |(next, _)| next.entry_m);
        let measured_m = (corner.exit_m + WATCHED_M).min(next_entry_m).max(corner.exit_m);
        Some(Self { corner: (*corner).clone(), from_m, to_m, measured_m, index })
    }
}

/// The corner of a task, as it is stored: laps of other recordings are timed between the same two places.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct TaskCorner {
    /// The corner's number.
    pub number: u16,
    /// Its apex, metres from the start line.
    pub apex_m: f64,
    /// Where its time begins, metres from the start line.
    pub from_m: f64,
    /// Where its time ends, metres from the start line.
    pub to_m: f64,
}

impl TaskCorner {
    /// The corner itself among others on the same axis.
    pub fn find<'a>(&self, corners: impl Iterator<Item = &'a Corner>) -> Option<&'a Corner> {
        let apart_m = |corner: &Corner| (corner.apex_m - self.apex_m).abs();
        let nearest = corners.min_by(|a, b| apart_m(a).total_cmp(&apart_m(b)));
        nearest.filter(|corner| apart_m(corner) <= SAME_CORNER_M)
    }

    /// Its name among others on the same axis, else its number: `T5`.
    pub fn short_title<'a>(&self, corners: impl Iterator<Item = &'a Corner>) -> String {
        self.find(corners).map_or_else(|| format!("T{}", self.number), Corner::short_title)
    }

    /// The section of this corner on a reference. `None` if the reference has no such corner.
    pub fn section(&self, reference: &CornerReference) -> Option<CornerSection> {
        let section = CornerSection::at(reference, self.apex_m)?;
        Some(CornerSection { from_m: self.from_m, to_m: self.to_m, ..section })
    }

    /// Whether the places are in order.
    pub fn is_possible(&self) -> bool {
        self.from_m >= 0.0 && self.from_m < self.apex_m && self.apex_m < self.to_m && self.to_m <= FURTHEST_M
    }
}

impl From<&CornerSection> for TaskCorner {
    fn from(section: &CornerSection) -> Self {
        let CornerSection { corner, from_m, to_m, .. } = section;
        Self { number: corner.number, apex_m: corner.apex_m, from_m: *from_m, to_m: *to_m }
    }
}
