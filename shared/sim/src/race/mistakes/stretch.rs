//! Where a mistake happens.

use super::super::super::circuit::{Circuit, Corner};
use super::Mistake;

/// A corner in one lap, with the ways to it and from it, in metres since the first crossing of the line.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stretch {
    /// The exit of the corner before; the line, for the first corner.
    pub(super) approach_m: f64,
    pub(super) exit_m: f64,
}

impl Stretch {
    /// Where a mistake happens; `None` if the circuit has no such corner.
    pub(super) fn of(mistake: &Mistake, circuit: &Circuit) -> Option<Self> {
        let corners = &circuit.corners;
        let corner = corners.iter().find(|corner| corner.number == mistake.corner)?;
        let begun_m = f64::from(mistake.lap.saturating_sub(1)) * circuit.length_m;
        let before = corners.iter().map(|other: &Corner| other.exit_m).filter(|exit| *exit <= corner.entry_m);
        Some(Self { approach_m: begun_m + before.fold(0.0, f64::max), exit_m: begun_m + corner.exit_m })
    }

    /// Whether a distance lies between the exit of the corner before and that of the corner.
    pub(super) fn covers(&self, travelled_m: f64) -> bool {
        (self.approach_m..self.exit_m).contains(&travelled_m)
    }
}
