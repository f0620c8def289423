//! The line that two laps are placed on, and the shift of a lap that begins elsewhere on it.

use std::fmt;
use std::sync::Arc;

use serde::Serialize;

use super::OwnLine;
use super::grid::GridStart;
use crate::{Answer, Frame, LapColumns, PlacedLap, ReferenceLine};

/// The line that two laps are placed on, and the frames that move each onto it.
pub(super) struct Common {
    pub(super) line: Arc<ReferenceLine>,
    /// Whether the line covers the whole track.
    pub(super) is_track: bool,
    /// Whether the shapes match. `None` if one of the laps is incomplete.
    pub(super) answer: Option<Answer>,
    pub(super) frames: [Option<Frame>; 2],
    pub(super) start_line_shift: Option<StartLineShift>,
    /// Where their clocks begin, metres from the start line.
    pub(super) began_m: [f64; 2],
}

/// A lap shifted to the reference's start line.
///
/// Its part from the reference's line to its own comes first, and what it drove before that comes last. Its total time
/// stays the same, as does its time between two places. At its own line, its end meets its beginning.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct StartLineShift {
    /// How much further on its start line is, metres; negative if it is further back.
    pub further_m: f64,
    /// Where that is, metres from the reference's start line.
    pub meets_m: f64,
    /// The lap's own clock at the reference's start line, seconds.
    pub clock_s: f64,
}

impl StartLineShift {
    /// The shifted rows of a lap.
    pub(super) fn begun<'a>(&self, lap: &LapColumns<'a>) -> LapColumns<'a> {
        lap.begun_at(self.clock_s)
    }
}

impl Common {
    /// A line for laps in its own world.
    pub(super) fn on(line: Arc<ReferenceLine>) -> Self {
        Self {
            line,
            is_track: true,
            answer: None,
            frames: [None; 2],
            start_line_shift: None,
            began_m: [0.0; 2],
        }
    }

    /// The line of the lap from line to line, with the other one placed on it from the grid.
    pub(super) fn from_grid(from_grid: GridStart, [own, line]: [Arc<ReferenceLine>; 2]) -> Self {
        let GridStart { which, frame, began_m, answer } = from_grid;
        let common = match which {
            0 => Self { frames: [frame, None], began_m: [began_m, 0.0], ..Self::on(line) },
            _ => Self { frames: [None, frame], began_m: [0.0, began_m], ..Self::on(own) },
        };
        Self { answer: Some(answer), ..common }
    }

    /// Places both laps. A lap with a shifted start line must be passed shifted.
    pub(super) fn place(
        &self,
        laps: [&LapColumns<'_>; 2],
        own_lines: [&OwnLine; 2],
    ) -> Option<[PlacedLap; 2]> {
        let ([one, other], [one_frame, other_frame], [one_line, other_line]) =
            (laps, &self.frames, own_lines);
        let place = |lap: &LapColumns<'_>, frame: &Option<Frame>, own_line: &OwnLine| match frame {
            Some(_) => PlacedLap::on_line(lap, &self.line, frame.as_ref()),
            None => own_line.place_on(lap, &self.line),
        };
        Some([place(one, one_frame, one_line)?, place(other, other_frame, other_line)?])
    }
}

/// Describes the lap's shift in one line.
impl fmt::Display for StartLineShift {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { further_m, meets_m, .. } = self;
        let way = if *further_m < 0.0 { "further back" } else { "further on" };
        write!(
            f,
            "its start line is {:.0} m {way}: shifted to the reference's, its end meets its start at {meets_m:.0} m",
            further_m.abs()
        )
    }
}
