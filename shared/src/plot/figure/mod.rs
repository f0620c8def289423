//! Figures that are no lanes: axes, and what stands between them, as pure data. Whoever shows them draws them; programs
//! have `svg` for files.

mod histogram;
mod lap;
mod lap_pair;
mod laps;
#[cfg(any(test, feature = "svg"))]
pub mod svg;
mod wheels;

pub use histogram::{Histogram, histogram_figure};
pub use lap::{
    balance_figure, corner_balance_figure, damper_figure, dampers_figure, grip_figure, grips_figure,
    histogram, splits_beside, splits_figure,
};
pub use lap_pair::{braking_figures, corners_figure, delta_figure};
pub use laps::{
    consistency_figure, energy_figure, fuel_figure, progress_figure, spread_figure, trend_figure,
};
pub use wheels::wheels_figure;

use super::{Domain, TickKind};

/// A figure.
#[derive(Clone, Debug, PartialEq)]
pub struct Figure {
    /// What it shows.
    pub title: String,
    /// From left to right.
    pub x: Axis,
    /// From below to above.
    pub y: Axis,
    /// Whether a unit is as long on both axes.
    pub square: bool,
    /// What stands in it, the hindmost first.
    pub marks: Vec<Mark>,
}

/// One axis of a figure.
#[derive(Clone, Debug, PartialEq)]
pub struct Axis {
    /// What it counts, with its unit.
    pub label: String,
    /// From where to where.
    pub domain: Domain,
    /// How its values are written.
    pub ticks: TickKind,
}

/// Something in a figure.
#[derive(Clone, Debug, PartialEq)]
pub struct Mark {
    /// What it is called in the legend; empty for what needs none.
    pub name: String,
    /// Which part it plays, from which its colour follows.
    pub tone: Tone,
    /// How it is drawn.
    pub shape: Shape,
}

/// How a mark is drawn.
#[derive(Clone, Debug, PartialEq)]
pub enum Shape {
    /// A dot at each place.
    Dots(Vec<[f64; 2]>),
    /// A line from place to place.
    Line(Vec<[f64; 2]>),
    /// A bar of this width from zero to each place, which is the middle of its end.
    Bars(f64, Vec<[f64; 2]>),
    /// The outline of such bars.
    Outline(f64, Vec<[f64; 2]>),
    /// A level line across the figure.
    Level(f64),
}

/// The part that a mark plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tone {
    /// What the figure is about.
    Main,
    /// What it is compared with.
    Reference,
    /// What lies behind.
    Faint,
    /// What does not count.
    Off,
    /// One of four that are equals: the wheels.
    One(u8),
}

impl Mark {
    fn new(name: &str, tone: Tone, shape: Shape) -> Self {
        Self { name: name.to_owned(), tone, shape }
    }
}

impl Shape {
    /// The corners of the outline of bars, up from nothing and down to it again.
    pub fn outline(width: f64, places: &[[f64; 2]]) -> Vec<[f64; 2]> {
        let ends = |[x, y]: [f64; 2]| [[x - width / 2.0, y], [x + width / 2.0, y]];
        let mut line: Vec<[f64; 2]> = places.iter().copied().flat_map(ends).collect();
        if let (Some([first, _]), Some([last, _])) = (line.first().copied(), line.last().copied()) {
            line.insert(0, [first, 0.0]);
            line.push([last, 0.0]);
        }
        line
    }
}

impl Figure {
    /// All places that something is drawn at.
    fn places(marks: &[Mark]) -> impl Iterator<Item = [f64; 2]> {
        let places = marks.iter().flat_map(|mark| match &mark.shape {
            Shape::Dots(places) | Shape::Line(places) => places.as_slice(),
            Shape::Bars(_, places) | Shape::Outline(_, places) => places.as_slice(),
            Shape::Level(_) => &[],
        });
        places.copied()
    }

    /// A domain that holds one coordinate of all places.
    fn holding(marks: &[Mark], coordinate: usize) -> Domain {
        let values = || Self::places(marks).filter_map(|place| place.get(coordinate).copied());
        let low = values().filter(|value| value.is_finite()).fold(f64::INFINITY, f64::min);
        let high = values().filter(|value| value.is_finite()).fold(f64::NEG_INFINITY, f64::max);
        Domain::new(low, high)
    }
}

#[cfg(test)]
mod tests;
