//! The line that two laps lie on, and what is done with one that begins elsewhere on it.

use std::fmt;

use serde::Serialize;

use super::grid::GridStart;
use crate::analysis::{Answer, Frame, LapColumns, PlacedLap, ReferenceLine};

/// The line that two laps lie on, and how each of them finds itself on it.
pub(super) struct Common {
    pub(super) line: ReferenceLine,
    /// Whether that is all of the track, and not a part that somebody drove.
    pub(super) is_track: bool,
    /// How alike the shapes of both laps are, where both were heard whole.
    pub(super) answer: Option<Answer>,
    pub(super) frames: [Option<Frame>; 2],
    pub(super) start_line_shift: Option<StartLineShift>,
    /// Where their clocks begin, metres from the line.
    pub(super) began_m: [f64; 2],
}

/// How a lap whose line is elsewhere was told from the reference's line on.
///
/// What it drove from there to its own line comes first, and what it had driven before behind that. Its times between two
/// places stay what they were, and so does its whole time; only where its line is, its end meets its beginning.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct StartLineShift {
    /// How much further on its line is, metres; negative when it is further back.
    pub further_m: f64,
    /// Where that is: metres from the reference's line.
    pub meets_m: f64,
    /// What its clock stood at at the reference's line, seconds.
    pub clock_s: f64,
}

impl StartLineShift {
    /// A lap told from where this one is.
    pub(super) fn begun<'a>(&self, lap: &LapColumns<'a>) -> LapColumns<'a> {
        lap.begun_at(self.clock_s)
    }
}

impl Common {
    /// A line that both lie on as it is.
    pub(super) fn on(line: ReferenceLine) -> Self {
        Self {
            line,
            is_track: true,
            answer: None,
            frames: [None; 2],
            start_line_shift: None,
            began_m: [0.0; 2],
        }
    }

    /// The line of the lap that goes from line to line, and the other one from the grid on it.
    pub(super) fn from_grid(from_grid: GridStart, [own, line]: [ReferenceLine; 2]) -> Self {
        let GridStart { which, frame, began_m, answer } = from_grid;
        let common = match which {
            0 => Self { frames: [frame, None], began_m: [began_m, 0.0], ..Self::on(line) },
            _ => Self { frames: [None, frame], began_m: [0.0, began_m], ..Self::on(own) },
        };
        Self { answer: Some(answer), ..common }
    }

    /// Places both laps; one whose line is elsewhere as it was turned.
    pub(super) fn place(&self, laps: [&LapColumns<'_>; 2]) -> Option<[PlacedLap; 2]> {
        let ([one, other], [one_frame, other_frame]) = (laps, &self.frames);
        let place =
            |lap: &LapColumns<'_>, frame: &Option<Frame>| PlacedLap::on_line(lap, &self.line, frame.as_ref());
        Some([place(one, one_frame)?, place(other, other_frame)?])
    }
}

/// Says it of the lap, as a line of its own.
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
