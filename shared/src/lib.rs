//! Everything about telemetry that is true without IO: layouts, decoders, laps, figures.
//!
//! Nothing in this crate opens a socket, reads a file, asks for the time or starts a thread, so the relay and the
//! browser run the very same code, live and from a recording.
#![forbid(unsafe_code)]

pub mod analysis;
pub mod capture;
#[cfg(test)]
mod captures_tests;
pub mod export;
pub mod feed;
pub mod games;
pub mod lap_catalogue;
pub mod laps;
pub mod library;
pub mod model;
pub mod number;
pub mod plot;
pub mod recording;
mod records;
pub mod session;
pub mod sim;
pub mod time;
pub mod units;
pub mod wire;
