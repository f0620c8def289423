//! Trailbrake's core without IO: layouts, decoders, laps, analysis.
//!
//! Nothing in this crate opens a socket, reads a file or the clock, or starts a thread. The relay and the browser run
//! the same code, live and from a recording.
#![forbid(unsafe_code)]

pub use trailbrake_analysis as analysis;
pub mod export;
pub use trailbrake_games as games;
pub mod import;
pub mod lap_catalogue;
pub mod library;
pub use trailbrake_model as model;
pub mod plot;
pub mod recording;
mod records;
pub use trailbrake_analysis::laps;
pub use trailbrake_games::{capture, feed, settings, wire};
pub use trailbrake_model::{number, time, units};
pub use trailbrake_session as session;
pub use trailbrake_session::sounds;
pub use trailbrake_sim as sim;
