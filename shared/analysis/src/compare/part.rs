//! Places an incomplete lap on the line of another: broken off, joined late, or with a gap.

use std::sync::Arc;

use super::NoComparison;
use super::common::Common;
use crate::axis::Frame;
use crate::{Answer, Fingerprint, LapColumns, PlacedLap, ReferenceLine};

/// A shorter part is not enough to place a lap, metres.
const LEAST_M: f64 = 100.0;
/// Largest shift between shapes that begin at the same line, metres.
const SHIFT_M: f64 = 80.0;
/// A car further from the line than this is on another path, metres.
const BESIDE_M: f64 = 40.0;
/// A larger step from one row to the next is a jump or a gap, metres.
const JUMP_M: f64 = 60.0;
/// Least part of the received distance that must lead along the line.
const ALONG_SHARE: f64 = 0.75;
/// A clock that begins nearer to the start line than this begins there, metres: on a stage, and on a circuit.
const SAME_STAGE_M: f64 = 20.0;
const SAME_LINE_M: f64 = 5.0;
/// Largest distance before the start line on a grid, and behind it at a pit exit, metres.
const GRID_M: f64 = 600.0;
const BEHIND_M: f64 = 100.0;
/// A lap whose first clock is later than this was joined late, seconds.
const BEGUN_S: f64 = 1.0;
/// Number of rows that give the speed at the lap's beginning.
const FIRST_ROWS: usize = 10;

/// The line of the complete lap, or of the longer one, with the other lap placed on it. `None` if neither gives a line.
pub(super) fn on_line(
    laps: [&LapColumns<'_>; 2],
    lines: [Option<Arc<ReferenceLine>>; 2],
) -> Result<Option<Common>, NoComparison> {
    let rank = |which: usize| {
        let (lap, line) = laps.get(which).zip(lines.get(which)?.as_ref())?;
        Some((lap.time.is_some(), line.length_m()))
    };
    let first = rank(0) >= rank(1);
    let [lap, reference] = laps;
    let (whole, part, (line, own)) = match (lines, first) {
        ([Some(line), own], true) => (lap, reference, (line, own)),
        ([own, Some(line)], false) => (reference, lap, (line, own)),
        _ => return Ok(None),
    };
    let frame = own.and_then(|own| frame_of(&own, &line));
    let began_m = begun(part, &line, frame.as_ref())?;
    let is_track = whole.time.is_some();
    let (frames, began_m) =
        if first { ([None, frame], [0.0, began_m]) } else { ([frame, None], [began_m, 0.0]) };
    Ok(Some(Common { frames, began_m, is_track, ..Common::on(line) }))
}

/// Moves a part that begins at the start line into the line's world. `None` if it is in the same one, or the shapes
/// differ.
fn frame_of(own: &ReferenceLine, line: &ReferenceLine) -> Option<Frame> {
    let stretch = line.first(own.length_m())?;
    match Fingerprint::of(own).same_track(&Fingerprint::of(&stretch)) {
        Answer::Same { shift_m, .. } if shift_m.abs() < SHIFT_M => Frame::between(own, &stretch, 0.0),
        _ => None,
    }
}

/// Where a part's clock begins, metres from the start line. Refuses a part that was driven elsewhere.
fn begun(lap: &LapColumns<'_>, line: &ReferenceLine, frame: Option<&Frame>) -> Result<f64, NoComparison> {
    let placed = PlacedLap::on_line(lap, line, frame).ok_or(NoComparison::Empty)?;
    let (mut driven_m, mut beside_m, mut along_m) = (0.0, 0.0, 0.0);
    let mut before: Option<([f64; 3], f64)> = None;
    let offsets = placed.offset_m.as_deref().unwrap_or_default();
    for (row, position) in lap.positions() {
        let Some((place, offset)) = placed.distance_m.get(row).zip(offsets.get(row)) else { continue };
        let Some((from, from_m)) = before.replace((position, *place)) else { continue };
        let squares: f64 = from.iter().zip(position).map(|(a, b)| (a - b).powi(2)).sum();
        let step_m = squares.sqrt();
        if step_m > JUMP_M {
            continue;
        }
        driven_m += step_m;
        if offset.abs() < BESIDE_M {
            beside_m += step_m;
            along_m += (place - from_m).min(step_m);
        }
    }
    if driven_m < LEAST_M {
        return Err(NoComparison::Empty);
    }
    if beside_m < ALONG_SHARE * driven_m {
        return Err(NoComparison::Elsewhere { share: 1.0 - beside_m / driven_m });
    }
    if along_m < ALONG_SHARE * beside_m {
        return Err(NoComparison::OtherTrack(Answer::OtherWay));
    }
    let rows: Vec<(f64, f64)> = placed.rows().take(FIRST_ROWS).collect();
    let ends = rows.first().zip(rows.last());
    let begins = ends.filter(|((_, from_s), (_, to_s))| *from_s < BEGUN_S && to_s > from_s);
    let Some(((from, from_s), (to, to_s))) = begins else { return Ok(0.0) };
    let began_m = from - (to - from) / (to_s - from_s) * from_s;
    let closed = line.is_closed();
    let near_m = if closed { SAME_LINE_M } else { SAME_STAGE_M };
    // Count the short way around.
    let further_m =
        if closed && began_m > line.length_m() / 2.0 { began_m - line.length_m() } else { began_m };
    match further_m {
        metres if metres.abs() <= near_m => Ok(0.0),
        metres if closed && (-GRID_M..=BEHIND_M).contains(&metres) => Ok(metres),
        further_m => Err(NoComparison::OtherStart { further_m, closed }),
    }
}
