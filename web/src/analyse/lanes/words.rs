//! The lanes as text, for screen readers.

use trailbrake_shared::number;

use super::canvas::LaneCanvas;
use crate::analyse::{Axis, ShownLaps};

/// Descriptions of the lanes for screen readers.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct LaneWords {
    /// Which lanes are missing, and why.
    pub(super) missing: String,
    /// The ids of the lanes with braking marks, separated by spaces.
    pub(super) marked: String,
    /// The number of braking marks that had room for their label.
    pub(super) worded: usize,
}

impl LaneWords {
    /// The descriptions of the canvas. `own` is whether the main lap is the driver's own.
    pub(super) fn of(lanes: &LaneCanvas, own: bool) -> Self {
        let missing = match lanes.missing() {
            [] => String::new(),
            missing => format!("{}: {}.", not_sent(own), missing.join(", ")),
        };
        Self { missing, marked: lanes.marked().join(" "), worded: lanes.worded() }
    }
}

/// The reason why a channel is missing. Games may send less of other drivers' cars than of one's own.
pub(crate) const fn not_sent(own: bool) -> &'static str {
    if own { "Not sent by this game" } else { "Not sent for this driver's car" }
}

/// How a lap braked for a corner.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct BrakingWords {
    pub(super) corner: u16,
    /// The lap's index among the laps on screen.
    pub(super) lap: usize,
    /// Brake point, peak and release on the axis, as numbers separated by spaces.
    pub(super) numbers: String,
    pub(super) words: String,
}

/// How the laps braked.
pub(super) fn brakings(shown: &ShownLaps, axis: Axis) -> Vec<BrakingWords> {
    let laps = shown.laps.iter().enumerate();
    let all = laps.flat_map(|(lap, shown_lap)| shown_lap.braked.iter().map(move |braked| (lap, braked)));
    let words = all.map(|(lap, braked)| {
        let at = braked.on(axis);
        BrakingWords {
            corner: braked.corner,
            lap,
            numbers: at.map(|at| number::write(at, 3)).join(" "),
            words: spoken(&shown.corner_name(braked.corner), at, axis),
        }
    });
    words.collect()
}

fn spoken(corner: &str, at: [f64; 3], axis: Axis) -> String {
    let place = |at: f64| match axis {
        Axis::Distance => format!("{} m", number::write(at, 0)),
        Axis::Time => format!("{} s", number::write(at, 2)),
    };
    let points = ["brakes at", "peak", "off"].into_iter().zip(at).filter(|(_, at)| at.is_finite());
    let points: Vec<String> = points.map(|(what, at)| format!("{what} {}", place(at))).collect();
    format!("{corner}: {}", points.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn brakings_are_spoken_with_their_units() {
        let at = [2190.506, 2197.914, 2310.641];
        assert_eq!(spoken("T5", at, Axis::Distance), "T5: brakes at 2191 m, peak 2198 m, off 2311 m");
        let at = [41.2, f64::NAN, 43.456];
        assert_eq!(spoken("T5", at, Axis::Time), "T5: brakes at 41.20 s, off 43.46 s");
    }
}
