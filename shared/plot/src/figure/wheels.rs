//! The four wheels over a lap.

use trailbrake_model::units::Units;
use trailbrake_model::{Channel, Wheel};

use super::laps::labelled;
use super::{Axis, Figure, Mark, Shape, Tone};
use crate::{Domain, TickKind};

/// Approximate number of ticks on the vertical axis.
const STEPS: usize = 5;

/// A channel of the four wheels along a lap in metres, in its display unit.
pub fn wheels_figure(channel: Channel, length_m: f64, lines: [Vec<[f64; 2]>; 4], units: &Units) -> Figure {
    let mut marks = Vec::new();
    for ((nth, wheel), line) in (0..).zip(Wheel::ALL).zip(lines) {
        marks.push(Mark::new(wheel.short(), Tone::One(nth), Shape::Line(line)));
    }
    Figure {
        title: format!("{} over the lap", channel.label()),
        x: Axis {
            label: "from the line".to_owned(),
            domain: Domain::new(0.0, length_m),
            ticks: TickKind::Distance,
        },
        y: Axis {
            label: labelled(channel, units),
            domain: Figure::holding(&marks, 1).nice(STEPS),
            ticks: TickKind::Number,
        },
        square: false,
        marks,
    }
}
