//! The program `trailbrake`: receives racing games over UDP, sends their packets to browsers, forwards them to other
//! programs, records them, and works with recordings.
#![forbid(unsafe_code)]

mod clock;
pub mod commands;
mod disk;
mod feed_name;
mod figures;
mod files;
mod game_setup;
mod interrupt;
mod kept_settings;
mod library;
mod lock;
mod progress;
mod recording_id;
pub mod relaying;
pub mod shutdown;
mod small_file;
#[cfg(feature = "team")]
pub mod team;
mod terminal;
pub mod token;
mod unfinished;
mod version;

pub use terminal::plain;
