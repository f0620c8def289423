//! Figures as pure data: from columns of samples to polylines in device pixels, independent of the browser.
//!
//! The cost of drawing follows the pixels, not the samples: a column keeps the minimum and maximum of every
//! power-of-two block of its samples, and a trace requests one such pair per pixel.
#![forbid(unsafe_code)]

mod area;
mod brush;
pub mod chart_table;
pub mod colouring;
mod column;
pub mod csv;
mod domain;
pub mod figure;
mod growing_map;
pub mod lane_table;
mod map;
mod measure;
mod outline;
pub mod panel;
mod polyline;
mod pyramid;
pub mod report;
mod samples;
mod scale;
pub mod session_table;
pub mod sheet;
mod step;
mod svg;
mod ticks;
mod trace;
mod track_path;
mod window;

pub use area::{Tint, tint};
pub use brush::{Brush, Colour, Lettering, TEXT_MIDDLE, TEXT_SHRINKS};
pub use column::Column;
pub use domain::Domain;
pub use growing_map::GrowingMap;
pub use map::{MapBox, MapProjection, XAxis};
pub use measure::{Summary, nearest, summary, value_at};
pub use outline::TrackOutline;
pub use polyline::Polyline;
pub use pyramid::{Extent, Pyramid};
pub use samples::{Ring, Samples};
pub use scale::Scale;
pub use svg::SvgError;
pub use ticks::{TickKind, Ticks};
pub use trace::{Series, View, trace};
pub use track_path::TrackPath;
pub use window::{MapWindow, bar_m};

#[cfg(test)]
mod cost_tests;
