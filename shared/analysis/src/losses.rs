//! Cuts a delta into mini-sectors, corners in three parts, and straights.

use serde::Serialize;

use super::{Corner, CornerRow, CornerTable, MINI_SECTORS};

/// The time lost in a mini-sector.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct MiniSector {
    /// Where it begins, metres from the start line.
    pub from_m: f64,
    /// Where it ends, metres from the start line.
    pub to_m: f64,
    /// Seconds lost against the reference; negative for time gained. `None` if data is missing.
    pub loss_s: Option<f64>,
}

/// The time lost in a corner, from where either lap lifted or braked for it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct CornerLoss {
    /// The corner's number.
    pub number: u16,
    /// Where the first of the two laps lifted or braked, or the corner's entry, metres from the start line.
    pub from_m: f64,
    /// The corner's exit, metres from the start line.
    pub to_m: f64,
    /// Seconds lost until halfway to the apex. `None` if data is missing, as for the other parts.
    pub entry_s: Option<f64>,
    /// Seconds lost around the apex.
    pub middle_s: Option<f64>,
    /// Seconds lost from halfway between apex and exit.
    pub exit_s: Option<f64>,
}

/// The time lost between two corners.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct StraightLoss {
    /// The number of the corner before; 0 is the start line.
    pub after: u16,
    /// Where it begins, metres from the start line.
    pub from_m: f64,
    /// Where it ends, metres from the start line.
    pub to_m: f64,
    /// Seconds lost. `None` if data is missing.
    pub loss_s: Option<f64>,
}

/// A part of a lap, and the time lost in it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Part {
    /// Where it begins, metres from the start line.
    pub from_m: f64,
    /// Where it ends, metres from the start line.
    pub to_m: f64,
    /// Seconds lost; negative for time gained.
    pub loss_s: f64,
}

impl CornerLoss {
    /// Seconds lost in the whole corner. `None` if data is missing.
    pub fn loss_s(&self) -> Option<f64> {
        Some(self.entry_s? + self.middle_s? + self.exit_s?)
    }

    /// Entry, middle and exit, leaving out parts without data.
    pub(crate) fn parts(&self, corner: &Corner) -> impl Iterator<Item = Part> + use<> {
        let Self { from_m, to_m, entry_s, middle_s, exit_s, .. } = *self;
        let [first_m, second_m] = halves(corner, from_m);
        [(from_m, first_m, entry_s), (first_m, second_m, middle_s), (second_m, to_m, exit_s)]
            .into_iter()
            .filter_map(|(from_m, to_m, loss_s)| Some(Part { from_m, to_m, loss_s: loss_s? }))
    }
}

/// Halfway to the apex, and halfway from the apex to the exit, both at least `from_m`.
fn halves(corner: &Corner, from_m: f64) -> [f64; 2] {
    [corner.entry_m, corner.exit_m].map(|end| ((end + corner.apex_m) / 2.0).max(from_m))
}

/// Seconds lost from one place to another, by a delta.
fn between(at: &dyn Fn(f64) -> Option<f64>, from_m: f64, to_m: f64) -> Option<f64> {
    Some(at(to_m)? - at(from_m)?)
}

pub(crate) fn by_mini_sector(length_m: f64, at: &dyn Fn(f64) -> Option<f64>) -> Vec<MiniSector> {
    // This order of operations makes the last one end exactly at the line.
    let place = |step: usize| length_m * (step as f64 / MINI_SECTORS as f64);
    let mini = |step: usize| {
        let (from_m, to_m) = (place(step), place(step + 1));
        MiniSector { from_m, to_m, loss_s: between(at, from_m, to_m) }
    };
    (0..MINI_SECTORS).map(mini).collect()
}

/// Cuts the lap at its corners. The parts add up to the whole delta if no data is missing at their ends.
pub(crate) fn by_corner(
    corners: &[Corner],
    tables: &[CornerTable; 2],
    length_m: f64,
    at: &dyn Fn(f64) -> Option<f64>,
) -> (Vec<CornerLoss>, Vec<StraightLoss>) {
    let lost = |from_m: f64, to_m: f64| between(at, from_m, to_m);
    let (mut losses, mut straights) = (Vec::new(), Vec::new());
    let (mut before_m, mut after) = (0.0, 0);
    for (index, corner) in corners.iter().enumerate() {
        let slows = |row: &CornerRow| row.lift_m.or(row.brake_on_m);
        let slowings = tables.iter().filter_map(|table| slows(table.rows.get(index)?));
        let from_m = slowings.fold(corner.entry_m, f64::min).max(before_m);
        straights.push(StraightLoss {
            after,
            from_m: before_m,
            to_m: from_m,
            loss_s: lost(before_m, from_m),
        });
        let [first_m, second_m] = halves(corner, from_m);
        let to_m = corner.exit_m.max(from_m);
        losses.push(CornerLoss {
            number: corner.number,
            from_m,
            to_m,
            entry_s: lost(from_m, first_m),
            middle_s: lost(first_m, second_m),
            exit_s: lost(second_m, to_m),
        });
        (before_m, after) = (to_m, corner.number);
    }
    straights.push(StraightLoss {
        after,
        from_m: before_m,
        to_m: length_m,
        loss_s: lost(before_m, length_m),
    });
    straights.retain(|straight| straight.to_m > straight.from_m);
    (losses, straights)
}
