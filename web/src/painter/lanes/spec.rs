//! What a stack of lanes shows.

use std::borrow::Cow;

use trailbrake_shared::model::{Channel, Drawing};
use trailbrake_shared::plot::{Domain, Extent, Polyline, TickKind, Tint, View};
use trailbrake_shared::units::DisplayUnit;

use crate::painter::{Ink, Paint};

/// Where a stack of lanes gets what it draws. Columns are numbered as in the lanes' `LineSpec`s.
pub trait LaneSource {
    /// Adds a column's line.
    fn trace(&self, column: usize, view: &View, line: &mut Polyline);
    /// Adds the areas between a column's line and zero.
    fn tint(&self, column: usize, view: &View, areas: &mut Tint);
    /// The lowest and highest value of a column.
    fn extent(&self, column: usize) -> Extent;
    /// The lowest and highest value of a column in a part of the x axis.
    fn extent_within(&self, column: usize, _part: Domain) -> Extent {
        self.extent(column)
    }
    /// A column's value at a place of the x axis, or its latest.
    fn value(&self, column: usize, at: Option<f64>, drawing: Drawing) -> Option<f64>;
}

/// One line of a lane.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LineSpec {
    /// Which of the source's columns.
    pub column: usize,
    /// Its colour.
    pub paint: Paint,
    /// Its width in CSS pixels.
    pub width: f32,
    /// How it goes from sample to sample, and whether its scale is symmetric about zero.
    pub drawing: Drawing,
    /// What its scale shows at least; it widens when values go beyond.
    pub domain: Domain,
    /// Whether the area down to zero is coloured by gain and loss.
    pub tinted: bool,
    /// Whether its scale follows the part that is shown.
    pub follows: bool,
}

impl LineSpec {
    /// A channel's line, with the scale and drawing of the channel table.
    pub fn of(channel: Channel, column: usize, ink: Ink) -> Self {
        let (low, high) = channel.range();
        let domain = Domain::new(low.into(), high.into());
        Self {
            column,
            paint: ink.into(),
            width: 1.6,
            drawing: channel.drawing(),
            domain,
            tinted: false,
            follows: false,
        }
    }

    /// The line, that thick.
    #[must_use]
    pub fn wide(self, width: f32) -> Self {
        Self { width, ..self }
    }
}

/// One lane.
#[derive(Clone, Debug, PartialEq)]
pub struct LaneSpec {
    /// What stands in its gutter.
    pub name: Cow<'static, str>,
    /// The unit in which its values are shown.
    pub unit: &'static DisplayUnit,
    /// Its height beside the others'.
    pub share: f32,
    /// Where fine lines cross it, as shares of its height from the bottom.
    pub guides: &'static [f32],
    /// Its lines, the main one last.
    pub lines: Vec<LineSpec>,
    /// Whether all its lines are on one scale: the same channel of several laps.
    pub one_scale: bool,
    /// What its gutter says of the cursor's place, from the top. Where nothing is listed each line has its value there.
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
}

/// A row of a lane's gutter. It refers to lines by their index in the lane.
#[derive(Clone, Debug, PartialEq)]
pub struct Readout {
    /// Its colour.
    pub ink: Ink,
    /// What it says.
    pub says: Says,
}

/// What a row of a gutter says.
#[derive(Clone, Debug, PartialEq)]
pub enum Says {
    /// The values of some lines, side by side.
    Values(Vec<usize>),
    /// By how much the value of one line is above that of another.
    Difference(usize, usize),
}

/// What the shared x axis shows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Across {
    /// So many seconds around the latest sample; nothing is written along it, since it never stands still.
    Rolling {
        /// The window's length.
        seconds: f64,
        /// Where now is.
        edge: f64,
        /// How many of the seconds are ahead of it; a line marks it if there are any.
        ahead: f64,
    },
    /// A part of a lap, with ticks.
    Fixed {
        /// The part.
        domain: Domain,
        /// What the axis counts.
        kind: TickKind,
    },
}

/// Marks along the x axis.
#[derive(Clone, Debug, Default)]
pub struct Along {
    /// Places that have a name, which stands above the lanes. With no such place there is no room for names either.
    pub names: Vec<(f64, String)>,
    /// How laps braked.
    pub brakings: Brakings,
    /// Stretches in which neither pedal was pressed.
    pub coasts: Vec<(f64, f64)>,
    /// The lanes at whose bottoms these are marked, counted from the top.
    pub pedals: Vec<usize>,
    /// Stretches of which something is missing, marked under the lanes.
    pub gaps: Vec<(f64, f64)>,
    /// Pauses and rewinds.
    pub cuts: Vec<f64>,
}

/// CSS pixels of the strip, from the lane's top to the first lap's row in it, and from one row to the next.
pub(super) const STRIP: f32 = 19.0;

/// How a lap braked once.
#[derive(Clone, Debug)]
pub struct Braking {
    /// Which lap, by its place among those that are shown.
    pub lap: usize,
    /// Its colour, but for the main lap's, which is the lane's.
    pub ink: Ink,
    /// Brake point, peak and release on the axis; NaN where unknown.
    pub at: [f64; 3],
    /// Its label, where there is room.
    pub says: String,
}

/// Brakings, and the lanes that show them above their scales.
#[derive(Clone, Debug, Default)]
pub struct Brakings {
    /// The brakings, the main lap's last.
    pub of: Vec<Braking>,
    /// Lanes, counted from the top, each with the colour of the main lap in it.
    pub lanes: Vec<(usize, Ink)>,
}

impl Brakings {
    /// How much of a lane, counted from the top, is for the strip: CSS pixels.
    pub(super) fn strip(&self, lane: usize) -> f32 {
        let has = !self.of.is_empty() && self.lanes.iter().any(|(marked, _)| *marked == lane);
        if has { STRIP } else { 0.0 }
    }
}

/// Somebody else's cursor.
#[derive(Clone, Debug, PartialEq)]
pub struct PeerMark {
    /// Where on the axis.
    pub at: f64,
    /// Whose it is.
    pub name: String,
}

/// A note on the axis.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Flag {
    /// Where on the axis.
    pub at: f64,
    /// Its colour.
    pub ink: Ink,
    /// Its number.
    pub number: usize,
}
