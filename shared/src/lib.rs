//! Trailbrake's core without IO: layouts, decoders, laps, analysis. Each layer is a crate; this one names them for relay
//! and page.
//!
//! Nothing here opens a socket, reads a file or the clock, or starts a thread. The relay and the browser run the same
//! code, live and from a recording.
#![forbid(unsafe_code)]

pub use trailbrake_analysis as analysis;
pub use trailbrake_analysis::laps;
pub use trailbrake_games as games;
pub use trailbrake_games::{capture, feed, settings, wire};
pub use trailbrake_model as model;
pub use trailbrake_model::{letters, number, time, units};
pub use trailbrake_plot as plot;
pub use trailbrake_recording as recording;
pub use trailbrake_recording::{export, import, lap_catalogue, library};
pub use trailbrake_session as session;
pub use trailbrake_session::sounds;
pub use trailbrake_sim as sim;
