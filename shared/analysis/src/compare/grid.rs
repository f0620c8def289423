//! The first lap of a race. Its clock begins on the grid, and the part from there to the line has no counterpart.

use crate::axis::Frame;
use crate::{Answer, Fingerprint, ReferenceLine};

/// Largest distance of a grid or pit exit from the start line, metres.
const FURTHEST_M: f64 = 600.0;
/// A lap whose ends are nearer than this, along the line, goes from line to line, metres.
const CLOSES_M: f64 = 10.0;
/// Laps that end nearer to each other than this end at the same line, metres.
const SAME_LINE_M: f64 = 5.0;
/// The ends of a lap are searched this far around where its length puts them, metres.
const LOOK_M: f64 = 80.0;

/// A lap from line to line, and one that begins elsewhere and ends at the same line.
pub(super) struct GridStart {
    /// Index of the lap that begins elsewhere.
    pub(super) which: usize,
    /// Moves that lap into the other one's world.
    pub(super) frame: Option<Frame>,
    /// Where its clock begins, metres from the start line; negative on a grid before it.
    pub(super) began_m: f64,
    /// Whether the shapes of both laps match.
    pub(super) answer: Answer,
}

impl GridStart {
    /// The grid start among two laps, given by their lines. `None` if neither is one, or the other is not from line to
    /// line.
    pub(super) fn of(lines: [&ReferenceLine; 2]) -> Option<Self> {
        let [one, other] = lines;
        let which = if one.gap_m() > other.gap_m() { 0 } else { 1 };
        let (grid, flying) = if which == 0 { (one, other) } else { (other, one) };
        let longer_m = grid.length_m() - flying.length_m();
        let is_whole = |line: &ReferenceLine| line.is_closed() && line.gap_m() <= CLOSES_M;
        if is_whole(grid) || !is_whole(flying) || longer_m.abs() > FURTHEST_M {
            return None;
        }
        // Both drove the end of the longer path, which is all of the shorter one.
        let common_m = grid.length_m().min(flying.length_m());
        let (own, theirs) = (grid.last(common_m)?, flying.last(common_m)?);
        let answer = Fingerprint::of(&own).same_track(&Fingerprint::of(&theirs));
        if !answer.is_same() {
            return None;
        }
        let frame = Frame::between(&own, &theirs, 0.0);
        let place_of = |own_m: f64, near_m: f64| {
            let position = grid.at(own_m).position;
            flying.place_of(frame.map_or(position, |frame| frame.apply(position)), near_m, LOOK_M)
        };
        let began_m = place_of(0.0, -longer_m)?;
        let ended_m = place_of(grid.length_m(), flying.length_m())? - flying.length_m();
        (ended_m.abs() <= SAME_LINE_M).then_some(Self { which, frame, began_m, answer })
    }
}
