//! The specification of a stack of lanes.

use std::borrow::Cow;

use trailbrake_shared::model::{Channel, Drawing};
use trailbrake_shared::plot::{Domain, Extent, Polyline, TickKind, Tint, View};
use trailbrake_shared::units::DisplayUnit;

use crate::painter::value_row::ValueRow;
use crate::painter::{Ink, Paint};

/// The data of a stack of lanes. Columns are numbered as in the lanes' `LineSpec`s.
pub trait LaneSource {
    /// Appends a column's line to `line`.
    fn trace(&self, column: usize, view: &View, line: &mut Polyline);
    /// Appends the areas between a column's line and zero to `areas`.
    fn tint(&self, column: usize, view: &View, areas: &mut Tint);
    /// The lowest and highest value of a column.
    fn extent(&self, column: usize) -> Extent;
    /// The lowest and highest value of a column in a part of the x axis.
    fn extent_within(&self, column: usize, _part: Domain) -> Extent {
        self.extent(column)
    }

    /// A column's value at a point of the x axis, or its latest value if `at` is `None`.
    fn value(&self, column: usize, at: Option<f64>, drawing: Drawing) -> Option<f64>;
}

/// One line of a lane.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LineSpec {
    /// The index of the column in the source.
    pub column: usize,
    /// Its colour.
    pub paint: Paint,
    /// Its width in CSS pixels.
    pub width: f32,
    /// How samples are joined, and whether the scale is symmetric about zero.
    pub drawing: Drawing,
    /// The least range of its scale, which widens when values go beyond.
    pub domain: Domain,
    /// Whether the area between the line and zero is coloured by gain and loss.
    pub tinted: bool,
    /// Whether its scale may fit the values in the shown part of the x axis.
    pub follows: bool,
}

impl LineSpec {
    /// A channel's line, with the scale and drawing of the channel table.
    pub fn of(channel: Channel, column: usize, ink: Ink) -> Self {
        let (low, high) = channel.range();
        Self::new(column, channel.drawing(), Domain::new(low.into(), high.into()), ink)
    }

    /// A line with a scale.
    pub fn new(column: usize, drawing: Drawing, domain: Domain, ink: Ink) -> Self {
        Self { column, paint: ink.into(), width: 1.6, drawing, domain, tinted: false, follows: false }
    }

    /// The line with another width, CSS pixels.
    #[must_use]
    pub fn wide(self, width: f32) -> Self {
        Self { width, ..self }
    }
}

/// One lane.
#[derive(Clone, Debug, PartialEq)]
pub struct LaneSpec {
    /// Its name in the gutter.
    pub name: Cow<'static, str>,
    /// The unit in which its values are shown.
    pub unit: &'static DisplayUnit,
    /// Its height relative to the other lanes'.
    pub share: f32,
    /// Heights of its guide lines, as fractions from the bottom.
    pub guides: &'static [f32],
    /// Its lines, the main one last.
    pub lines: Vec<LineSpec>,
    /// Whether all its lines share one scale, as for the same channel of several laps.
    pub one_scale: bool,
    /// The rows of its gutter, from the top; if empty, one row with the value of each line.
    pub readouts: Vec<Readout>,
}

impl LaneSpec {
    /// A lane of one channel.
    pub fn of(channel: Channel, column: usize, share: f32) -> Self {
        let lines = vec![LineSpec::of(channel, column, Ink::Main)];
        Self {
            name: channel.label().into(),
            unit: channel.unit().shown(),
            share,
            guides: &[],
            lines,
            one_scale: false,
            readouts: Vec::new(),
        }
    }

