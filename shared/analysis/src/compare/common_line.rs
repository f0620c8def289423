//! Chooses the line that two laps are placed on.

use super::common::{Common, StartLineShift};
use super::grid::GridStart;
use super::{NoComparison, OwnLine, part};
use crate::{Answer, Fingerprint, Frame, LapColumns, PlacedLap, ReferenceLine};

/// Start lines nearer to each other than this are the same, metres.
const SAME_LINE_M: f64 = 5.0;
/// Two runs of a stage begin within this distance, metres.
const SAME_STAGE_M: f64 = 20.0;
/// Largest distance of a grid or pit exit from the start line, metres.
const GRID_M: f64 = 100.0;
/// A lap whose ends are nearer than this, along the line, has driven all of it, metres.
const CLOSES_M: f64 = 10.0;
/// A lap's start line is searched this far around where the fingerprints put it, metres.
const LOOK_M: f64 = 80.0;
/// Number of refinement steps when a place is searched on another line.
const ROUNDS: usize = 4;

/// The line of the quicker lap, if both laps have positions and are complete. If only one is complete, its line.
pub(super) fn common_line(
    laps: [&LapColumns<'_>; 2],
    own_lines: [&OwnLine; 2],
) -> Result<Option<Common>, NoComparison> {
    if laps.iter().any(|lap| lap.positions().next().is_none()) {
        return Ok(None);
    }
    let ([lap, reference], [lap_line, reference_line]) = (laps, own_lines);
    let (own, line) = match [lap_line.learn(lap), reference_line.learn(reference)] {
        [Some(own), Some(line)] if laps.iter().all(|lap| lap.time.is_some()) => (own, line),
        lines => return part::on_line(laps, lines),
    };
    let answer = Fingerprint::of(&own).same_track(&Fingerprint::of(&line));
    let comparable = matches!(answer, Answer::Same { .. } | Answer::OpenAndClosed);
    if let Some(from_grid) = comparable.then(|| GridStart::of([&own, &line])).flatten() {
        return Ok(Some(Common::from_grid(from_grid, [own, line])));
    }
    let Answer::Same { shift_m, .. } = answer else { return Err(NoComparison::OtherTrack(answer)) };
    let start = Start::of(&own, &line, -shift_m);
    if let Some(start_line_shift) = start.start_line_shift(lap, &own, &line)? {
        let frames = [start.frame, None];
        return Ok(Some(Common {
            answer: Some(answer),
            frames,
            start_line_shift: Some(start_line_shift),
            ..Common::on(line)
        }));
    }
    // A line without gaps goes first; then the quicker lap, then the one with the smaller residual.
    let order = own.is_bridged().cmp(&line.is_bridged());
    let order = order.then(lap.seconds().total_cmp(&reference.seconds()));
    let order = order.then(own.residual_m().total_cmp(&line.residual_m()));
    let common = if order.is_le() {
        Common { frames: [None, Frame::between(&line, &own, 0.0)], ..Common::on(own) }
    } else {
        Common { frames: [Frame::between(&own, &line, 0.0), None], ..Common::on(line) }
    };
    Ok(Some(Common { answer: Some(answer), ..common }))
}

/// Where a lap begins and ends on the reference's line.
struct Start {
    frame: Option<Frame>,
    /// How much further on the lap begins than the reference, metres.
    begins_m: f64,
    ends_m: f64,
}

impl Start {
    /// Locates the ends of a lap that begins about `further_m` further on than the reference.
    fn of(own: &ReferenceLine, line: &ReferenceLine, further_m: f64) -> Self {
        let mut start =
            Self { frame: Frame::between(own, line, further_m), begins_m: further_m, ends_m: further_m };
        start.begins_m = start.place_of(own, 0.0, line, further_m);
        start.ends_m =
            start.place_of(own, own.length_m(), line, further_m + line.length_m()) - line.length_m();
        start
    }

    /// The place on the reference's line of a place on the lap's own line, searched near `near_m`.
    fn place_of(&self, own: &ReferenceLine, own_m: f64, line: &ReferenceLine, near_m: f64) -> f64 {
        let position = own.at(own_m).position;
        let position = self.frame.map_or(position, |frame| frame.apply(position));
        line.place_of(position, near_m, LOOK_M).unwrap_or(near_m)
    }

    /// How to shift the lap to the reference's start line. `None` if it begins or ends there already.
    fn start_line_shift(
        &self,
        lap: &LapColumns<'_>,
        own: &ReferenceLine,
        line: &ReferenceLine,
    ) -> Result<Option<StartLineShift>, NoComparison> {
        let Self { begins_m, ends_m, .. } = *self;
        let near_m = if line.is_closed() { SAME_LINE_M } else { SAME_STAGE_M };
        if begins_m.abs() <= near_m || (ends_m.abs() <= SAME_LINE_M && begins_m.abs() <= GRID_M) {
            return Ok(None);
        }
        let whole = line.is_closed() && (ends_m - begins_m).abs() <= CLOSES_M && lap.time.is_some();
        let refused = NoComparison::OtherStart { further_m: begins_m, closed: line.is_closed() };
        let clock_s = if whole { self.clock_s(lap, own, line) } else { None };
        let clock_s = clock_s.ok_or(refused)?;
        let meets_m = begins_m.rem_euclid(line.length_m());
        Ok(Some(StartLineShift { further_m: begins_m, meets_m, clock_s }))
    }

    /// The lap's clock at the reference's start line, seconds.
    fn clock_s(&self, lap: &LapColumns<'_>, own: &ReferenceLine, line: &ReferenceLine) -> Option<f64> {
        let mut place_m = (-self.begins_m).rem_euclid(own.length_m());
        for _ in 0..ROUNDS {
            place_m -= self.place_of(own, place_m, line, 0.0);
        }
        PlacedLap::on_line(lap, own, None)?.clock_at(place_m.rem_euclid(own.length_m()))
    }
}
