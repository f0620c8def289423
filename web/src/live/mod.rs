//! The Live page: the car that is driving now, or that of a recording that plays.

mod actions;
mod braking;
mod cue;
mod dash;
mod events;
mod grip;
mod ground;
mod lap_list;
mod missing;
mod page;
mod rolling;
mod strip;
mod timing;
mod trace;
mod track;
mod transport;
mod tyres;
mod words;

pub(crate) use dash::{DeltaFigure, in_gear};
pub(crate) use events::EventTable;
pub(crate) use page::LivePage;
pub(crate) use timing::heading;
pub(crate) use track::TrackPanel;
pub(crate) use words::latest;
