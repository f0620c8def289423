//! Figures on canvases: a small interface for drawing in batches, and the figures made with it.
//!
//! A figure is a plain struct that paints on each frame, straight from the stores' buffers; nothing that changes sixty
//! times a second passes through a signal. `trailbrake_shared::plot` computes the lines. It also draws figures with
//! axes on any backend of plotters; the page's is in `backend`.

mod backend;
mod braking;
mod figure;
mod gutter;
mod lanes;
mod map;
mod palette;
mod pedals;
mod pen;
mod rolling;
mod route;
mod sheet;
mod value_row;

pub use braking::{BrakingCurve, BrakingFigure};
pub use figure::{FigurePainter, paint};
pub use lanes::{
    Across, Along, Braking, Brakings, Flag, LaneSource, LaneSpec, LaneStack, LineSpec, PeerMark, Reading,
    Readout, Says,
};
pub use map::{MapCar, TrackMap};
pub use palette::{Ink, Paint, Palette};
pub use pedals::{Countdown, NEAR_M, PedalFigure, PedalGears, PedalLines};
pub use pen::{Align, Pen, TextStyle};
pub use rolling::{ComparedTraces, Edge, RollingTraces, steps};
pub use route::{Framed, Looked, Pin, Route, RouteMap, Spot, ink_of};
pub use sheet::{Layer, Sheet, Size};