    /// The rows of the lane's gutter at a point of the x axis, or at the latest sample, each with its colour.
    pub fn gutter_rows(&self, source: &impl LaneSource, at: Option<f64>) -> Vec<(Ink, String)> {
        let value = |line: usize| {
            let line = self.lines.get(line)?;
            source.value(line.column, at, line.drawing)
        };
        let written = |values: &[Option<f64>], signed| ValueRow { values, unit: self.unit, signed }.words();
        if self.readouts.is_empty() {
            let rows = self.lines.iter().enumerate();
            return rows.map(|(row, line)| (line.paint.ink, written(&[value(row)], line.tinted))).collect();
        }
        let tinted = self.lines.iter().any(|line| line.tinted);
        let row = |says: &Says| match says {
            Says::Values(lines) => {
                let values: Vec<Option<f64>> = lines.iter().map(|line| value(*line)).collect();
                written(&values, tinted)
            }
            Says::Difference(one, other) => {
                let difference = value(*one).zip(value(*other)).map(|(one, other)| one - other);
                written(&[difference], true)
            }
        };
        self.readouts.iter().map(|readout| (readout.ink, row(&readout.says))).collect()
    }
}

/// A row of values in a lane's gutter.
#[derive(Clone, Debug, PartialEq)]
pub struct Readout {
    /// Its colour.
    pub ink: Ink,
    /// Its content.
    pub says: Says,
}

/// The content of a row in a gutter. Lines are given by their index in the lane.
#[derive(Clone, Debug, PartialEq)]
pub enum Says {
    /// The values of some lines, side by side.
    Values(Vec<usize>),
    /// The value of the first line minus that of the second.
    Difference(usize, usize),
}

/// The range of the shared x axis.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Across {
    /// A time window that scrolls with the latest sample. It has no ticks, since it never stands still.
    Rolling {
        /// The window's length, seconds.
        seconds: f64,
        /// The current time, seconds.
        edge: f64,
        /// How many of the seconds lie ahead of the current time. If there are any, a line marks the current time.
        ahead: f64,
    },
    /// A part of a lap, with ticks.
    Fixed {
        /// The part.
        domain: Domain,
        /// The quantity of the axis.
        kind: TickKind,
    },
}

/// Marks along the x axis.
#[derive(Clone, Debug, Default)]
pub struct Along {
    /// Names above the lanes, each at a point of the axis. Without any, no room is reserved for them.
    pub names: Vec<(f64, String)>,
    /// The brakings of the laps.
    pub brakings: Brakings,
    /// Coasting, from and to.
    pub coasts: Vec<(f64, f64)>,
    /// The indices of the lanes at whose bottom coasting is marked.
    pub pedals: Vec<usize>,
    /// Gaps in the data, from and to, marked below the lanes.
    pub gaps: Vec<(f64, f64)>,
    /// Pauses and rewinds, marked below the lanes.
    pub cuts: Vec<f64>,
}

/// The height of the strip for brakings at the top of a lane, CSS pixels.
pub(super) const STRIP: f32 = 19.0;

/// One braking of a lap.
#[derive(Clone, Debug)]
pub struct Braking {
    /// The index of the lap among the compared laps.
    pub lap: usize,
    /// The lap's colour. Brakings of the main lap have the colour in [`Brakings::lanes`] instead.
    pub ink: Ink,
    /// Brake point, peak and release on the axis; NaN where unknown.
    pub at: [f64; 3],
    /// Its label, where there is room.
    pub says: String,
}

/// Brakings, and the lanes that mark them.
#[derive(Clone, Debug, Default)]
pub struct Brakings {
    /// The brakings, the main lap's last.
    pub of: Vec<Braking>,
    /// The indices of the lanes that mark them, each with the colour of the main lap's brakings there.
    pub lanes: Vec<(usize, Ink)>,
}

impl Brakings {
    /// The height of the strip in a lane, given by its index: CSS pixels, 0 if it marks no brakings.
    pub(super) fn strip(&self, lane: usize) -> f32 {
        let has = !self.of.is_empty() && self.lanes.iter().any(|(marked, _)| *marked == lane);
        if has { STRIP } else { 0.0 }
    }
}

/// Another person's cursor.
#[derive(Clone, Debug, PartialEq)]
pub struct PeerMark {
    /// Its point on the x axis.
    pub at: f64,
    /// The person's name.
    pub name: String,
}

/// A note on the axis.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Flag {
    /// Its point on the x axis.
    pub at: f64,
    /// Its colour.
    pub ink: Ink,
    /// Its number.
    pub number: usize,
}
