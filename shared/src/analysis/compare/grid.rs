//! The first lap of a race: its clock begins on the grid and not at the line, and from there to the line it has no counterpart.

use crate::analysis::axis::Frame;
use crate::analysis::{Answer, Fingerprint, ReferenceLine};

/// No grid, and no way out of the pits, is further from the line than this, metres.
const FURTHEST_M: f64 = 600.0;
/// A lap whose end is nearer to its beginning than this, along the line, goes from line to line, metres.
const CLOSES_M: f64 = 10.0;
/// Laps that end nearer to one another than this end at the same line, metres.
const SAME_LINE_M: f64 = 5.0;
/// Where a lap begins and ends is looked for so far around where its length has it, metres.
const LOOK_M: f64 = 80.0;

/// A lap that goes from line to line, and one that begins elsewhere and ends at the same line.
pub(super) struct GridStart {
    /// Which of two laps begins elsewhere.
    pub(super) which: usize,
    /// How that one finds itself on the other one's line.
    pub(super) frame: Option<Frame>,
    /// Where its clock begins, metres from the line: negative on a grid before it.
    pub(super) began_m: f64,
    /// How alike the ways are that both drove.
    pub(super) answer: Answer,
}

impl GridStart {
    /// How two laps are one from the grid and one from line to line, given by their lines; `None` where they are not.
    pub(super) fn of(lines: [&ReferenceLine; 2]) -> Option<Self> {
        let [one, other] = lines;
        let which = if one.gap_m() > other.gap_m() { 0 } else { 1 };
        let (grid, flying) = if which == 0 { (one, other) } else { (other, one) };
        let longer_m = grid.length_m() - flying.length_m();
        let is_whole = |line: &ReferenceLine| line.is_closed() && line.gap_m() <= CLOSES_M;
        if is_whole(grid) || !is_whole(flying) || longer_m.abs() > FURTHEST_M {
            return None;
        }
        // What both drove: the end of the longer way, and all of the shorter.
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
