//! Figures as pure data: axes and marks. `draw` draws them on any backend: the page's canvas, or `svg` for files.

mod draw;
mod histogram;
mod lap;
mod lap_pair;
mod laps;
pub mod svg;
mod wheels;

pub use draw::{FigureInk, FigureLook, PlotArea, draw_figure};
pub use histogram::{Histogram, histogram_figure};
pub use lap::{
    balance_figure, corner_balance_figure, damper_figure, dampers_figure, grip_figure, grips_figure,
    histogram, splits_beside, splits_figure,
};
pub use lap_pair::{braking_figures, corners_figure, delta_figure, gains_figure};
pub use laps::{
    consistency_figure, energy_figure, fuel_figure, progress_figure, spread_figure, trend_figure,
};
pub use wheels::wheels_figure;

use super::{Domain, TickKind};

/// A figure with two axes and marks.
#[derive(Clone, Debug, PartialEq)]
pub struct Figure {
    /// The title.
    pub title: String,
    /// The horizontal axis.
    pub x: Axis,
    /// The vertical axis.
    pub y: Axis,
    /// Whether one unit has the same length on both axes.
    pub square: bool,
    /// The marks, hindmost first.
    pub marks: Vec<Mark>,
}

/// An axis of a figure.
#[derive(Clone, Debug, PartialEq)]
pub struct Axis {
    /// The quantity, with its unit.
    pub label: String,
    /// The span of values.
    pub domain: Domain,
    /// How values are written.
    pub ticks: TickKind,
}

/// A drawn element of a figure.
#[derive(Clone, Debug, PartialEq)]
pub struct Mark {
    /// Its name in the legend; empty for none.
    pub name: String,
    /// Its role, which decides its colour.
    pub tone: Tone,
    /// How it is drawn.
    pub shape: Shape,
}

/// How a mark is drawn.
#[derive(Clone, Debug, PartialEq)]
pub enum Shape {
    /// A dot at each point.
    Dots(Vec<[f64; 2]>),
    /// A line through the points.
    Line(Vec<[f64; 2]>),
    /// Bars of this width from zero to each point, which is the middle of the bar's end.
    Bars(f64, Vec<[f64; 2]>),
    /// The outline of such bars.
    Outline(f64, Vec<[f64; 2]>),
    /// A horizontal line across the figure.
    Level(f64),
}

/// The role of a mark.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tone {
    /// The main data.
    Main,
    /// The reference.
    Reference,
    /// Background.
    Faint,
    /// Outliers and losses.
    Off,
    /// One of up to four equals, such as wheels.
    One(u8),
}

impl Mark {
    fn new(name: &str, tone: Tone, shape: Shape) -> Self {
        Self { name: name.to_owned(), tone, shape }
    }
}

impl Shape {
    /// The corners of the outline of bars, starting and ending at zero.
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
    /// All points of the marks.
    fn places(marks: &[Mark]) -> impl Iterator<Item = [f64; 2]> {
        let places = marks.iter().flat_map(|mark| match &mark.shape {
            Shape::Dots(places) | Shape::Line(places) => places.as_slice(),
            Shape::Bars(_, places) | Shape::Outline(_, places) => places.as_slice(),
            Shape::Level(_) => &[],
        });
        places.copied()
    }

    /// The domain that holds one coordinate of all points.
    fn holding(marks: &[Mark], coordinate: usize) -> Domain {
        let values = || Self::places(marks).filter_map(|place| place.get(coordinate).copied());
        let low = values().filter(|value| value.is_finite()).fold(f64::INFINITY, f64::min);
        let high = values().filter(|value| value.is_finite()).fold(f64::NEG_INFINITY, f64::max);
        Domain::new(low, high)
    }
}

#[cfg(test)]
mod tests;
