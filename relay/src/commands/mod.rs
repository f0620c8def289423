//! The subcommands: a module for each, with its arguments and its `run`, and the table of them.

pub mod analyse;
pub mod bests;
mod client;
pub mod compare;
pub mod decode;
pub mod export;
pub mod import;
pub mod inspect;
mod lap_arguments;
mod lap_line;
pub mod laps;
pub mod listen;
mod new_recording;
mod options;
mod outcome;
mod pair;
pub mod repair;
pub mod replay;
pub mod report;
pub mod sample;
pub mod server;
pub mod setup;
mod start;
mod table;
#[cfg(feature = "team")]
pub mod team;
pub mod tracks;
pub mod watch;

pub use outcome::Outcome;
pub use start::Start;
pub use table::{Command, CommandLine, read_settings};
