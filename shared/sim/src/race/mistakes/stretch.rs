//! Where a mistake happens.

use super::super::super::circuit::Circuit;
use super::Mistake;

/// How far behind a corner its exit still counts as the way out of it, in metres.
const WAY_OUT_M: f64 = 60.0;

/// A corner in one lap, with the ways to it and from it. Distances are in metres since the first crossing of the line.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stretch {
    /// The exit of the corner before; the line, for the first corner.
    pub(super) approach_m: f64,
    pub(super) entry_m: f64,
    pub(super) exit_m: f64,
    /// Where the way out of the corner ends: at the next corner at the latest.
    pub(super) way_out_m: f64,
    pub(super) next_entry_m: f64,
    /// Whether it is a left-hander.
    pub(super) left: bool,
}

impl Stretch {
    /// Where a mistake happens; `None` if the circuit has no such corner.
    pub(super) fn of(mistake: &Mistake, circuit: &Circuit) -> Option<Self> {
        let corners = &circuit.corners;
        let corner = corners.iter().find(|corner| corner.number == mistake.corner)?;
        let begun_m = f64::from(mistake.lap.saturating_sub(1)) * circuit.length_m;
        let before = corners.iter().map(|other| other.exit_m).filter(|exit| *exit <= corner.entry_m);
        let behind = corners.iter().map(|other| other.entry_m).find(|entry| *entry >= corner.exit_m);
        let in_next_lap = || corners.first().map_or(0.0, |first| circuit.length_m + first.entry_m);
        let next_entry_m = begun_m + behind.unwrap_or_else(in_next_lap);
        let exit_m = begun_m + corner.exit_m;
        Some(Self {
            approach_m: begun_m + before.fold(0.0, f64::max),
            entry_m: begun_m + corner.entry_m,
            exit_m,
            way_out_m: (exit_m + WAY_OUT_M).min(next_entry_m),
            next_entry_m,
            left: corner.left,
        })
    }

    /// Whether a distance lies between the exit of the corner before and that of the corner.
    pub(super) fn covers(&self, travelled_m: f64) -> bool {
        (self.approach_m..self.exit_m).contains(&travelled_m)
    }
}
